/**
 * A text and the positions in it.
 */
import type { Location } from '@sconv/diagnostics';
import { fileLocation } from '@sconv/diagnostics';

const lineFeed = 10;

/** Finds line and column of offsets; lines are counted only as far as they are asked for. */
export class SourceText {
  readonly text: string;
  readonly fileName: string;
  /** The offsets at which the lines begin that were counted so far. */
  private readonly lineStarts: number[] = [0];
  private scanned = 0;

  constructor(text: string, fileName: string) {
    this.text = text;
    this.fileName = fileName;
  }

  /** The location of the character at `offset`; line and column count from 1. */
  locationAt(offset: number): Location {
    this.scanTo(offset);
    const line = this.lineOf(offset);
    return fileLocation(this.fileName, line + 1, offset - this.lineStarts[line]! + 1);
  }

  private scanTo(offset: number): void {
    for (; this.scanned < offset; this.scanned += 1) {
      if (this.text.charCodeAt(this.scanned) === lineFeed) this.lineStarts.push(this.scanned + 1);
    }
  }

  /** The last line that begins at or before `offset`. */
  private lineOf(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    if (this.lineStarts[high]! <= offset) return high;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

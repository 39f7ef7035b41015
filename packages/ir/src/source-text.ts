/** A text and its positions. */
import type { FileLocation, Location } from '@sconv/diagnostics';
import { fileLocation } from '@sconv/diagnostics';

const lineFeed = 10;

/** Converts offsets to line and column; counts lines only as far as needed. */
export class SourceText {
  readonly text: string;
  readonly fileName: string;
  /** The start offsets of the lines counted so far. */
  private readonly lineStarts: number[] = [0];
  private scanned = 0;

  constructor(text: string, fileName: string) {
    this.text = text;
    this.fileName = fileName;
  }

  /** The location of the character at `offset`; line and column start at 1. */
  locationAt(offset: number): Location {
    this.scanTo(offset);
    const line = this.lineOf(offset);
    return fileLocation(this.fileName, line + 1, offset - this.lineStarts[line]! + 1);
  }

  /** The offset of a position that `locationAt` gave. */
  offsetOf({ line, column }: FileLocation): number {
    return this.lineStarts[line - 1]! + column - 1;
  }

  private scanTo(offset: number): void {
    for (; this.scanned < offset; this.scanned += 1) {
      if (this.text.charCodeAt(this.scanned) === lineFeed) this.lineStarts.push(this.scanned + 1);
    }
  }

  /** The last line that starts at or before `offset`. */
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

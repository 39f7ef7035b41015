/** Positions as editors count them: lines and UTF-16 code units of a line, from 0. Shaped as in the protocol. */

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** From `start` up to, not including, `end`. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Replaces what is in the range. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** Converts between offsets in a text and positions. Lines end with `\n`, `\r\n` or `\r`. */
export class LineIndex {
  private readonly starts: readonly number[];
  /** Of each line, before its break. */
  private readonly ends: readonly number[];

  constructor(text: string) {
    const starts = [0];
    const ends: number[] = [];
    for (const { index, 0: lineBreak } of text.matchAll(/\r\n|\n|\r/g)) {
      ends.push(index);
      starts.push(index + lineBreak.length);
    }
    this.starts = starts;
    this.ends = [...ends, text.length];
  }

  positionAt(offset: number): Position {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: offset - this.starts[low]! };
  }

  /** A position behind the end of a line, which is before its break, or of the text is that end. */
  offsetAt({ line, character }: Position): number {
    if (line < 0) return 0;
    const [start, end] = [this.starts[line], this.ends[line]];
    if (start === undefined || end === undefined) return this.ends.at(-1)!;
    return Math.min(start + Math.max(0, character), end);
  }
}

/** Where the operations, values and blocks of a printed module are in its text. */
import type { Id } from './operation.ts';

/** Part of a text, in UTF-16 code units from its start: `text.slice(start, end)`. */
export interface TextRange {
  readonly start: number;
  /** Of the first code unit after it. */
  readonly end: number;
}

/** An operation: from the names of its results to its last character, without indentation. */
export interface OperationRange extends TextRange {
  /** Its name as printed: quoted in the generic form, possibly without its dialect in the custom one. */
  readonly name: TextRange;
}

/** The places of one name, in the order of the text. */
export interface NameRanges {
  /** Missing where the text names no definition: for an argument that the assembly leaves out. */
  readonly definition?: TextRange;
  readonly uses: readonly TextRange[];
}

/** The places of what a text shows, by id. What the custom form leaves out has none. */
export interface PrintedRanges {
  readonly operations: ReadonlyMap<Id, OperationRange>;
  /** The results under one name, `%0:2`, share their definition. */
  readonly values: ReadonlyMap<Id, NameRanges>;
  readonly blocks: ReadonlyMap<Id, NameRanges>;
}

interface MutableRanges {
  definition?: TextRange;
  readonly uses: TextRange[];
}

/** Filled by the printer. */
export class RangeRecorder implements PrintedRanges {
  readonly operations = new Map<Id, OperationRange>();
  readonly values = new Map<Id, MutableRanges>();
  readonly blocks = new Map<Id, MutableRanges>();
  private readonly offset: number;

  /** `offset`: the length of the text before the operations. */
  constructor(offset: number) {
    this.offset = offset;
  }

  operation(id: Id, start: number, end: number, name: TextRange): void {
    this.operations.set(id, { ...this.range(start, end), name: this.range(name.start, name.end) });
  }

  defineValue(id: Id, start: number, end: number): void {
    rangesOf(this.values, id).definition = this.range(start, end);
  }

  useValue(id: Id, start: number, end: number): void {
    rangesOf(this.values, id).uses.push(this.range(start, end));
  }

  defineBlock(id: Id, start: number, end: number): void {
    rangesOf(this.blocks, id).definition = this.range(start, end);
  }

  useBlock(id: Id, start: number, end: number): void {
    rangesOf(this.blocks, id).uses.push(this.range(start, end));
  }

  private range(start: number, end: number): TextRange {
    return { start: start + this.offset, end: end + this.offset };
  }
}

const rangesOf = (all: Map<Id, MutableRanges>, id: Id): MutableRanges => {
  const known = all.get(id);
  if (known !== undefined) return known;
  const ranges = { uses: [] };
  all.set(id, ranges);
  return ranges;
};

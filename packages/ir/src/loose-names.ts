/** The names in operations with errors, as far as their tokens tell: no parser has read them. */
import type { ParsedArgument, UnresolvedOperand } from './assembly.ts';
import type { RecordingScopes } from './recording-scopes.ts';
import { unknownType } from './recording-scopes.ts';
import type { SourceLayout } from './source-layout.ts';
import type { MutableName, MutableOperation, SourceRecorder } from './source-map.ts';
import type { SourceText } from './source-text.ts';

/** A name of a value in the text, and where it is. */
type PlacedOperand = UnresolvedOperand & { readonly offset: number };

/** A block that an operation with an error refers to. */
interface LooseBlock {
  readonly name: string;
  readonly offset: number;
}

/** Bounds work by numbers in a text with errors. */
const mostResults = 1000;

export class LooseNames {
  private readonly layout: SourceLayout;
  private readonly source: SourceText;
  private readonly recorder: SourceRecorder;
  private readonly scopes: RecordingScopes;
  /** Of each enclosing region, innermost last. */
  private readonly blocks: LooseBlock[][] = [];

  constructor(layout: SourceLayout, source: SourceText, recorder: SourceRecorder, scopes: RecordingScopes) {
    this.layout = layout;
    this.source = source;
    this.recorder = recorder;
    this.scopes = scopes;
  }

  /** The names before a region that nothing defines: its arguments. `open` is the index of its brace. */
  argumentsOf(node: MutableOperation, open: number, isIsolated: boolean): readonly ParsedArgument[] {
    const start = Math.max(node.nameRange.end, node.children.at(-1)?.end ?? 0);
    const operands = new Map<string, UnresolvedOperand>();
    for (const operand of this.valuesBetween(start, open)) {
      if (operands.has(operand.name) || (!isIsolated && this.scopes.useLoosely(operand))) continue;
      operands.set(operand.name, operand);
    }
    return [...operands.values()].map((operand) => ({ operand, type: unknownType }));
  }

  /** Defines the values named from an offset to the token `end` that no parser has read. */
  define(offset: number, end: number): void {
    for (const operand of this.valuesBetween(offset, end))
      if (!this.recorder.isKnown(operand.offset)) this.scopes.defineLoosely(operand);
  }

  /** Records the names in an operation's own text that no parser has read. */
  bind(node: MutableOperation): void {
    const { layout, recorder, scopes } = this;
    let offset = node.start;
    for (const { start, end } of [...node.children, { start: node.end, end: node.end }]) {
      const last = layout.indexAt(start);
      for (const operand of this.valuesBetween(offset, last)) {
        if (recorder.isKnown(operand.offset)) continue;
        const isResult =
          operand.offset < node.nameRange.start || (node.name === '' && operand.offset === node.start);
        if (isResult) this.defineResults(operand);
        else scopes.useLoosely(operand);
      }
      if (node.operation === undefined) this.collectBlocks(layout.indexAt(offset), last);
      offset = end;
    }
  }

  enterBlocks(): void {
    this.blocks.push([]);
  }

  /** Leaves a region; `blockNamed` gives its blocks. */
  leaveBlocks(blockNamed: (name: string) => MutableName | undefined): void {
    for (const { name, offset } of this.blocks.pop() ?? []) {
      const known = blockNamed(name);
      if (known !== undefined) this.recorder.use(known, offset);
    }
  }

  /** Leaves regions after an error, all but the outermost `depth` of them. */
  leaveTo(depth: number): void {
    this.blocks.length = Math.min(this.blocks.length, depth);
  }

  /** The values named from an offset to the token `end`. */
  private *valuesBetween(offset: number, end: number): Generator<PlacedOperand> {
    const { layout } = this;
    for (let index = layout.indexAt(offset); index < end; index += 1) {
      const token = layout.tokens[index]!;
      if (token.kind !== 'value') continue;
      const next = layout.tokens[index + 1];
      const number =
        next?.kind === 'hash' && next.start === token.end ? Number(layout.spelling(index + 1).slice(1)) : 0;
      const location = this.source.locationAt(token.start);
      yield {
        name: layout.spelling(index),
        number: Number.isNaN(number) ? 0 : number,
        location,
        offset: token.start,
      };
    }
  }

  private defineResults(operand: PlacedOperand): void {
    const { layout } = this;
    const index = layout.indexAt(operand.offset);
    const count = layout.tokens[index + 1]?.kind === ':' ? Number(layout.spelling(index + 2)) : 1;
    for (let number = 0; number < Math.min(Number.isNaN(count) ? 1 : count, mostResults); number += 1)
      this.scopes.defineLoosely({ ...operand, number });
  }

  private collectBlocks(first: number, last: number): void {
    for (let index = first; index < last; index += 1) {
      const { kind, start } = this.layout.tokens[index]!;
      if (kind === 'block') this.blocks.at(-1)?.push({ name: this.layout.spelling(index), offset: start });
    }
  }
}

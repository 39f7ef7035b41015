/** Execution order of operations, as far as regions and blocks determine it. */
import { loopLike } from '@sconv/dialects';
import type { DraftBlock, DraftOperation, DraftRegion, Rewriter, Value } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
import type { AnalysisState } from './analysis-state.ts';

type Region = DraftOperation['regions'][number];

/** The numbers, in pre-order, of an operation and of the last one nested in it. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Where an operation outside of what is analysed may be. */
const anywhere: Span = { first: -1, last: Infinity };

interface Place extends Span {
  last: number;
  /** The outermost operation around it in whose region of several blocks it is. */
  readonly branching: DraftOperation | undefined;
}

export class ExecutionOrder {
  private readonly state: AnalysisState;
  private readonly rewriter: Rewriter;
  private readonly places = new Map<DraftOperation, Place>();
  /** The positions of the operations around the root, each in its block. */
  private readonly outside = new Map<DraftOperation, number>();
  private next = 0;

  /** `root`: the analysed op, which must not change while this is in use. */
  constructor(state: AnalysisState, root: DraftOperation) {
    this.state = state;
    this.rewriter = state.rewriter;
    this.number(root, undefined);
    // Values from outside are defined in the blocks around the op.
    for (let at: DraftOperation | undefined = root; at?.block !== undefined; at = at.parent)
      for (const [i, operation] of at.block.operations.entries()) this.outside.set(operation, i);
  }

  private number(operation: DraftOperation, branching: DraftOperation | undefined): void {
    const place: Place = { branching, first: this.next++, last: 0 };
    this.places.set(operation, place);
    for (const { blocks } of operation.regions) {
      const around = branching ?? (blocks.length > 1 ? operation : undefined);
      for (const block of blocks) for (const inner of block.operations) this.number(inner, around);
    }
    place.last = this.next - 1;
  }

  /** Whether `inner` is `outer` or nested in it. */
  private isWithin(inner: DraftOperation, outer: DraftOperation): boolean {
    const [a, b] = [this.places.get(inner), this.places.get(outer)];
    if (a === undefined || b === undefined) return this.rewriter.isWithin(inner, outer);
    return b.first <= a.first && a.last <= b.last;
  }

  spanOf(operation: DraftOperation): Span {
    return this.places.get(operation) ?? anywhere;
  }

  /**
   * The part of the program in which a write may change what is read of these definitions: from the first of them to
   * the read, and all of what repeats the read but not a definition.
   */
  spanOfRead(read: DraftOperation, definitions: readonly Value[]): Span {
    const repeated = this.places.get(read)?.branching ?? read;
    let { first, last } = this.spanOf(repeated);
    for (const definition of definitions) {
      const around = this.spanOf(this.loopBetween(read, definition) ?? read);
      first = Math.min(first, around.first, this.spanOf(this.state.ownerOf(definition)).first);
      last = Math.max(last, around.last);
    }
    return { first, last };
  }

  /** Whether `a`, or an op around it, completes before `b` starts; `b` is not nested in it. */
  happensBefore(a: DraftOperation, b: DraftOperation): boolean {
    for (let at: DraftOperation | undefined = a; at !== undefined; at = at.parent) {
      if (at !== b && this.isWithin(b, at)) return false;
      if (this.dominates(at, b)) return true;
    }
    return false;
  }

  /** Whether `a` has run whenever `b`, not nested in it, runs. */
  private dominates(a: DraftOperation, b: DraftOperation): boolean {
    const ancestor = a.block === undefined ? undefined : inRegion(b, a.block.region);
    if (ancestor === undefined || ancestor === a || a.block === undefined) return false;
    if (ancestor.block === a.block) return this.numberOf(a) < this.numberOf(ancestor);
    const entry = entryOf(a.block);
    return entry === a.block || (ancestor.block !== entry && !canReach(entry, ancestor.block!, a.block));
  }

  /** Whether `operation` is nested in a block, or in another of its region that control may reach from there. */
  mayFollow(operation: DraftOperation, block: DraftBlock): boolean {
    const ancestor = inRegion(operation, block.region)?.block;
    return ancestor !== undefined && (ancestor === block || canReach(block, ancestor, undefined));
  }

  /** The position of an op: within a block, in program order. */
  numberOf(operation: DraftOperation): number {
    const known = this.outside.get(operation) ?? this.places.get(operation)?.first;
    if (known === undefined) throw new Error(`${operation.name} is not among what is analysed`);
    return known;
  }

  /** Whether the two are mutually exclusive, by the innermost op with several regions around both. */
  areExclusive(a: DraftOperation, b: DraftOperation): boolean {
    for (let around = a.parent; around !== undefined; around = around.parent) {
      if (around === b || !this.isWithin(b, around)) continue;
      const model = this.state.model(around);
      if (model?.runsOneRegion !== true && !this.isLoop(around)) continue;
      const regionOf = (inner: DraftOperation): Region | undefined =>
        around.regions.find((region) => inRegion(inner, region) !== undefined);
      return model?.runsOneRegion === true && regionOf(a) !== regionOf(b);
    }
    return false;
  }

  // --- Repetition ---

  private isLoop(operation: DraftOperation): boolean {
    const { state } = this;
    const model = state.model(operation);
    return (
      model?.isRepetitive !== undefined ||
      (model !== undefined && modelOf(this.rewriter.registry, loopLike, operation) !== undefined)
    );
  }

  private isRepetitive(region: Region): boolean {
    const { operation } = region;
    const rule = this.state.model(operation)?.isRepetitive;
    return rule?.(operation, operation.regions.indexOf(region), this.state) ?? this.isLoop(operation);
  }

  private isParallel(region: Region): boolean {
    const { operation } = region;
    const rule = this.state.model(operation)?.isParallel;
    return rule?.(operation, operation.regions.indexOf(region), this.state) ?? false;
  }

  /** The innermost repetitive region among `region` and its ancestors. */
  private repetitiveFrom(region: Region | undefined): Region | undefined {
    let at = region;
    while (at !== undefined && !this.isRepetitive(at)) at = outside(at);
    return at;
  }

  /** The innermost parallel region among `region` and its ancestors. */
  parallelAround(region: Region | undefined): Region | undefined {
    let at = region;
    while (at !== undefined && !this.isParallel(at)) at = outside(at);
    return at;
  }

  /** The region in which a value is defined. */
  regionOf(value: Value): Region | undefined {
    return (this.rewriter.owningBlock(value) ?? this.rewriter.definingOperation(value)?.block)?.region;
  }

  /**
   * Whether program order determines if a write precedes a read: no loop repeats both but not the definitions of what
   * is read.
   */
  isOrdered(read: DraftOperation, write: DraftOperation, definitions: readonly Value[]): boolean {
    return definitions.every(
      (definition) =>
        this.isOrderedByRegions(read, write, definition) && this.isOrderedByBlocks(read, write, definition),
    );
  }

  private isOrderedByRegions(read: DraftOperation, write: DraftOperation, definition: Value): boolean {
    const loop = this.loopBetween(read, definition);
    return loop === undefined || !this.isWithin(write, loop);
  }

  /** The outermost loop that repeats a read but not the definition of what it reads. */
  private loopBetween(read: DraftOperation, definition: Value): DraftOperation | undefined {
    const home = this.repetitiveFrom(this.regionOf(definition));
    let outermost: Region | undefined;
    for (
      let at = this.repetitiveFrom(read.block?.region);
      at !== undefined && at !== home;
      at = this.repetitiveFrom(outside(at))
    )
      outermost = at;
    return outermost?.operation;
  }

  private isOrderedByBlocks(read: DraftOperation, write: DraftOperation, definition: Value): boolean {
    const [from, to] = [read.block, write.block];
    if (from === undefined || to === undefined) return true;
    if (from.region !== to.region) return true;
    if (from.region.blocks.length === 1) return true;
    const home = this.rewriter.owningBlock(definition) ?? this.rewriter.definingOperation(definition)?.block;
    return !(canReach(from, to, home) && canReach(to, from, home));
  }
}

const outside = (region: Region): DraftRegion | undefined => region.operation.block?.region;

/** The ancestor of `operation`, or itself, that is directly in the region. */
const inRegion = (operation: DraftOperation, region: Region): DraftOperation | undefined => {
  for (let at: DraftOperation | undefined = operation; at !== undefined; at = at.parent) {
    if (at.block?.region === region) return at;
  }
  return undefined;
};

const entryOf = (block: DraftBlock): DraftBlock => block.region.blocks[0]!;

/** Whether control can flow from one block to another of the region over at least one branch, avoiding `avoided`. */
const canReach = (from: DraftBlock, to: DraftBlock, avoided: DraftBlock | undefined): boolean => {
  const byId = new Map(from.region.blocks.map((block) => [block.id, block]));
  const seen = new Set<DraftBlock>();
  const pending = [from];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const id of at.last?.successors ?? []) {
      const next = byId.get(id);
      if (next === undefined || seen.has(next) || next === avoided) continue;
      if (next === to) return true;
      seen.add(next);
      pending.push(next);
    }
  }
  return false;
};

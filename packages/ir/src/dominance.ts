/** Positions in a tree of operations, and dominance between definitions and uses. */
import type { Block, Id, Operation, Region, Value } from './operation.ts';
import type { Type } from './type.ts';

/** The position of an operation. */
export interface Place {
  readonly block: Block;
  readonly index: number;
}

/** The position of a block. */
export interface BlockPlace {
  readonly region: Region;
  readonly index: number;
  readonly operation: Operation;
}

/** The positions of everything below an operation. */
export class Structure {
  private readonly places = new Map<Id, Place>();
  private readonly blockPlaces = new Map<Id, BlockPlace>();
  private readonly definitions = new Map<Id, Operation | Block>();
  private readonly types = new Map<Id, Type>();
  private readonly dominators = new Map<Region, readonly number[]>();

  constructor(root: Operation) {
    this.add(root);
  }

  private add(operation: Operation): void {
    for (const result of operation.results) this.define(result, operation);
    for (const region of operation.regions) {
      region.blocks.forEach((block, index) => {
        this.blockPlaces.set(block.id, { region, index, operation });
        for (const argument of block.arguments) this.define(argument, block);
        block.operations.forEach((child, position) => {
          this.places.set(child.id, { block, index: position });
          this.add(child);
        });
      });
    }
  }

  private define({ id, type }: Value, by: Operation | Block): void {
    this.definitions.set(id, by);
    this.types.set(id, type);
  }

  /** Undefined for the root. */
  placeOf(operation: Operation): Place | undefined {
    return this.places.get(operation.id);
  }

  blockPlace(id: Id): BlockPlace | undefined {
    return this.blockPlaces.get(id);
  }

  /** The operation or the block that defines a value. */
  definitionOf(value: Value): Operation | Block | undefined {
    return this.definitions.get(value.id);
  }

  /** The type of the value with this id where it is defined. */
  typeOf(id: Id): Type | undefined {
    return this.types.get(id);
  }

  /** Whether the block is reachable from the entry of its region. */
  isReachable(block: Block): boolean {
    const place = this.blockPlaces.get(block.id);
    return (
      place === undefined || place.index === 0 || this.dominatorsOf(place.region)[place.index] !== unreachable
    );
  }

  /** The immediate dominator of `block`; undefined for an entry or unreachable block. */
  immediateDominator(block: Block): Block | undefined {
    const place = this.blockPlaces.get(block.id);
    if (place === undefined || place.index === 0) return undefined;
    return place.region.blocks[this.dominatorsOf(place.region)[place.index]!];
  }

  /** Whether `dominator` dominates `block`, in the same region. */
  dominates(dominator: Block, block: Block): boolean {
    const [above, below] = [this.blockPlaces.get(dominator.id), this.blockPlaces.get(block.id)];
    if (above === undefined || below === undefined) return false;
    const immediate = this.dominatorsOf(above.region);
    let at = below.index;
    while (at !== above.index && at !== 0 && at !== unreachable) at = immediate[at]!;
    // Every block dominates an unreachable one.
    return at === above.index || at === unreachable;
  }

  /** Whether `a` is `b` or dominates it; an op dominates what is nested in it. */
  operationDominates(a: Operation, b: Operation): boolean {
    const place = this.placeOf(a);
    const region = place && this.blockPlace(place.block.id)?.region;
    for (let at = this.placeOf(b); place !== undefined && at !== undefined;) {
      const around = this.blockPlace(at.block.id);
      if (around?.region === region) {
        return at.block === place.block ? place.index <= at.index : this.dominates(place.block, at.block);
      }
      at = around && this.placeOf(around.operation);
    }
    return a === b;
  }

  private dominatorsOf(region: Region): readonly number[] {
    const known = this.dominators.get(region);
    if (known !== undefined) return known;
    const computed = immediateDominators(region, (id) => this.blockPlaces.get(id)?.index ?? unreachable);
    this.dominators.set(region, computed);
    return computed;
  }
}

const unreachable = -1;

/** The immediate dominator of each block by index (Cooper, Harvey and Kennedy); the entry's is itself. */
const immediateDominators = (region: Region, indexOf: (id: Id) => number): readonly number[] => {
  const successors = region.blocks.map((block) =>
    block.operations.flatMap((operation) => operation.successors.map(indexOf)).filter((index) => index >= 0),
  );
  const order = postOrder(successors);
  const rank = new Map(order.map((block, position) => [block, position]));
  const predecessors = region.blocks.map((): number[] => []);
  for (const block of order) for (const successor of successors[block]!) predecessors[successor]!.push(block);
  const immediate = region.blocks.map(() => unreachable);
  immediate[0] = 0;
  const intersect = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (rank.get(x)! < rank.get(y)!) x = immediate[x]!;
      while (rank.get(y)! < rank.get(x)!) y = immediate[y]!;
    }
    return x;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const block of [...order].reverse()) {
      if (block === 0) continue;
      const known = predecessors[block]!.filter((predecessor) => immediate[predecessor] !== unreachable);
      const next = known.reduce(intersect);
      if (immediate[block] !== next) {
        immediate[block] = next;
        changed = true;
      }
    }
  }
  return immediate;
};

/** The reachable blocks in post-order. Without recursion: chains may be long. */
const postOrder = (successors: readonly (readonly number[])[]): readonly number[] => {
  const order: number[] = [];
  const seen = new Set([0]);
  const stack = [{ block: 0, next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const successor = successors[top.block]?.[top.next];
    top.next += 1;
    if (successor === undefined) {
      order.push(top.block);
      stack.pop();
    } else if (!seen.has(successor)) {
      seen.add(successor);
      stack.push({ block: successor, next: 0 });
    }
  }
  return order;
};

/**
 * Execution order of the operations of a function: precedence, mutual exclusion, repetition. Regions have a single
 * block, so textual order is execution order.
 */
import { loopLike } from '@sconv/dialects';
import type { DraftOperation, Registry } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
import { bufferizable } from '../op-model.ts';

/** Whether the body of an operation may run any number of times. */
export const isLoop = (registry: Registry, operation: DraftOperation): boolean =>
  modelOf(registry, loopLike, operation) !== undefined;

/** Pre-order numbers of an operation and of the last one nested in it. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

interface Place extends Span {
  last: number;
  /** Undefined for the function itself. */
  readonly parent: DraftOperation | undefined;
  /** The index of its region in the parent. */
  readonly region: number | undefined;
  /** The innermost loop around it. */
  readonly loop: DraftOperation | undefined;
}

export class ProgramOrder {
  private readonly places = new Map<DraftOperation, Place>();
  private readonly registry: Registry;
  private next = 0;

  constructor(registry: Registry, root: DraftOperation) {
    this.registry = registry;
    this.number(root, { parent: undefined, region: undefined, loop: undefined });
  }

  private number(operation: DraftOperation, around: Pick<Place, 'parent' | 'region' | 'loop'>): void {
    const { parent, region, loop: loopAround } = around;
    const place: Place = { parent, region, loop: loopAround, first: this.next++, last: 0 };
    this.places.set(operation, place);
    const loop = isLoop(this.registry, operation) ? operation : loopAround;
    operation.regions.forEach((region, i) => {
      for (const block of region.blocks) {
        for (const child of block.operations) this.number(child, { parent: operation, region: i, loop });
      }
    });
    place.last = this.next - 1;
  }

  private place(operation: DraftOperation): Place {
    const place = this.places.get(operation);
    if (place === undefined) throw new Error(`${operation.name} is not in the analysed function`);
    return place;
  }

  private isBranch(operation: DraftOperation): boolean {
    return modelOf(this.registry, bufferizable, operation)?.runsOneRegion === true;
  }

  spanOf(operation: DraftOperation): Span {
    return this.place(operation);
  }

  /** Whether `inner` is `outer` or nested in it. */
  isWithin(inner: DraftOperation, outer: DraftOperation): boolean {
    const [a, b] = [this.place(inner), this.place(outer)];
    return b.first <= a.first && a.last <= b.last;
  }

  /** Whether `a` completes before `b` starts, within one iteration of the loops around both. */
  happensBefore(a: DraftOperation, b: DraftOperation): boolean {
    return this.place(a).last < this.place(b).first && !this.areExclusive(a, b);
  }

  /** Whether the two are mutually exclusive, within one iteration of the loops around both. */
  areExclusive(a: DraftOperation, b: DraftOperation): boolean {
    const target = this.place(b);
    if (this.isWithin(a, b) || this.isWithin(b, a)) return false;
    // Walk up from `a` to the first common ancestor.
    let at = this.place(a);
    while (at.parent !== undefined && !this.isWithin(b, at.parent)) at = this.place(at.parent);
    const common = at.parent;
    if (common === undefined || !this.isBranch(common)) return false;
    let other = target;
    while (other.parent !== common) other = this.place(other.parent!);
    return other.region !== at.region;
  }

  /** The innermost loop around an operation, excluding itself. */
  loopAround(operation: DraftOperation): DraftOperation | undefined {
    return this.place(operation).loop;
  }
}

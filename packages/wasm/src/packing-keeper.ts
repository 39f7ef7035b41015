/** Code for packings whose result is kept across calls. */
import type { AffineExpr } from '@sconv/affine';
import { constant } from '@sconv/affine';
import type { CountedLoop } from '@sconv/dialects';
import type { Id, Value } from '@sconv/ir';
import type { KeptCall, KeptPacking, Source } from '@sconv/kernels';
import type { Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32, select, typed } from './instructions.ts';
import type { Lowering } from './lowering.ts';

/**
 * A source's record in memory: an address, and whether the data there is packed. For an argument the address is 0
 * unless it is bound.
 */
export const recordBytes = 8;
const packedOffset = 4;

/**
 * Where a source's packed data is: the offset of its record from the address of the globals, and for constants that of
 * the data; or, for an argument of a private function, what its callers pass: an address, or 0, and whether the data
 * there is packed.
 */
export type SourcePlaces = { readonly record: number; readonly kept?: number } | PassedPlace;

/** The values in a private function that its callers pass. */
export interface PassedPlace {
  readonly area: Value;
  readonly isPacked: Value;
}

/** The packings of a module's functions during lowering. */
export interface PackingPlaces {
  readonly packings: readonly KeptPacking[];
  readonly calls: readonly KeptCall[];
  /** By source. */
  readonly places: ReadonlyMap<Source, SourcePlaces>;
}

/** How a function's lowering handles its packings. */
export interface PackingKeeper {
  /**
   * The base of an allocation at `place`; it moves to the kept area while its packing is kept. Undefined for other
   * allocations.
   */
  baseOf(allocation: Id, place: Expr<'i32'>): Expr<'i32'> | undefined;
  /** Whether the result of a packing can be kept. */
  isKept(packing: Id): boolean;
  /** The values that a packing's code needs; none for any other operation. */
  neededBy(packing: Id): readonly Value[];
  /** Emits a packing: into the shared place on every call, into its own place only until it is packed. */
  pack(packing: Id, write: () => void): void;
  /** What a call passes for the packings of an argument: an address, or 0, and whether the data there is packed. */
  passedTo(call: Id, parameter: number): readonly [Expr<'i32'>, Expr<'i32'>];
}

/** The keeper of one function or of a parallel loop body in it. */
export const createPackingKeeper = (
  state: Pick<Lowering, 'f' | 'indices' | 'values' | 'globals'>,
  { packings, calls, places }: PackingPlaces,
): PackingKeeper => {
  const { f, indices, values, globals } = state;
  const bases = new Map<Id, Local<'i32'>>();
  const indexFor = (variable: Value): AffineExpr => {
    const value = values.get(variable.id);
    if (value?.kind !== 'index') throw new Error('a loop whose induction variable has no lowering');
    return value.expr;
  };
  const isFirst = ({ variable, lower }: CountedLoop): Expr<'i32'> =>
    i32.eq(indices.emit(indexFor(variable)), i32.const(lower));
  const offsetOf = ({ loops, offset }: KeptPacking): AffineExpr =>
    loops.reduce<AffineExpr>(
      (sum, { variable, lower, step, bytes }) =>
        sum.add(indexFor(variable).sub(lower).floorDiv(step).mul(bytes)),
      constant(offset),
    );
  const find = (of: 'allocation' | 'packing', id: Id) => {
    const packing = packings.find((each) => each[of].id === id);
    const at = packing && places.get(packing.source);
    return packing && at && { packing, at };
  };
  const passed = ({ id }: Value): Expr<'i32'> => {
    const value = values.get(id);
    if (value?.kind !== 'scalar') throw new Error('a place that is not passed');
    return typed(value.expr, 'i32');
  };
  /** The area of a source; 0 if an argument is not kept. */
  const areaOf = (at: SourcePlaces): Expr<'i32'> => {
    if ('area' in at) return passed(at.area);
    return at.kept === undefined ? i32.load(globals, at.record) : i32.add(globals, i32.const(at.kept));
  };
  const isPacked = (at: SourcePlaces): Expr<'i32'> =>
    'area' in at ? passed(at.isPacked) : i32.load(globals, at.record + packedOffset);
  const isAlwaysKept = (at: SourcePlaces): boolean => 'record' in at && at.kept !== undefined;
  return {
    baseOf: (allocation, place) => {
      if (find('allocation', allocation) === undefined) return undefined;
      const base = f.let(place);
      bases.set(allocation, base);
      return f.get(base);
    },
    isKept: (id) => find('packing', id) !== undefined,
    neededBy: (id) => {
      const found = find('packing', id);
      if (found === undefined) return [];
      const { packing, at } = found;
      const counters = [...packing.loops, ...packing.others].map(({ variable }) => variable);
      return 'area' in at ? [...counters, at.area, at.isPacked] : counters;
    },
    pack: (id, write) => {
      const found = find('packing', id);
      const base = found && bases.get(found.packing.allocation.id);
      if (found === undefined || base === undefined) {
        write();
        return;
      }
      const { packing, at } = found;
      const area = f.let(areaOf(at));
      const toBePacked = packing.others.reduce(
        (all, loop) => i32.and(all, isFirst(loop)),
        i32.eqz(isPacked(at)),
      );
      const place = (): void => f.set(base, i32.add(f.get(area), indices.emit(offsetOf(packing))));
      if (isAlwaysKept(at)) {
        place();
        f.if(toBePacked, write);
        return;
      }
      f.if(f.get(area), place);
      f.if(i32.or(i32.eqz(f.get(area)), toBePacked), write);
    },
    passedTo: (id, parameter) => {
      const found = calls.find((each) => each.call.id === id && each.parameter === parameter);
      const at = found && places.get(found.source);
      if (found === undefined || at === undefined) return notKept;
      const area = f.let(areaOf(at));
      const place = i32.add(f.get(area), i32.const(found.offset));
      if (isAlwaysKept(at)) return [place, isPacked(at)];
      return [select(place, i32.const(0), f.get(area)), isPacked(at)];
    },
  };
};

/** What a call passes for an argument that it packs each time. */
export const notKept = [i32.const(0), i32.const(0)] as const;

/** Records, at the end of a function, that its constants are packed. */
export const noteConstantsPacked = (
  { f, globals }: Pick<Lowering, 'f' | 'globals'>,
  { places }: PackingPlaces,
): void => {
  const at = places.get('constants');
  if (at !== undefined && 'record' in at)
    f.statement(i32.store(globals, i32.const(1), at.record + packedOffset));
};

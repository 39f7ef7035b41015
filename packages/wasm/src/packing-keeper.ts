/** Code for packings whose result is kept across calls. */
import type { AffineExpr } from '@sconv/affine';
import { constant } from '@sconv/affine';
import type { CountedLoop } from '@sconv/dialects';
import type { Id, Value } from '@sconv/ir';
import type { KeptPacking, Source } from '@sconv/kernels';
import type { Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import type { Lowering } from './lowering.ts';

/**
 * A source's record in memory: an address, and whether the data there is packed. For an argument the address is 0
 * unless it is bound.
 */
export const recordBytes = 8;
const packedOffset = 4;

/** Offset of a source's record from the address of the globals; for constants, also that of the kept data. */
export interface SourcePlaces {
  readonly record: number;
  readonly kept?: number;
}

/** The packings of a module's functions during lowering. */
export interface PackingPlaces {
  readonly packings: readonly KeptPacking[];
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
  /** The counters that a packing's code needs; none for any other operation. */
  countersOf(packing: Id): readonly Value[];
  /** Emits a packing: into the shared place on every call, into its own place only until it is packed. */
  pack(packing: Id, write: () => void): void;
}

/** The keeper of one function or of a parallel loop body in it. */
export const createPackingKeeper = (
  state: Pick<Lowering, 'f' | 'indices' | 'values' | 'globals'>,
  { packings, places }: PackingPlaces,
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
  return {
    baseOf: (allocation, place) => {
      if (find('allocation', allocation) === undefined) return undefined;
      const base = f.let(place);
      bases.set(allocation, base);
      return f.get(base);
    },
    countersOf: (id) => {
      const found = find('packing', id)?.packing;
      return found === undefined ? [] : [...found.loops, ...found.others].map(({ variable }) => variable);
    },
    pack: (id, write) => {
      const found = find('packing', id);
      const base = found && bases.get(found.packing.allocation.id);
      if (found === undefined || base === undefined) {
        write();
        return;
      }
      const { packing, at } = found;
      const area =
        at.kept === undefined
          ? f.let(i32.load(globals, at.record))
          : f.let(i32.add(globals, i32.const(at.kept)));
      const isPacked = i32.load(globals, at.record + packedOffset);
      const toBePacked = packing.others.reduce((all, loop) => i32.and(all, isFirst(loop)), i32.eqz(isPacked));
      const place = (): void => f.set(base, i32.add(f.get(area), indices.emit(offsetOf(packing))));
      if (at.kept !== undefined) {
        place();
        f.if(toBePacked, write);
        return;
      }
      f.if(f.get(area), place);
      f.if(i32.or(i32.eqz(f.get(area)), toBePacked), write);
    },
  };
};

/** Records, at the end of a function, that its constants are packed. */
export const noteConstantsPacked = (
  { f, globals }: Pick<Lowering, 'f' | 'globals'>,
  { places }: PackingPlaces,
): void => {
  const at = places.get('constants');
  if (at !== undefined) f.statement(i32.store(globals, i32.const(1), at.record + packedOffset));
};

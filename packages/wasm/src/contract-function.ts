/** The function of a register tile of a contraction whose operands lie where they are (TT §4). */
import type { FunctionBuilder, FunctionRef, Label, Local, ModuleBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import type { MicrokernelOptions } from './kernel-function.ts';
import { arithmeticOf, broadcastsAtOnce } from './kernel-function.ts';
import { countedLoop } from './loops.ts';
import { loadVector, storeVector } from './vector-access.ts';

/** The element types of a contraction. */
export type ContractElement = Exclude<NonNullable<MicrokernelOptions['element']>, 'i16x2'>;

/** A loop over a dimension that is summed over. */
export interface Reduction {
  readonly extent: number;
  /** How many points are code of their own; divides the extent. */
  readonly unroll: number;
  /** Bytes from a point to the next, in the operand that is read in vectors. */
  readonly vectors: number;
  /** The same in the one whose elements are broadcast. */
  readonly broadcast: number;
}

/** A register tile; all places are bytes from those of its first elements, none of them negative. */
export interface ContractForm {
  readonly element: ContractElement;
  readonly relaxed: boolean;
  /** Whether the sums start with an argument, not with the output. */
  readonly isStarted: boolean;
  /** Outermost first. */
  readonly reductions: readonly Reduction[];
  /** `words` are of the output; `loaded`, as many or more, of the operand that is read in vectors. */
  readonly vectors: readonly { readonly at: number; readonly words: number; readonly loaded: number }[];
  readonly broadcasts: readonly number[];
  /** For each broadcast, the place of its sums with each vector. */
  readonly outputs: readonly (readonly number[])[];
}

/**
 * Adds the function `(vectors, broadcasts, output)` of byte addresses, where sums start with an argument followed by
 * it. Each sum adds its products in the order of the reductions, the last one fastest.
 */
export const addContract = (module: ModuleBuilder, form: ContractForm): FunctionRef => {
  const addresses = ['i32', 'i32', 'i32'] as const;
  return form.isStarted
    ? module.function({ parameters: [...addresses, form.element] }, (f, a, b, c, start) => {
        emitTile(f, form, [a, b, c], f.get<'f32' | 'f64' | 'i32'>(start));
      })
    : module.function({ parameters: addresses }, (f, a, b, c) => {
        emitTile(f, form, [a, b, c]);
      });
};

const emitTile = (
  f: FunctionBuilder,
  { element, relaxed, reductions, vectors, broadcasts, outputs }: ContractForm,
  [a, b, c]: readonly [Local<'i32'>, Local<'i32'>, Local<'i32'>],
  start?: Expr,
): void => {
  const { splat, loadSplat, multiplyAdd } = arithmeticOf({ element, relaxed, windows: 1, filters: 1 });
  const initial = start && f.let(splat(start));
  const sums = outputs.map((row) =>
    row.map((at, i) => f.let(initial ? f.get(initial) : loadVector(f.get(c), at, vectors[i]!.words))),
  );
  const atOnce = broadcastsAtOnce(vectors.length, broadcasts.length, relaxed);
  let blocks = 0;
  const step = (end: Label, ofVectors: number, ofBroadcasts: number): void => {
    // Never taken, as no address is odd. It ends the basic block, to whose top V8 hoists all loads; each is of a
    // number of its own, or V8 drops it as known from the one before.
    const endBlock = (): void => {
      f.branchIf(end, i32.eq(f.get(a), i32.const(1 - 2 * blocks)));
      blocks += 1;
    };
    if (blocks > 0) endBlock();
    else blocks = 1;
    const loaded = vectors.map(({ at, loaded: words }) => f.let(loadVector(f.get(a), ofVectors + at, words)));
    sums.forEach((row, i) => {
      if (i > 0 && i % atOnce === 0) endBlock();
      const factor = f.let(loadSplat(f.get(b), ofBroadcasts + broadcasts[i]!));
      row.forEach((sum, j) => {
        f.set(sum, multiplyAdd(f.get(loaded[j]!), f.get(factor), f.get(sum)));
      });
    });
  };
  const advance = (address: Local<'i32'>, bytes: number): void => {
    if (bytes !== 0) f.set(address, i32.add(f.get(address), i32.const(bytes)));
  };
  /** The loops from `depth` inwards, so many bytes behind the addresses, which they leave as they were. */
  const nest = (end: Label, depth: number, ofVectors: number, ofBroadcasts: number): void => {
    const reduction = reductions[depth];
    if (reduction === undefined) {
      step(end, ofVectors, ofBroadcasts);
      return;
    }
    const { extent, unroll } = reduction;
    const times = extent / unroll;
    const advanceBy = (points: number): void => {
      if (times === 1) return;
      advance(a, points * reduction.vectors);
      advance(b, points * reduction.broadcast);
    };
    // At the start of an iteration: V8 then need not extend the addresses of the previous one to 64 bits.
    advanceBy(-unroll);
    countedLoop(f, times, () => {
      advanceBy(unroll);
      for (let i = 0; i < unroll; i += 1)
        nest(end, depth + 1, ofVectors + i * reduction.vectors, ofBroadcasts + i * reduction.broadcast);
    });
    advanceBy(unroll - extent);
  };
  f.block((end) => {
    nest(end, 0, 0, 0);
  });
  sums.forEach((row, i) => {
    row.forEach((sum, j) => {
      f.statement(storeVector(f.get(c), f.get(sum), outputs[i]![j]!, vectors[j]!.words));
    });
  });
};

/** Loops in WebAssembly form: the condition at the end, addresses advanced by strides. */
import type { AffineExpr } from '@sconv/affine';
import type { FunctionBuilder, Local } from './encoder.ts';
import type { IndexTerm, IndexVariable, IndexVariables } from './index-expressions.ts';
import { positionsOf, sumOfTerms, termsOf } from './index-expressions.ts';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';

/** Runs `body` `count` times; `count` is a constant and may be 0. */
export const countedLoop = (f: FunctionBuilder, count: number, body: () => void): void => {
  if (count <= 0) return;
  if (count === 1) {
    body();
    return;
  }
  const left = f.let(i32.const(count));
  f.loop((next) => {
    body();
    f.set(left, i32.sub(f.get(left), i32.const(1)));
    f.branchIf(next, f.get(left));
  });
};

/** One loop of a nest, from 0 to `extent` by 1. */
export interface NestLoop {
  readonly variable: IndexVariable;
  readonly extent: AffineExpr;
}

/** An address in bytes, `base + offset`; the offset depends on the variables of the nest. */
export interface Access {
  readonly base: Expr<'i32'>;
  readonly offset: AffineExpr;
}

export interface LoopNest {
  /** Outermost first. */
  readonly loops: readonly NestLoop[];
  readonly accesses: readonly Access[];
  /** Wraps the loops from `depth` inwards; there the pointers that do not depend on these loops are valid. */
  readonly around?: (depth: number, pointers: readonly Local<'i32'>[], inner: () => void) => void;
  readonly body: (pointers: readonly Local<'i32'>[]) => void;
}

/** An access's terms, by the loop that changes them. */
interface AccessPlan {
  /** Computed before the loops. */
  readonly start: AffineExpr;
  readonly levels: readonly {
    /** Bytes to advance per iteration. */
    readonly stride: number;
    /** Computed in each iteration. */
    readonly computed: readonly IndexTerm[];
  }[];
}

const planAccess = (offset: AffineExpr, loops: readonly NestLoop[]): AccessPlan => {
  const { constant, terms } = termsOf(offset);
  const levelOf = (term: IndexTerm): number => {
    const positions = new Set(positionsOf(term.expr));
    return loops.findLastIndex(({ variable }) => positions.has(variable.position));
  };
  return {
    start: sumOfTerms(
      terms.filter((term) => levelOf(term) < 0),
      constant,
    ),
    levels: loops.map((_, level) => {
      const own = terms.filter((term) => levelOf(term) === level);
      const isLinear = ({ expr }: IndexTerm): boolean => expr.kind === 'symbol';
      return {
        stride: own.filter(isLinear).reduce((sum, { factor }) => sum + factor, 0),
        computed: own.filter((term) => !isLinear(term)),
      };
    }),
  };
};

/**
 * Emits a nest. Each address has a pointer per loop that changes it: linear terms advance it by a constant stride,
 * others are computed in the outermost loop where all their variables are known.
 */
export const emitNest = (f: FunctionBuilder, variables: IndexVariables, nest: LoopNest): void => {
  const plans = nest.accesses.map(({ offset }) => planAccess(offset, nest.loops));
  const level = (depth: number, pointers: readonly Local<'i32'>[]): void => {
    const loop = nest.loops[depth];
    if (loop === undefined) {
      nest.body(pointers);
      return;
    }
    const steps = plans.map(({ levels }) => levels[depth] ?? { stride: 0, computed: [] });
    const emitLoop = (): void => {
      const advancing = steps.map(({ stride }, i) =>
        stride === 0 ? pointers[i]! : f.let(f.get(pointers[i]!)),
      );
      forLoop(f, variables, loop, () => {
        const current = steps.map(({ computed }, i) => {
          const pointer = advancing[i]!;
          if (computed.length === 0) return pointer;
          return f.let(i32.add(f.get(pointer), variables.emit(sumOfTerms(computed))));
        });
        level(depth + 1, current);
        steps.forEach(({ stride }, i) => {
          const pointer = advancing[i]!;
          if (stride !== 0) f.set(pointer, i32.add(f.get(pointer), i32.const(stride)));
        });
      });
    };
    if (nest.around === undefined) emitLoop();
    else nest.around(depth, pointers, emitLoop);
  };
  const starts = plans.map(({ start }, i) => {
    const { base } = nest.accesses[i]!;
    return f.let(i32.add(base, variables.emit(start)));
  });
  level(0, starts);
};

/** Counts from 0 to the extent; a constant extent of 0 emits nothing. */
const forLoop = (
  f: FunctionBuilder,
  variables: IndexVariables,
  { variable, extent }: NestLoop,
  body: () => void,
): void => {
  const { local } = variable;
  if (extent.kind === 'constant' && extent.value <= 0) return;
  f.set(local, i32.const(0));
  if (extent.kind === 'constant' && extent.value === 1) {
    body();
    return;
  }
  const limit = extent.kind === 'constant' ? i32.const(extent.value) : f.get(f.let(variables.emit(extent)));
  const loop = (): void => {
    f.loop((next) => {
      body();
      f.set(local, i32.add(f.get(local), i32.const(1)));
      f.branchIf(next, i32.ltS(f.get(local), limit));
    });
  };
  if (extent.kind === 'constant') loop();
  else f.if(i32.gtS(limit, i32.const(0)), loop);
};

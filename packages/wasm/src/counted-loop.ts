/** Counted loops: the core of `scf.for`, available to loops of other dialects. */
import type { AffineExpr } from '@sconv/affine';
import type { Block, Operation } from '@sconv/ir';
import type { Label, Local } from './encoder.ts';
import { unboundedIndex } from './index-expressions.ts';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import { indexCode, trapIf } from './lowering.ts';

/** From `lower` to below `upper`; a non-positive step ends the execution. */
export interface CountedBounds {
  readonly lower: AffineExpr;
  readonly upper: AffineExpr;
  readonly step: AffineExpr;
}

/**
 * Emits a loop whose iterations `body` writes, given the induction variable. A body that returns `true` has written all
 * iterations at once, for the variable's initial value.
 */
export const countedLoop = (
  state: Lowering,
  operation: Operation,
  bounds: CountedBounds,
  body: (variable: AffineExpr) => unknown,
): void => {
  const { f, indices } = state;
  const { lower, upper, step } = bounds;
  const lowest = indices.rangeOf(lower).lo;
  const highest = indices.rangeOf(upper).hi - 1;
  const local = f.let(indexCode(state, operation, lower));
  const limitCode = indexCode(state, operation, upper);
  const limit = upper.kind === 'constant' ? limitCode : f.get(f.let(limitCode));
  const stepCode = lowerStep(state, operation, step);
  const variable = indices.of(local, lowest, highest);
  const once = lowest + indices.rangeOf(step).lo >= highest;
  f.if(i32.ltS(f.get(local), limit), () => {
    if (once) {
      body(variable.expr);
      return;
    }
    f.loop((next) => {
      if (body(variable.expr) !== true) countOn(state, local, limit, stepCode, bounds, next);
    });
  });
};

/** Lowers a block; its allocations are freed afterwards. */
export const lowerScope = (state: Lowering, block: Block, atEnd: () => void = () => undefined): void => {
  state.arena.scope(() => {
    state.lowerBlock(block);
    atEnd();
  });
};

/** The step as code; a non-positive step ends the execution. */
const lowerStep = (state: Lowering, operation: Operation, step: AffineExpr): Expr<'i32'> => {
  const code = indexCode(state, operation, step);
  const isPositive = state.indices.rangeOf(step).lo > 0;
  if (isPositive) return code;
  const local = state.f.get(state.f.let(code));
  const message = 'has a step that is not positive';
  trapIf(state, operation, i32.leS(local, i32.const(0)), 'wasm/zero-step', message);
  return local;
};

/** Increments the counter and branches back while below the limit, without overflow at the largest index. */
const countOn = (
  { f, indices }: Lowering,
  counter: Local<'i32'>,
  limit: Expr<'i32'>,
  step: Expr<'i32'>,
  bounds: CountedBounds,
  next: Label,
): void => {
  const advance = (): void => {
    f.set(counter, i32.add(f.get(counter), step));
  };
  const [last, largestStep] = [indices.rangeOf(bounds.upper).hi - 2, indices.rangeOf(bounds.step).hi - 1];
  if (last + largestStep < unboundedIndex.hi) {
    advance();
    f.branchIf(next, i32.ltS(f.get(counter), limit));
    return;
  }
  f.if(i32.gtU(i32.sub(limit, f.get(counter)), step), () => {
    advance();
    f.branch(next);
  });
};

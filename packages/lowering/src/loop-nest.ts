import { addi, minsi } from '@sconv/dialects/arith';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import type { Builder, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';

/** Iterations from a value up to another, exclusive. */
export interface Range {
  readonly from: Value;
  readonly to: Value;
}

/** The iterations of a loop: a range, or that many from 0. */
export type LoopSize = number | Range;

/** A perfect nest of loops of these sizes; size 1 creates no loop, its variable is 0. `build` creates the body. */
export const createNest = (
  b: Builder,
  sizes: readonly LoopSize[],
  build: (b: Builder, variables: readonly Value[]) => void,
  outer: readonly Value[] = [],
): void => {
  const [size, ...inner] = sizes;
  if (size === undefined) {
    build(b, outer);
    return;
  }
  if (size === 1) {
    createNest(b, inner, build, [...outer, indexConstant(b, 0)]);
    return;
  }
  const range = typeof size === 'number' ? { from: indexConstant(b, 0), to: indexConstant(b, size) } : size;
  createLoop(b, range, 1, (body, variable) => {
    createNest(body, inner, build, [...outer, variable]);
  });
};

const createLoop = (
  b: Builder,
  { from, to }: Range,
  step: number,
  build: (b: Builder, variable: Value) => void,
): void => {
  const bounds = { lowerBound: from, upperBound: to, step: indexConstant(b, step) };
  const loop = {
    argumentTypes: [indexType],
    build: (body: Builder, variable: Value): void => {
      build(body, variable);
      body(yieldOp, {});
    },
  };
  b(forOp, bounds, { resultTypes: [], bodies: [loop] });
};

/** A loop over a dimension of `size` iterations in blocks, the last of which may be smaller. */
export const createBlocks = (
  b: Builder,
  size: number,
  block: number,
  build: (b: Builder, range: Range) => void,
): void => {
  createLoop(b, { from: indexConstant(b, 0), to: indexConstant(b, size) }, block, (body, from) => {
    const end: Value = body(addi, { lhs: from, rhs: indexConstant(body, block) });
    const to: Value = size % block === 0 ? end : body(minsi, { lhs: end, rhs: indexConstant(body, size) });
    build(body, { from, to });
  });
};

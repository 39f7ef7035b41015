import { forOp, yieldOp } from '@sconv/dialects/scf';
import type { Builder, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';

/** A perfect nest of loops of these sizes; size 1 creates no loop, its variable is 0. `build` creates the body. */
export const createNest = (
  b: Builder,
  sizes: readonly number[],
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
  const [lowerBound, upperBound, step] = [0, size, 1].map((bound) => indexConstant(b, bound)) as [
    Value,
    Value,
    Value,
  ];
  const loop = {
    argumentTypes: [indexType],
    build: (body: Builder, variable: Value): void => {
      createNest(body, inner, build, [...outer, variable]);
      body(yieldOp, {});
    },
  };
  b(forOp, { lowerBound, upperBound, step }, { resultTypes: [], bodies: [loop] });
};

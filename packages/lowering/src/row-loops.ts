/** Loops over the rows of an output, and in each row over blocks of vectors. */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim, makeMap, substitute } from '@sconv/affine';
import { applyComposed } from '@sconv/dialects';
import type { Builder, Rewriter, Value } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import { createNest } from './loop-nest.ts';
import type { Vector } from './row-vectors.ts';
import { vectorsOf } from './row-vectors.ts';
import { vectorWidths } from './vector-unit.ts';

/** The dimensions of an op with respect to its vectors. */
export interface RowDimensions {
  readonly extents: readonly number[];
  /** The dimension along which vectors lie. */
  readonly lane: number;
  /** The dimensions with a loop around the rows, outermost first. */
  readonly outer: readonly number[];
}

/** Loop variables by dimension; undefined for dimensions without a loop so far. */
export type LoopVariables = readonly (Value | undefined)[];

/** Vectors side by side in a row. */
export interface RowPart {
  /** The first lane; the dimension after those of the op is the block. */
  readonly first: AffineExpr;
  readonly block: Value;
  readonly widths: readonly number[];
  /** Where each vector begins, after the first lane. */
  readonly starts: readonly number[];
}

/** The vectors of a block. */
export interface VectorShape {
  /** Elements of a vector. */
  readonly lanes: number;
  /** Vectors of a block, at most. */
  readonly vectorsAtOnce: number;
  /** Whether the last vector of a row may lie over its predecessor: what is stored twice is the same. */
  readonly mayOverlap?: boolean;
}

type CreatePart = (b: Builder, part: RowPart) => void;

/**
 * Creates loops over rows, and in each over blocks of vectors, with narrower vectors for the rest. `createRow`
 * creates what the blocks of a row share, and returns the function that creates a block.
 */
export const createRows = (
  rewriter: Rewriter,
  { extents, lane, outer }: RowDimensions,
  { lanes, vectorsAtOnce, mayOverlap = false }: VectorShape,
  createRow: (b: Builder, variables: LoopVariables) => CreatePart,
): void => {
  const count = extents[lane]!;
  const perBlock = Math.min(vectorsAtOnce, Math.floor(count / lanes)) * lanes;
  const blocks = perBlock === 0 ? 0 : Math.floor(count / perBlock);
  const rest = count - blocks * perBlock;
  const sizes = outer.map((position) => extents[position]!);
  createNest(builder(rewriter), sizes, (b, values) => {
    const variables = new Array<Value | undefined>(extents.length).fill(undefined);
    outer.forEach((position, i) => (variables[position] = values[i]));
    const createPart = createRow(b, variables);
    if (blocks > 0) {
      createNest(b, [blocks], (body, [block]) => {
        const first = dim(extents.length).mul(perBlock);
        createPart(body, { first, block: block!, ...sideBySide(vectorWidths(perBlock, lanes)) });
      });
    }
    if (rest > 0) {
      const begin = blocks * perBlock;
      const part = mayOverlap
        ? behind(vectorsOf(count, lanes), begin)
        : sideBySide(vectorWidths(rest, lanes));
      createPart(b, { first: constant(begin), block: indexConstant(b, 0), ...part });
    }
  });
};

const sideBySide = (widths: readonly number[]): Pick<RowPart, 'widths' | 'starts'> => {
  let end = 0;
  return { widths, starts: widths.map((width) => (end += width) - width) };
};

/** The vectors that are not wholly before a lane. */
const behind = (vectors: readonly Vector[], begin: number): Pick<RowPart, 'widths' | 'starts'> => {
  const left = vectors.filter(({ first, width }) => first + width > begin);
  return { widths: left.map(({ width }) => width), starts: left.map(({ first }) => first - begin) };
};

/** Creates the indices of an operand at the lane `at`, an expression like `first` of a part. */
export const createIndices = (
  rewriter: Rewriter,
  { extents, lane }: RowDimensions,
  indices: readonly AffineExpr[],
  at: AffineExpr,
  variables: LoopVariables,
  block: Value | undefined,
): readonly Value[] => {
  const dims = extents.map((_, position) => (position === lane ? at : dim(position)));
  return indices.map((expr) =>
    applyComposed(rewriter, makeMap(extents.length + 1, 0, [substitute(expr, { dims })]), [
      ...variables,
      block,
    ]),
  );
};

/** A tile of sums: vectors of one or more rows, with accumulators in registers across the reduction. */
import type { AffineExpr } from '@sconv/affine';
import { add } from '@sconv/affine';
import { elementTypeOf } from '@sconv/dialects';
import { load as loadElement } from '@sconv/dialects/memref';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { load, store } from '@sconv/dialects/vector';
import type { Block, Builder, Id, Rewriter, Value } from '@sconv/ir';
import { indexType, vectorType } from '@sconv/ir';
import { everySecond } from './copy-linear.ts';
import { indexConstant } from './index-constant.ts';
import type { LaneStride } from './lane-stride.ts';
import type { LoopVariables, RowDimensions, RowPart } from './row-loops.ts';
import { createIndices } from './row-loops.ts';
import { createVectorBody } from './vector-body.ts';

/** An operand of sums. */
export interface SumOperand {
  /** A buffer, or a number. */
  readonly value: Value;
  readonly indices: readonly AffineExpr[];
  readonly stride: LaneStride;
  /** The body's argument for it, and whether the body uses that. */
  readonly argument: Id;
  readonly isUsed: boolean;
}

/** Sums with lanes along a dimension; around the rows are the other dimensions of the output. */
export interface Sums extends RowDimensions {
  readonly rewriter: Rewriter;
  readonly reduced: readonly number[];
  readonly body: Block;
  /** The inputs, and the output. */
  readonly operands: readonly SumOperand[];
}

/** The rows of a tile. */
export interface TileRows {
  readonly count: number;
  /** The indices of an operand in one of them. */
  readonly indicesIn: (operand: SumOperand, row: number) => readonly AffineExpr[];
  /** Whether they differ between rows. */
  readonly isMoving: (operand: SumOperand) => boolean;
}

/** Creates the accumulators of a tile, and the loops over the reduction; `at` has the outer loop variables. */
export const createSumTile = (
  { reduced, operands, body: elements, ...sums }: Sums,
  rows: TileRows,
  b: Builder,
  at: LoopVariables,
  { first, block, widths, starts }: RowPart,
): void => {
  const { rewriter, extents } = sums;
  const output = operands.at(-1)!;
  const elementType = elementTypeOf(output.value.type);
  const indicesAt = (
    indices: readonly AffineExpr[],
    variables: LoopVariables,
    start: number,
    shift: number,
  ): readonly Value[] => {
    const shifted = shift === 0 ? indices : indices.with(-1, add(indices.at(-1)!, shift));
    return createIndices(rewriter, sums, shifted, add(first, start), variables, block);
  };
  const allRows = Array.from({ length: rows.count }, (_, row) => row);
  /** The vectors of the output: those of a row, then those of the next. */
  const places = allRows.flatMap((row) =>
    widths.map((width, i) => ({
      type: vectorType([width], elementType),
      indices: rows.indicesIn(output, row),
      start: starts[i]!,
    })),
  );
  const types = places.map(({ type }) => type);
  const initArgs = places.map(({ type, indices, start }): Value =>
    b(load, { base: output.value, indices: indicesAt(indices, at, start, 0) }, { resultTypes: [type] }),
  );
  const accumulate = (body: Builder, variables: LoopVariables, sums: readonly Value[]): readonly Value[] => {
    /** What all rows share, by operand and vector. */
    const loaded = new Map<string, Value>();
    const inRow = (row: number): readonly Value[] => {
      const element = ({ value, indices }: SumOperand): Value =>
        value.type.kind === 'memref'
          ? body(loadElement, { memref: value, indices: indicesAt(indices, variables, 0, 0) })
          : value;
      const vector = ({ value, indices, stride }: SumOperand, i: number): Value => {
        const width = widths[i]!;
        const resultTypes = [vectorType([width], elementTypeOf(value.type))];
        const read = (shift: number): Value =>
          body(
            load,
            { base: value, indices: indicesAt(indices, variables, starts[i]!, shift) },
            { resultTypes },
          );
        return stride === 1 ? read(0) : everySecond(body, width, read);
      };
      const once = (position: number, i: number, read: () => Value): Value => {
        const key = `${position},${i}`;
        const value = loaded.get(key) ?? read();
        if (!rows.isMoving(operands[position]!)) loaded.set(key, value);
        return value;
      };
      const own = operands.map((each) => ({ ...each, indices: rows.indicesIn(each, row) }));
      const shared = own.map((each, position): Value | undefined =>
        each.isUsed && each.stride === 0 ? once(position, 0, () => element(each)) : undefined,
      );
      return widths.map((width, i) => {
        const values = new Map<Id, Value>([[output.argument, sums[row * widths.length + i]!]]);
        own.slice(0, -1).forEach((each, position) => {
          if (!each.isUsed) return;
          values.set(each.argument, shared[position] ?? once(position, i, () => vector(each, i)));
        });
        return createVectorBody(rewriter, body, elements, values, width, true);
      });
    };
    return allRows.flatMap(inRow);
  };
  const nest = (
    body: Builder,
    depth: number,
    variables: LoopVariables,
    sums: readonly Value[],
  ): readonly Value[] => {
    const position = reduced[depth];
    if (position === undefined) return accumulate(body, variables, sums);
    if (extents[position] === 1)
      return nest(body, depth + 1, variables.with(position, indexConstant(body, 0)), sums);
    const [lowerBound, upperBound, step] = [0, extents[position]!, 1].map((bound) =>
      indexConstant(body, bound),
    ) as [Value, Value, Value];
    const build = (inner: Builder, variable: Value, ...current: readonly Value[]): void => {
      inner(yieldOp, { results: nest(inner, depth + 1, variables.with(position, variable), current) });
    };
    const results: unknown = body(
      forOp,
      { lowerBound, upperBound, step, initArgs: sums },
      { resultTypes: types, bodies: [{ argumentTypes: [indexType, ...types], build }] },
    );
    return sums.length === 1 && !Array.isArray(results) ? [results as Value] : (results as readonly Value[]);
  };
  nest(b, 0, at, initArgs).forEach((valueToStore, i) => {
    const { indices, start } = places[i]!;
    b(store, { valueToStore, base: output.value, indices: indicesAt(indices, at, start, 0) });
  });
};

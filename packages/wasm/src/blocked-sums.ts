/**
 * Register-blocked reductions in SIMD: matrix products, poolings, convolutions that no schedule has sliced. A block is
 * several vectors along one parallel dimension (the lanes) by several points of another (the rows). Its sums stay in
 * registers throughout the reduction, and an operand that is invariant along one of the two is loaded only once.
 *
 *     for each block:  sums = output
 *       for each k:    sums = body(inputs, sums)
 *       output = sums
 *
 * Each element is summed in the order of the scalar loops, so results are bit-identical.
 */
import type { Id } from '@sconv/ir';
import type { BlockPart, SumBlock, SumSpace, SumUnit } from '@sconv/kernels';
import { blockParts, sumBlock } from '@sconv/kernels';
import type { Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { bodyLoads, outputsAreDistinct, usesOf } from './loop-nest-op.ts';
import type { Access } from './loops.ts';
import { emitNest } from './loops.ts';
import type { Lowering } from './lowering.ts';
import { constantOf, elementOffset } from './lowering.ts';
import type { StructuredOp } from './structured-op.ts';
import { restrictDimension } from './structured-op.ts';
import type { Storage } from './storage.ts';
import { vectorBody } from './vector-body.ts';
import type { LaneShape } from './vector-lanes.ts';
import { loadCost, loadLanes, storeLanes } from './vector-lanes.ts';
import type { Lanes } from './vectorize.ts';
import { chooseLanes, strideAlong } from './vectorize.ts';

/** Sums kept in registers: V8 has 15 vector registers on x86-64, and operands need some. */
const sumsAtOnce = 8;

/** What V8's code of sums takes. */
const sumUnit = ({ lanes }: LaneShape): SumUnit => ({
  lanes,
  sumsBeside: () => sumsAtOnce,
  rowCost: 0,
  latency: 8,
});

/** The fewest points of a dimension of lanes: with fewer, most of a vector would be idle. */
const leastPoints = 4;

/** An operand that the body reads. */
interface Operand {
  /** Its position among inputs and output, and the body's argument for it. */
  readonly position: number;
  readonly argument: Id;
  readonly storage: Storage;
  /** Byte strides between lanes and between rows. */
  readonly laneStride: number;
  readonly rowStride: number;
}

/** A sum with the dimensions of its blocks; `rows` is undefined for a single row. */
interface BlockedSum {
  readonly op: StructuredOp;
  readonly shape: LaneShape;
  readonly lanes: number;
  readonly rows: number | undefined;
  /** The inputs, then the output. */
  readonly operands: readonly Operand[];
}

const extentOf = (op: StructuredOp, dimension: number | undefined): number =>
  dimension === undefined ? 1 : constantOf(op.extents[dimension])!;

/** The element access of an operand; undefined for a number. */
const accessOf = (
  op: StructuredOp,
  position: number,
): (Access & { readonly storage: Storage }) | undefined => {
  const { value, indices } = [...op.inputs, ...op.outputs][position]!;
  if (value.kind !== 'buffer') return undefined;
  return { base: value.base, offset: elementOffset(value, indices), storage: value.storage };
};

/** Reads a sum with blocks over these dimensions; undefined if an operand's layout is not regular enough. */
const readSum = (
  op: StructuredOp,
  { dimension: laneDimension, shape }: Lanes,
  rows: number | undefined,
): BlockedSum | undefined => {
  const used = usesOf(op);
  const operands: Operand[] = [];
  for (const [position, { id: argument }] of op.body.arguments.entries()) {
    const access = accessOf(op, position);
    if (access === undefined || !used.has(argument)) continue;
    const { offset, storage } = access;
    const laneStride = strideAlong(offset, op.dims[laneDimension]!);
    const rowStride = rows === undefined ? 0 : strideAlong(offset, op.dims[rows]!);
    if (laneStride === undefined || rowStride === undefined || Math.min(laneStride, rowStride) < 0)
      return undefined;
    // Offsets within a block are load immediates.
    if (Math.max(laneStride * shape.lanes, rowStride) * sumsAtOnce >= 2 ** 31) return undefined;
    operands.push({ position, argument, storage, laneStride, rowStride });
  }
  const output = operands.at(-1);
  if (output?.laneStride !== output?.storage.bytes) return undefined;
  return { op, shape, lanes: laneDimension, rows, operands };
};

/** The dimensions of one kind with more than one point. */
const dimensionsOf = (op: StructuredOp, type: 'parallel' | 'reduction'): readonly number[] =>
  op.dims.flatMap((_, dimension) =>
    op.iteratorTypes[dimension] === type && extentOf(op, dimension) > 1 ? [dimension] : [],
  );

/** The sum with the dimensions of its blocks, and their sizes; undefined if some layout is not regular enough. */
const chooseBlock = (
  op: StructuredOp,
  chosen: Lanes,
): { readonly sum: BlockedSum; readonly block: SumBlock } | undefined => {
  const single = readSum(op, chosen, undefined);
  if (single === undefined) return undefined;
  const byRows = new Map<number, BlockedSum>();
  for (const dimension of dimensionsOf(op, 'parallel')) {
    const sum = dimension === chosen.dimension ? undefined : readSum(op, chosen, dimension);
    if (sum !== undefined) byRows.set(dimension, sum);
  }
  const space: SumSpace = {
    lanes: extentOf(op, chosen.dimension),
    arithmetic: op.body.operations.length - 1,
    inputs: single.operands.slice(0, -1).map(({ storage, laneStride }, i) => ({
      cost: loadCost(chosen.shape, storage, laneStride),
      alongLanes: laneStride !== 0,
      along: op.dims.map((_, dimension) => byRows.get(dimension)?.operands[i]?.rowStride !== 0),
    })),
    rows: new Map([...byRows.keys()].map((dimension) => [dimension, extentOf(op, dimension)])),
  };
  const block = sumBlock(space, sumUnit(chosen.shape));
  return { sum: byRows.get(block.dimension ?? -1) ?? single, block };
};

/** Whether an operation is a sum that can be blocked: static, reading nothing but its operands. */
const isPlainSum = (state: Lowering, op: StructuredOp): boolean => {
  const sum = op.body.arguments[op.inputs.length];
  return (
    op.outputs.length === 1 &&
    sum !== undefined &&
    usesOf(op).has(sum.id) &&
    op.extents.every((extent) => constantOf(extent) !== undefined) &&
    dimensionsOf(op, 'reduction').length > 0 &&
    bodyLoads(state, op).length === 0 &&
    outputsAreDistinct(op, []) &&
    op.body.operations.every(({ results }) => results.every(({ type }) => type.kind !== 'index'))
  );
};

/** Emits a blocked sum; false if the operation is not one, or unsuitable. */
export const lowerBlockedSum = (state: Lowering, op: StructuredOp): boolean => {
  if (!isPlainSum(state, op)) return false;
  const chosen = chooseLanes(state, op, leastPoints);
  if (chosen !== undefined && lowerShortSum(state, op, chosen)) return true;
  const choice = chosen === undefined ? undefined : chooseBlock(op, chosen);
  if (choice === undefined) return false;
  const { sum, block } = choice;
  for (const lanePart of blockParts(extentOf(op, sum.lanes), block.vectors * sum.shape.lanes)) {
    for (const rowPart of blockParts(extentOf(op, sum.rows), block.rows))
      emitBlocks(state, sum, lanePart, rowPart);
  }
  return true;
};

/** Steps of a reduction that are unrolled within a row, with what they share in registers. */
const unrolledSteps = 8;

/**
 * Emits a single row of sums of a few steps: a vector after the other, which reads that many rows of an input side by
 * side; false if the operation is none.
 */
const lowerShortSum = (state: Lowering, op: StructuredOp, chosen: Lanes): boolean => {
  const [reduction, ...others] = dimensionsOf(op, 'reduction');
  const isRow = dimensionsOf(op, 'parallel').every((dimension) => dimension === chosen.dimension);
  if (reduction === undefined || others.length > 0 || !isRow) return false;
  const steps = extentOf(op, reduction);
  const sum = readSum(op, chosen, reduction);
  if (sum === undefined || steps > unrolledSteps) return false;
  for (const part of blockParts(extentOf(op, sum.lanes), sum.shape.lanes))
    emitShortSums(state, sum, part, steps);
  return true;
};

/** The vectors of one part of a row; the rows of the sum are the steps of the reduction. */
const emitShortSums = (state: Lowering, sum: BlockedSum, part: BlockPart, steps: number): void => {
  const { f } = state;
  const { shape, lanes, operands } = sum;
  const { first, points, count } = part;
  const { op } = restrictDimension(state, sum.op, lanes, { first, step: points, count });
  const body = vectorBody(state, op.operation, shape);
  op.inputs.forEach(({ value }, i) => {
    if (value.kind !== 'buffer') state.values.set(op.body.arguments[i]!.id, value);
  });
  const start = restrictDimension(state, op, sum.rows!, { first: 0, step: 1, count: 1 });
  const looped = start.op.dims.flatMap((_, dimension) =>
    extentOf(sum.op, dimension) > 1 ? [dimension] : [],
  );
  const inputs = operands.slice(0, -1);
  const output = operands.at(-1)!;
  const load = (
    { storage, laneStride, rowStride }: Operand,
    pointer: Local<'i32'>,
    step: number,
  ): Expr<'v128'> => loadLanes(f, shape, storage, f.get(pointer), laneStride, step * rowStride, points);
  const allSteps = Array.from({ length: steps }, (_, step) => step);
  /** What all vectors share, by input and step. */
  let shared: readonly (readonly Local<'v128'>[] | undefined)[] = [];
  emitNest(f, state.indices, {
    loops: [start.op.loops[looped.indexOf(lanes)]!],
    accesses: operands.map(({ position }) => accessOf(start.op, position)!),
    around: (depth, pointers, inner) => {
      if (depth === 0)
        shared = inputs.map((input, i) =>
          input.laneStride === 0 ? allSteps.map((step) => f.let(load(input, pointers[i]!, step))) : undefined,
        );
      inner();
    },
    body: (pointers) => {
      const pointer = pointers.at(-1)!;
      const total = f.let(load({ ...output, rowStride: 0 }, pointer, 0));
      for (const step of allSteps) {
        inputs.forEach((input, i) => {
          const known = shared[i]?.[step];
          const value = known ?? f.let(load(input, pointers[i]!, step));
          state.values.set(input.argument, { kind: 'scalar', expr: f.get(value) });
        });
        state.values.set(output.argument, { kind: 'scalar', expr: f.get(total) });
        for (const operation of op.body.operations) body.lower(operation);
        f.set(total, body.valueOf(op.yielded[0]!.id));
      }
      f.statement(
        storeLanes(f, shape, output.storage, f.get(pointer), f.get(total), output.laneStride, 0, points),
      );
    },
  });
};

/** The loop order: those around the blocks, largest strides outermost, then those of the blocks, then the reduction. */
const loopOrder = ({ op, lanes: along, rows: across }: BlockedSum): readonly number[] => {
  const { offset } = accessOf(op, op.inputs.length)!;
  const strideOf = (dimension: number): number => strideAlong(offset, op.dims[dimension]!) ?? Infinity;
  const around = dimensionsOf(op, 'parallel').filter(
    (dimension) => dimension !== along && dimension !== across,
  );
  return [
    ...around.toSorted((a, b) => strideOf(b) - strideOf(a)),
    ...(across === undefined ? [] : [across]),
    along,
    ...dimensionsOf(op, 'reduction'),
  ];
};

/** The blocks of one part of the lanes and one of the rows. */
const emitBlocks = (state: Lowering, sum: BlockedSum, lanePart: BlockPart, rowPart: BlockPart): void => {
  const { f } = state;
  const restricted = (
    op: StructuredOp,
    dimension: number,
    { first, points, count }: BlockPart,
  ): StructuredOp => restrictDimension(state, op, dimension, { first, step: points, count }).op;
  const inLanes = restricted(sum.op, sum.lanes, lanePart);
  const op = sum.rows === undefined ? inLanes : restricted(inLanes, sum.rows, rowPart);
  const looped = op.dims.flatMap((_, dimension) => (extentOf(sum.op, dimension) > 1 ? [dimension] : []));
  const order = loopOrder(sum);
  const reductions = dimensionsOf(op, 'reduction').length;

  const { shape } = sum;
  const { lanes } = shape;
  const width = Math.ceil(lanePart.points / lanes);
  const body = vectorBody(state, op.operation, shape);
  op.inputs.forEach(({ value }, i) => {
    if (value.kind !== 'buffer') state.values.set(op.body.arguments[i]!.id, value);
  });
  const inputs = sum.operands.slice(0, -1);
  const output = sum.operands.at(-1)!;
  const sums = Array.from({ length: width * rowPart.points }, () => f.local('v128'));
  const [yielded] = op.yielded;

  /** The position in an operand of a vector of the block. */
  const placeOf = ({ laneStride, rowStride }: Operand, vector: number, row: number) =>
    [
      laneStride,
      vector * lanes * laneStride + row * rowStride,
      Math.min(lanes, lanePart.points - vector * lanes),
    ] as const;
  const forEachSum = (visit: (local: Local<'v128'>, vector: number, row: number) => void): void => {
    sums.forEach((local, i) => {
      visit(local, i % width, Math.floor(i / width));
    });
  };

  emitNest(f, state.indices, {
    loops: order.map((dimension) => op.loops[looped.indexOf(dimension)]!),
    accesses: sum.operands.map(({ position }) => accessOf(op, position)!),
    around: (depth, pointers, inner) => {
      if (depth !== order.length - reductions) {
        inner();
        return;
      }
      const pointer = f.get(pointers.at(-1)!);
      forEachSum((local, vector, row) => {
        f.set(local, loadLanes(f, shape, output.storage, pointer, ...placeOf(output, vector, row)));
      });
      inner();
      forEachSum((local, vector, row) => {
        f.statement(
          storeLanes(f, shape, output.storage, pointer, f.get(local), ...placeOf(output, vector, row)),
        );
      });
    },
    body: (pointers) => {
      const loaded = new Map<string, Expr<'v128'>>();
      forEachSum((local, vector, row) => {
        inputs.forEach((input, i) => {
          const [stride, offset, count] = placeOf(input, vector, row);
          const key = [i, offset, count].join();
          const value =
            loaded.get(key) ??
            f.get(f.let(loadLanes(f, shape, input.storage, f.get(pointers[i]!), stride, offset, count)));
          loaded.set(key, value);
          state.values.set(input.argument, { kind: 'scalar', expr: value });
        });
        state.values.set(output.argument, { kind: 'scalar', expr: f.get(local) });
        for (const operation of op.body.operations) body.lower(operation);
        f.set(local, body.valueOf(yielded!.id));
      });
    },
  });
};

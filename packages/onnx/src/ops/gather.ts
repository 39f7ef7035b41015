/** Ops that read elements at computed places: `Gather`, `GatherElements` and `GatherND`. */
import { constant as constantExpr, dim } from '@sconv/affine';
import { indexCast } from '@sconv/dialects/arith';
import { index as indexOp } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { Builder, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import type { Constant } from '../constant.ts';
import { allocate, constantOf, countOf, elementsOf, numbersOf, splatValue } from '../constant.ts';
import { int64 } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { checkedShape, computed, constantOperand, reshapeOperand } from '../operations.ts';
import { invalid, printSizes } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { sliceOperand } from './slices.ts';

/** More indices than that are no sizes: they are looked up at run time. */
const mostFolded = 4096;

/** An index that may count from the end, checked. */
const checkedIndex = (index: number, size: number): number => {
  if (!(index >= -size && index < size)) invalid(`reads at ${index} of ${size}`);
  return index < 0 ? index + size : index;
};

const gather = (node: OnnxNode): Operand => {
  const [data, indices] = [node.input(0), node.input(1)];
  const axis = node.axis(node.int('axis', 0), data.shape.length);
  const size = data.shape[axis]!;
  const shape = checkedShape([...data.shape.slice(0, axis), ...indices.shape, ...data.shape.slice(axis + 1)]);
  if (indices.type.kind !== 'integer') invalid(`has indices of ${indices.type.name}`);
  const known = indices.constant;
  const only = splatValue(known);
  if (only !== undefined && countOf(indices.shape) === 1) {
    const offsets = data.shape.map((_, i) => (i === axis ? checkedIndex(only, size) : 0));
    const steps = data.shape.map(() => 1);
    return reshapeOperand(node, sliceOperand(node, data, offsets, data.shape.with(axis, 1), steps), shape);
  }
  if (data.constant !== undefined && known !== undefined && countOf(shape) <= mostFolded)
    return constantOperand(node.emitter, gatherConstant(data.constant, numbersOf(known), axis, shape));
  return computed(data.type, shape, () => {
    const at = indices.shape.map((_, i) => dim(axis + i));
    return node.emitter.parallel(data.type, shape, [{ value: indices.value(), at }], (b, index) => {
      const places = data.shape.map((_, i) =>
        i === axis
          ? wrappedIndex(b, index, indices, size)
          : b(indexOp, { dim: i < axis ? i : i + indices.shape.length - 1 }),
      );
      return b(extract, { tensor: data.value(), indices: places });
    });
  });
};

/** An index of a dimension of this size, which may count from its end; one outside is the nearest. */
const wrappedIndex = (b: Builder, given: Value, { type }: Operand, size: number): Value => {
  const wide = new ScalarOps(b, int64);
  const index = new ScalarOps(b, type).cast(given, int64);
  const isNegative = wide.compare('lt', index, wide.constant(0));
  const wrapped = wide.select(isNegative, wide.add(index, wide.constant(size)), index);
  const inside = wide.min(wide.max(wrapped, wide.constant(0)), wide.constant(Math.max(0, size - 1)));
  return b(indexCast, { in: inside }, { resultTypes: [indexType] });
};

const gatherConstant = (
  data: Constant,
  indices: readonly number[],
  axis: number,
  shape: readonly number[],
): Constant => {
  const size = data.shape[axis]!;
  const [outer, inner] = [countOf(data.shape.slice(0, axis)), countOf(data.shape.slice(axis + 1))];
  const elements = elementsOf(data);
  const result = allocate(data.type, countOf(shape));
  let at = 0;
  for (let row = 0; row < outer; row++)
    for (const index of indices)
      for (let i = 0; i < inner; i++) {
        const position = (row * size + checkedIndex(index, size)) * inner + i;
        result[at++] = elements[data.isSplat ? 0 : position]!;
      }
  return constantOf(data.type, shape, result);
};

const gatherElements = (node: OnnxNode): Operand => {
  const [data, indices] = [node.input(0), node.input(1)];
  const rank = data.shape.length;
  const axis = node.axis(node.int('axis', 0), rank);
  if (indices.shape.length !== rank || indices.shape.some((size, i) => i !== axis && size > data.shape[i]!))
    invalid(`has indices of ${printSizes(indices.shape)} for ${printSizes(data.shape)}`);
  if (indices.type.kind !== 'integer') invalid(`has indices of ${indices.type.name}`);
  return computed(data.type, indices.shape, () =>
    node.emitter.parallel(data.type, indices.shape, [{ value: indices.value() }], (b, index) => {
      const places = data.shape.map((size, i) =>
        i === axis ? wrappedIndex(b, index, indices, size) : b(indexOp, { dim: i }),
      );
      return b(extract, { tensor: data.value(), indices: places });
    }),
  );
};

/** `GatherND`: elements or parts at places that are the last dimension of the indices. */
const gatherNd = (node: OnnxNode): Operand => {
  const [data, indices] = [node.input(0), node.input(1)];
  const batch = node.int('batch_dims', 0);
  const count = indices.shape.at(-1) ?? 0;
  const isFitting =
    batch >= 0 &&
    batch < indices.shape.length &&
    count >= 1 &&
    batch + count <= data.shape.length &&
    data.shape.slice(0, batch).join() === indices.shape.slice(0, batch).join();
  if (!isFitting || indices.type.kind !== 'integer')
    invalid(`has indices of ${printSizes(indices.shape)} for ${printSizes(data.shape)}`);
  const outer = indices.shape.length - 1;
  const shape = checkedShape([...indices.shape.slice(0, -1), ...data.shape.slice(batch + count)]);
  return computed(data.type, shape, () => {
    const each = Array.from({ length: count }, (_, k) => ({
      value: indices.value(),
      at: [...indices.shape.slice(0, -1).map((__, i) => dim(i)), constantExpr(k)],
    }));
    return node.emitter.parallel(data.type, shape, each, (b, ...given) => {
      const places = data.shape.map((size, i) => {
        if (i < batch) return b(indexOp, { dim: i });
        const k = i - batch;
        return k < count ? wrappedIndex(b, given[k]!, indices, size) : b(indexOp, { dim: outer + k - count });
      });
      return b(extract, { tensor: data.value(), indices: places });
    });
  });
};

/** Ops of this file by their ONNX names. */
export const gatherOps: Readonly<Record<string, (node: OnnxNode) => Operand>> = {
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherNd,
};

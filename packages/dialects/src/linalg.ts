/** The linalg dialect: structured operations on tensors and buffers. */
import type { Dialect, MemoryEffect, Operation, Registry, Type } from '@sconv/ir';
import { attach, effectsBelow, memoryEffects } from '@sconv/ir';
import { aggregates } from './linalg-aggregate.ts';
import { contractions } from './linalg-contractions.ts';
import { convolutions, poolings } from './linalg-conv.ts';
import { elementwiseOps } from './linalg-elementwise.ts';
import { generic, genericView, indexOp, yieldOp } from './linalg-generic.ts';
import type { NamedStructure } from './linalg-named.ts';
import { namedView } from './linalg-named.ts';
import { broadcast, map, reduce, shapeView, transpose } from './linalg-shape-ops.ts';
import type { StructuredOp } from './linalg-view.ts';

const namedOps = [...contractions, ...convolutions, ...poolings, ...elementwiseOps];

const structures: ReadonlyMap<string, NamedStructure> = new Map(
  namedOps.map((definition) => [definition.name, definition.structure]),
);

const withOwnMaps: ReadonlySet<string> = new Set(
  [map, reduce, transpose, broadcast].map((definition) => definition.name),
);

/** Whether an operation is structured: has iterators, indexing maps and a scalar body. */
export const isLinalgOp = (operation: Operation): boolean =>
  generic.is(operation) || structures.has(operation.name) || withOwnMaps.has(operation.name);

/** The structured view of a `linalg.generic` or named op; throws on any other operation. */
export const structured = (operation: Operation): StructuredOp => {
  if (generic.is(operation)) return genericView(operation);
  const structure = structures.get(operation.name);
  if (structure !== undefined) return namedView(structure, operation);
  if (withOwnMaps.has(operation.name)) return shapeView(operation);
  throw new Error(`'${operation.name}' is not a structured operation`);
};

/** Whether an operation is a named convolution (not a pooling). */
export const isConvolution = (operation: Operation): boolean =>
  convolutions.some((definition) => definition.name === operation.name);

export { isMultiplyAdd } from './multiply-add.ts';

/** The structure of a named op by its name: `linalg.matmul`. */
export const namedStructure = (name: string): NamedStructure | undefined => structures.get(name);

export {
  matmul,
  matmulTransposeA,
  matmulTransposeB,
  quantizedMatmul,
  mmt4d,
  batchMmt4d,
  batchMatmul,
  batchMatmulTransposeA,
  batchMatmulTransposeB,
  quantizedBatchMatmul,
  batchReduceMatmul,
  matvec,
  vecmat,
  batchMatvec,
  batchVecmat,
  dot,
} from './linalg-contractions.ts';
export {
  conv1d,
  conv2d,
  conv3d,
  conv1dNwcWcf,
  conv1dNcwFcw,
  conv2dNhwcHwcf,
  conv2dNhwcFhwc,
  conv2dNhwcHwcfQ,
  conv2dNhwcFhwcQ,
  conv2dNchwFchw,
  conv2dNgchwFgchw,
  conv2dNgchwGfchw,
  conv2dNgchwGfchwQ,
  conv3dNdhwcDhwcf,
  conv3dNdhwcDhwcfQ,
  conv3dNcdhwFcdhw,
  depthwiseConv1dNwcWc,
  depthwiseConv1dNcwCw,
  depthwiseConv1dNwcWcm,
  depthwiseConv2dNhwcHwc,
  depthwiseConv2dNchwChw,
  depthwiseConv2dNhwcHwcQ,
  depthwiseConv2dNhwcHwcm,
  depthwiseConv2dNhwcHwcmQ,
  depthwiseConv3dNdhwcDhwc,
  depthwiseConv3dNcdhwCdhw,
  depthwiseConv3dNdhwcDhwcm,
  poolingNhwcSum,
  poolingNchwSum,
  poolingNhwcMax,
  poolingNhwcMaxUnsigned,
  poolingNchwMax,
  poolingNhwcMin,
  poolingNhwcMinUnsigned,
  poolingNwcSum,
  poolingNcwSum,
  poolingNwcMax,
  poolingNwcMaxUnsigned,
  poolingNcwMax,
  poolingNwcMin,
  poolingNwcMinUnsigned,
  poolingNdhwcSum,
  poolingNdhwcMax,
  poolingNdhwcMin,
} from './linalg-conv.ts';
export {
  fill,
  copy,
  elemwiseUnary,
  elemwiseBinary,
  fillRng2d,
  exp,
  log,
  abs,
  ceil,
  floor,
  negf,
  reciprocal,
  round,
  sqrt,
  rsqrt,
  square,
  tanh,
  erf,
  add,
  sub,
  mul,
  div,
  divUnsigned,
  max,
  min,
  powf,
  select,
} from './linalg-elementwise.ts';
export {
  softmax,
  winogradFilterTransform,
  winogradInputTransform,
  winogradOutputTransform,
} from './linalg-aggregate.ts';
export { contractions } from './linalg-contractions.ts';
export { convolutions, poolings } from './linalg-conv.ts';
export { generic, indexOp as index, yieldOp } from './linalg-generic.ts';
export { broadcast, map, reduce, transpose } from './linalg-shape-ops.ts';
export { iteratorAttribute } from './linalg-iterators.ts';
export type { IteratorType } from './linalg-iterators.ts';
export { bodyArgumentTypes, buildNamedBody, memoizedMaps, namedOpBody } from './linalg-named.ts';
export type { NamedStructure } from './linalg-named.ts';
export { loopRangesOf } from './linalg-view.ts';
export type { StructuredOp } from './linalg-view.ts';

/** Reads its inputs and outputs and writes its outputs, as far as they are buffers, and does what its body does. */
const structuredEffects = (operation: Operation, registry: Registry): readonly MemoryEffect[] | undefined => {
  const body = effectsBelow(registry, operation);
  if (body === undefined) return undefined;
  const { inputs, outputs } = structured(operation);
  const isBuffer = ({ type }: { readonly type: Type }) => type.kind === 'memref';
  return [
    ...body,
    ...[...inputs, ...outputs].filter(isBuffer).map((value): MemoryEffect => ({ kind: 'read', value })),
    ...outputs.filter(isBuffer).map((value): MemoryEffect => ({ kind: 'write', value })),
  ];
};

const structuredOps = [generic, map, reduce, transpose, broadcast, ...namedOps];

/** The names of the operations that `isLinalgOp` accepts. */
export const structuredNames: readonly string[] = structuredOps.map(({ name }) => name);

/** The dialect, for a registry. */
export const linalgDialect: Dialect = {
  name: 'linalg',
  operations: [...structuredOps, indexOp, yieldOp, ...aggregates],
  attachments: structuredNames.map((name) => attach(memoryEffects, name, structuredEffects)),
};

/** Conversions between tensors and buffers, and tensor allocations. */
import { bufferFlow, castTo } from '@sconv/dialects';
import { allocTensor, toMemref, toTensor } from '@sconv/dialects/bufferization';
import { dim as bufferDim, load } from '@sconv/dialects/memref';
import { dim, extract } from '@sconv/dialects/tensor';
import type { RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, effectsOf, tensorType, typeEquals } from '@sconv/ir';
import { definedBy, integerConstant, onOp } from '../match.ts';
import { tensorCast } from './tensor-cast.ts';

/** to_memref of to_tensor folds to the buffer. */
const bufferOfTensor = onOp(toMemref, 'to-memref-of-to-tensor', (rewriter, operation) => {
  const [source] = definedBy(rewriter, operation.operands[0], toTensor)?.operands ?? [];
  if (source !== undefined && typeEquals(source.type, operation.results[0]!.type))
    rewriter.replaceOperation(operation, [source]);
});

/** to_tensor of an immediately preceding to_memref folds to the tensor. */
const tensorOfBuffer = onOp(toTensor, 'to-tensor-of-to-memref', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], toMemref);
  const [tensor] = source?.operands ?? [];
  if (tensor === undefined || source?.next !== operation) return;
  if (typeEquals(tensor.type, operation.results[0]!.type)) rewriter.replaceOperation(operation, [tensor]);
});

/** Whether nothing may write to a buffer. */
const isOnlyRead = (rewriter: Rewriter, buffer: Value): boolean => {
  const { values, escapes } = bufferFlow(rewriter, buffer);
  const users = values.flatMap((value) => rewriter.users(value));
  return (
    !escapes &&
    users.every((user) => effectsOf(rewriter.registry, user)?.every(({ kind }) => kind === 'read'))
  );
};

/** @deviation Upstream also reads the tensor where the buffer may have been written since. */
const loadOfBuffer = onOp(load, 'load-of-to-memref', (rewriter, operation) => {
  const [memref, ...indices] = operation.operands;
  const [tensor] = definedBy(rewriter, memref, toMemref)?.operands ?? [];
  if (tensor !== undefined && isOnlyRead(rewriter, memref!))
    rewriter.replaceWith(operation, extract.state({ operands: { tensor, indices } }));
});

const sizeOfBuffer = onOp(bufferDim, 'dim-of-to-memref', (rewriter, operation) => {
  const [memref, index] = operation.operands;
  const [source] = definedBy(rewriter, memref, toMemref)?.operands ?? [];
  if (source !== undefined && index !== undefined)
    rewriter.replaceWith(operation, dim.state({ operands: { source, index } }));
});

const sizeOfTensor = onOp(dim, 'dim-of-to-tensor', (rewriter, operation) => {
  const [tensor, index] = operation.operands;
  const [source] = definedBy(rewriter, tensor, toTensor)?.operands ?? [];
  if (source !== undefined && index !== undefined)
    rewriter.replaceWith(operation, bufferDim.state({ operands: { source, index } }));
});

/** A dynamic size is the allocation's operand. */
const sizeOfAllocation = onOp(dim, 'dim-of-alloc-tensor', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], allocTensor);
  const at = integerConstant(rewriter, operation.operands[1]);
  if (source === undefined || at === undefined) return;
  const { copy, dynamicSizes } = allocTensor.operands(source);
  const { shape } = source.results[0]!.type as TensorType;
  if (copy !== undefined || shape[at] !== DYNAMIC) return;
  const before = shape.slice(0, at).filter((size) => size === DYNAMIC).length;
  rewriter.replaceOperation(operation, [dynamicSizes[before]!]);
});

/** Moves constant sizes into the type. */
const staticAllocation = onOp(allocTensor, 'alloc-tensor-of-constants', (rewriter, operation) => {
  const { copy, dynamicSizes } = allocTensor.operands(operation);
  const { type } = operation.results[0]!;
  if (copy !== undefined || type.kind !== 'tensor') return;
  const known = dynamicSizes.map((size) => integerConstant(rewriter, size));
  const isKept = (_: unknown, i: number): boolean => known[i] === undefined || known[i] < 0;
  const kept = dynamicSizes.filter(isKept);
  if (kept.length === dynamicSizes.length) return;
  let next = 0;
  const shape = type.shape.map((size) => {
    if (size !== DYNAMIC) return size;
    const at = next++;
    return isKept(size, at) ? DYNAMIC : known[at]!;
  });
  const made = rewriter.createValue(
    allocTensor.state({
      operands: { dynamicSizes: kept },
      resultTypes: [tensorType(shape, type.elementType, type.encoding)],
    }),
  );
  rewriter.replaceOperation(operation, [castTo(rewriter, made, type, tensorCast)]);
});

export const bufferizationPatterns: readonly RewritePattern[] = [
  bufferOfTensor,
  tensorOfBuffer,
  loadOfBuffer,
  sizeOfBuffer,
  sizeOfTensor,
  sizeOfAllocation,
  staticAllocation,
];

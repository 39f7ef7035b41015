/** Values of tensor or buffer type. */
import type { MemRefType, TensorType, Value } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';

/** Whether a value is a ranked tensor. */
export const isTensorValue = (value: Value | undefined): value is Value<TensorType> =>
  value?.type.kind === 'tensor';

/** Whether a value is a ranked buffer. */
export const isBufferValue = (value: Value | undefined): value is Value<MemRefType> =>
  value?.type.kind === 'memref';

/** Whether a value is a ranked tensor of static shape. */
export const isStaticTensorValue = (value: Value | undefined): value is Value<TensorType> =>
  isTensorValue(value) && isStaticShape(value.type);

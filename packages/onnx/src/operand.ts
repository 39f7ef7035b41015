/** What the name of a value of the graph stands for while the graph is imported. */
import type { TensorType, Value } from '@sconv/ir';
import { tensorType } from '@sconv/ir';
import type { Constant } from './constant.ts';
import type { ElementType } from './element-type.ts';

/** A tensor of known shape: a constant, or a value of the function. */
export interface Operand {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly constant?: Constant;
  /** The value in the function; what computes it is created at the first call. */
  readonly value: () => Value<TensorType>;
  /** The same times `scale` plus `shift`, both by dimension 1: of a convolution that nothing else uses. */
  readonly scaled?: (scale: ArrayLike<number>, shift: ArrayLike<number>) => Operand | undefined;
}

/** The type of an operand in the IR. */
export const irType = ({ type, shape }: Pick<Operand, 'type' | 'shape'>): TensorType =>
  tensorType(shape, type.type);

/** An operand for a value that exists. */
export const operandOf = (type: ElementType, value: Value): Operand => ({
  type,
  shape: (value.type as TensorType).shape,
  value: () => value as Value<TensorType>,
});

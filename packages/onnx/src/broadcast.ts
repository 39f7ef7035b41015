/** Broadcasting, as in NumPy: shapes are aligned at their last dimensions, and sizes of 1 repeat. */
import type { Builder, Value } from '@sconv/ir';
import { dim } from '@sconv/affine';
import { constantOfNumbers, countOf, numbersOf, splatValue, strided, stridesOf } from './constant.ts';
import type { Constant } from './constant.ts';
import type { ElementType } from './element-type.ts';
import type { Access } from './emitter.ts';
import type { OnnxNode } from './node.ts';
import type { Operand } from './operand.ts';
import { checkedShape, computed, constantOperand, reshapeOperand } from './operations.ts';
import { invalid, printSizes } from './problem.ts';
import { constant as constantOp } from '@sconv/dialects/arith';
import { scalarAttribute, scalarOf } from './weight-constant.ts';

/** The shape that shapes broadcast to. */
export const broadcastShapes = (shapes: readonly (readonly number[])[]): readonly number[] => {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return checkedShape(
    Array.from({ length: rank }, (_, i) => {
      const sizes = shapes.flatMap((shape) => shape[i - rank + shape.length] ?? []);
      const size = sizes.find((each) => each !== 1) ?? 1;
      if (sizes.some((each) => each !== 1 && each !== size))
        invalid(`combines ${shapes.map(printSizes).join(' with ')}, which do not broadcast`);
      return size;
    }),
  );
};

/**
 * An operand as an input of an elementwise op of this shape: without the dimensions that repeat, and read by the
 * others.
 */
export const broadcastAccess = (node: OnnxNode, operand: Operand, shape: readonly number[]): Access => {
  const offset = shape.length - operand.shape.length;
  const kept = operand.shape.flatMap((size, i) => (size === 1 && shape[i + offset] !== 1 ? [] : [i]));
  // Sizes of 1 that do not repeat are dropped with those that do, where any does.
  const read = kept.length === operand.shape.length ? kept : kept.filter((i) => operand.shape[i] !== 1);
  const value = reshapeOperand(
    node,
    operand,
    read.map((i) => operand.shape[i]!),
  ).value();
  return { value, at: read.map((i) => dim(i + offset)) };
};

/** Computes an element of a result from those of the inputs. */
export interface Elementwise {
  readonly type: ElementType;
  readonly emit: (b: Builder, ...elements: readonly Value[]) => Value;
  /** The same on numbers, for small constants. */
  readonly fold?: ((...numbers: readonly number[]) => number) | undefined;
}

/** More elements than that are no sizes: they are computed at run time. */
const mostFolded = 4096;

/** An elementwise function of operands. */
export const elementwise = (
  node: OnnxNode,
  operands: readonly Operand[],
  { type, emit, fold }: Elementwise,
): Operand => {
  const shape = broadcastShapes(operands.map((operand) => operand.shape));
  const constants = operands.flatMap(({ constant }) => constant ?? []);
  if (fold !== undefined && constants.length === operands.length) {
    const folded = foldConstants(constants, shape, type, fold);
    if (folded !== undefined) return constantOperand(node.emitter, folded);
  }
  return computed(type, shape, () => {
    // What is the same everywhere is a constant of the body.
    const same = operands.map(({ constant }) =>
      constant?.isSplat === true ? scalarOf(constant) : undefined,
    );
    const inputs = operands.filter((_, i) => same[i] === undefined);
    return node.emitter.parallel(
      type,
      shape,
      inputs.map((operand) => broadcastAccess(node, operand, shape)),
      (b, ...elements) => {
        let next = 0;
        const values = operands.map((operand, i) => {
          const value = same[i];
          return value === undefined
            ? elements[next++]!
            : b(constantOp, { value: scalarAttribute(operand.type, value) });
        });
        return emit(b, ...values);
      },
    );
  });
};

/** The result for constants; undefined if it is large, or not exact. */
const foldConstants = (
  constants: readonly Constant[],
  shape: readonly number[],
  type: ElementType,
  fold: NonNullable<Elementwise['fold']>,
): Constant | undefined => {
  const isSplat = constants.every((constant) => constant.isSplat);
  const count = isSplat ? 1 : countOf(shape);
  if (count > mostFolded) return undefined;
  const sources = constants.map((constant) =>
    isSplat ? constant : strided(constant, shape, repeatingStrides(constant.shape, shape)),
  );
  const numbers = sources.map((constant) => (isSplat ? [splatValue(constant)!] : numbersOf(constant)));
  const results = Array.from({ length: count }, (_, i) => fold(...numbers.map((each) => each[i]!)));
  const isExact = [...numbers, results].every((each) =>
    each.every((value) => type.kind === 'float' || Number.isSafeInteger(value)),
  );
  return isExact ? constantOfNumbers(type, shape, results) : undefined;
};

/** The strides that repeat a tensor of shape `from` in `shape`. */
export const repeatingStrides = (from: readonly number[], shape: readonly number[]): readonly number[] => {
  const strides = stridesOf(from);
  const offset = shape.length - from.length;
  return shape.map((_, i) => (i < offset || from[i - offset] === 1 ? 0 : strides[i - offset]!));
};

/** The operand repeated to a shape that it broadcasts to. */
export const elementwiseOver = (node: OnnxNode, operand: Operand, shape: readonly number[]): Operand => {
  const { emitter } = node;
  return computed(operand.type, shape, () =>
    emitter.parallel(operand.type, shape, [broadcastAccess(node, operand, shape)], (_, x) => x),
  );
};

/** Helpers shared by the files of the arith dialect. */
import type { Trait, Type } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { shapeOf } from './constraints.ts';

/** The traits of elementwise operations on a single type. */
export const elementwise: readonly Trait[] = ['pure', 'elementwise', 'same-operands-and-result-type'];

/** The traits of operations that may combine values in any order. */
export const combining: readonly Trait[] = ['commutative', 'associative'];

/** Whether two types may have the same shape: unknown sizes match any. */
export const compatibleShapes = (a: Type, b: Type): boolean => {
  const [x, y] = [shapeOf(a), shapeOf(b)];
  if (x === undefined || y === undefined) return x === y;
  if (scalability(a) !== scalability(b) || x.length !== y.length) return false;
  return x.every((size, i) => size === y[i] || size === DYNAMIC || y[i] === DYNAMIC);
};

const scalability = (type: Type): string => (type.kind === 'vector' ? type.scalable.join() : '');

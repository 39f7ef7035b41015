/** What the files of the arith dialect share. */
import type { Folder, Trait, Type } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { shapeOf } from './constraints.ts';

/** What an operation of two operands has besides its name. */
export interface BinaryOptions {
  readonly traits?: readonly Trait[];
  readonly fold?: Folder;
}

/** The traits of an operation on elements, all of one type. */
export const elementwise: readonly Trait[] = ['pure', 'elementwise', 'same-operands-and-result-type'];

/** Combines values in any order. */
export const combining = { traits: ['commutative', 'associative'] } as const;

/** Whether two types may have the same shape: sizes that are unknown agree with any. */
export const compatibleShapes = (a: Type, b: Type): boolean => {
  const [x, y] = [shapeOf(a), shapeOf(b)];
  if (x === undefined || y === undefined) return x === y;
  if (scalability(a) !== scalability(b) || x.length !== y.length) return false;
  return x.every((size, i) => size === y[i] || size === DYNAMIC || y[i] === DYNAMIC);
};

const scalability = (type: Type): string => (type.kind === 'vector' ? type.scalable.join() : '');

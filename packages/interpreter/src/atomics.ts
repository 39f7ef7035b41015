/** Atomic updates, one after the other, and how they combine values. */
import type { AtomicKind } from '@sconv/dialects/memref';
import { atomicCombiners, atomicRmw, genericAtomicRmw } from '@sconv/dialects/memref';
import type { Operation, Type } from '@sconv/ir';
import { elementPlace } from './access.ts';
import type { Handler, Handlers } from './context.ts';
import { load, store } from './context.ts';
import type { Scalar } from './element.ts';
import { setElement } from './element.ts';
import { holdInteger } from './integers.ts';
import type { Combine } from './scalar-function.ts';
import { combineBy } from './scalar-function.ts';

/** Combines the old value with the new one. */
export const atomicCombiner = (operation: Operation, kind: AtomicKind, type: Type): Combine => {
  const name = atomicCombiners[kind];
  return name === undefined ? (_, given) => given : combineBy(operation, name, type);
};

/** What leaves every other value as it is; undefined for kinds without. */
export const neutralOf = (operation: Operation, kind: AtomicKind, type: Type): Scalar | undefined => {
  if (kind === 'assign') return undefined;
  if (type.kind === 'float') return neutralFloats[kind] ?? NaN;
  const least = type.kind === 'integer' ? -(2n ** BigInt(type.width - 1)) : 0n;
  const neutral = { muli: 1n, andi: -1n, minu: -1n, maxs: least, mins: -1n - least }[kind as string];
  return holdInteger(operation, type)(neutral ?? 0n);
};

const neutralFloats: Readonly<Partial<Record<AtomicKind, number>>> = {
  addf: 0,
  mulf: 1,
  maximumf: -Infinity,
  minimumf: Infinity,
};

/** The result is the old value, as all of upstream's lowerings have it. */
const update: Handler = (operation, context) => {
  const { value, memref, indices } = atomicRmw.operands(operation);
  const combine = atomicCombiner(operation, atomicRmw.attributes(operation).kind, value.type);
  const placeOf = elementPlace(operation, context, memref, context.numbers(operation, indices));
  const [given, old] = [context.slot(value), context.slot(context.result(operation))];
  return (frame) => {
    const { data, position } = placeOf(frame);
    const before = data[position]!;
    setElement(data, position, combine(before, load(frame, given, value.type) as Scalar));
    store(frame, old, before);
  };
};

const updateByBody: Handler = (operation, context) => {
  const { memref, indices } = genericAtomicRmw.operands(operation);
  const placeOf = elementPlace(operation, context, memref, context.numbers(operation, indices));
  const region = context.region(operation, 0);
  const result = context.result(operation);
  const [argument = result] = context.parameters(operation, region);
  const [old, given] = [context.slot(result), context.slot(argument)];
  const body = context.body(operation, region, ({ operands }) =>
    context.assign(operation, operands, [result]),
  );
  return (frame) => {
    const { data, position } = placeOf(frame);
    const before = data[position]!;
    store(frame, given, before);
    body(frame);
    setElement(data, position, load(frame, old, result.type) as Scalar);
    store(frame, old, before);
  };
};

/** The atomic operations of `memref`. */
export const atomicHandlers: Handlers = {
  'memref.atomic_rmw': update,
  'memref.generic_atomic_rmw': updateByBody,
};

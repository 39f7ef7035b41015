/** Atomic updates, one after the other, and how they combine values. */
import { neutralElement } from '@sconv/dialects';
import type { AtomicKind } from '@sconv/dialects/memref';
import { atomicCombiner, atomicRmw, genericAtomicRmw } from '@sconv/dialects/memref';
import type { Operation, Type, Value } from '@sconv/ir';
import { elementPlace } from './access.ts';
import type { Context, Handler, Handlers } from './context.ts';
import { load, store } from './context.ts';
import type { Scalar } from './element.ts';
import { setElement } from './element.ts';
import { holdInteger } from './integers.ts';
import type { Combine } from './scalar-function.ts';
import { combineBy } from './scalar-function.ts';

/** Combines the old value with the new one. */
export const combineAtomically = (
  { registry }: Context,
  operation: Operation,
  kind: AtomicKind,
  type: Type,
): Combine => {
  const combiner = atomicCombiner(kind);
  return combiner === undefined ? (_, given) => given : combineBy(registry, operation, combiner.name, type);
};

/** What the results of `operation` that are combined by a kind begin with; undefined for kinds without. */
export const neutralOf = (
  { registry }: Context,
  operation: Operation,
  kind: AtomicKind,
  result: Value,
): Scalar | undefined => {
  const name = atomicCombiner(kind)?.name;
  if (name === undefined) return undefined;
  const neutral = neutralElement(registry, { ...operation, name, results: [result], attributes: {} });
  if (neutral?.kind === 'float') return neutral.value;
  return neutral?.kind === 'integer' ? holdInteger(operation, result.type)(neutral.value) : undefined;
};

/** The result is the old value, as all of upstream's lowerings have it. */
const update: Handler = (operation, context) => {
  const { value, memref, indices } = atomicRmw.operands(operation);
  const combine = combineAtomically(context, operation, atomicRmw.attributes(operation).kind, value.type);
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

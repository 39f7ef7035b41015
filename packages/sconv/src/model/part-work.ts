/** What a function computes and moves at the least: operations on floats, and bytes. */
import { structured } from '@sconv/dialects/linalg';
import type { Operation, Registry, Value } from '@sconv/ir';
import { bodyOf, bytesOfElements, terminatorOf, walk } from '@sconv/ir';

/** Casts change the form of a float, and are often free. */
const casts = /^arith\.(?:ext|trunc|sitofp|uitofp|bitcast|constant)/;

/**
 * The operations on floats of the loop nests of a function: an exponential is one, as an addition is. Undefined where a
 * size is not constant.
 */
export const countFloatOperations = (registry: Registry, definition: Operation): number | undefined => {
  let sum = 0;
  for (const operation of walk(definition)) {
    const view = structured(registry, operation);
    if (view?.body === undefined) continue;
    const each = view.body.operations.filter(isFloatOperation).length;
    if (each === 0) continue;
    if (view.loopRanges.some((size) => size < 0)) return undefined;
    sum += view.loopRanges.reduce((product, size) => product * size, each);
  }
  return sum;
};

const isFloatOperation = ({ name, results }: Operation): boolean =>
  results[0]?.type.kind === 'float' && /^(?:arith|math)\./.test(name) && !casts.test(name);

/** The bytes that a function moves at the least: weights are among what it reads. */
export interface Traffic {
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly weightBytes: number;
}

/**
 * What a function of tensors reads and writes, each once: arguments, weights (constants that do not repeat one element)
 * and results. Of a tensor that slices are taken from, these; what a slice is inserted into stays where it is.
 */
export const trafficOf = (definition: Operation): Traffic => {
  const operations = [...walk(definition)];
  const { arguments: given } = bodyOf(definition);
  const isGiven = ({ id }: Value): boolean => given.some((each) => each.id === id);
  const read = given.map((value) => {
    const users = operations.filter(({ operands }) => operands.some(({ id }) => id === value.id));
    const isKept = ({ name, operands }: Operation): boolean =>
      name === insertion && operands[1]?.id === value.id && operands[0]?.id !== value.id;
    const others = users.filter((user) => !isKept(user));
    return others.every(({ name }) => name === 'tensor.extract_slice')
      ? sumOf(others, ({ results }) => bytesOf(results[0]!))
      : bytesOf(value);
  });
  const written = sumOf(terminatorOf(bodyOf(definition)).operands, (value) => {
    const made = operations.find(({ results }) => results.some(({ id }) => id === value.id));
    return made?.name === insertion && isGiven(made.operands[1]!)
      ? bytesOf(made.operands[0]!)
      : bytesOf(value);
  });
  const weightBytes = sumOf(operations.filter(isWeight), ({ results }) => bytesOf(results[0]!));
  return { readBytes: sumOf(read, (bytes) => bytes) + weightBytes, writtenBytes: written, weightBytes };
};

const insertion = 'tensor.insert_slice';

const sumOf = <T>(items: readonly T[], bytes: (item: T) => number): number =>
  items.reduce((sum, item) => sum + bytes(item), 0);

/** None for a dynamic size. */
const bytesOf = ({ type }: Value): number => bytesOfElements(type) ?? 0;

const isWeight = ({ name, attributes }: Operation): boolean => {
  const value = attributes['value'];
  const isOwn =
    value?.kind === 'dense-resource' || (value?.kind === 'dense-elements' && value.values.length > 1);
  return name === 'arith.constant' && isOwn;
};

/** What a function computes and moves at the least: its operations on floats, and the bytes of its weights. */
import { structured } from '@sconv/dialects/linalg';
import type { Operation, Registry } from '@sconv/ir';
import { bytesOfElements, walk } from '@sconv/ir';

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

/** The bytes of a function's constants, as they lie in a file: not of those that repeat one element. */
export const weightBytesOf = (definition: Operation): number => {
  let sum = 0;
  for (const { name, attributes, results } of walk(definition)) {
    const value = attributes['value'];
    const isWeight =
      value?.kind === 'dense-resource' || (value?.kind === 'dense-elements' && value.values.length > 1);
    if (name === 'arith.constant' && isWeight) sum += bytesOfElements(results[0]!.type) ?? 0;
  }
  return sum;
};

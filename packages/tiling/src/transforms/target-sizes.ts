/** Sizes given per target: numbers, parameters, or payload ops of handles. */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, error, silenceable, silenceableError, success } from '@sconv/diagnostics';
import type { Location } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import type { Attribute, DraftOperation } from '@sconv/ir';
import { DYNAMIC, integerOf, printAttribute } from '@sconv/ir';
import type { PayloadItem } from '@sconv/transform';

/** The failures of `targetSizes`. */
export const targetSizesFailures = {
  'tile/parameter': {
    mode: 'silenceable',
    when: 'a parameter does not hold one positive integer per target',
  },
  'tile/size-producers': {
    mode: 'silenceable',
    when: 'a handle of sizes does not refer to one operation per target',
  },
  'tile/size-result': {
    mode: 'silenceable',
    when: 'an operation that computes a size does not have exactly one result, of type index',
  },
} as const;

/**
 * The sizes for each target: the list `fixed`, where `DYNAMIC` takes the target's entry of the next list of
 * `dynamic`.
 */
export const targetSizes = (
  fixed: readonly number[],
  dynamic: readonly (readonly PayloadItem[])[],
  targets: readonly DraftOperation[],
  location: Location,
): Diagnosed<readonly (readonly MixedIndex[])[]> => {
  const given = collect(dynamic, (items) => sizesOf(items, targets, location));
  if (given.status !== 'success') return given;
  return success(
    targets.map((_, target) => {
      const next = given.value.values();
      return fixed.map((size) => (size === DYNAMIC ? next.next().value![target]! : size));
    }),
  );
};

const sizesOf = (
  items: readonly PayloadItem[],
  targets: readonly DraftOperation[],
  location: Location,
): Diagnosed<readonly MixedIndex[]> => {
  if (items.length > 0 && items.every(isAttribute)) {
    const sizes = items.map((item) => integerOf(item) ?? 0);
    if (sizes.length === targets.length && sizes.every((size) => size > 0)) return success(sizes);
    const message =
      `expected a positive integer for each of ${targets.length} targets, got ` +
      `[${items.map((item) => printAttribute(item)).join(', ')}]`;
    return silenceable(error('tile/parameter', message, targets[0]?.location ?? location));
  }
  if (items.length !== targets.length) {
    const message =
      `expected as many dynamic size-producing operations (${items.length}) as target ops ` +
      `(${targets.length})`;
    return silenceable(error('tile/size-producers', message, location));
  }
  return collect(items.filter(isOperation), (operation) => {
    const [result, ...others] = operation.results;
    if (result?.type.kind === 'index' && others.length === 0) return success(result);
    return silenceableError(
      'tile/size-result',
      'expected sizes to be produced by ops with a single index-type result',
      operation,
    );
  });
};

const isAttribute = (item: PayloadItem): item is Attribute => 'kind' in item;

const isOperation = (item: PayloadItem): item is DraftOperation => 'results' in item;

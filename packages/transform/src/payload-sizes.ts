/** Sizes given as numbers, parameters and handles, for one payload op. */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, definite, error, silenceable, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import type { Location } from '@sconv/diagnostics';
import { DYNAMIC, integerOf } from '@sconv/ir';
import type { PayloadItem } from './payload.ts';

/**
 * The sizes of a mixed list: a number, the single attribute of a parameter, or the single index computed by the only
 * payload operation of a handle (upstream's `unpackSingleIndexResultPayloadOperations`).
 */
export const payloadSizes = (
  fixed: readonly number[],
  dynamic: readonly (readonly PayloadItem[])[],
  location: Location,
): Diagnosed<readonly MixedIndex[]> => {
  const given = dynamic.values();
  return collect(fixed, (size) => {
    if (size !== DYNAMIC) return success(size);
    return payloadSize(given.next().value ?? [], location);
  });
};

const payloadSize = (items: readonly PayloadItem[], location: Location): Diagnosed<MixedIndex> => {
  const [item, ...more] = items;
  if (item !== undefined && 'kind' in item) {
    const size = more.length === 0 ? integerOf(item) : undefined;
    if (size !== undefined) return success(size);
    return definite(error('transform/size-parameter', 'requires exactly one parameter associated', location));
  }
  if (item === undefined || more.length > 0 || !('results' in item)) {
    return silenceable(
      error('transform/size-handle', 'handle must be mapped to exactly one payload op', location, [
        { message: `mapped to ${items.length} payload ops`, location },
      ]),
    );
  }
  const [result, ...others] = item.results;
  if (result?.type.kind !== 'index' || others.length > 0) {
    return silenceable(
      error('transform/size-result', 'payload op must have exactly 1 index result', location, [
        { message: `has ${item.results.length} results`, location: item.location },
      ]),
    );
  }
  return success(result);
};

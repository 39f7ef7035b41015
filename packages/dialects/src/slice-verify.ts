/** Upstream's checks of all ops with offsets, sizes and strides. */
import type { Operation, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { numbersOf } from './mixed-indices.ts';
import { segments } from './segments.ts';

const lists = ['offset', 'size', 'stride'] as const;

/** The error of a mixed list of `count` entries, with upstream's message. */
export const listError = (
  name: string,
  values: readonly number[],
  dynamic: readonly Value[],
  count: number,
): string | undefined => {
  if (values.length !== count) return `expected ${count} ${name} values, got ${values.length}`;
  const wanted = values.filter((value) => value === DYNAMIC).length;
  return wanted === dynamic.length ? undefined : `expected ${wanted} dynamic ${name} values`;
};

/** `rank` is that of the sliced type; `offsetCount` the number of offsets if it differs; messages are upstream's. */
export function* sliceListErrors(operation: Operation, rank: number, offsetCount = rank): Generator<string> {
  const groups = segments(operation).slice(-3);
  const values = lists.map((name) => numbersOf(operation.attributes[`static_${name}s`]));
  const [offsets = 0, sizes = 0, strides = 0] = values.map(({ length }) => length);
  const hasOneOffset = offsets === 1 && offsetCount === 1;
  if ((!hasOneOffset && offsets !== sizes) || sizes !== strides) {
    const isOffset = !hasOneOffset && offsets !== sizes;
    const [a, b] = isOffset ? ['offsets', 'sizes'] : ['sizes', 'strides'];
    const pair = isOffset ? `${offsets} vs ${sizes}` : `${sizes} vs ${strides}`;
    yield `expected mixed ${a} rank to match mixed ${b} rank (${pair}) so the rank of the result type is well-formed.`;
    return;
  }
  for (const [i, name] of lists.entries()) {
    const list = values[i] ?? [];
    const wrong = listError(name, list, groups[i] ?? [], name === 'offset' ? offsetCount : rank);
    const negative = name === 'stride' ? undefined : list.find((value) => value < 0 && value !== DYNAMIC);
    const error =
      wrong ??
      (negative === undefined ? undefined : `expected ${name}s to be non-negative, but got ${negative}`);
    if (error !== undefined) {
      yield error;
      return;
    }
  }
}

/** What upstream checks of every op with offsets, sizes and strides. */
import type { Operation } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { segments } from './segments.ts';

const lists = ['offset', 'size', 'stride'] as const;

/** `rank` is that of the sliced type; the messages are upstream's. */
export function* sliceListErrors(operation: Operation, rank: number): Generator<string> {
  const groups = segments(operation).slice(-3);
  const counts = lists.map((name) => {
    const attribute = operation.attributes[`static_${name}s`];
    return attribute?.kind === 'dense-array' ? attribute.values.length : 0;
  });
  const [offsets = 0, sizes = 0, strides = 0] = counts;
  if (offsets !== sizes || sizes !== strides) {
    const [a, b] = offsets === sizes ? ['sizes', 'strides'] : ['offsets', 'sizes'];
    const pair = offsets === sizes ? `${sizes} vs ${strides}` : `${offsets} vs ${sizes}`;
    yield `expected mixed ${a} rank to match mixed ${b} rank (${pair}) so the rank of the result type is well-formed.`;
    return;
  }
  for (const [i, name] of lists.entries()) {
    const attribute = operation.attributes[`static_${name}s`];
    const values = attribute?.kind === 'dense-array' ? attribute.values.map(Number) : [];
    if (values.length !== rank) {
      yield `expected ${rank} ${name} values, got ${values.length}`;
      return;
    }
    const dynamic = values.filter((value) => value === DYNAMIC).length;
    if (dynamic !== (groups[i]?.length ?? 0)) {
      yield `expected ${dynamic} dynamic ${name} values`;
      return;
    }
    if (name !== 'stride' && values.some((value) => value < 0 && value !== DYNAMIC)) {
      yield `expected ${name}s to be non-negative, but got ${values.find((value) => value < 0 && value !== DYNAMIC)}`;
      return;
    }
  }
}

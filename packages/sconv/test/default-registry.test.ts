import { describe, expect, it } from 'vitest';
import * as bufferization from '@sconv/bufferization';
import * as bufferizationTransforms from '@sconv/bufferization/transforms';
import * as dialects from '@sconv/dialects';
import * as loops from '@sconv/loops/transforms';
import * as normalization from '@sconv/normalization/transforms';
import * as packing from '@sconv/packing/transforms';
import * as slicing from '@sconv/slicing/transforms';
import * as splitting from '@sconv/splitting/transforms';
import * as tiling from '@sconv/tiling/transforms';
import * as transform from '@sconv/transform';
import * as vectorization from '@sconv/vectorization/transforms';
import { defaultRegistry } from '../src/index.ts';

/** The names of the transforms and passes that a module exports. */
const declaredBy = (module: object): readonly string[] =>
  Object.values(module).flatMap((value: unknown) => {
    if (typeof value !== 'function' || !('definition' in value)) return [];
    const { name } = value.definition as { readonly name: string };
    return [name];
  });

describe('the default registry', () => {
  it.each([
    ['bufferization', bufferization],
    ['bufferization as transforms', bufferizationTransforms],
    ['loops', loops],
    ['normalization', normalization],
    ['packing', packing],
    ['slicing', slicing],
    ['splitting', splitting],
    ['tiling', tiling],
    ['transform', transform],
    ['vectorization', vectorization],
  ])('has the transforms and passes of %s', (_, module) => {
    const names = declaredBy(module);
    expect(names).not.toEqual([]);
    const { operations, passes } = defaultRegistry;
    expect(names.filter((name) => !operations.has(name) && !passes.has(name))).toEqual([]);
  });
  it('has the dialects of payloads', () => {
    for (const { name } of dialects.payloadDialects) expect(defaultRegistry.dialects.has(name)).toBe(true);
  });
});

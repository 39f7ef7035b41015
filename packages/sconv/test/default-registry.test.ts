import { describe, expect, it } from 'vitest';
import * as bufferization from '@sconv/bufferization';
import * as dialects from '@sconv/dialects';
import * as normalization from '@sconv/normalization';
import * as packing from '@sconv/packing';
import * as slicing from '@sconv/slicing';
import * as splitting from '@sconv/splitting';
import * as tiling from '@sconv/tiling';
import * as transform from '@sconv/transform';
import { defaultRegistry } from '../src/index.ts';

/** The names of the operations that a module exports as transforms. */
const transformsOf = (module: object): readonly string[] =>
  Object.values(module).flatMap((value: unknown) => {
    if (typeof value !== 'function' || !('definition' in value)) return [];
    const { name } = value.definition as { readonly name: string };
    return [name];
  });

describe('the default registry', () => {
  it.each([
    ['bufferization', bufferization],
    ['normalization', normalization],
    ['packing', packing],
    ['slicing', slicing],
    ['splitting', splitting],
    ['tiling', tiling],
    ['transform', transform],
  ])('has the transforms of %s', (_, module) => {
    const names = transformsOf(module);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !defaultRegistry.operations.has(name))).toEqual([]);
  });
  it('has the dialects of payloads', () => {
    for (const { name } of dialects.payloadDialects) expect(defaultRegistry.dialects.has(name)).toBe(true);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dim, makeMap, printMap, simplify } from '@sconv/affine';
import type { AffineMap } from '@sconv/affine';
import * as equations from '../src/index.ts';
import { paperGeometry as geometry } from './geometries.ts';

const page = readFileSync(new URL('../../../docs/packing-equations.md', import.meta.url), 'utf8');

/** The page's maps, each under a comment that tells how it is built. */
const maps: Record<string, () => AffineMap> = {
  'filterPackingMap()': () => equations.filterPackingMap(),
  'filterMultipackingMap(8)': () => equations.filterMultipackingMap(8),
  'rowInputMap(geometry)': () => equations.rowInputMap(geometry),
  'relativeInputMap(geometry)': () => equations.relativeInputMap(geometry),
  'absoluteInputMap(geometry)': () => equations.absoluteInputMap(geometry),
  'simplify(tileOffset)': () => simplify(makeMap(1, 0, [equations.tileOffset(geometry, dim(0))])),
  'relativeMultipackedInputMap(geometry, 16)': () => equations.relativeMultipackedInputMap(geometry, 16),
  'absoluteMultipackedInputMap(geometry, 16)': () => equations.absoluteMultipackedInputMap(geometry, 16),
};

describe('docs/packing-equations.md', () => {
  const shown = [...page.matchAll(/<!-- (.+?) -->\s*```\n(.+)\n```/g)].map(([, name = '', text = '']) => [
    name,
    text,
  ]);

  it('shows every map', () => {
    expect(shown.map(([name]) => name).sort()).toEqual(Object.keys(maps).sort());
  });

  it.each(shown)('%s', (name = '', text = '') => {
    expect(text).toBe(printMap(maps[name]?.() ?? makeMap(0, 0, [])));
  });

  it('names only functions that exist, and all fifteen equations', () => {
    const named = [...page.matchAll(/^\| Eq\. (\d+):.*\| `(\w+)` +\|$/gm)].map(([, number, name]) => [
      number,
      name,
    ]);
    expect(named.map(([number]) => Number(number))).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
    for (const [, name = ''] of named) expect(equations).toHaveProperty(name);
  });
});

import { affineMap } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import { edit, printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import type { MixedIndex } from '../src/index.ts';
import { maxFolded, minFolded } from '../src/index.ts';
import { inFunction, parse, registry } from './support.ts';

const text = inFunction(
  '%i: index, %j: index, %m: memref<8xf32>, %x: f32',
  `%a = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
memref.store %x, %m[%a] : memref<8xf32>`,
);

/** A bound on `%a`, twice `%i`, on `%i`, `%j` and more numbers: the number that it is, or the text that makes it. */
const bound = (of: typeof minFolded, map: string, ...more: readonly number[]): MixedIndex | string => {
  const { module, results } = edit(unwrap(parse(text)), { registry }, (rewriter) => {
    const operations = rewriter.walk(rewriter.root);
    const store = operations.find(({ name }) => name === 'memref.store')!;
    const func = operations.find(({ name }) => name === 'func.func')!;
    const [i, j] = func.regions[0]!.blocks[0]!.arguments;
    rewriter.setInsertionPointBefore(store);
    const made = of(rewriter, affineMap(map), [store.operands[2]!, i!, j!, ...more]);
    if (typeof made !== 'number') rewriter.setOperand(store, 2, made);
    return made;
  });
  if (typeof results === 'number') return results;
  const lines = printModule(module, { registry, localScope: true }).split('\n');
  return lines.find((line) => /affine\.m(in|ax)/.test(line))?.replace(/.*= /, '') ?? '';
};

describe('bounds of several functions', () => {
  it('name each value once, through what it is computed of', () => {
    expect(bound(minFolded, '(d0, d1, d2) -> (d0 + 1, d1, d1 + d2)')).toBe(
      'affine.min affine_map<()[s0, s1] -> (s0 * 2 + 1, s0, s0 + s1)>()[%arg0, %arg1]',
    );
    expect(bound(maxFolded, '(d0, d1)[s0] -> (d1 + s0, s0 - d1)')).toBe(
      'affine.max affine_map<()[s0, s1] -> (s0 + s1, s0 - s1)>()[%arg1, %arg0]',
    );
  });

  it('take numbers into their maps', () => {
    expect(bound(minFolded, '(d0, d1, d2, d3) -> (d2 + d3, d3 * 2)', 4)).toBe(
      'affine.min affine_map<()[s0] -> (s0 + 4, 8)>()[%arg1]',
    );
  });

  it('are numbers where all of their functions are', () => {
    expect(bound(minFolded, '(d0, d1, d2, d3, d4) -> (d3 - d4, d4)', 4, 9)).toBe(-5);
    expect(bound(maxFolded, '(d0, d1, d2, d3, d4) -> (d3 - d4, d4)', 4, 9)).toBe(9);
  });
});

import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, edit, parseModule } from '@sconv/ir';
import { packWindowsOp } from '../src/index.ts';
import { apply, excerpt, packFiltersIn, packWindowsIn, script, tiled } from './payloads.ts';

describe('panels', () => {
  it('of windows stand one behind the other', () => {
    const { text, diagnostics } = apply(tiled, script(packWindowsIn(2)));
    expect(diagnostics).toBe('');
    expect(excerpt(text, 'tensor.empty', 'affine.apply')).toEqual([
      '% = tensor.empty() : tensor<1x3x2x3x3x2xf32>',
      '% = affine.apply affine_map<(d0, d1, d2, d3, d4) -> (((d0 * 2 + d3 + d4) floordiv 6 + d1) * 8 + (d0 * 2 + d3 + d4) mod 6 + d2)>(%, %, %, %, %)',
    ]);
    expect(text).toContain(
      'affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2 floordiv 2, d3, d4, d5, d2 mod 2)>',
    );
  });

  it('of filters stand one behind the other', () => {
    const { text, diagnostics } = apply(tiled, script(packWindowsIn(3), packFiltersIn(1)));
    expect(diagnostics).toBe('');
    expect(excerpt(text, 'tensor.empty')).toEqual([
      '% = tensor.empty() : tensor<1x2x2x3x3x3xf32>',
      '% = tensor.empty() : tensor<2x2x3x3x1xf32>',
    ]);
  });

  it.each([6, 8, 4096])('that are as wide as the tile, or wider, are one panel: %i', (panel) => {
    const [own, one] = [panel, undefined].map((width) => apply(tiled, script(packWindowsIn(width))));
    expect(own).toEqual(one);
  });

  it.each([
    ['windows', packWindowsIn(4), "panels of 4 do not divide the tile's 6 windows [pack-windows/panel]"],
    ['no windows', packWindowsIn(0), 'expected a panel of at least one element'],
    ['fewer than no windows', packWindowsIn(-2), 'expected a panel of at least one element'],
  ])('do not divide %s', (_, step, message) => {
    expect(apply(tiled, script(step)).diagnostics).toContain(message);
  });

  it('do not divide filters', () => {
    const three = tiled
      .replaceAll('4x2x3x3', '6x2x3x3')
      .replaceAll('2x2x3x3', '3x2x3x3')
      .replaceAll('1x4x', '1x6x')
      .replaceAll('1x2x6', '1x3x6')
      .replaceAll('[2, 2, 3, 3]', '[3, 2, 3, 3]')
      .replaceAll('[1, 2, 6]', '[1, 3, 6]')
      .replaceAll('%c0 to %c4 step %c2', '%c0 to %c6 step %c3');
    const constants = three.replace(
      '%c0 = arith.constant 0 : index',
      '%c0 = arith.constant 0 : index\n  %c3 = arith.constant 3 : index',
    );
    expect(apply(constants, script(packWindowsIn(), packFiltersIn(2))).diagnostics).toContain(
      "panels of 2 do not divide the tile's 3 filters [pack-filters/panel]",
    );
  });

  it('have a width', () => {
    const registry = createRegistry(payloadDialects);
    const module = unwrap(parseModule(tiled, { registry }));
    edit(module, { registry }, (rewriter) => {
      const tile = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.generic')!;
      for (const panel of [0, 1.5, NaN])
        expect(() => packWindowsOp(rewriter, tile, { panel })).toThrow(RangeError);
    });
  });
});

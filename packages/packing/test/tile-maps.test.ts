import { describe, expect, it } from 'vitest';
import { printMap } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule, walk } from '@sconv/ir';
import { channelsFirst, channelsLast, isTile } from '../src/tile-maps.ts';
import { changed, replaced, tiled } from './payloads.ts';

const { filtersMaps, outputMap, packedFiltersMap, packedWindowsMap } = channelsFirst;
const [filtersMap] = filtersMaps;

const registry = createRegistry(payloadDialects);

/** Whether the op with this name in a payload is a tile with filters in FCHW. */
const isTileOf = (payload: string, name = 'linalg.generic'): boolean => {
  const { root } = unwrap(parseModule(payload, { registry, verify: false }));
  return isTile(
    [...walk(root)].find((operation) => operation.name === name)!,
    [filtersMap!, outputMap],
  );
};

describe('the maps of a tile', () => {
  it.each([
    ['packed windows (Eq. 5)', packedWindowsMap(), '(d0, d3, d4, d5, d2)'],
    ['packed filters (Eq. 2)', packedFiltersMap(), '(d3, d4, d5, d1)'],
    ['windows in panels', packedWindowsMap(8), '(d0, d2 floordiv 8, d3, d4, d5, d2 mod 8)'],
    ['filters in panels', packedFiltersMap(4), '(d1 floordiv 4, d3, d4, d5, d1 mod 4)'],
    ['filters', filtersMap!, '(d1, d3, d4, d5)'],
    ['output', outputMap, '(d0, d1, d2)'],
    ['packed windows of NHWC', channelsLast.packedWindowsMap(), '(d0, d4, d5, d3, d2)'],
    ['packed filters of NHWC', channelsLast.packedFiltersMap(), '(d4, d5, d3, d1)'],
    ['filters in HWCF', channelsLast.filtersMaps[0]!, '(d4, d5, d3, d1)'],
    ['filters in FHWC', channelsLast.filtersMaps[1]!, '(d1, d4, d5, d3)'],
    ['output in NHWC', channelsLast.outputMap, '(d0, d2, d1)'],
  ])('index %s', (_, map, results) => {
    expect(printMap(map)).toBe(`(d0, d1, d2, d3, d4, d5) -> ${results}`);
  });
});

describe('isTile', () => {
  const oneOperand = changed(
    ['affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>, ', ''],
    ['ins(%tile_f : tensor<2x2x3x3xf32>) ', ''],
    ['(%filter: f32, %sum: f32)', '(%sum: f32)'],
    ['%x, %filter', '%x, %x'],
  );

  it.each([
    ['a tile', tiled, true],
    ['other filters', changed(['-> (d1, d3, d4, d5)>', '-> (d1, d3, d5, d4)>']), false],
    ['another output', changed(['-> (d0, d1, d2)>', '-> (d0, d1, d2 + 0 * d3)>']), true],
    ['an output with an offset', changed(['-> (d0, d1, d2)>', '-> (d0, d1, d2 + 1)>']), false],
    ['fewer operands', oneOperand, false],
    ['dynamic filters', changed(['tensor<2x2x3x3xf32>', 'tensor<?x2x3x3xf32>']), false],
    ['a dynamic output', changed(['tensor<1x2x6xf32>', 'tensor<1x2x?xf32>']), false],
    ['a buffer', replaced(tiled, ['tensor<2x2x3x3xf32>', 'memref<2x2x3x3xf32>']), false],
    ['no channels', changed(['2x2x3x3xf32', '2x0x3x3xf32']), false],
  ])('knows %s', (_, payload, expected) => {
    expect(isTileOf(payload)).toBe(expected);
  });

  it('knows that a loop is none', () => {
    expect(isTileOf(tiled, 'scf.for')).toBe(false);
  });
});

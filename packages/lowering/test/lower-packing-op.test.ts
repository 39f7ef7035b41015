import { firstDifference } from '@sconv/interpreter/testing';
import type { Module } from '@sconv/ir';
import { edit, operationsIn } from '@sconv/ir';
import { formKernels } from '@sconv/kernels';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VectorRegisters } from '../src/index.ts';
import { lowerPackingOp } from '../src/index.ts';
import { lowered, names, parse, registry, unit } from './support.ts';

/** Whether tests take all that they have, as in `.ci/run`, or some of it, as in `npm test`: see CONTRIBUTING.md. */
const isThorough = process.env['THOROUGH'] !== undefined;

/** A conversion of `%e` before it is stored: the type of its result `%r`, and the operations. */
interface Conversion {
  readonly to: string;
  readonly steps: string;
}

/** Sizes of a packing of tiles of so many lanes. */
interface PackingShape extends Readonly<
  Record<'channels' | 'width' | 'filter' | 'stride' | 'lanes', number>
> {
  readonly tiles?: number;
}

/** A packing of windows of an image of `channels` x `height` x `width`, as in ST Listing 8. */
const packing = (
  { tiles = 1, channels, width, filter, stride, lanes }: PackingShape,
  element: string,
  conversion?: Conversion,
): string => {
  const { to = element, steps = '' } = conversion ?? {};
  const columns = Math.floor((width - filter) / stride) + 1;
  const image = `memref<1x${channels}x${width}x${width}x${element}>`;
  const packed = `memref<${tiles}x${channels}x${filter}x${filter}x${lanes}x${to}>`;
  return `func.func @f(%x: ${image}, %first: index) -> ${packed} {
    %o = memref.alloc() : ${packed}
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%o : ${packed}) {
      ^bb0(%out: ${to}):
        %c0 = arith.constant 0 : index
        %0 = linalg.index 0 : index
        %1 = linalg.index 1 : index
        %2 = linalg.index 2 : index
        %3 = linalg.index 3 : index
        %4 = linalg.index 4 : index
        %y = affine.apply affine_map<(d0, d1, d2)[s0] -> (d1 + ((d0 * ${lanes} + d2 + s0) floordiv ${columns}) * ${stride})>(%0, %2, %4)[%first]
        %z = affine.apply affine_map<(d0, d1, d2)[s0] -> (d1 + ((d0 * ${lanes} + d2 + s0) mod ${columns}) * ${stride})>(%0, %3, %4)[%first]
        %e = memref.load %x[%c0, %1, %y, %z] : ${image}
        ${steps}
        linalg.yield ${conversion === undefined ? '%e' : '%r'} : ${to}
    }
    return %o : ${packed}
  }`;
};

/** The same around which `margin` elements on each side are 3, with the image inside. */
const paddedPacking = (
  shape: PackingShape & { readonly margin: number },
  element: string,
  conversion?: Conversion,
): string => {
  const { width, filter, stride, margin } = shape;
  const columns = Math.floor((width + 2 * margin - filter) / stride) + 1;
  const padding = `3${element.startsWith('f') ? '.0' : ''}`;
  return packing(shape, element, conversion)
    .replace(/floordiv \d+\) \* (\d+)\)/, `floordiv ${columns}) * $1 - ${margin})`)
    .replace(/mod \d+\) \* (\d+)\)/, `mod ${columns}) * $1 - ${margin})`)
    .replace(
      /%e = memref\.load %x\[%c0, %1, %y, %z\] : (.*)/,
      `%size = arith.constant ${width} : index
        %row = arith.cmpi ult, %y, %size : index
        %column = arith.cmpi ult, %z, %size : index
        %inside = arith.andi %row, %column : i1
        %yIn = arith.select %inside, %y, %c0 : index
        %zIn = arith.select %inside, %z, %c0 : index
        %read = memref.load %x[%c0, %1, %yIn, %zIn] : $1
        %padding = arith.constant ${padding} : ${element}
        %e = arith.select %inside, %read, %padding : ${element}`,
    );
};

/** A packing that stores two adjacent channels side by side, as i16. */
const inPairs = (text: string, { channels }: PackingShape): string =>
  text
    .replaceAll(
      new RegExp(`(memref<\\d+x)${channels}(x\\d+x\\d+x\\d+x)i16>`, 'g'),
      `$1${channels / 2}$22xi16>`,
    )
    .replace(/affine_map<\(d0.*?>\]/, 'affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>]')
    .replace('["parallel", ', '["parallel", "parallel", ')
    .replace(
      '%1 = linalg.index 1 : index',
      `%pair = linalg.index 1 : index
        %half = linalg.index 5 : index
        %1 = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%pair, %half)`,
    );

const conversions: readonly (readonly [string, Conversion])[] = [
  ['f16', { to: 'f32', steps: '%r = arith.extf %e : f16 to f32' }],
  ['bf16', { to: 'f32', steps: '%r = arith.extf %e : bf16 to f32' }],
  ['i8', { to: 'i32', steps: '%r = arith.extsi %e : i8 to i32' }],
  [
    'i8',
    {
      to: 'i32',
      steps: '%w = arith.extui %e : i8 to i32\n%k = arith.constant 7 : i32\n%r = arith.subi %w, %k : i32',
    },
  ],
  ['i8', { to: 'f32', steps: '%r = arith.sitofp %e : i8 to f32' }],
];

describe('a packing', () => {
  it('stores in loops what it stores', () => {
    fc.assert(
      fc.property(
        fc.record({
          tiles: fc.integer({ min: 1, max: 3 }),
          channels: fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 7, max: 18 })),
          width: fc.integer({ min: 5, max: 12 }),
          filter: fc.integer({ min: 1, max: 3 }),
          stride: fc.integer({ min: 1, max: 2 }),
          lanes: fc.integer({ min: 1, max: 9 }),
        }),
        fc.constantFrom<readonly [string, Conversion?]>(['f32'], ['i8'], ...conversions),
        fc.nat({ max: 100 }),
        (shape, [element, conversion], place) => {
          const columns = Math.floor((shape.width - shape.filter) / shape.stride) + 1;
          const lanes = Math.min(shape.lanes, columns * columns);
          const tiles = Math.min(shape.tiles, Math.floor((columns * columns) / lanes));
          const first = place % (columns * columns - tiles * lanes + 1);
          const text = packing({ ...shape, lanes, tiles }, element, conversion);
          const withFirst = text
            .replace(', %first: index', '')
            .replace('linalg.generic', `%first = arith.constant ${first} : index\n linalg.generic`);
          const before = parse(withFirst);
          const after = lowered(before);
          expect(names(after)).not.toContain('linalg.generic');
          expect(firstDifference(before, after)).toBeUndefined();
        },
      ),
    );
  });

  it('of pairs, padded or not, stores in loops what it stores', () => {
    fc.assert(
      fc.property(
        fc.record({
          tiles: fc.integer({ min: 1, max: 3 }),
          channels: fc.constantFrom(2, 4, 18),
          width: fc.integer({ min: 3, max: 12 }),
          filter: fc.integer({ min: 1, max: 3 }),
          stride: fc.integer({ min: 1, max: 3 }),
          lanes: fc.integer({ min: 1, max: 20 }),
          margin: fc.nat({ max: 2 }),
        }),
        fc.constantFrom(0, 7),
        fc.constantFrom<VectorRegisters>(unit, { bits: 512, registers: 32, maskedLoads: 8 }),
        fc.nat({ max: 100 }),
        (each, zeroPoint, { bits, registers, ...others }, place) => {
          const columns = Math.floor((each.width + 2 * each.margin - each.filter) / each.stride) + 1;
          const lanes = Math.min(each.lanes, columns * columns);
          const tiles = Math.min(each.tiles, Math.floor((columns * columns) / lanes));
          const first = place % (columns * columns - tiles * lanes + 1);
          const whole = { ...each, lanes, tiles };
          const steps = `%w = arith.extsi %e : i8 to i16\n%k = arith.constant ${zeroPoint} : i16\n%r = arith.subi %w, %k : i16`;
          const conversion = { to: 'i16', steps };
          const text =
            each.margin === 0 ? packing(whole, 'i8', conversion) : paddedPacking(whole, 'i8', conversion);
          const before = parse(
            inPairs(text, whole)
              .replace(', %first: index', '')
              .replace('linalg.generic', `%first = arith.constant ${first} : index\n linalg.generic`),
          );
          const after = lowered(before, bits, registers, others);
          expect(names(after)).not.toContain('linalg.generic');
          expect(firstDifference(before, after)).toBeUndefined();
        },
      ),
      { numRuns: isThorough ? 60 : 20 },
    );
  });

  const shape = { channels: 2, width: 10, filter: 3, stride: 1, lanes: 4 };
  it('of pairs interleaves two rows of windows', () => {
    const conversion = { to: 'i16', steps: '%r = arith.extsi %e : i8 to i16' };
    const module = parse(inPairs(packing(shape, 'i8', conversion), shape));
    expect(names(lowered(module))).toContain('vector.interleave');
    expect(names(lowered(module))).not.toContain('vector.maskedload');
    // Rows that end are masked where there are masks of bytes.
    expect(names(lowered(module, 512, 32, { maskedLoads: 8 }))).toContain('vector.maskedload');
  });
  it('copies windows of one row as vectors, others with masks', () => {
    const after = operationsIn(lowered(parse(packing(shape, 'f32'))).root);
    const count = (name: string): number => after.filter((each) => each.name === name).length;
    expect(count('scf.if')).toBe(1);
    expect(count('vector.store')).toBe(2);
    expect(count('vector.maskedload')).toBe(2);
    expect(count('memref.load')).toBe(0);
  });
  it('converts vectors, and elements of rows that break', () => {
    const [, conversion] = conversions[0]!;
    const after = operationsIn(lowered(parse(packing(shape, 'f16', conversion))).root);
    const converted = after.filter(({ name }) => name === 'arith.extf');
    expect(new Set(converted.map(({ results }) => results[0]!.type.kind))).toEqual(
      new Set(['vector', 'float']),
    );
    expect(after.map(({ name }) => name)).not.toContain('vector.maskedload');
  });
  it('visits all tiles of eight channels before the next eight', () => {
    const tiles = { ...shape, tiles: 4, channels: 20, filter: 1 };
    const loopsOf = (module: Module): number =>
      operationsIn(module.root).filter(({ name }) => name === 'scf.for').length;
    // Blocks, tiles, and channels on both sides of the test for rows that break.
    expect(loopsOf(lowered(parse(packing({ ...tiles, stride: 2 }, 'f32'))))).toBe(4);
    expect(loopsOf(lowered(parse(packing({ ...tiles, stride: 2, channels: 8 }, 'f32'))))).toBe(3);
    expect(loopsOf(lowered(parse(packing({ ...tiles, stride: 2, tiles: 1 }, 'f32'))))).toBe(2);
  });
  it('asks for what the next panel takes where the source is larger than the caches', () => {
    expect(names(lowered(parse(packing({ ...shape, width: 200 }, 'f32'))))).toContain('memref.prefetch');
    expect(names(lowered(parse(packing(shape, 'f32'))))).not.toContain('memref.prefetch');
  });
  it('copies rows that follow each other in memory as one', () => {
    const after = names(lowered(parse(packing({ ...shape, width: 6, filter: 1 }, 'f32'))));
    expect(after).toContain('vector.load');
    expect(after).not.toContain('scf.if');
  });

  it('of a padded image stores in loops what it stores', () => {
    fc.assert(
      fc.property(
        fc.record({
          tiles: fc.integer({ min: 1, max: 3 }),
          channels: fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 7, max: 10 })),
          width: fc.integer({ min: 2, max: 9 }),
          filter: fc.integer({ min: 1, max: 3 }),
          stride: fc.integer({ min: 1, max: 3 }),
          lanes: fc.integer({ min: 1, max: 11 }),
          margin: fc.integer({ min: 1, max: 3 }),
        }),
        fc.constantFrom('f32', 'i8'),
        fc.nat({ max: 100 }),
        (shape, element, place) => {
          const columns = Math.floor((shape.width + 2 * shape.margin - shape.filter) / shape.stride) + 1;
          const lanes = Math.min(shape.lanes, columns * columns);
          const tiles = Math.min(shape.tiles, Math.floor((columns * columns) / lanes));
          const first = place % (columns * columns - tiles * lanes + 1);
          const text = paddedPacking({ ...shape, lanes, tiles }, element)
            .replace(', %first: index', '')
            .replace('linalg.generic', `%first = arith.constant ${first} : index\n linalg.generic`);
          const before = parse(text);
          const after = lowered(before);
          expect(names(after)).not.toContain('linalg.generic');
          expect(firstDifference(before, after)).toBeUndefined();
        },
      ),
    );
  });
  it.each([
    ['rows longer than a tile', 10, 2],
    ['shorter rows', 5, 2],
  ])(
    'of a padded image copies %s as vectors, with masks beside it and where rows break',
    (_, width, loads) => {
      const text = paddedPacking({ ...shape, width, lanes: 8, margin: 1 }, 'f32');
      const after = operationsIn(lowered(parse(text)).root);
      const count = (name: string): number => after.filter((each) => each.name === name).length;
      expect(count('memref.load')).toBe(0);
      expect(count('vector.maskedload')).toBe(loads * 2);
    },
  );

  it('of a padded image decides once for each tile whether all of it is inside, where tiles are outermost', () => {
    const text = paddedPacking({ ...shape, tiles: 3, margin: 1 }, 'f32')
      .replace(', %first: index', '')
      .replace('linalg.generic', '%first = arith.constant 13 : index\n linalg.generic');
    const channelsFirst = text
      .replaceAll('memref<3x2x3x3x4xf32>', 'memref<2x3x3x3x4xf32>')
      .replace('linalg.index 0', 'linalg.index tile')
      .replace('linalg.index 1', 'linalg.index 0')
      .replace('linalg.index tile', 'linalg.index 1');
    const decisions = [text, channelsFirst].map((each) => {
      const before = parse(each);
      const after = lowered(before);
      expect(firstDifference(before, after)).toBeUndefined();
      return operationsIn(after.root).filter(({ name }) => name === 'scf.if').length;
    });
    // One for the tile and one for each panel of those on the edge; for each panel.
    expect(decisions).toEqual([2, 1]);
  });

  it('of a padded image with filter rows 0, 2, 1 tests each: the last may be inside and the one before not', () => {
    const text = paddedPacking({ ...shape, tiles: 3, margin: 1 }, 'f32')
      .replace(', %first: index', '')
      .replace('linalg.generic', '%first = arith.constant 88 : index\n linalg.generic')
      .replace('-> (d1 + (', '-> ((d1 * 2) mod 3 + (');
    const before = parse(text);
    expect(firstDifference(before, lowered(before))).toBeUndefined();
  });

  it.each([
    ['a structured op', 'linalg.generic', (text: string) => text, /'linalg.generic' is another op/],
    [
      'one of unknown sizes',
      'kernel.pack',
      (text: string) =>
        text.replaceAll('memref<1x2x3x3x4xf32>', 'memref<?x2x3x3x4xf32>').replace('alloc()', 'alloc(%first)'),
      /its sizes are not known/,
    ],
  ])('is not lowered from %s', (_, name, change, message) => {
    edit(parse(change(packing({ ...shape, lanes: 4 }, 'f32'))), { registry }, (rewriter) => {
      if (name.startsWith('kernel.')) formKernels(rewriter, rewriter.root);
      const operation = rewriter.walk(rewriter.root).find((each) => each.name === name)!;
      const [diagnostic] = lowerPackingOp(rewriter, operation, unit).diagnostics;
      expect(diagnostic).toMatchObject({ code: 'lowering/no-packing', message });
    });
  });
});

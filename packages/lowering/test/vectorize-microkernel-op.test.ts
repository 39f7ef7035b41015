import { firstDifference } from '@sconv/interpreter/testing';
import type { Module, Operation } from '@sconv/ir';
import { edit, operationsIn } from '@sconv/ir';
import { formKernels } from '@sconv/kernels';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vectorizeMicrokernelOp } from '../src/index.ts';
import { lowered, names, parse, registry, unit } from './support.ts';

/** Whether tests take all that they have, as in `.ci/run`, or some of it, as in `npm test`: see CONTRIBUTING.md. */
const isThorough = process.env['THOROUGH'] !== undefined;

interface Tile {
  readonly images: number;
  readonly filters: number;
  readonly windows: number;
  readonly steps: number;
}

/** The op right before a microkernel: `%p` is a condition, `%c` the output. */
type Before = (element: string, outputType: string) => string;

const nothing: Before = () => '';
const fillOf: Before = (
  element,
  type,
) => `%v = arith.constant 3${element.startsWith('f') ? '.0' : ''} : ${element}
    linalg.fill ins(%v : ${element}) outs(%c : ${type})`;
const fillIf: Before = (element, type) =>
  fillOf(element, type).replace('linalg.fill', 'scf.if %p { linalg.fill') + '}';

/** A function that copies panels to local buffers and runs a microkernel on them; the output is a subview of an argument. */
const microkernel = (
  { images, filters, windows, steps }: Tile,
  element: string,
  before: Before = nothing,
): string => {
  const [times, plus] = element.startsWith('f') ? ['mulf', 'addf'] : ['muli', 'addi'];
  const panelType = `memref<${images}x${steps}x${windows}x${element}>`;
  const filterType = `memref<${steps}x${filters}x${element}>`;
  const outputType = `memref<${images}x${filters + 1}x${windows + 3}x${element}>`;
  const rows = windows + 3;
  const partType = `memref<${images}x${filters}x${windows}x${element}, strided<[${(filters + 1) * rows}, ${rows}, 1], offset: ${rows + 2}>>`;
  return `func.func @f(%x: ${panelType}, %y: ${filterType}, %o: ${outputType}, %p: i1) {
    %a = memref.alloc() : ${panelType}
    linalg.copy ins(%x : ${panelType}) outs(%a : ${panelType})
    %b = memref.alloc() : ${filterType}
    linalg.copy ins(%y : ${filterType}) outs(%b : ${filterType})
    %c = memref.subview %o[0, 1, 2] [${images}, ${filters}, ${windows}] [1, 1, 1] : ${outputType} to ${partType}
    ${before(element, partType)}
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>,
      affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : ${panelType}, ${filterType}) outs(%c : ${partType}) {
      ^bb0(%in: ${element}, %weight: ${element}, %out: ${element}):
        %0 = arith.${times} %in, %weight : ${element}
        %1 = arith.${plus} %out, %0 : ${element}
        linalg.yield %1 : ${element}
    }
    return
  }`;
};

/** The same with two elements of i16 per step, whose products are i32. */
const pairedMicrokernel = (tile: Tile, before: Before = nothing): string => {
  const { images, filters, windows, steps } = tile;
  return microkernel(tile, 'i32', before)
    .replaceAll(`memref<${images}x${steps}x${windows}xi32>`, `memref<${images}x${steps}x${windows}x2xi16>`)
    .replaceAll(`memref<${steps}x${filters}xi32>`, `memref<${steps}x${filters}x2xi16>`)
    .replaceAll('(d0, d1, d2, d3) ->', '(d0, d1, d2, d3, d4) ->')
    .replace('(d0, d3, d2)>', '(d0, d3, d2, d4)>')
    .replace('(d3, d1)>', '(d3, d1, d4)>')
    .replace('"reduction"]', '"reduction", "reduction"]')
    .replace('%in: i32, %weight: i32', '%x16: i16, %y16: i16')
    .replace(
      '%0 = arith.muli',
      '%in = arith.extsi %x16 : i16 to i32\n%weight = arith.extsi %y16 : i16 to i32\n%0 = arith.muli',
    );
};

/** The intrinsics that a module calls. */
const intrinsics = (module: Module): ReadonlySet<string> =>
  new Set(
    operationsIn(module.root).flatMap(({ attributes: { intrin } }) =>
      intrin?.kind === 'string' ? [intrin.value] : [],
    ),
  );

/** The loops that carry sums in registers: those of a fill carry nothing. */
const loopsOfSums = ({ root }: Module): readonly Operation[] =>
  operationsIn(root).filter(({ name, results }) => name === 'scf.for' && results.length > 0);

describe('a microkernel', () => {
  const tiles = fc.record({
    images: fc.integer({ min: 1, max: 2 }),
    filters: fc.integer({ min: 1, max: 20 }),
    windows: fc.integer({ min: 1, max: 21 }),
    steps: fc.integer({ min: 0, max: 4 }),
  });

  it('with paired steps computes in vectors what it computes', () => {
    fc.assert(
      fc.property(
        tiles,
        fc.constantFrom(128, 256, 512),
        fc.constantFrom(4, 16, 32),
        fc.constantFrom(nothing, fillOf, fillIf),
        (tile, bits, registers, begun) => {
          const before = parse(pairedMicrokernel(tile, begun));
          const after = lowered(before, bits, registers);
          expect(names(after)).not.toContain('linalg.generic');
          expect(names(after)).not.toContain('linalg.fill');
          expect(firstDifference(before, after)).toBeUndefined();
        },
      ),
      { numRuns: isThorough ? 60 : 20 },
    );
  });

  it.each([
    [128, 8, ['llvm.x86.sse2.pmadd.wd']],
    [256, 16, ['llvm.x86.avx2.pmadd.wd']],
    [512, 32, ['llvm.x86.avx512.pmaddw.d.512']],
    [512, 8, ['llvm.x86.avx2.pmadd.wd']],
    // A vector of two lanes has none.
    [256, 2, []],
  ])('with paired steps calls the intrinsics of x86: %i bits, %i windows', (bits, windows, expected) => {
    const module = parse(pairedMicrokernel({ images: 1, filters: 2, windows, steps: 3 }));
    expect([...intrinsics(lowered(module, bits, 16, { pairProducts: 'pmaddwd' }))]).toEqual(expected);
    expect([...intrinsics(lowered(module, bits, 16))]).toEqual([]);
  });

  it('computes in vectors what it computes', () => {
    fc.assert(
      fc.property(
        tiles,
        fc.constantFrom('f32', 'f64', 'i32', 'i8'),
        fc.constantFrom(128, 256, 512),
        fc.constantFrom(4, 16, 32),
        fc.constantFrom(nothing, fillOf, fillIf),
        (tile, element, bits, registers, begun) => {
          const before = parse(microkernel(tile, element, begun));
          const after = lowered(before, bits, registers);
          expect(names(after)).not.toContain('linalg.generic');
          expect(names(after)).not.toContain('linalg.fill');
          expect(firstDifference(before, after)).toBeUndefined();
        },
      ),
    );
  });

  it.each(['f32', 'f16', 'i32'])('of many steps adds its output of %s after them', (element) => {
    for (const begun of [nothing, fillOf, fillIf])
      for (const windows of [2, 9]) {
        const before = parse(microkernel({ images: 1, filters: 5, windows, steps: 100 }, element, begun));
        const after = lowered(before, 256, 16);
        const order = operationsIn(after.root).map(({ name }) => name);
        expect(order.indexOf('vector.load')).toBeGreaterThan(order.indexOf('scf.for'));
        expect(firstDifference(before, after)).toBeUndefined();
      }
  });

  it('keeps its sums in the registers', () => {
    const after = lowered(
      parse(microkernel({ images: 1, filters: 6, windows: 16, steps: 8 }, 'f32')),
      256,
      16,
    );
    const loops = loopsOfSums(after);
    expect(loops.map(({ results }) => results.length)).toEqual([12]);
    const narrow = lowered(
      parse(microkernel({ images: 1, filters: 6, windows: 16, steps: 8 }, 'f32')),
      256,
      8,
    );
    const parts = loopsOfSums(narrow);
    expect(parts.map(({ results }) => results.length)).toEqual([6, 6]);
  });

  it('has lanes along the filters where windows are few', () => {
    const after = lowered(
      parse(microkernel({ images: 1, filters: 24, windows: 4, steps: 8 }, 'f32')),
      256,
      16,
    );
    const [loop, ...others] = loopsOfSums(after);
    expect(others).toEqual([]);
    expect(loop!.results).toHaveLength(12);
    expect(loop!.results[0]!.type).toMatchObject({ kind: 'vector', shape: [8] });
    expect(names(after)).toContain('vector.shuffle');
  });

  it('computes a last window along the filters, beside parts of the others', () => {
    const text = microkernel({ images: 2, filters: 16, windows: 49, steps: 3 }, 'f32', fillIf);
    const before = parse(text);
    const after = lowered(before, 256, 16);
    expect(firstDifference(before, after)).toBeUndefined();
    const loops = loopsOfSums(after);
    // Of 24 windows by 4 filters, by 3 with a vector of filters of the last window, and by 3.
    const ofImage = [12, 12, 12, 12, 10, 10, 12, 9, 9];
    expect(loops.map(({ results }) => results.length)).toEqual([...ofImage, ...ofImage]);
  });

  it('computes in vectors what it computes of tiles with a last window', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('f32', 'f64', 'i32', 'i8'),
        fc.constantFrom(128, 256),
        fc.constantFrom(4, 7, 16, 32),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        (element, bits, registers, columns, rows) => {
          const width = bits / Number(element.slice(1));
          const tile = { images: 1, filters: rows * width, windows: columns * width + 1, steps: 2 };
          const before = parse(microkernel(tile, element));
          const after = lowered(before, bits, registers);
          expect(names(after)).not.toContain('linalg.generic');
          expect(firstDifference(before, after)).toBeUndefined();
        },
      ),
      { numRuns: isThorough ? 15 : 5 },
    );
  });

  it('reads the next filters evenly where the tiles of a loop share theirs', () => {
    const alone = microkernel({ images: 1, filters: 6, windows: 16, steps: 8 }, 'f32');
    const looped = alone
      .replace(
        'linalg.generic',
        '%l = arith.constant 0 : index\n%u = arith.constant 3 : index\n%s = arith.constant 1 : index\nscf.for %t = %l to %u step %s { linalg.generic',
      )
      .replace('return\n', '}\n return\n');
    const before = parse(looped);
    const after = lowered(before, 256, 16);
    expect(firstDifference(before, after)).toBeUndefined();
    const asked = (module: Module): number =>
      operationsIn(module.root).filter(({ name }) => name === 'memref.prefetch').length;
    expect(asked(after)).toBe(13);
    expect(names(after)).toContain('arith.divui');
    expect(names(lowered(parse(alone), 256, 16))).not.toContain('arith.divui');
  });

  it.each([
    [7, 0],
    // One for each vector of the output, and one for the filters.
    [8, 13],
  ])('asks for its output and later filters beforehand where it has %i steps', (steps, count) => {
    const after = lowered(parse(microkernel({ images: 1, filters: 6, windows: 16, steps }, 'f32')), 256, 16);
    const asked = operationsIn(after.root).filter(({ name }) => name === 'memref.prefetch');
    expect(asked).toHaveLength(count);
  });

  it('asks for nothing beforehand where the unit cannot', () => {
    const module = parse(microkernel({ images: 1, filters: 6, windows: 16, steps: 8 }, 'f32'));
    expect(names(lowered(module, 256, 16, { prefetch: false }))).not.toContain('memref.prefetch');
  });

  it('has the register tiles that it says', () => {
    const tiles = '[[0, 8, 0, 3], [8, 4, 0, 3], [0, 12, 3, 4, 12, 1, 0, 4], [12, 1, 4, 3]]';
    const [lanes, decided] = ['"windows"', 'outs(%c'];
    const text = microkernel({ images: 1, filters: 7, windows: 13, steps: 3 }, 'f32');
    const before = parse(
      text.replace(
        /(outs\(%c : [^)]*>\))/,
        `$1 attrs = {sconv.kernel = {lanes = ${lanes}, tiles = ${tiles}}}`,
      ),
    );
    expect(text).toContain(decided);
    const after = lowered(before, 128, 16);
    expect(firstDifference(before, after)).toBeUndefined();
    const loops = loopsOfSums(after);
    // Vectors of four windows, by filters, and one of four filters beside the third.
    expect(loops.map(({ results }) => results.length)).toEqual([6, 3, 13, 3]);
  });

  it.each([
    ['a structured op', 'linalg.generic', (text: string) => text, /'linalg.generic' is another op/],
    [
      'one of images that are not known',
      'kernel.microkernel',
      (text: string) =>
        text
          .replaceAll('memref<1x3x4xf32>', 'memref<?x3x4xf32>')
          .replace('alloc()', 'alloc(%n)')
          .replace('f(', 'f(%n: index, '),
      /images or steps are not known/,
    ],
    [
      'one of three filters along lanes',
      'kernel.microkernel',
      (text: string) =>
        text.replace(/(outs\(%c : [^)]*>\))/, '$1 attrs = {sconv.kernel = {lanes = "filters"}}'),
      /lanes along the filters are not in groups of 4/,
    ],
  ])('is not lowered from %s', (_, name, change, message) => {
    const text = change(microkernel({ images: 1, filters: 2, windows: 4, steps: 3 }, 'f32'));
    edit(parse(text), { registry }, (rewriter) => {
      if (name.startsWith('kernel.')) formKernels(rewriter, rewriter.root);
      const operation = rewriter.walk(rewriter.root).find((each) => each.name === name)!;
      const [diagnostic] = vectorizeMicrokernelOp(rewriter, operation, unit).diagnostics;
      expect(diagnostic).toMatchObject({ code: 'lowering/no-microkernel', message });
    });
  });
});

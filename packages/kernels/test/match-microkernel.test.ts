import { firstDifference } from '@sconv/interpreter/testing';
import { printModule } from '@sconv/ir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formed, names, parse, registry } from './support.ts';

interface Tile {
  readonly images: number;
  readonly filters: number;
  readonly windows: number;
  readonly steps: number;
}

/** What comes right before a microkernel of sums of a type, in `%o`; `%v` is of that type, `%p` a condition. */
type Before = (outputType: string, element: string) => string;

const fillOf: Before = (type, element) => `linalg.fill ins(%v : ${element}) outs(%o : ${type})`;
const befores: readonly Before[] = [
  () => '',
  fillOf,
  (type, element) => `scf.if %p { ${fillOf(type, element)} }`,
];

/** The sums of a tile, of allocated panels; `pairs` are of i16. */
const microkernel = (
  { images, filters, windows, steps }: Tile,
  element: string,
  before: Before = befores[0]!,
): string => {
  const isPaired = element === 'pairs';
  const [of, sum] = isPaired ? ['2xi16', 'i32'] : [element, element];
  const [times, plus] = sum.startsWith('f') ? ['mulf', 'addf'] : ['muli', 'addi'];
  const [panel, rows, output] = [
    `memref<${images}x${steps}x${windows}x${of}>`,
    `memref<${steps}x${filters}x${of}>`,
    `memref<${images}x${filters}x${windows}x${sum}>`,
  ];
  const dims = isPaired ? '(d0, d1, d2, d3, d4)' : '(d0, d1, d2, d3)';
  const half = isPaired ? ', d4' : '';
  const reduction = isPaired ? '"reduction", "reduction"' : '"reduction"';
  const [a, b] = isPaired ? ['%l', '%r'] : ['%x', '%y'];
  const scalar = isPaired ? 'i16' : element;
  const casts = '%l = arith.extsi %x : i16 to i32\n%r = arith.extsi %y : i16 to i32\n';
  return `func.func @f(%x: ${panel}, %y: ${rows}, %o: ${output}, %v: ${sum}, %p: i1) {
    %a = memref.alloc() : ${panel}
    linalg.copy ins(%x : ${panel}) outs(%a : ${panel})
    %b = memref.alloc() : ${rows}
    linalg.copy ins(%y : ${rows}) outs(%b : ${rows})
    ${before(output, sum)}
    linalg.generic {indexing_maps = [affine_map<${dims} -> (d0, d3, d2${half})>, affine_map<${dims} -> (d3, d1${half})>,
        affine_map<${dims} -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", ${reduction}]}
      ins(%a, %b : ${panel}, ${rows}) outs(%o : ${output}) attrs = {microkernel} {
      ^bb0(%x0: ${scalar}, %y0: ${scalar}, %z: ${sum}):
        ${isPaired ? casts.replaceAll('%x', '%x0').replaceAll('%y', '%y0') : ''}
        %0 = arith.${times} ${isPaired ? `${a}, ${b}` : '%x0, %y0'} : ${sum}
        %1 = arith.${plus} %z, %0 : ${sum}
        linalg.yield %1 : ${sum}
    }
    return
  }`;
};

const small: Tile = { images: 1, filters: 2, windows: 4, steps: 3 };

describe('a microkernel', () => {
  it('is one op that computes the same', () => {
    const size = (max: number) => fc.integer({ min: 1, max });
    fc.assert(
      fc.property(
        fc.record({ images: size(2), filters: size(4), windows: size(5), steps: fc.nat(3) }),
        fc.constantFrom('f32', 'f64', 'f16', 'i32', 'i8', 'i64', 'pairs'),
        fc.constantFrom(...befores),
        (tile, element, before) => {
          const module = parse(microkernel(tile, element, before));
          const after = formed(module);
          expect(after.warnings).toEqual([]);
          expect(names(after.module)).not.toContain('linalg.fill');
          expect(names(after.module)).not.toContain('scf.if');
          expect(names(after.module)).toContain('kernel.microkernel');
          expect(firstDifference(module, after.module)).toBeUndefined();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('begins its sums with what its output was filled with', () => {
    const text = printModule(formed(parse(microkernel(small, 'f32', befores[2]))).module, { registry });
    expect(text).toContain(
      '"kernel.microkernel"(%alloc, %alloc_0, %arg2, %arg3, %arg4) {lanes = "windows", ' +
        'operand_segment_sizes = array<i32: 1, 1, 1, 1, 1>, tiles = [array<i64: 0, 4, 0, 2>]} : ' +
        '(memref<1x3x4xf32>, memref<3x2xf32>, memref<1x2x4xf32>, f32, i1) -> ()',
    );
  });

  const other = (text: string): string =>
    text.replace('%arg2', '%q').replace('%o: ', '%q: memref<1x2x4xf32>, %o: ');
  it.each<[string, Before]>([
    ['of another buffer', (type) => `linalg.fill ins(%v : f32) outs(%q : ${type})`],
    [
      'of another type',
      (type) => `%w = arith.constant 2 : i32\nlinalg.fill ins(%w : i32) outs(%o : ${type})`,
    ],
    ['and more', (type) => `scf.if %p { ${fillOf(type, 'f32')}\n${fillOf(type, 'f32')} }`],
    ['or another', (type) => `scf.if %p { ${fillOf(type, 'f32')} } else { ${fillOf(type, 'f32')} }`],
    ['not right before', (type) => `${fillOf(type, 'f32')}\n%d = memref.alloc() : memref<f32>`],
  ])('leaves a fill %s', (_, before) => {
    const module = parse(other(microkernel(small, 'f32', before)));
    const after = formed(module).module;
    expect(names(after)).toContain('linalg.fill');
    expect(names(after)).toContain('kernel.microkernel');
    expect(firstDifference(module, after)).toBeUndefined();
  });

  const fine = microkernel(small, 'f32');
  const otherMaps =
    'its indexing maps are not those of packed panels, (n, f, w, k) -> (n, k, w), (k, f), (n, f, w): pack it first, ' +
    'as transform.structured.sconv does; a matrix product is a 1x1 convolution';
  it.each([
    [
      'its panels are arguments',
      fine.replace('ins(%a, %b', 'ins(%x, %y'),
      'its output may share memory with a panel',
    ],
    [
      'it subtracts',
      fine.replace('arith.addf', 'arith.subf'),
      'its body is not a multiplication and an addition',
    ],
    ['it reads windows from behind', fine.replace('(d0, d3, d2)', '(d0, -d3 + 2, d2)'), otherMaps],
    [
      'its panels are several',
      fine
        .replaceAll('memref<1x3x4xf32>', 'memref<1x2x3x2xf32>')
        .replace('(d0, d3, d2)', '(d0, d2 floordiv 2, d3, d2 mod 2)'),
      "its operands are in several panels, which only a library's kernels take",
    ],
    [
      'its windows are not known',
      fine
        .replaceAll('memref<1x3x4xf32>', 'memref<1x3x?xf32>')
        .replaceAll('memref<1x2x4xf32>', 'memref<1x2x?xf32>')
        .replace('alloc()', 'alloc(%n)')
        .replace('f(', 'f(%n: index, '),
      'its tile has no static size',
    ],
    [
      'its windows are apart',
      fine
        .replace(
          '%a = memref.alloc() : memref<1x3x4xf32>',
          '%a = memref.alloc() : memref<1x3x4xf32, strided<[24, 8, 2]>>',
        )
        .replace('outs(%a : memref<1x3x4xf32>)', 'outs(%a : memref<1x3x4xf32, strided<[24, 8, 2]>>)')
        .replace('ins(%a, %b : memref<1x3x4xf32>', 'ins(%a, %b : memref<1x3x4xf32, strided<[24, 8, 2]>>'),
      'its innermost elements are not contiguous',
    ],
  ])('is none where %s, which a warning says if it is marked', (_, text, reason) => {
    const after = formed(parse(text));
    expect(names(after.module)).not.toContain('kernel.microkernel');
    expect(after.warnings).toMatchObject([
      {
        severity: 'warning',
        code: 'kernels/no-microkernel',
        message: `this microkernel is compiled as any other sum of products, which is slower: ${reason}`,
      },
    ]);
    expect(formed(parse(text.replace('attrs = {microkernel}', ''))).warnings).toEqual([]);
  });

  it('may have arguments as panels that are known to be apart', () => {
    const module = parse(fine.replace('ins(%a, %b', 'ins(%x, %y'));
    const values = module.root.regions[0]!.blocks[0]!.operations[0]!.regions[0]!.blocks[0]!.arguments;
    const { module: after } = formed(module, { apart: new Set(values.map(({ id }) => id)) });
    expect(names(after)).toContain('kernel.microkernel');
  });

  it('that computes nothing stays', () => {
    const { module, warnings } = formed(parse(microkernel({ ...small, filters: 0 }, 'f32', fillOf)));
    expect(names(module)).toContain('linalg.fill');
    expect(names(module)).not.toContain('kernel.microkernel');
    expect(warnings).toEqual([]);
  });

  it('is none where the unit has no code for it', () => {
    const unit = {
      refusesMicrokernel: ({ filters }: { readonly filters: number }) => `it has ${filters} filters`,
    };
    const { module, warnings } = formed(parse(fine), { unit });
    expect(names(module)).not.toContain('kernel.microkernel');
    expect(warnings[0]!.message).toMatch(/slower: it has 2 filters$/);
  });
});

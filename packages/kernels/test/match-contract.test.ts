import { firstDifference } from '@sconv/interpreter/testing';
import { printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { formed, names, parse, registry } from './support.ts';

const decided = 'lanes = "windows", tiles = [[0, 4, 0, 3], [4, 2, 0, 3]], unroll = {channels = 2}';

/** A marked tile of a product, over the dimensions of a linearised convolution. */
const marked = (decisions = decided, before = ''): string => {
  const dims = '(d0, d1, d2, d3, d4, d5)';
  return `func.func @f(%x: memref<1x4x6xf32>, %f: memref<3x4x1x1xf32>, %o: memref<1x3x6xf32>, %v: f32, %p: i1) {
    %y = memref.alloc() : memref<1x3x6xf32>
    linalg.copy ins(%o : memref<1x3x6xf32>) outs(%y : memref<1x3x6xf32>)
    ${before.replace('FILL', 'linalg.fill ins(%v : f32) outs(%y : memref<1x3x6xf32>)')}
    linalg.generic {indexing_maps = [affine_map<${dims} -> (d0, d3, d2)>, affine_map<${dims} -> (d1, d3, d4, d5)>,
      affine_map<${dims} -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : memref<1x4x6xf32>, memref<3x4x1x1xf32>) outs(%y : memref<1x3x6xf32>) attrs = {sconv.kernel = {${decisions}}} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %0 = arith.mulf %a, %b : f32
        %1 = arith.addf %c, %0 : f32
        linalg.yield %1 : f32
    }
    linalg.copy ins(%y : memref<1x3x6xf32>) outs(%o : memref<1x3x6xf32>)
    return
  }`;
};

describe('a tile that a plan has marked', () => {
  it.each([
    ['', 'array<i32: 1, 1, 1, 0, 0>'],
    ['FILL', 'array<i32: 1, 1, 1, 1, 0>'],
    ['scf.if %p { FILL }', 'array<i32: 1, 1, 1, 1, 1>'],
  ])('becomes a kernel with what it starts with: %s', (before, segments) => {
    const module = parse(marked(decided, before));
    const after = formed(module);
    expect(after.warnings).toEqual([]);
    const [line] = /"kernel.contract".*/.exec(printModule(after.module, { registry })) ?? [];
    expect(line).toContain(
      `lanes = 2 : i64, maps = [#map, #map1, #map2], operand_segment_sizes = ${segments}, ` +
        'tiles = array<i64: 0, 4, 0, 3, 4, 2, 0, 3>, unroll = array<i64: 1, 1, 1, 2, 1, 1>',
    );
    expect(firstDifference(module, after.module)).toBeUndefined();
  });

  it('may name dimensions as its maps do', () => {
    const after = formed(parse(marked('lanes = "d2", unroll = {d3 = 2}')));
    expect(after.warnings).toEqual([]);
    const text = printModule(after.module, { registry });
    expect(text).toContain('lanes = 2 : i64');
    expect(text).toContain('unroll = array<i64: 1, 1, 1, 2, 1, 1>');
  });

  it.each([
    ['a longer buffer', '[0, 0, 0]', 'memref<1x4x8xf32>'],
    ['the middle of one', '[0, 0, 1]', 'memref<1x4x6xf32, strided<[32, 8, 1], offset: 1>>'],
  ])('of %s is read from it', (_, offsets, read) => {
    const view = `memref<1x4x6xf32, strided<[32, 8, 1]${offsets.includes('1') ? ', offset: 1' : ''}>>`;
    const module = parse(
      marked(decided, `%z = memref.subview %x${offsets} [1, 4, 6] [1, 1, 1] : memref<1x4x8xf32> to ${view}`)
        .replace('%x: memref<1x4x6xf32>', '%x: memref<1x4x8xf32>')
        .replace('ins(%x, %f : memref<1x4x6xf32>', `ins(%z, %f : ${view}`),
    );
    const after = formed(module);
    expect(after.warnings).toEqual([]);
    expect(
      /"kernel.contract".* : \((memref<[^(]*?>), /.exec(printModule(after.module, { registry }))?.[1],
    ).toBe(read);
    expect(firstDifference(module, after.module)).toBeUndefined();
  });

  const names6 = "its 'sconv.kernel' names no lanes, unrolling or tiles of its dimensions";
  const noMatch = (from: string, to: string) => (text: string) => text.replaceAll(from, to);
  it.each<[string, string, (text: string) => string]>([
    ['no lanes', names6, noMatch('lanes = "windows", ', '')],
    ['lanes along columns', names6, noMatch('"windows"', '"columns"')],
    ['an unknown dimension unrolled', names6, noMatch('{channels = 2}', '{rows = 2}')],
    ['words for factors', names6, noMatch('channels = 2', 'channels = "2"')],
    ['a factor', names6, noMatch('{channels = 2}', '2')],
    ['tiles of three numbers', names6, noMatch('[4, 2, 0, 3]', '[4, 2, 0]')],
    ['no list of tiles', names6, noMatch('[[0, 4, 0, 3], [4, 2, 0, 3]]', '"all"')],
    [
      'tiles that leave out results',
      'it expects tiles that cover each result once',
      noMatch('[4, 2, 0, 3]', '[4, 2, 0, 2]'),
    ],
    ['another body', 'its body is not a multiplication and an addition', noMatch('arith.addf', 'arith.subf')],
    [
      'a third input',
      'its operands are not two buffers and a third',
      (text) =>
        text
          .replace(
            'ins(%x, %f : memref<1x4x6xf32>,',
            'ins(%x, %x, %f : memref<1x4x6xf32>, memref<1x4x6xf32>,',
          )
          .replace(
            '[affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d2)>,',
            (map) => `${map} ${map.slice(1)}`,
          )
          .replace('^bb0(', '^bb0(%z: f32, '),
    ],
    [
      'operands of unknown strides',
      'its operands have no known layout',
      noMatch('memref<1x4x6xf32>', 'memref<1x4x6xf32, strided<[24, ?, 1]>>'),
    ],
    [
      'lanes that lie apart',
      'the elements of its lanes are not contiguous',
      noMatch('memref<1x4x6xf32>', 'memref<1x4x6xf32, strided<[48, 12, 2]>>'),
    ],
    [
      'an output that may be an input',
      'its output may share memory with an operand',
      (text) =>
        text
          .replace(/%y = memref.alloc.*\n.*\n/, '')
          .replaceAll('%y', '%o')
          .replace(/linalg.copy.*\n/, ''),
    ],
  ])('with %s is none', (_, reason, change) => {
    const { module, warnings } = formed(parse(change(marked())));
    expect(warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `kernels/no-microkernel: this microkernel is compiled as any other sum of products, which is slower: ${reason}`,
    ]);
    expect(names(module)).toContain('linalg.generic');
  });

  it('is refused by a unit', () => {
    const { warnings } = formed(parse(marked()), { unit: { refusesContract: () => 'it has no such unit' } });
    expect(warnings[0]!.message).toContain('it has no such unit');
  });
});

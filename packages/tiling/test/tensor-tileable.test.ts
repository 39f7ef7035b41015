import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const match = (name: string, op: string): string =>
  `%${name} = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}\n`;
const types = (count: number): string => `(${any}) -> (${Array(count).fill(any).join(', ')})`;

const pad = (source: string, low: string, high: string, result: string): string =>
  `func.func @f(%a: tensor<${source}xf32>, %v: f32) -> tensor<${result}xf32> {
  %0 = tensor.pad %a low[${low}] high[${high}] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<${source}xf32> to tensor<${result}xf32>
  return %0 : tensor<${result}xf32>
}`;

const constantPad = `func.func @f(%a: tensor<3x5xi8>) -> tensor<8x9xi8> {
  %0 = tensor.pad %a low[4, 0] high[1, 4] {
  ^bb0(%i: index, %j: index):
    %v = arith.constant 7 : i8
    tensor.yield %v : i8
  } : tensor<3x5xi8> to tensor<8x9xi8>
  return %0 : tensor<8x9xi8>
}`;

/** A padding whose type does not have the sizes that its constants give. */
const knownPad = pad('3x5', '%two, 1', '1, %two', '?x?').replace(
  '  %0',
  '  %two = arith.constant 2 : index\n  %0',
);

const pack = (source: string, outer: string, tiles: string, rest = ''): string => {
  const result = `tensor<${outer}x${tiles.replaceAll(', ', 'x')}xf32>`;
  return `func.func @f(%a: tensor<${source}xf32>, %b: ${result}, %v: f32) -> ${result} {
  %0 = tensor.pack %a padding_value(%v : f32) ${rest} inner_dims_pos = [0, 1] inner_tiles = [${tiles}] into %b : tensor<${source}xf32> -> ${result}
  return %0 : ${result}
}`;
};

const unpack = (outer: string, tiles: string, result: string, rest = ''): string => {
  const source = `tensor<${outer}x${tiles.replaceAll(', ', 'x')}xf32>`;
  return `func.func @f(%a: ${source}, %b: tensor<${result}xf32>) -> tensor<${result}xf32> {
  %0 = tensor.unpack %a ${rest} inner_dims_pos = [0, 1] inner_tiles = [${tiles}] into %b : ${source} -> tensor<${result}xf32>
  return %0 : tensor<${result}xf32>
}`;
};

/** A packing into inner tiles whose sizes are not symbols: a loop computes them. */
const dynamicTiles = `func.func @f(%a: tensor<6x8xf32>, %v: f32, %b: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c3 to %c5 step %c1 iter_args(%o = %b) -> (tensor<6x8xf32>) {
    %m = arith.ceildivui %c6, %i : index
    %n = arith.ceildivui %c8, %i : index
    %e = tensor.empty(%m, %n, %i, %i) : tensor<?x?x?x?xf32>
    %p = tensor.pack %a padding_value(%v : f32) inner_dims_pos = [0, 1] inner_tiles = [%i, %i] into %e : tensor<6x8xf32> -> tensor<?x?x?x?xf32>
    %u = tensor.unpack %p inner_dims_pos = [0, 1] inner_tiles = [%i, %i] into %o : tensor<?x?x?x?xf32> -> tensor<6x8xf32>
    scf.yield %u : tensor<6x8xf32>
  }
  return %r : tensor<6x8xf32>
}`;

describe.each([
  ['padding on all sides', 'tensor.pad', pad('7x5', '4, 1', '2, 3', '13x9')],
  ['padding of unknown sizes', 'tensor.pad', pad('?x?', '2, 0', '0, 3', '?x?')],
  ['padding by constants', 'tensor.pad', knownPad],
  ['more padding than tensor', 'tensor.pad', pad('1x2', '7, 8', '9, 1', '17x11')],
  ['nothing to pad', 'tensor.pad', pad('0x5', '1, 0', '3, 1', '4x6')],
  ['padding by a constant of the body', 'tensor.pad', constantPad],
  ['whole inner tiles', 'tensor.pack', pack('6x12', '2x3', '3, 4')],
  ['partial inner tiles', 'tensor.pack', pack('7x10', '3x4', '3, 3')],
  ['inner tiles in another order', 'tensor.pack', pack('7x10', '4x3', '3, 3', 'outer_dims_perm = [1, 0]')],
  ['inner tiles of unknown size', 'tensor.pack', dynamicTiles],
  ['whole inner tiles, unpacked', 'tensor.unpack', unpack('2x3', '3, 4', '6x12')],
  ['partial inner tiles, unpacked', 'tensor.unpack', unpack('3x4', '3, 3', '7x10')],
  [
    'inner tiles in another order, unpacked',
    'tensor.unpack',
    unpack('4x3', '3, 3', '7x10', 'outer_dims_perm = [1, 0]'),
  ],
  ['inner tiles of unknown size, unpacked', 'tensor.unpack', dynamicTiles],
])('%s', (_, name, payload) => {
  it.each([
    `%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [3, 2] : ${types(3)}`,
    `%t, %l = transform.structured.tile_using_for %op tile_sizes [0, 6] : ${types(2)}`,
    `%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [2, 5] interchange = [1, 0] : ${types(3)}`,
    `%t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 3] : ${types(2)}`,
    // More threads than iterations: some get none.
    `%t, %l = transform.structured.tile_using_forall %op num_threads [9, 21] : ${types(2)}`,
    `%t, %l:2 = transform.structured.fuse %op {tile_sizes = [3, 4]} : ${types(3)}`,
  ])('is computed tile by tile: %s', (step) => {
    const { diagnostics, text } = apply(payload, `${match('op', name)}${step}`);
    expect(diagnostics).toBe('');
    expect(text).toMatch(/scf\.for(all)? [^]*(tensor\.(pad|pack|unpack|generate) )/);
  });
});

it('pads no slice where a tile never reads the source', () => {
  const step = `%t, %l = transform.structured.tile_using_for %op tile_sizes [0, 2] : ${types(2)}`;
  const { text } = apply(pad('0x5', '1, 0', '3, 1', '4x6'), `${match('op', 'tensor.pad')}${step}`);
  expect(text).toContain('tensor.generate');
  expect(text).not.toMatch(/scf\.if|tensor\.pad/);
});

it('unpacks in place what consists of whole inner tiles', () => {
  const step = `%t, %l = transform.structured.tile_using_for %op tile_sizes [6] : ${types(2)}`;
  const { text } = apply(unpack('4x3', '3, 4', '12x12'), `${match('op', 'tensor.unpack')}${step}`);
  expect(text).not.toContain('tensor.empty');
  expect(text).toMatch(/extracted_slice = tensor\.extract_slice %arg0\[%\d, 0, 0, 0\] \[2, 3, 3, 4\]/);
});

describe('a refusal', () => {
  const computed = constantPad.replace('arith.constant 7 : i8', 'arith.index_cast %i : index to i8');
  const argument = pad('3x5', '4, 0', '1, 4', '8x9')
    .replaceAll('xf32', 'xindex')
    .replace('tensor.yield %v : f32', 'tensor.yield %i : index');
  const softmax = `func.func @f(%a: tensor<4x6xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x6xf32>) outs(%b : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}`;

  it.each([
    ['tensor.pad', computed, 'tile_using_for %op tile_sizes [2]', 'tile/padding'],
    ['tensor.pad', argument, 'tile_using_forall %op tile_sizes [2]', 'tile/padding'],
    ['tensor.pad', argument, 'fuse %op {tile_sizes = [2]}', 'tile/padding'],
    ['linalg.softmax', softmax, 'tile_using_for %op tile_sizes [0, 2]', 'tile/order'],
    ['linalg.softmax', softmax, 'tile_using_forall %op tile_sizes [0, 2]', 'tile/reduction'],
    ['linalg.softmax', softmax, 'fuse %op {tile_sizes = [0, 2]}', 'tile/order'],
  ])('of %s says why', (name, payload, step, code) => {
    const { diagnostics } = apply(
      payload,
      `${match('op', name)}%t, %l = transform.structured.${step} : ${types(2)}`,
    );
    expect(diagnostics).toContain(`[${code}]`);
  });
});

const consumer = (type: string): string => `
  %1 = linalg.negf ins(%0 : ${type}) outs(%o : ${type}) -> ${type}
  return %1 : ${type}
}`;

/** An elementwise op on a slice that begins in the middle of an inner tile. */
const misaligned = `func.func @f(%a: tensor<4x3xf32>, %b: tensor<12xf32>, %o: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tensor.unpack %a inner_dims_pos = [0] inner_tiles = [3] into %b : tensor<4x3xf32> -> tensor<12xf32>
  %1 = scf.forall (%i) in (2) shared_outs(%r = %o) -> (tensor<6xf32>) {
    %p = affine.apply affine_map<(d0) -> (d0 * 3 + 2)>(%i)
    %q = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    %s = tensor.extract_slice %0[%p] [3] [1] : tensor<12xf32> to tensor<3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %r[%q] [3] [1] : tensor<3xf32> into tensor<6xf32>
    }
  }
  return %1 : tensor<6xf32>
}`;

describe('a producer', () => {
  const loop = `%l = transform.structured.match ops{["scf.forall"]} in %root : (${any}) -> ${any}\n`;
  const into = `%x, %y = transform.structured.fuse_into_containing_op %op into %l : (${any}, ${any}) -> (${any}, ${any})`;
  const packed = (consumed: string, step: string) =>
    apply(
      pack('7x10', '3x4', '3, 3')
        .replace('%v: f32)', '%v: f32, %o: tensor<3x4x3x3xf32>)')
        .replace(/\n {2}return[^]*/, consumer('tensor<3x4x3x3xf32>')),
      `${match('op', consumed)}${match('last', 'linalg.negf')}${step}`,
    );

  it('unpacks from the inner tile on in which a slice begins', () => {
    const { diagnostics, text } = apply(misaligned, `${match('op', 'tensor.unpack')}${loop}${into}`);
    expect(diagnostics).toBe('');
    expect(text.split('scf.forall').at(1)).toContain('tensor.unpack');
    expect(text).toContain('tensor.empty');
  });

  it.each([
    `%t, %l:2 = transform.structured.fuse %last {tile_sizes = [2, 3]} : ${types(3)}`,
    `%t, %l = transform.structured.tile_using_forall %last tile_sizes [2, 3] : ${types(2)}\n${into}`,
  ])('packs what a tile of its consumer reads: %s', (step) => {
    const { diagnostics, text } = packed('tensor.pack', step);
    expect(diagnostics).toBe('');
    expect(text.split(/scf\.for(?:all)? /).at(-1)).toMatch(/tensor\.pack %extracted_slice/);
  });

  it('is copied where a tile has parts of inner tiles', () => {
    const step = `%t, %l = transform.structured.tile_using_forall %last tile_sizes [2, 3, 2] : ${types(2)}\n${into}`;
    const { diagnostics, text } = packed('tensor.pack', step);
    expect(diagnostics).toBe('');
    expect(text.split('scf.forall').at(1)).toContain('tensor.pack %arg0');
  });

  it('is copied if it pads', () => {
    const payload = pad('7x5', '4, 1', '2, 3', '13x9')
      .replace('%v: f32)', '%v: f32, %o: tensor<13x9xf32>)')
      .replace(/\n {2}return[^]*/, consumer('tensor<13x9xf32>'));
    const script = `${match('op', 'tensor.pad')}${match('last', 'linalg.negf')}%t, %l = transform.structured.tile_using_forall %last tile_sizes [5, 4] : ${types(2)}\n${into}`;
    const { diagnostics, text } = apply(payload, script);
    expect(diagnostics).toBe('');
    expect(text.split('scf.forall').at(1)).toContain('tensor.pad %arg0');
  });
});

import { foreignDialect, foreignPayload } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';
import { apply, excerpt, matchOps } from './payloads.ts';

const any = '!transform.any_op';
const packed = (sizes: string, name = 'linalg.generic'): string =>
  `${matchOps(name)}\n%packed = transform.structured.pack %op packed_sizes = [${sizes}] : (${any}) -> ${any}`;

/** A function of two inputs and an output around one `linalg.generic`. */
const generic = (
  maps: readonly string[],
  iterators: string,
  types: readonly string[],
  body: string,
  element = 'f32',
): string => {
  const [a, b, out] = types;
  const names = ['%a', '%b', '%c'].slice(3 - types.length);
  const inputs = types.slice(0, -1);
  const parameters = types.map((type, i) => `${names[i]!}: ${type}`).join(', ');
  const result = types.at(-1)!;
  expect([a, b, out].length).toBe(3);
  return `func.func @f(${parameters}) -> ${result} {
  %0 = linalg.generic {indexing_maps = [${maps.map((map) => `affine_map<${map}>`).join(', ')}], iterator_types = [${iterators}]} ins(${inputs.map((_, i) => names[i]!).join(', ')} : ${inputs.join(', ')}) outs(%c : ${result}) {
  ^bb0(${inputs.map((_, i) => `${['%x', '%y'][i]!}: ${element}`).join(', ')}, %out: ${element}):
    ${body}
    linalg.yield %r : ${element}
  } -> ${result}
  return %0 : ${result}
}`;
};

const rows = ['(i, j) -> (i, j)', '(i, j) -> (i)'];
const reduction = '"parallel", "reduction"';

describe('transform.structured.pack', () => {
  it.each(['2, 4, 3', '0, 0, 4', '1, 8, 0', '7, 3, 11', '0, 0, 0'])(
    'keeps what a product of matrices computes, in tiles of %s',
    (sizes) => {
      const payload = `func.func @f(%a: tensor<5x10xf32>, %b: tensor<10x8xf32>, %c: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<5x10xf32>, tensor<10x8xf32>) outs(%c : tensor<5x8xf32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}`;
      const { status, diagnostics } = apply(payload, packed(sizes, 'linalg.matmul'));
      expect([status, diagnostics]).toEqual(['success', '']);
    },
  );

  it('counts tiles of dynamic sizes', () => {
    const payload = `func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}`;
    const { text, diagnostics } = apply(payload, packed('0, 4, 3', 'linalg.matmul'));
    expect(diagnostics).toBe('');
    expect(excerpt(text, 'tensor.empty', 'affine.apply').slice(0, 2)).toEqual([
      '% = affine.apply affine_map<()[s0] -> (s0 ceildiv 3)>()[%]',
      '% = tensor.empty(%, %) : tensor<?x?x3xf32>',
    ]);
  });

  it.each([
    ['', 'affine_map<()[s0, s1] -> (s0 ceildiv s1)>'],
    ['%more = arith.addi %n, %one : index', 'affine_map<()[s0, s1] -> (s0 ceildiv s1)>'],
  ])('takes a size that an operation computes', (line, map) => {
    const payload = `func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: tensor<3xf32>) -> tensor<?xf32> {
  %one = arith.constant 1 : index
  %two = arith.constant 0 : index
  %n = tensor.dim {tile} %k, %two : tensor<3xf32>
  ${line}
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}`;
    const script = `${matchOps('linalg.exp')}
%size = transform.structured.match ops{["tensor.dim"]} attributes{tile} in %root : (${any}) -> ${any}
%packed = transform.structured.pack %op packed_sizes = [%size] : (${any}, ${any}) -> ${any}`;
    const { text, diagnostics } = apply(payload, script);
    expect(diagnostics).toBe('');
    expect(text).toContain(map);
  });

  it('takes a size that no map can have', () => {
    const payload = `func.func @f(%a: tensor<7xf32>, %b: tensor<7xf32>, %k: tensor<3xf32>) -> tensor<7xf32> {
  %lo = arith.constant 2 : index
  %hi = arith.constant 3 : index
  %step = arith.constant 1 : index
  %0 = scf.for %i = %lo to %hi step %step iter_args(%o = %b) -> (tensor<7xf32>) {
    %n = arith.addi %i, %step : index
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<7xf32>) outs(%o : tensor<7xf32>) {
    ^bb0(%x: f32, %y: f32):
      %at = linalg.index 0 : index
      %q = arith.index_cast %at : index to i64
      %r = arith.sitofp %q : i64 to f32
      %s = arith.addf %x, %r : f32
      linalg.yield %s : f32
    } -> tensor<7xf32>
    scf.yield %1 : tensor<7xf32>
  }
  return %0 : tensor<7xf32>
}`;
    const script = `${matchOps()}
%size = transform.structured.match ops{["arith.addi"]} in %root : (${any}) -> ${any}
%packed = transform.structured.pack %op packed_sizes = [%size] : (${any}, ${any}) -> ${any}`;
    const { text, diagnostics } = apply(payload, script);
    expect(diagnostics).toBe('');
    expect(text).toContain('arith.ceildivsi');
  });

  it('keeps indices in the body', () => {
    const payload = generic(
      ['(i, j) -> (i, j)', '(i, j) -> (i, j)'],
      '"parallel", "parallel"',
      ['tensor<5x6xf32>', 'tensor<5x6xf32>'],
      `%i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.muli %i, %j : index
    %q = arith.index_cast %p : index to i64
    %s = arith.sitofp %q : i64 to f32
    %r = arith.addf %x, %s : f32`,
    );
    const { status, diagnostics } = apply(payload.replaceAll('%b', '%a'), packed('2, 0'));
    expect([status, diagnostics]).toEqual(['success', '']);
  });

  it.each([
    ['arith.addf', 'f32', '0.000000e+00 : f32'],
    ['arith.mulf', 'f32', '1.000000e+00 : f32'],
    ['arith.maximumf', 'f32', '0xFF800000 : f32'],
    ['arith.minnumf', 'f32', '0x7FC00000 : f32'],
    ['arith.addi', 'i32', '0 : i32'],
    ['arith.muli', 'i32', '1 : i32'],
    ['arith.maxsi', 'i32', '-2147483648 : i32'],
    ['arith.minui', 'i32', '-1 : i32'],
    ['arith.andi', 'i8', '-1 : i8'],
  ])('pads what %s reduces with what changes nothing', (combiner, element, padding) => {
    const payload = generic(
      rows,
      reduction,
      [`tensor<3x7x${element}>`, `tensor<3x${element}>`],
      `%r = ${combiner} %x, %out : ${element}`,
      element,
    );
    const { text, diagnostics } = apply(payload.replaceAll('%b', '%a'), packed('0, 4'));
    expect(diagnostics).toBe('');
    expect(text).toContain(`arith.constant ${padding}`);
  });

  it.each([
    ['a value that is not zero for zeros', '%e = math.exp %x : f32\n%r = arith.addf %out, %e : f32'],
    ['a maximum of something else', '%e = arith.negf %x : f32\n%r = arith.maximumf %out, %e : f32'],
    [
      'a read beyond the end',
      '%j = linalg.index 1 : index\n%i = linalg.index 0 : index\n%e = tensor.extract %a[%i, %j] : tensor<3x7xf32>\n%r = arith.addf %e, %x : f32',
    ],
    ['no reduction', '%r = arith.subf %x, %out : f32'],
    [
      'an operation that is not defined for zero',
      '%d = arith.fptosi %x : f32 to i32\n%q = arith.divsi %d, %d : i32\n%r = arith.sitofp %q : i32 to f32',
    ],
  ])('refuses to pad %s', (_, body) => {
    const payload = generic(rows, reduction, ['tensor<3x7xf32>', 'tensor<3xf32>'], body);
    const { status, diagnostics } = apply(payload.replaceAll('%b', '%a'), packed('0, 4'));
    expect(status).toBe('definite');
    expect(diagnostics).toContain('[pack/padding]');
  });

  it('refuses another order of iterations', () => {
    const payload = generic(
      ['(i, j) -> (i, j)', '(i, j) -> ()'],
      '"reduction", "reduction"',
      ['tensor<4x6xf32>', 'tensor<f32>'],
      '%r = arith.subf %x, %out : f32',
    );
    expect(apply(payload.replaceAll('%b', '%a'), packed('2, 3')).diagnostics).toContain('[pack/order]');
  });

  it.each([
    ['2', 'requires number of packed sizes match the number of loops (1 vs 2) [pack/sizes]'],
    ['2, -1', 'expected 2 sizes of at least 0, got [2, -1] [pack/sizes]'],
  ])('refuses sizes [%s]', (sizes, message) => {
    const payload = generic(
      rows,
      reduction,
      ['tensor<3x7xf32>', 'tensor<3xf32>'],
      '%r = arith.addf %x, %out : f32',
    );
    const { diagnostics } = apply(payload.replaceAll('%b', '%a'), packed(sizes));
    expect(diagnostics).toContain(message);
    expect(diagnostics).toMatch(/payload\.mlir:\d+:\d+: note: as it is now/);
  });

  it('refuses a part of an index', () => {
    const payload = `func.func @f(%a: tensor<8xf32>, %b: tensor<3xf32>, %c: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.conv_1d ins(%a, %b : tensor<8xf32>, tensor<3xf32>) outs(%c : tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}`;
    expect(apply(payload, packed('2, 0', 'linalg.conv_1d')).diagnostics).toContain(
      'data tiling failed: dimension 0 is only part of an index of operand 0, (d0, d1) -> (d0 + d1) [pack/maps]',
    );
  });

  it.each([
    ['func.func', "requires target to map to a structured op, and 'func.func' is none [pack/target]"],
    ['linalg.copy', "'linalg.copy' is not a structured op with a body, on tensors [pack/not-structured]"],
    ['linalg.exp', 'requires target to map to exactly 1 LinalgOp (got 2) [pack/target]'],
  ])('refuses %s', (name, message) => {
    const payload = `func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.copy ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}`;
    expect(apply(payload, packed('2', name)).diagnostics).toContain(message);
  });

  it('refuses an op of another dialect that has no body', () => {
    const ofForeign = scriptTester(transforms, { dialects: [foreignDialect] });
    const bodiless = foreignPayload.replace(/\(\{.*\}\)/s, '({})');
    const { diagnostics } = ofForeign(bodiless, packed('2', 'foreign.add_next'));
    expect(diagnostics).toContain("'foreign.add_next' is not a structured op with a body, on tensors");
  });

  it('does nothing for nothing', () => {
    expect(apply('func.func @f() { return }', packed('2')).status).toBe('success');
  });
});

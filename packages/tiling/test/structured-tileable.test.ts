import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';
import { codesIn } from './payloads.ts';

const apply = scriptTester(transforms, { difference: firstDifference });

const matmul = (m: string, k: string, n: string): string =>
  `func.func @f(%a: tensor<${m}x${k}xf32>, %b: tensor<${k}x${n}xf32>, %c: tensor<${m}x${n}xf32>) -> tensor<${m}x${n}xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<${m}x${k}xf32>, tensor<${k}x${n}xf32>) outs(%c : tensor<${m}x${n}xf32>) -> tensor<${m}x${n}xf32>
  return %0 : tensor<${m}x${n}xf32>
}`;

const buffers = `func.func @f(%a: memref<?x6xf32>, %b: memref<6x5xf32>, %c: memref<?x5xf32>) {
  linalg.matmul ins(%a, %b : memref<?x6xf32>, memref<6x5xf32>) outs(%c : memref<?x5xf32>)
  return
}`;

const conv = `func.func @f(%x: tensor<1x9x9x2xf32>, %k: tensor<3x3x2x4xf32>, %o: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x9x9x2xf32>, tensor<3x3x2x4xf32>) outs(%o : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}`;

const indices = `#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<7x5xindex>, %b: tensor<7x5xindex>) -> (tensor<7x5xindex>, tensor<7x5xindex>) {
  %0:2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} outs(%a, %b : tensor<7x5xindex>, tensor<7x5xindex>) {
  ^bb0(%x: index, %y: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.muli %i, %j : index
    linalg.yield %i, %s : index, index
  } -> (tensor<7x5xindex>, tensor<7x5xindex>)
  return %0#0, %0#1 : tensor<7x5xindex>, tensor<7x5xindex>
}`;

const empty = `func.func @f(%x: f32, %o: tensor<0x5xf32>) -> tensor<0x5xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%o : tensor<0x5xf32>) -> tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}`;

const match = (op: string): string =>
  `%op = transform.structured.match ops{["${op}"]} in %root : (!transform.any_op) -> !transform.any_op`;
const any = '!transform.any_op';
const types = (count: number): string => `(${any}) -> (${Array(count).fill(any).join(', ')})`;

describe.each([
  ['a product', 'linalg.matmul', matmul('7', '6', '5'), [3, 2]],
  ['a product of unknown sizes', 'linalg.matmul', matmul('?', '?', '?'), [3, 2]],
  ['a product of one row', 'linalg.matmul', matmul('1', '6', '5'), [1, 4]],
  ['a product on buffers', 'linalg.matmul', buffers, [2, 3]],
  ['a convolution', 'linalg.conv_2d_nhwc_hwcf', conv, [1, 3]],
  ['an op that asks for its indices, with two results', 'linalg.generic', indices, [2, 3]],
  ['an op without iterations', 'linalg.fill', empty, [2, 2]],
])('%s', (_, name, payload, [first, second]) => {
  it.each([
    `%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [${first!}, ${second!}] : ${types(3)}`,
    `%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [${first!}, ${second!}] interchange = [1, 0] : ${types(3)}`,
    `%t, %l = transform.structured.tile_using_forall %op tile_sizes [${first!}, ${second!}] : ${types(2)}`,
    `%t, %l = transform.structured.tile_using_forall %op num_threads [2, 2] : ${types(2)}`,
  ])('keeps what it computes, and its name: %s', (step) => {
    const { diagnostics, text } = apply(payload, `${match(name)}\n${step}`);
    // Two threads for a dimension of one iteration.
    const isIdle = step.includes('num_threads') && payload.includes('tensor<1x');
    expect(codesIn(diagnostics)).toEqual(isIdle ? ['tile/idle-threads'] : []);
    expect(text).toContain('scf.for');
    expect(text).toContain(`${name} `);
  });
});

describe('sizes', () => {
  const sized = `func.func private @size() -> index
${matmul('7', '6', '5').replace('{\n', '{\n  %s = arith.constant 3 : index\n')}`;
  const both = (step: string): string =>
    `${match('linalg.matmul')}\n%s = transform.structured.match ops{["arith.constant"]} in %root : (${any}) -> ${any}\n${step}`;

  it.each([
    `%t, %l = transform.structured.tile_using_for %op tile_sizes [%s] : (${any}, ${any}) -> (${any}, ${any})`,
    `%t, %l = transform.structured.tile_using_forall %op tile_sizes [%s] : (${any}, ${any}) -> (${any}, ${any})`,
    `%t, %l = transform.structured.tile_using_forall %op num_threads *(%s) : (${any}, ${any}) -> (${any}, ${any})`,
  ])('are what an operation computes: %s', (step) => {
    const { diagnostics, text } = apply(sized, both(step));
    expect(diagnostics).toBe('');
    expect(text).toContain('scf.for');
  });

  it('stand for the targets one by one', () => {
    const step = `%t, %l = transform.structured.tile_using_for %op tile_sizes [%op2] : (${any}, ${any}) -> (${any}, ${any})`;
    const none = `%op2 = transform.structured.match ops{["linalg.fill"]} in %root : (${any}) -> ${any}`;
    expect(apply(sized, both(`${none}\n${step}`)).diagnostics).toContain(
      'expected as many dynamic size-producing operations (0) as target ops (1)',
    );
    const self = `%t, %l = transform.structured.tile_using_for %op tile_sizes [%f] : (${any}, ${any}) -> (${any}, ${any})`;
    const func = `%f = transform.structured.match ops{["linalg.matmul"]} in %root : (${any}) -> ${any}`;
    expect(apply(sized, both(`${func}\n${self}`)).diagnostics).toContain(
      'expected sizes to be produced by ops with a single index-type result',
    );
  });
});

it('gives the tiles the mapping of the loop', () => {
  const step = `%t, %l = transform.structured.tile_using_forall %op tile_sizes [2] (mapping = [#gpu.thread<x>]) : ${types(2)}`;
  expect(apply(matmul('7', '6', '5'), `${match('linalg.matmul')}\n${step}`).text).toContain(
    '{mapping = [#gpu.thread<x>]}',
  );
});

it.each(['tile_using_for', 'tile_using_forall'])('%s refuses what is no op to tile', (op) => {
  const step = `%t, %l = transform.structured.${op} %op tile_sizes [2] : ${types(2)}`;
  expect(apply(matmul('7', '6', '5'), `${match('func.func')}\n${step}`).diagnostics).toContain(
    '[tile/not-tileable]',
  );
});

it.each([
  ['(d0) -> (d0 + 1)', 'tensor<8xf32>'],
  ['(d0) -> (-d0 + 6)', 'tensor<8xf32>'],
  ['(d0) -> (d0 floordiv 2)', 'tensor<4xf32>'],
])('refuses a slice that means something else to %s', (map, type) => {
  const payload = `func.func @f(%a: ${type}, %b: tensor<7xf32>) -> tensor<7xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<${map}>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : ${type}) outs(%b : tensor<7xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}`;
  const step = `%t, %l = transform.structured.tile_using_for %op tile_sizes [2] : ${types(2)}`;
  expect(apply(payload, `${match('linalg.generic')}\n${step}`).diagnostics).toContain('[tile/unsound-slice]');
});

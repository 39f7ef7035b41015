import { describe, expect, it } from 'vitest';
import { scriptPrinter, scriptTester } from '@sconv/transform/testing';
import { unwrap } from '@sconv/diagnostics';
import { printModule } from '@sconv/ir';
import type { BufferizeOptions } from '../src/index.ts';
import { bufferizationInterfaces, oneShotBufferize } from '../src/index.ts';
import { oneShotBufferizeOp } from '../src/transforms.ts';
import { parse, registry } from './support.ts';

const apply = scriptTester([oneShotBufferizeOp], { attachments: bufferizationInterfaces });

const payload = `func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = linalg.fill {mark} ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`;

const script = (attributes: string, layout = '', target = '%root') =>
  `%b = transform.bufferization.one_shot_bufferize ${layout} ${target} ${attributes} : (!transform.any_op) -> !transform.any_op`;

describe('transform.bufferization.one_shot_bufferize', () => {
  it('bufferizes functions as ST Listing 10 writes it, and keeps results as upstream does', () => {
    const { text, diagnostics } = apply(payload, script('{ bufferize_function_boundaries = true }'));
    expect(diagnostics).toBe('');
    expect(text).toContain('func.func @f(%arg0: memref<4xf32>, %arg1: f32) -> memref<4xf32>');
  });

  it.each([
    ['InferLayoutMap', 'memref<4xf32, strided<[?], offset: ?>>'],
    ['IdentityLayoutMap', 'memref<4xf32>'],
    ['FullyDynamicLayoutMap', 'memref<4xf32, strided<[?], offset: ?>>'],
  ])('takes buffers of layout %s', (layout, type) => {
    const { text } = apply(payload, script('{ bufferize_function_boundaries = true }', `layout{${layout}}`));
    expect(text).toContain(`(%arg0: ${type}, %arg1: f32) -> ${type}`);
  });

  it('drops results where it is told to', () => {
    const { text } = apply(
      payload,
      script('{ bufferize_function_boundaries = true, drop_equivalent_buffer_results = true }'),
    );
    expect(text).toContain('func.func @f(%arg0: memref<4xf32>, %arg1: f32) {');
  });

  it('gives a handle to the target, and handles follow to the operations on buffers', () => {
    const { diagnostics, text } = apply(
      payload,
      `%fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
${script('{ bufferize_function_boundaries = true }')}
%again = transform.structured.match ops{["linalg.fill"]} attributes {mark} in %b : (!transform.any_op) -> !transform.any_op
%one = transform.split_handle %again : (!transform.any_op) -> !transform.any_op`,
    );
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.fill {mark} ins(%arg1 : f32) outs(%arg0 : memref<4xf32>)');
  });

  const matchFunction = `%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
`;

  it('bufferizes one function inside', () => {
    const { text, diagnostics } = apply(payload, matchFunction + script('', '', '%f'));
    expect(diagnostics).toBe('');
    expect(text).toContain('bufferization.to_memref %arg0');
  });

  it.each([
    [
      'not-a-module',
      matchFunction + script('{bufferize_function_boundaries = true}', '', '%f'),
      "expected a module, since the boundaries of functions change, got 'func.func'",
    ],
    [
      'not-a-module',
      `%f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
${script('', '', '%f')}`,
      "expected a module or a function, got 'linalg.fill'",
    ],
  ])('fails with %s', (code, text, message) => {
    const outcome = apply(payload, text);
    expect(outcome.status).toBe('definite');
    expect(outcome.diagnostics).toContain(`bufferize/${code}`);
    expect(outcome.diagnostics).toContain(message);
  });

  it.each(['allow_unknown_ops = true', 'test_analysis_only = true', 'memcpy_op = "linalg.copy"'])(
    'has no behaviour with %s',
    (attribute) => {
      const { diagnostics } = apply(payload, script(`{${attribute}}`));
      expect(diagnostics).toContain('[transform/not-implemented]');
    },
  );

  it.each([
    ['memcpy_op = "memref.load"', 'unsupported memcpy op'],
    ['print_conflicts = true', "'print_conflicts' requires 'test_analysis_only'"],
    ['dump_alias_sets = true', "'dump_alias_sets' requires 'test_analysis_only'"],
  ])('refuses %s', (attribute, message) => {
    expect(apply(payload, script(`{${attribute}}`)).diagnostics).toContain(message);
  });

  it.each([
    'layout{InferLayoutMap} %root',
    'layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true}',
    'layout{FullyDynamicLayoutMap} %root',
    '%root {drop_equivalent_buffer_results = true, hoist_allocations = true}',
  ])('prints %s as it reads it', (form) => {
    const line = `%0 = transform.bufferization.one_shot_bufferize ${form} : (!transform.any_op) -> !transform.any_op`;
    expect(scriptPrinter([oneShotBufferizeOp])(line)).toEqual([line]);
  });

  const loop = `func.func @f(%t: tensor<8xf32>, %x: f32, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %t) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %w = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %s = linalg.add ins(%a, %w : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}`;

  it.each<readonly [string, BufferizeOptions]>([
    ['{}', {}],
    ['{bufferize_function_boundaries = true}', { bufferizeFunctionBoundaries: true }],
    [
      '{bufferize_function_boundaries = true, drop_equivalent_buffer_results = true}',
      { bufferizeFunctionBoundaries: true, dropEquivalentBufferResults: true },
    ],
    ['{hoist_allocations = true}', { hoistAllocations: true }],
    [
      '{allow_return_allocs_from_loops = true, check_parallel_regions = false, allow_unknown_ops = false, memcpy_op = "memref.copy"}',
      {},
    ],
  ])('does with %s what oneShotBufferize does with %o', (attributes, options) => {
    const presets = {
      bufferizeFunctionBoundaries: false,
      dropEquivalentBufferResults: false,
      hoistAllocations: false,
    };
    const expected = unwrap(oneShotBufferize(parse(loop), { registry, ...presets, ...options }));
    const { text, diagnostics } = apply(loop, script(attributes));
    expect(diagnostics).toBe('');
    expect(text).toBe(printModule(expected, { registry, localScope: true }));
  });
});

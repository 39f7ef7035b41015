import { describe, expect, it } from 'vitest';
import { scriptTester } from '@sconv/transform/testing';
import { bufferizationInterfaces } from '../src/index.ts';
import { oneShotBufferizeOp } from '../src/transforms.ts';

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
    'refuses %s',
    (attribute) => {
      const { diagnostics } = apply(payload, script(`{${attribute}}`));
      expect(diagnostics).toContain(`does not support ${attribute.replaceAll('"', '')}`);
    },
  );
});

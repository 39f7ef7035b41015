import { describe, expect, it } from 'vitest';
import { scriptPrinter, scriptTester } from '@sconv/transform/testing';
import { unwrap } from '@sconv/diagnostics';
import { printModule } from '@sconv/ir';
import type { UpstreamOptions } from '../src/index.ts';
import { bufferizationInterfaces, bufferizeModule } from '../src/index.ts';
import { oneShotBufferize } from '../src/transforms.ts';
import { parse, registry } from './support.ts';

const apply = scriptTester([oneShotBufferize], { attachments: bufferizationInterfaces });

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
    expect(text).toContain('(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: f32) -> memref<4xf32,');
  });

  it.each([
    ['InferLayoutMap', 'memref<4xf32, strided<[?], offset: ?>>'],
    ['IdentityLayoutMap', 'memref<4xf32>'],
    ['FullyDynamicLayoutMap', 'memref<4xf32, strided<[?], offset: ?>>'],
  ])('takes buffers of layout %s', (layout, type) => {
    const { text } = apply(payload, script('{ bufferize_function_boundaries = true }', `layout{${layout}}`));
    expect(text).toContain(`(%arg0: ${type}, %arg1: f32) -> ${type}`);
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
    expect(text).toContain(
      'linalg.fill {mark} ins(%arg1 : f32) outs(%arg0 : memref<4xf32, strided<[?], offset: ?>>)',
    );
  });

  const matchFunction = `%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
`;

  it('bufferizes one function inside', () => {
    const { text, diagnostics } = apply(payload, matchFunction + script('', '', '%f'));
    expect(diagnostics).toBe('');
    expect(text).toContain('bufferization.to_tensor %alloc');
  });

  const loop = (
    carried: string,
  ) => `func.func @f(%t: tensor<8xf32>, %o: tensor<8xf32>, %x: f32, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %t) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %w = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %s = linalg.add ins(%a, %w : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield ${carried} : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}`;
  const unknown = `func.func @f(%t: tensor<4xf32>) -> tensor<8xf32> {
  %0 = tensor.concat dim(0) %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}`;

  it.each([
    [
      'target-function',
      payload,
      matchFunction + script('{bufferize_function_boundaries = true}', '', '%f'),
      'expected module target',
    ],
    [
      'not-a-module',
      payload,
      `%f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
${script('', '', '%f')}`,
      'expected module or function target',
    ],
    ['not-bufferized', unknown, script('{bufferize_function_boundaries = true}'), 'op was not bufferized'],
    [
      'other-yield',
      loop('%o'),
      script('{bufferize_function_boundaries = true}'),
      'Yield operand #0 is not equivalent to the corresponding iter bbArg',
    ],
  ])('fails with %s', (code, of, text, message) => {
    const outcome = apply(of, text);
    expect(outcome.status).toBe('definite');
    expect(outcome.diagnostics).toContain(`bufferize/${code}`);
    expect(outcome.diagnostics).toContain(message);
  });

  it('overwrites no argument in a later block that is read after that', () => {
    const { text, diagnostics } = apply(
      `func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  cf.br ^bb1
^bb1:
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %0, %t : tensor<4xf32>, tensor<4xf32>
}`,
      script('{bufferize_function_boundaries = true}'),
    );
    expect(diagnostics).toBe('');
    expect(text).toContain('outs(%alloc : memref<4xf32>)');
  });

  it('says which values may share memory with dump_alias_sets', () => {
    const { text, diagnostics } = apply(
      `func.func @f(%t: tensor<4xf32>, %x: f32, %c: i1) -> tensor<4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb1(%0 : tensor<4xf32>)
^bb1(%a: tensor<4xf32>):
  return %a : tensor<4xf32>
}`,
      script('{bufferize_function_boundaries = true, test_analysis_only = true, dump_alias_sets = true}'),
    );
    expect(diagnostics).toBe('');
    expect(text).toContain(
      'linalg.fill {__inplace_operands_attr__ = ["none", "true"], __opresult_alias_set_attr__ = [["%1", "%0", "%arg0"]]}',
    );
    expect(text).toContain('__bbarg_alias_set_attr__ = [[[["%1", "%0", "%arg0"]], [["%1", "%0", "%arg0"]]]]');
  });

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
    '%root {allow_return_allocs_from_loops = true}',
  ])('prints %s as it reads it', (form) => {
    const line = `%0 = transform.bufferization.one_shot_bufferize ${form} : (!transform.any_op) -> !transform.any_op`;
    expect(scriptPrinter([oneShotBufferize])(line)).toEqual([line]);
  });

  it.each<readonly [string, Omit<UpstreamOptions, 'decisions'>]>([
    ['{}', {}],
    ['{bufferize_function_boundaries = true}', { bufferizeFunctionBoundaries: true }],
    ['{memcpy_op = "linalg.copy"}', { memcpyOp: 'linalg.copy' }],
    ['{test_analysis_only = true, print_conflicts = true}', { testAnalysisOnly: true, printConflicts: true }],
    [
      '{allow_return_allocs_from_loops = true, check_parallel_regions = false, allow_unknown_ops = true}',
      { allowReturnAllocsFromLoops: true, checkParallelRegions: false, allowUnknownOps: true },
    ],
  ])('does with %s what bufferizeModule does with %o', (attributes, options) => {
    const expected = unwrap(
      bufferizeModule(parse(loop('%s')), { decisions: 'upstream', registry, ...options }),
    );
    const { text, diagnostics } = apply(loop('%s'), script(attributes));
    expect(diagnostics).toBe('');
    expect(text).toBe(printModule(expected, { registry, localScope: true }));
  });
});

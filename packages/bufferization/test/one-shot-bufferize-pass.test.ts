import { describe, expect, it } from 'vitest';
import { render, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule, printModule, runPipeline } from '@sconv/ir';
import { bufferizationInterfaces, bufferizeModule, oneShotBufferizePass } from '../src/index.ts';

const registry = createRegistry(payloadDialects, bufferizationInterfaces);
const payload = unwrap(
  parseModule(
    `func.func @f(%t: tensor<8xf32>, %x: f32, %n: index) -> tensor<8xf32> {
      %zero = arith.constant 0 : index %one = arith.constant 1 : index
      %r = scf.for %i = %zero to %n step %one iter_args(%a = %t) -> (tensor<8xf32>) {
        %e = tensor.empty() : tensor<8xf32>
        %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
        %s = linalg.add ins(%a, %f : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
        scf.yield %s : tensor<8xf32>
      }
      return %r : tensor<8xf32>
    }`,
    { registry },
  ),
);

const each = [
  {},
  { bufferizeFunctionBoundaries: true },
  { bufferizeFunctionBoundaries: true, functionBoundaryTypeConversion: 'identity-layout-map' },
  { bufferizeFunctionBoundaries: true, bufferAlignment: 16 },
  { copyBeforeWrite: true, dialectFilter: ['scf', 'linalg', 'tensor', 'bufferization'] },
  { unknownTypeConversion: 'identity-layout-map' },
  { testAnalysisOnly: true },
] as const;

describe('one-shot-bufferize', () => {
  it("has upstream's presets", () => {
    expect(oneShotBufferizePass()).toMatchObject({
      name: 'one-shot-bufferize',
      title: 'OneShotBufferize',
      options: {
        'allow-return-allocs-from-loops': 'false',
        'allow-unknown-ops': 'false',
        'analysis-heuristic': 'bottom-up',
        'bufferize-function-boundaries': 'false',
        'check-parallel-regions': 'true',
        'copy-before-write': 'false',
        'function-boundary-type-conversion': 'infer-layout-map',
        'unknown-type-conversion': 'fully-dynamic-layout-map',
        'buffer-alignment': '64',
      },
    });
  });

  it.each(each)('does what bufferizeModule does with %o', (options) => {
    const expected = unwrap(bufferizeModule(payload, { decisions: 'upstream', registry, ...options }));
    const made = unwrap(runPipeline(payload, [oneShotBufferizePass(options)], { registry }));
    expect(printModule(made, { registry })).toBe(printModule(expected, { registry }));
  });

  it('makes something else with each option', () => {
    const made = each.map((options) =>
      printModule(unwrap(runPipeline(payload, [oneShotBufferizePass(options)], { registry })), { registry }),
    );
    expect(new Set(made).size).toBe(each.length);
  });

  it.each([
    [{ unknownTypeConversion: 'infer-layout-map' }, "'infer-layout-map' is not a valid value"],
    [{ copyBeforeWrite: true, testAnalysisOnly: true }, "'copy-before-write' cannot be used"],
    [{ dumpAliasSets: true }, "'dump-alias-sets' requires 'test-analysis-only'"],
    [{ printConflicts: true }, "'print-conflicts' requires 'test-analysis-only'"],
    [{ noAnalysisFuncFilter: ['f'] }, "'no-analysis-func-filter' requires 'bufferize-function-boundaries'"],
  ] as const)('refuses %o', (options, message) => {
    const { status, diagnostics } = runPipeline(payload, [oneShotBufferizePass(options)], { registry });
    expect(status).toBe('definite');
    expect(diagnostics.map((diagnostic) => render(diagnostic)).join()).toContain('[bufferize/option]');
    expect(diagnostics[0]?.message).toContain(message);
  });
});

import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule, printModule, runPipeline } from '@sconv/ir';
import { bufferizationInterfaces, oneShotBufferize, oneShotBufferizePass } from '../src/index.ts';

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

describe('one-shot-bufferize', () => {
  it("has upstream's presets", () => {
    expect(oneShotBufferizePass()).toMatchObject({
      name: 'one-shot-bufferize',
      title: 'OneShotBufferize',
      options: {
        'bufferize-function-boundaries': 'false',
        'function-boundary-type-conversion': 'infer-layout-map',
        'drop-equivalent-buffer-results': 'false',
        'hoist-allocations': 'false',
        'buffer-alignment': '64',
      },
    });
  });

  it.each([
    {},
    { bufferizeFunctionBoundaries: true },
    { bufferizeFunctionBoundaries: true, functionBoundaryTypeConversion: 'identity-layout-map' },
    { bufferizeFunctionBoundaries: true, dropEquivalentBufferResults: true },
    { bufferizeFunctionBoundaries: true, hoistAllocations: true },
    { bufferizeFunctionBoundaries: true, bufferAlignment: 16 },
  ] as const)('does what oneShotBufferize does with %o', (options) => {
    const presets = {
      bufferizeFunctionBoundaries: false,
      functionBoundaryTypeConversion: 'infer-layout-map',
      dropEquivalentBufferResults: false,
      hoistAllocations: false,
    } as const;
    const expected = unwrap(oneShotBufferize(payload, { registry, ...presets, ...options }));
    const made = unwrap(runPipeline(payload, [oneShotBufferizePass(options)], { registry }));
    expect(printModule(made, { registry })).toBe(printModule(expected, { registry }));
  });

  it('makes something else with each option', () => {
    const texts = [
      {},
      { bufferizeFunctionBoundaries: true },
      { bufferizeFunctionBoundaries: true, functionBoundaryTypeConversion: 'identity-layout-map' },
      { bufferizeFunctionBoundaries: true, dropEquivalentBufferResults: true },
      { bufferizeFunctionBoundaries: true, hoistAllocations: true },
      { bufferizeFunctionBoundaries: true, bufferAlignment: 16 },
    ] as const;
    const made = texts.map((options) =>
      printModule(unwrap(runPipeline(payload, [oneShotBufferizePass(options)], { registry })), { registry }),
    );
    expect(new Set(made).size).toBe(texts.length);
  });
});

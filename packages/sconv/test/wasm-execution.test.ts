import { unwrap } from '@sconv/diagnostics';
import { interpreterFor } from '@sconv/explain';
import type { RuntimeValue } from '@sconv/interpreter';
import { elementsOf, memref, tensor } from '@sconv/interpreter';
import { f32, parseModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { defaultRegistry as registry } from '../src/default-registry.ts';
import { wasmExecution } from '../src/explain/wasm-execution.ts';

const parse = (text: string) => unwrap(parseModule(text, { registry, fileName: 'state.mlir' }));

const elements = (values: readonly RuntimeValue[]) =>
  values.map((value) =>
    typeof value !== 'object'
      ? value
      : [...(value.kind === 'tensor' ? elementsOf(value) : value.allocation.data)],
  );

const matrix = tensor([2, 3], Float32Array.of(1, -2, 3, -4, 5, -6));

const tiles = `func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a) -> (tensor<2x3xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
    %sum = linalg.add ins(%row, %row : tensor<1x3xf32>, tensor<1x3xf32>) outs(%row : tensor<1x3xf32>) -> tensor<1x3xf32>
    %y = tensor.insert_slice %sum into %x[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<2x3xf32>
    scf.yield %y : tensor<2x3xf32>
  }
  return %0 : tensor<2x3xf32>
}`;

/** Its loop goes to 2^40, unless an access out of bounds ends it. */
const endless = `func.func @f(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000000000 : index
  %x = memref.load %a[%c0] : memref<4xf32>
  scf.for %i = %c0 to %many step %c1 {
    scf.for %j = %c0 to %many step %c1 {
      memref.store %x, %a[%c1] : memref<4xf32>
    }
  }
  return
}`;

describe('wasmExecution', () => {
  it('gives what the interpreter does', () => {
    const compiled = unwrap(wasmExecution()(parse(tiles), 'f', [matrix]));
    expect(elements(compiled)).toEqual([[2, -4, 6, -8, 10, -12]]);
    expect(elements(compiled)).toEqual(
      elements(unwrap(interpreterFor(registry, 1e6)(parse(tiles), 'f', [matrix]))),
    );
  });

  it('writes into buffers', () => {
    const buffer = memref([4], Float32Array.of(3, 0, 0, 0), { elementType: f32 });
    const module = parse(endless.replaceAll('1000000000', '3'));
    expect(unwrap(wasmExecution()(module, 'f', [buffer]))).toEqual([]);
    expect([...buffer.allocation.data]).toEqual([3, 3, 0, 0]);
  });

  it('is done with the work, not the one of the interpreter, which refuses it', () => {
    const module = parse(endless.replaceAll('1000000000', '20000'));
    const buffer = () => memref([4], Float32Array.of(3, 0, 0, 0), { elementType: f32 });
    expect(unwrap(wasmExecution()(module, 'f', [buffer()]))).toEqual([]);
    expect(interpreterFor(registry, 1e4)(module, 'f', [buffer()])).toMatchObject({
      diagnostics: [{ code: 'interpreter/step-limit' }],
    });
  });

  it('ends what does not end, and leaves the buffers as they were', () => {
    const buffer = memref([4], Float32Array.of(3, 0, 0, 0), { elementType: f32 });
    expect(wasmExecution(1e4)(parse(endless), 'f', [buffer])).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'interpreter/step-limit' }],
    });
  });

  it('sees elements that nothing has written', () => {
    const module = parse(`func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.add ins(%a, %e : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }`);
    const results = unwrap(wasmExecution()(module, 'f', [tensor([4], new Float32Array(4))]));
    expect(elements(results)).toEqual([[NaN, NaN, NaN, NaN]]);
  });

  it.each([
    ['an op', 'index', 'index', '%0 = arith.addi %a, %a : index'],
    ['a type', 'f16', 'f16', '%0 = arith.addf %a, %a : f16'],
  ])('interprets %s that does not lower', (_what, from, to, body) => {
    const module = parse(`func.func @f(%a: ${from}) -> ${to} {\n${body}\nreturn %0 : ${to}\n}`);
    expect(unwrap(wasmExecution()(module, 'f', [2]))).toEqual([4]);
  });

  it('lets the interpreter say where an access is out of bounds', () => {
    const module = parse(`func.func @f(%a: memref<4xf32>) {
      %far = arith.constant 1000000000 : index
      %x = memref.load %a[%far] : memref<4xf32>
      memref.store %x, %a[%far] : memref<4xf32>
      return
    }`);
    const buffer = memref([4], new Float32Array(4), { elementType: f32 });
    expect(wasmExecution()(module, 'f', [buffer])).toMatchObject({
      diagnostics: [{ location: { line: 3 } }],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry } from '@sconv/ir';
import { bufferizeModule } from '../src/index.ts';
import { bufferized, parse, registry } from './support.ts';

describe('what cannot be bufferized', () => {
  it.each([
    [
      'an operation without a bufferization model',
      `func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}`,
      "test.mlir:2:8: error: 'tensor.concat' cannot be bufferized: it has no bufferization model [bufferize/unsupported-op]",
    ],
    [
      'arithmetic on tensors',
      `func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}`,
      "'arith.addf' cannot be bufferized",
    ],
    [
      'an unranked tensor',
      `func.func @f(%a: tensor<2xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %a : tensor<2xf32> to tensor<*xf32>
  return %0 : tensor<*xf32>
}`,
      "'tensor.cast' cannot be bufferized: it uses an unranked tensor",
    ],
    [
      'a tensor of a buffer that others may use',
      `func.func @f(%m: memref<2xf32>) -> tensor<2xf32> {
  %0 = bufferization.to_tensor %m : memref<2xf32>
  return %0 : tensor<2xf32>
}`,
      "it is not marked 'restrict'",
    ],
    [
      'tensors in a loop that is not scf.for',
      `func.func @f(%t: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %0 = scf.while (%a = %t) : (tensor<2xf32>) -> tensor<2xf32> {
    scf.condition(%c) %a : tensor<2xf32>
  } do {
  ^bb0(%a: tensor<2xf32>):
    scf.yield %a : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}`,
      "'scf.while' cannot be bufferized",
    ],
    [
      'tensors inside an operation that it does not know',
      `func.func @f(%t: tensor<2xf32>, %n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %0 = tensor.extract %t[%i] : tensor<2xf32>
    scf.reduce
  }
  return
}`,
      "'tensor.extract' cannot be bufferized: it uses tensors in a region of 'scf.parallel', which does not support them",
    ],
    [
      'recursive functions',
      `func.func @f(%t: tensor<2xf32>) {
  call @g(%t) : (tensor<2xf32>) -> ()
  return
}
func.func @g(%t: tensor<2xf32>) {
  call @f(%t) : (tensor<2xf32>) -> ()
  return
}`,
      'test.mlir:1:1: error: @f passes tensors to recursive functions [bufferize/recursive-call]',
    ],
    [
      'a function with tensors in its signature, as a value',
      `func.func @f() {
  %0 = constant @g : (tensor<2xf32>) -> ()
  return
}
func.func private @g(tensor<2xf32>)`,
      "'func.constant' cannot be bufferized: it uses a function with tensors in its signature as a value",
    ],
    [
      'a carried tensor that is replaced by one of another size',
      `func.func @f(%t: tensor<?xf32>, %n: index, %c0: index, %c1: index) -> tensor<?xf32> {
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %1 = tensor.empty(%i) : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}`,
      'iteration argument #0 is not updated in place and may change its size [bufferize/loop-carried-size]',
    ],
    [
      'branches between blocks',
      `func.func @f(%t: tensor<2xf32>, %c: i1, %i: index) -> f32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = tensor.extract %t[%i] : tensor<2xf32>
  return %0 : f32
^bb2:
  %x = arith.constant 0.0 : f32
  return %x : f32
}`,
      "test.mlir:4:8: error: 'tensor.extract' uses tensors in a region of 3 blocks; only structured control flow is supported [bufferize/unstructured-control-flow]",
    ],
    [
      'a function that only returns tensors as a value',
      `func.func @f() {
  %0 = constant @g : (i32) -> (tensor<2xf32>, i32)
  return
}
func.func private @g(i32) -> (tensor<2xf32>, i32)`,
      "'func.constant' cannot be bufferized: it uses a function with tensors in its signature as a value",
    ],
    [
      'a buffer whose layout is no strides',
      `func.func @f(%m: memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>
  %0 = tensor.extract %t[%i] : tensor<4xf32>
  return %0 : f32
}`,
      "'bufferization.to_tensor' cannot be bufferized: it uses a buffer whose layout is not strided",
    ],
    [
      'a tensor with an encoding',
      `func.func @f(%t: tensor<2xf32, "sparse">, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<2xf32, "sparse">
  return %0 : f32
}`,
      "'tensor.extract' cannot be bufferized: it uses a tensor with an encoding",
    ],
  ])('%s', (_, text, message) => {
    const { status, diagnostics } = bufferized(text);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(message);
  });

  it('says so where the registry has no models at all', () => {
    const module = parse(
      'func.func @f(%t: tensor<2xf32>) {\n  return\n}\nfunc.func @g(%t: tensor<2xf32>) {\n  call @f(%t) : (tensor<2xf32>) -> ()\n  return\n}',
    );
    const { diagnostics } = bufferizeModule(module, { registry: createRegistry(payloadDialects) });
    const [note] = diagnostics[0]!.notes;
    expect(note).toEqual({
      message: 'the registry has no bufferization models: create it with bufferizationInterfaces',
      location: diagnostics[0]!.location,
    });
    expect(bufferizeModule(module, { registry }).status).toBe('success');
    const others = bufferizeModule(
      parse('func.func @f(%a: tensor<2xf32>) {\n  %0 = arith.addf %a, %a : tensor<2xf32>\n  return\n}'),
      { registry },
    );
    expect(others.diagnostics[0]!.notes).toEqual([]);
  });

  it('leaves the module as it was', () => {
    const module = parse(`func.func @ok(%t: tensor<2xf32>) -> tensor<2xf32> {
  return %t : tensor<2xf32>
}
func.func @bad(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}`);
    const before = JSON.stringify(module, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(bufferizeModule(module, { registry }).status).toBe('definite');
    expect(
      JSON.stringify(module, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).toBe(before);
  });
});

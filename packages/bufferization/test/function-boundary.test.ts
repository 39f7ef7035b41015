import { describe, expect, it } from 'vitest';
import { bufferized } from './support.ts';

describe('function boundaries', () => {
  const identity = `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}`;

  it('drops returned arguments, or keeps them', () => {
    expect(bufferized(identity).text).toBe(
      'func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {\n  return\n}',
    );
    expect(bufferized(identity, { dropEquivalentBufferResults: false }).text).toContain(
      'return %arg1, %arg0 : memref<4xf32>, memref<4xf32>',
    );
  });

  it('drops those of private functions only', () => {
    const { text } = bufferized(
      `func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}`,
      { dropEquivalentBufferResults: 'private' },
    );
    expect(text).toContain('private @g(%arg0: memref<4xf32>) {');
    expect(text).toContain('@f(%arg0: memref<4xf32>) -> memref<4xf32>');
    expect(text).toContain('return %arg0 : memref<4xf32>');
  });

  it('leaves computed numbers beside tensors', () => {
    const { text } =
      bufferized(`func.func @f(%a: tensor<4xf32>, %m: memref<4xi32>, %x: i32) -> (i32, tensor<4xf32>) {
  %y = arith.addi %x, %x : i32
  return %y, %a : i32, tensor<4xf32>
}
func.func @g(%a: tensor<4xf32>, %m: memref<4xi32>, %x: i32) -> i32 {
  %y:2 = call @f(%a, %m, %x) : (tensor<4xf32>, memref<4xi32>, i32) -> (i32, tensor<4xf32>)
  return %y#0 : i32
}`);
    expect(text).toBe(`func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xi32>, %arg2: i32) -> i32 {
  %0 = arith.addi %arg2, %arg2 : i32
  return %0 : i32
}
func.func @g(%arg0: memref<4xf32>, %arg1: memref<4xi32>, %arg2: i32) -> i32 {
  %0 = call @f(%arg0, %arg1, %arg2) : (memref<4xf32>, memref<4xi32>, i32) -> i32
  return %0 : i32
}`);
  });

  it.each([
    ['identity-layout-map', 'memref<2x3xf32>', 'memref<1x3xf32>', 1],
    [
      'fully-dynamic-layout-map',
      'memref<2x3xf32, strided<[?, ?], offset: ?>>',
      'memref<1x3xf32, strided<[?, ?], offset: ?>>',
      0,
    ],
    [
      'infer-layout-map',
      'memref<2x3xf32, strided<[?, ?], offset: ?>>',
      'memref<1x3xf32, strided<[?, ?], offset: ?>>',
      0,
    ],
  ] as const)('takes and gives buffers of %s', (functionBoundaryTypeConversion, input, result, copies) => {
    const outcome = bufferized(
      `func.func @f(%t: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %0 = tensor.extract_slice %t[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func private @external(tensor<2x3xf32>)`,
      { functionBoundaryTypeConversion },
    );
    expect(outcome.text).toContain(`@f(%arg0: ${input}) -> ${result}`);
    expect(outcome.text).toContain(`func.func private @external(${input})`);
    expect(outcome.copies).toBe(copies);
  });

  it.each([
    ['identity-layout-map', 'memref<2x3xf32>', 'memref<1x2xf32>', 1],
    ['fully-dynamic-layout-map', 'memref<2x3xf32, strided<[?, ?], offset: ?>>', 'memref<1x2xf32, strided<[?, ?], offset: ?>>', 0],
    ['infer-layout-map', 'memref<2x3xf32>', 'memref<1x2xf32, strided<[3, 1], offset: 3>>', 0],
  ] as const)('gives new buffers, and parts of them, of %s', (functionBoundaryTypeConversion, whole, part, needed) => {
    const { text, copies } = bufferized(
      `func.func @f(%x: f32) -> (tensor<2x3xf32>, tensor<1x2xf32>) {
  %0 = tensor.splat %x : tensor<2x3xf32>
  %1 = tensor.splat %x : tensor<2x3xf32>
  %2 = tensor.extract_slice %1[1, 0] [1, 2] [1, 1] : tensor<2x3xf32> to tensor<1x2xf32>
  return %0, %2 : tensor<2x3xf32>, tensor<1x2xf32>
}`,
      { functionBoundaryTypeConversion },
    );
    expect(text).toContain(`@f(%arg0: f32) -> (${whole}, ${part}) {`);
    expect(copies).toBe(needed);
  }); // prettier-ignore

  it.each([
    [
      'before it is called',
      1,
      [
        '%w = tensor.insert %x into %e[%i] : tensor<4xf32>',
        '%r = call @f2(%e) : (tensor<4xf32>) -> tensor<4xf32>',
      ],
    ],
    [
      'after it was called',
      0,
      [
        '%r = call @f2(%e) : (tensor<4xf32>) -> tensor<4xf32>',
        '%w = tensor.insert %x into %e[%i] : tensor<4xf32>',
      ],
    ],
  ])('copies what a function of tensors reads where it is written %s', (_, needed, lines) => {
    const { copies, diagnostics } = bufferized(
      `func.func @f(%x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.splat %x : tensor<4xf32>
  ${lines.join('\n  ')}
  return %w, %r : tensor<4xf32>, tensor<4xf32>
}
func.func private @f2(tensor<4xf32>) -> tensor<4xf32>`,
      { bufferizeFunctionBoundaries: false },
    );
    expect(diagnostics).toBe('');
    expect(copies).toBe(needed);
  });

  it('leaves the types of functions and casts inside', () => {
    const { text, diagnostics } = bufferized(
      `func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f2(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f2(tensor<4xf32>) -> tensor<4xf32>`,
      { bufferizeFunctionBoundaries: false },
    );
    expect(diagnostics).toBe('');
    expect(text).toMatchInlineSnapshot(`
      "func.func @f(%arg0: tensor<4xf32>, %arg1: f32) -> tensor<4xf32> {
        %0 = bufferization.to_memref %arg0 : memref<4xf32, strided<[?], offset: ?>>
        %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        linalg.fill ins(%arg1 : f32) outs(%alloc : memref<4xf32>)
        %1 = bufferization.to_tensor %alloc restrict : memref<4xf32>
        %2 = call @f2(%1) : (tensor<4xf32>) -> tensor<4xf32>
        %3 = bufferization.to_memref %2 : memref<4xf32>
        %4 = bufferization.to_tensor %3 restrict : memref<4xf32>
        return %4 : tensor<4xf32>
      }
      func.func private @f2(tensor<4xf32>) -> tensor<4xf32>"
    `);
  });

  it('forgets what was said to bufferization and keeps other attributes', () => {
    const { text } = bufferized(
      `func.func @f(%a: tensor<4xf32> {bufferization.writable = false, llvm.noalias}, %b: tensor<4xf32> {bufferization.writable = true}, %x: f32) -> (tensor<4xf32> {test.other}, tensor<4xf32> {bufferization.tag, test.mark}) {
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %b, %0 : tensor<4xf32>, tensor<4xf32>
}`,
    );
    expect(text).toContain(
      'func.func @f(%arg0: memref<4xf32> {llvm.noalias}, %arg1: memref<4xf32>, %arg2: f32) -> (memref<4xf32> {test.mark})',
    );
    expect(text).toContain('outs(%alloc : memref<4xf32>)');
  });

  it('keeps numbers that are arguments', () => {
    const { text } = bufferized(`func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) {
  return %t, %x : tensor<4xf32>, f32
}`);
    expect(text).toBe('func.func @f(%arg0: memref<4xf32>, %arg1: f32) -> f32 {\n  return %arg1 : f32\n}');
  });

  it('changes functions of which only some types are tensors, and which do nothing with them', () => {
    const { text } = bufferized(`func.func private @takes(tensor<4xf32>, index)
func.func private @gives(index) -> (index, tensor<4xf32>)
func.func @ignores(%t: tensor<4xf32>, %i: index) -> index {
  return %i : index
}`);
    expect(text).not.toContain('tensor');
    expect(text.match(/memref<4xf32/g)).toHaveLength(3);
  });

  it('gives no buffer twice', () => {
    const outcome = bufferized(`func.func @f(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.splat %x : tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}`);
    expect(outcome.copies).toBe(1);
    expect(outcome.text).toContain('return %alloc, %alloc_0 : memref<4xf32>, memref<4xf32>');
  });
});

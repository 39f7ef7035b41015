/** Passes on buffers that change what functions return, and those that end bufferization. */
import { describe, expect, it } from 'vitest';
import { render } from '@sconv/diagnostics';
import { made, run } from './run-pass.ts';

describe('drop-equivalent-buffer-results', () => {
  it('gives callers what they passed', () => {
    const text = `
func.func @f(%m: memref<4xf32>, %n: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>, f32) {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  %x = arith.constant 1.0 : f32
  return %c, %n, %x : memref<?xf32>, memref<?xf32>, f32
}
func.func @g(%m: memref<4xf32>, %n: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>, f32) {
  %0:3 = call @f(%m, %n) : (memref<4xf32>, memref<?xf32>) -> (memref<?xf32>, memref<?xf32>, f32)
  return %0#0, %0#1, %0#2 : memref<?xf32>, memref<?xf32>, f32
}`;
    expect(made('drop-equivalent-buffer-results', text))
      .toBe(`func.func @f(%arg0: memref<4xf32>, %arg1: memref<?xf32>) -> f32 {
  %cast = memref.cast %arg0 : memref<4xf32> to memref<?xf32>
  %cst = arith.constant 1.000000e+00 : f32
  return %cst : f32
}
func.func @g(%arg0: memref<4xf32>, %arg1: memref<?xf32>) -> f32 {
  %0 = call @f(%arg0, %arg1) : (memref<4xf32>, memref<?xf32>) -> f32
  %cast = memref.cast %arg0 : memref<4xf32> to memref<?xf32>
  return %0 : f32
}`);
  });

  it('keeps what is said of the other results', () => {
    const text = `
func.func @f(%m: memref<4xf32>) -> (memref<4xf32> {test.first}, f32 {test.second}) {
  %x = arith.constant 1.0 : f32
  return %m, %x : memref<4xf32>, f32
}
func.func @g(%m: memref<4xf32>) -> (memref<4xf32> {test.first}) {
  return %m : memref<4xf32>
}`;
    expect(made('drop-equivalent-buffer-results', text))
      .toBe(`func.func @f(%arg0: memref<4xf32>) -> (f32 {test.second}) {
  %cst = arith.constant 1.000000e+00 : f32
  return %cst : f32
}
func.func @g(%arg0: memref<4xf32>) {
  return
}`);
  });

  it('keeps a result that is another in each return', () => {
    const text = `func.func @f(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %m : memref<4xf32>
^bb2:
  %0 = memref.alloc() : memref<4xf32>
  return %0 : memref<4xf32>
}`;
    expect(made('drop-equivalent-buffer-results', text)).toContain('-> memref<4xf32> {');
  });
});

describe('buffer-results-to-out-params', () => {
  const name = 'buffer-results-to-out-params';
  const text = `func.func private @e() -> (memref<2xf32> {test.said}, i32)
func.func @f(%m: memref<4xf32>, %x: f32) -> (memref<4xf32>, f32, memref<4xf32, strided<[?], offset: ?>>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %c = memref.cast %m : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %a, %x, %c : memref<4xf32>, f32, memref<4xf32, strided<[?], offset: ?>>
}
func.func @g(%m: memref<4xf32>, %x: f32) -> f32 {
  %0:3 = call @f(%m, %x) : (memref<4xf32>, f32) -> (memref<4xf32>, f32, memref<4xf32, strided<[?], offset: ?>>)
  memref.copy %0#0, %m : memref<4xf32> to memref<4xf32>
  return %0#1 : f32
}`;

  it('lets functions write what they returned to buffers of their callers', () => {
    expect(made(name, text)).toBe(`func.func private @e(memref<2xf32> {test.said}) -> i32
func.func @f(%arg0: memref<4xf32>, %arg1: f32, %arg2: memref<4xf32>, %arg3: memref<4xf32, strided<[?], offset: ?>>) -> f32 {
  %alloc = memref.alloc() : memref<4xf32>
  linalg.fill ins(%arg1 : f32) outs(%alloc : memref<4xf32>)
  %cast = memref.cast %arg0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  memref.copy %alloc, %arg2 : memref<4xf32> to memref<4xf32>
  memref.copy %cast, %arg3 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  return %arg1 : f32
}
func.func @g(%arg0: memref<4xf32>, %arg1: f32) -> f32 {
  %alloc = memref.alloc() : memref<4xf32>
  %alloc_0 = memref.alloc() : memref<4xf32>
  %cast = memref.cast %alloc_0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %0 = call @f(%arg0, %arg1, %alloc, %cast) : (memref<4xf32>, f32, memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>) -> f32
  memref.copy %alloc, %arg0 : memref<4xf32> to memref<4xf32>
  return %0 : f32
}`);
  });

  it('uses the argument instead of an allocation, and says which it is', () => {
    const found = made(name, text, { 'hoist-static-allocs': 'true', 'add-result-attr': 'true' });
    expect(found).toContain('%arg2: memref<4xf32> {bufferize.result}');
    expect(found).toContain('linalg.fill ins(%arg1 : f32) outs(%arg2 : memref<4xf32>)');
  });

  it.each([
    ['a copy of the other result', 'memref.store %x, %0#0[%i] : memref<4xf32>', true],
    ['a copy of the argument', 'memref.store %x, %m[%i] : memref<4xf32>', true],
    ['copies that are only read', '%w = memref.load %m[%i] : memref<4xf32>', false],
  ])('refuses to give %s if a caller notices', (_, access, isRefused) => {
    const { diagnostics } = run(
      name,
      `func.func @f(%m: memref<4xf32>, %c: i1) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %m, %a : memref<4xf32>
  return %a, %s, %a : memref<4xf32>, memref<4xf32>, memref<4xf32>
}
func.func @g(%m: memref<4xf32>, %c: i1, %x: f32, %i: index) -> f32 {
  memref.store %x, %m[%i] : memref<4xf32>
  %0:3 = call @f(%m, %c) : (memref<4xf32>, i1) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>)
  ${access}
  %u = memref.load %0#1[%i] : memref<4xf32>
  %v = memref.load %0#2[%i] : memref<4xf32>
  %r = arith.addf %u, %v : f32
  return %r : f32
}`,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(isRefused ? ['out-params/aliased'] : []);
  });

  it.each([
    [
      'a layout',
      'func.func private @f() -> memref<4xf32, strided<[2]>>',
      'cannot create out param for result with unsupported layout [out-params/layout]',
    ],
    [
      'a size',
      `func.func private @f() -> memref<?xf32>
func.func @g() {
  %0 = call @f() : () -> memref<?xf32>
  return
}`,
      'cannot create out param for dynamically shaped result [out-params/dynamic]',
    ],
  ])('refuses %s that the caller cannot allocate', (_, payload, message) => {
    const { diagnostics } = run(name, payload);
    expect(diagnostics.map((diagnostic) => render(diagnostic)).join()).toContain(message);
  });
});

it('empty-tensor-to-alloc-tensor allocates', () => {
  const text = `func.func @f(%n: index) -> tensor<?x4xf32> {
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}`;
  expect(made('empty-tensor-to-alloc-tensor', text)).toContain(
    '%0 = bufferization.alloc_tensor(%arg0) : tensor<?x4xf32>',
  );
});

describe('finalizing-bufferize', () => {
  it('takes out tensors between buffers', () => {
    const text = `func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
  %0 = bufferization.to_tensor %m : memref<4xf32>
  %1 = bufferization.to_memref %0 : memref<4xf32>
  return %1 : memref<4xf32>
}`;
    expect(made('finalizing-bufferize', text)).toBe(`func.func @f(%arg0: memref<4xf32>) -> memref<4xf32> {
  return %arg0 : memref<4xf32>
}`);
  });

  it('fails where a tensor is left', () => {
    const text = `func.func @f(%t: tensor<4xf32>) -> memref<4xf32> {
  %0 = bufferization.to_memref %t : memref<4xf32>
  return %0 : memref<4xf32>
}`;
    const { diagnostics } = run('finalizing-bufferize', text);
    expect(diagnostics.map((diagnostic) => render(diagnostic)).join()).toContain('[bufferize/not-final]');
  });
});

describe('convert-linalg-to-std', () => {
  it('calls a function that is named for the op and its operands', () => {
    const text = `func.func @f(%a: memref<4x?xf32>, %b: memref<?x8xf32, 3>, %c: memref<4x8xf32>) {
  linalg.matmul ins(%a, %b : memref<4x?xf32>, memref<?x8xf32, 3>) outs(%c : memref<4x8xf32>)
  return
}`;
    const text19 = made('convert-linalg-to-std', text);
    expect(text19).toContain(
      'func.func private @linalg_matmul_view4xsxf32_viewsx8xf32as3_view4x8xf32(memref<4x?xf32, strided<[?, ?], offset: ?>>, memref<?x8xf32, strided<[?, ?], offset: ?>, 3>, memref<4x8xf32, strided<[?, ?], offset: ?>>) attributes {llvm.emit_c_interface}',
    );
    expect(text19).toContain(
      'call @linalg_matmul_view4xsxf32_viewsx8xf32as3_view4x8xf32(%cast, %cast_0, %cast_1)',
    );
  });

  it('calls what an op says, and names vectors and functions', () => {
    const generic = (
      call: string,
    ): string => `func.func @f(%a: memref<2xvector<4xf32>>, %i: index, %b: memref<2xvector<4xf32>>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]${call}}
    ins(%a, %i : memref<2xvector<4xf32>>, index) outs(%b : memref<2xvector<4xf32>>) {
  ^bb0(%x: vector<4xf32>, %y: index, %z: vector<4xf32>):
    linalg.yield %x : vector<4xf32>
  }
  return
}`;
    expect(made('convert-linalg-to-std', generic(', library_call = "own_copy"'))).toMatch(
      /call @own_copy\(%cast, %arg1, %cast_0\)/,
    );
    for (const call of ['', ', library_call = ""'])
      expect(run('convert-linalg-to-std', generic(call)).diagnostics.map(({ code }) => code)).toEqual([
        'bufferize/no-library-call',
      ]);
    const unary = `func.func @f(%a: memref<2xf32>, %b: memref<2xf32>) {
  linalg.elemwise_unary {fun = #linalg.unary_fn<abs>} ins(%a : memref<2xf32>) outs(%b : memref<2xf32>)
  return
}`;
    expect(made('convert-linalg-to-std', unary)).toContain('@linalg_elemwise_unary_abs_view2xf32_view2xf32(');
    const copied = `func.func @f(%a: memref<3xvector<2x4xf32>>, %b: memref<3xvector<2x4xf32>>) {
  linalg.copy ins(%a : memref<3xvector<2x4xf32>>) outs(%b : memref<3xvector<2x4xf32>>)
  return
}`;
    expect(made('convert-linalg-to-std', copied)).toContain(
      '@linalg_copy_view3xvector2x4f32_view3xvector2x4f32(',
    );
  });

  it.each([
    [
      'on tensors',
      'func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {\n%0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}',
    ],
    [
      'without a name',
      'func.func @f(%m: memref<4xcomplex<f32>>, %x: complex<f32>) {\nlinalg.fill ins(%x : complex<f32>) outs(%m : memref<4xcomplex<f32>>)\nreturn\n}',
    ],
  ])('has no call for one %s', (_name, text) => {
    const { diagnostics } = run('convert-linalg-to-std', text);
    expect(diagnostics.map((diagnostic) => render(diagnostic)).join()).toContain(
      '[bufferize/no-library-call]',
    );
  });
});

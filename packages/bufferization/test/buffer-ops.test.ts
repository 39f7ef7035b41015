/** The transforms on buffers, and those that make them. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { bufferizationInterfaces } from '../src/index.ts';
import { transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, {
  difference: firstDifference,
  attachments: [...bufferizationInterfaces],
});
const one = '!transform.any_op';
const found = (name: string): string =>
  `%t = transform.structured.match ops{["${name}"]} in %root : (${one}) -> !transform.op<"${name}">`;

describe('transform.memref.multibuffer', () => {
  const script = (attributes: string): string =>
    `${found('memref.alloc')}
%0 = transform.memref.multibuffer %t {${attributes}} : (!transform.op<"memref.alloc">) -> ${one}`;
  const loop = (first: string, loop = 'scf.for %i = %c0 to %c8 step %c2', type = '4xf32') => `
func.func @f(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc(${type === '4xf32' ? '' : '%c2'}) : memref<${type}>
  ${loop} {
    ${first}
    memref.copy %b, %m : memref<${type}> to memref<4xf32>
  }
  memref.dealloc %b : memref<${type}>
  return
}`;
  const fill = 'linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)';

  const whileLoop = `func.func @f(%x: f32, %c: i1) {
  %b = memref.alloc() : memref<4xf32>
  scf.while : () -> () {
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
    %false = arith.constant false
    scf.condition(%false)
  } do {
    scf.yield
  }
  return
}`;

  it.each([
    ['scf.for %i = %c0 to %c8 step %c2', '-> ((d0 floordiv 2) mod 3)>(%arg2)'],
    [
      'scf.for %i = %c2 to %c8 step %c2',
      '-> (d0 floordiv 2 - ((d0 floordiv 2 - 1) floordiv 3) * 3 - 1)>(%arg2)',
    ],
    ['affine.for %i = 0 to 8 step 4', '-> ((d0 floordiv 4) mod 3)>(%arg2)'],
    ['scf.forall (%i) in (8)', '-> (d0 mod 3)>(%arg2)'],
    ['scf.parallel (%i) = (%c0) to (%c8) step (%c2)', '-> ((d0 floordiv 2) mod 3)>(%arg2)'],
  ])('counts the iterations of %s', (kind, index) => {
    const { text, diagnostics } = apply(loop(fill, kind), script('factor = 3, skip_analysis'));
    expect(diagnostics).toBe('');
    expect(text).toContain(index);
    expect(text).toContain('memref.dealloc %alloc : memref<3x4xf32>');
  });

  it('leaves a buffer that is used outside of loops', () => {
    const payload = loop(fill).replace('memref.dealloc', `${fill}\n  memref.dealloc`);
    expect(apply(payload, script('factor = 2')).text).toContain('memref.alloc() : memref<4xf32>');
  });

  it.each([
    ['is not overwritten by the first user', loop(fill), 'factor = 2'],
    [
      'is overwritten before the loop ends only',
      loop('memref.copy %m, %b : memref<4xf32> to memref<4xf32>'),
      'factor = 2',
    ],
    ['is of dynamic size', loop('', undefined, '?xf32'), 'factor = 2, skip_analysis'],
    [
      'is used in several dimensions of loops',
      loop(fill, 'scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c2, %c2)'),
      'factor = 2, skip_analysis',
    ],
    ['is used in a loop that counts nothing', whileLoop, 'factor = 2, skip_analysis'],
  ])('refuses a buffer that %s', (_, payload, attributes) => {
    const { diagnostics } = apply(payload, script(attributes));
    expect(diagnostics).toContain('op failed to multibuffer [multibuffer/failed]');
  });
});

describe('transform.memref.alloca_to_global', () => {
  const script = `${found('memref.alloca')}
%0, %1 = transform.memref.alloca_to_global %t : (!transform.op<"memref.alloca">) -> (${one}, ${one})`;

  it('takes a name that the module does not have', () => {
    const { text } = apply(
      `memref.global "private" @alloca : memref<2xf32>
func.func @f(%m: memref<2xf32>) {
  %a = memref.alloca() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  return
}`,
      script,
    );
    expect(text).toContain('memref.get_global @alloca_0 : memref<2xf32>');
    expect(text).toContain('memref.global "private" @alloca_0 : memref<2xf32>');
  });

  it('refuses a dynamic size', () => {
    const { diagnostics } = apply(
      `func.func @f(%n: index) {
  %a = memref.alloca(%n) : memref<?xf32>
  return
}`,
      script,
    );
    expect(diagnostics).toContain('alloca-to-global/dynamic');
  });
});

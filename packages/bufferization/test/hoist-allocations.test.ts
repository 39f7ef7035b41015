import { describe, expect, it } from 'vitest';
import { edit, printModule } from '@sconv/ir';
import { hoistAllocations } from '../src/index.ts';
import { parse, registry } from './support.ts';

const hoisted = (body: string): string => {
  const module = parse(`func.func private @use(memref<4xf32>)
func.func private @keep(memref<4xf32>) -> memref<4xf32>
func.func @f(%m: memref<4xf32>, %lists: memref<1xmemref<4xf32>>, %c0: index, %c1: index, %n: index, %x: f32, %c: i1) {
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      ${body}
    }
  }
  return
}`);
  const after = edit(module, { registry }, (rewriter) => {
    hoistAllocations(rewriter, rewriter.root);
  });
  return printModule(after.module, { registry });
};

/** The lines of a function with this body, trimmed, before and after. */
const hoistedIn = (body: string): readonly string[] => {
  const module = parse(`func.func @f(%c0: index, %c1: index, %n: index, %x: f32) {
  ${body}
  return
}`);
  const after = edit(module, { registry }, (rewriter) => {
    hoistAllocations(rewriter, rewriter.root);
  });
  return printModule(after.module, { registry })
    .split('\n')
    .map((line) => line.trim());
};

const alloc = '%b = memref.alloc() : memref<4xf32>';
/** Before the outer loop. */
const isHoisted = (text: string): boolean => /\) \{\n {4}%alloc = memref\.alloc/.test(text);

describe('hoistAllocations', () => {
  it.each([
    [
      'loads, stores and structured operations',
      `${alloc}\n linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)\n %0 = memref.load %b[%i] : memref<4xf32>\n memref.store %0, %b[%j] : memref<4xf32>`,
    ],
    [
      'copies of views',
      `${alloc}\n %v = memref.subview %b[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>\n memref.copy %v, %v : memref<1xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>`,
    ],
    [
      'numbers of its layout, whatever becomes of them',
      `${alloc}\n %base, %at, %size, %step = memref.extract_strided_metadata %b : memref<4xf32> -> memref<f32>, index, index, index\n memref.store %x, %base[] : memref<f32>\n %v = memref.load %m[%at] : memref<4xf32>\n memref.store %v, %b[%j] : memref<4xf32>`,
    ],
    ['calls that give no buffer', `${alloc}\n func.call @use(%b) : (memref<4xf32>) -> ()`],
  ])('moves a buffer out of all loops: %s', (_, body) => {
    expect(isHoisted(hoisted(body))).toBe(true);
  });

  const fill = 'linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)';

  it.each([
    ['scf.parallel', 'scf.parallel (%i) = (%c0) to (%n) step (%c1) {'],
    ['scf.forall', 'scf.forall (%i) in (4) {'],
    ['affine.parallel', 'affine.parallel (%i) = (0) to (4) {'],
  ])('leaves each iteration its own buffer that may run beside others: %s', (name, loop) => {
    const at = (lines: readonly string[], text: string) => lines.findIndex((line) => line.includes(text));
    const inner = hoistedIn(`${loop}\n ${alloc}\n ${fill}\n }`);
    expect(at(inner, 'memref.alloc')).toBe(at(inner, name) + 1);
    // Out of the sequential loops, and no further.
    const lines = hoistedIn(
      `scf.for %a = %c0 to %n step %c1 {\n ${loop}\n affine.for %j = 0 to 4 {\n scf.for %k = %c0 to %n step %c1 {\n ${alloc}\n ${fill}\n }\n }\n }\n }`,
    );
    expect(at(lines, 'memref.alloc')).toBe(at(lines, name) + 1);
  });

  it.each([
    ['of dynamic size', '%b = memref.alloc(%i) : memref<?xf32>'],
    ['freed in the iteration', `${alloc}\n memref.dealloc %b : memref<4xf32>`],
    ['stored itself', `${alloc}\n memref.store %b, %lists[%c0] : memref<1xmemref<4xf32>>`],
    ['that a call may give back', `${alloc}\n %0 = func.call @keep(%b) : (memref<4xf32>) -> memref<4xf32>`],
    ['seen as a tensor', `${alloc}\n %0 = bufferization.to_tensor %b restrict : memref<4xf32>`],
    [
      'handed on through a view',
      `${alloc}\n %v = memref.cast %b : memref<4xf32> to memref<?xf32>\n %0 = scf.if %c -> (memref<?xf32>) {\n scf.yield %v : memref<?xf32>\n } else {\n scf.yield %v : memref<?xf32>\n }`,
    ],
    ['in a branch', `scf.if %c {\n ${alloc}\n linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)\n }`],
  ])('leaves a buffer %s', (_, body) => {
    expect(isHoisted(hoisted(body))).toBe(false);
  });
});

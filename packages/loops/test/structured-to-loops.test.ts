/** Structured ops on buffers as loops. */
import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule, printModule, verify } from '@sconv/ir';
import { passes } from '../src/passes.ts';

const registry = createRegistry(payloadDialects);

const made = (text: string): string => {
  const pass = passes.find(({ definition }) => definition.name === 'convert-linalg-to-affine-loops')!;
  const after = unwrap(pass().run(unwrap(parseModule(text, { registry })), { registry }));
  expect(verify(after, registry)).toEqual([]);
  return printModule(after, { registry });
};

/** Fills what an iteration allocates or views. */
const filled = (
  buffer: string,
  type: string,
): string => `func.func @f(%n: index, %m: memref<?xf32>, %x: f32) {
  scf.for %i = %n to %n step %n {
    %b = ${buffer}
    linalg.fill ins(%x : f32) outs(%b : ${type})
  }
  return
}`;

const view = 'memref<?xf32, strided<[1], offset: ?>>';

describe('convert-linalg-to-affine-loops', () => {
  it.each([
    ['memref.alloc(%n) : memref<?xf32>', 'memref<?xf32>', 'affine.for'],
    ['memref.alloc(%i) : memref<?xf32>', 'memref<?xf32>', 'scf.for'],
    [`memref.subview %m[%i] [%n] [1] : memref<?xf32> to ${view}`, view, 'affine.for'],
    [`memref.subview %m[%n] [%i] [1] : memref<?xf32> to ${view}`, view, 'scf.for'],
    ['memref.alloc() : memref<4xf32>', 'memref<4xf32>', 'affine.for'],
  ])('makes valid loops of a fill of %s', (buffer, type, loop) => {
    const text = made(filled(buffer, type));
    expect(text).not.toContain('linalg.fill');
    expect(text.match(/(affine|scf)\.for/g)).toEqual(['scf.for', loop]);
  });
});

import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { publicFunctions } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const found = (text: string, indexBytes: 4 | 8 = 4) =>
  publicFunctions(unwrap(parseModule(text, { registry })), { registry, indexBytes });

describe('the functions that others may call', () => {
  it('have bodies and are not private', () => {
    const text = `func.func private @a() { return }
      func.func private @b(%x: f16)
      func.func @c() { return }
      func.func public @d() { return }`;
    expect(unwrap(found(text)).map(({ signature }) => signature.name)).toEqual(['c', 'd']);
  });

  it.each([
    ['index', 4, { kind: 'scalar', type: 'i32', element: 'index' }],
    ['index', 8, { kind: 'scalar', type: 'i64', element: 'index' }],
    ['i1', 8, { kind: 'scalar', type: 'i32', element: 'i1' }],
    ['f32', 4, { kind: 'scalar', type: 'f32', element: 'f32' }],
    ['f64', 4, { kind: 'scalar', type: 'f64', element: 'f64' }],
    ['i64', 4, { kind: 'scalar', type: 'i64', element: 'i64' }],
    ['i8', 4, { kind: 'scalar', type: 'i32', element: 'i8' }],
    ['memref<2x3xindex>', 4, { elementBytes: 4, length: 6, strides: [3, 1], offset: 0 }],
    ['memref<2x3xindex>', 8, { elementBytes: 8, length: 6, strides: [3, 1], offset: 0 }],
    ['memref<2x3xf16, strided<[8, 2], offset: 5>>', 4, { length: 18, strides: [8, 2], offset: 5 }],
    ['memref<2x3xf32, strided<[?, ?], offset: ?>>', 4, { length: 6, strides: [3, 1], offset: 0 }],
    ['memref<0x3xf32, strided<[?, ?], offset: 7>>', 4, { length: 0 }],
  ] as const)('take %s, with an index of %i bytes', (type, indexBytes, layout) => {
    const [f] = unwrap(found(`func.func @f(%x: ${type}) { return }`, indexBytes));
    expect(f?.parameters).toMatchObject([layout]);
    // The signature is what others need to know, without the layout.
    const { element, ...known } = layout as { element?: string };
    expect(f?.signature.parameters[0]).not.toHaveProperty('strides');
    if (element !== undefined) expect(f?.signature.parameters).toEqual([known]);
  });

  it.each([
    'memref<?xf32>',
    'memref<4xf32, 1>',
    'memref<4x4xf32, strided<[?, 2]>>',
    'memref<4xi128>',
    'tensor<4xf32>',
    'f16',
    'bf16',
  ])('take no %s', (type) => {
    expect(found(`func.func @f(%x: ${type}) { return }`).diagnostics).toMatchObject([
      { code: 'backend/signature', message: /^'f' takes or returns a value that is neither/ },
    ]);
  });

  it('return no buffer of a layout that only the call knows', () => {
    const type = 'memref<4xf32, strided<[?]>>';
    expect(found(`func.func @f(%x: ${type}) -> ${type} { return %x : ${type} }`).diagnostics).toMatchObject([
      { code: 'backend/signature' },
    ]);
  });

  it('may write what they store to through views, regions and calls', () => {
    const text = `func.func private @unknown(memref<4xf32>)
      func.func private @callee(%x: memref<4xf32>, %y: memref<4xf32>) {
        memref.copy %x, %y : memref<4xf32> to memref<4xf32>
        return
      }
      func.func @f(%c: i1, %read: memref<4xf32>, %stored: memref<4xf32>, %called: memref<4xf32>,
          %given: memref<4xf32>, %returned: memref<4xf32>) -> memref<4xf32> {
        %i = arith.constant 0 : index
        %e = memref.load %read[%i] : memref<4xf32>
        %w = scf.if %c -> (memref<4xf32>) { scf.yield %stored : memref<4xf32> }
          else { scf.yield %stored : memref<4xf32> }
        %v = memref.subview %w[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
        memref.store %e, %v[%i] : memref<2xf32, strided<[1]>>
        func.call @callee(%read, %called) : (memref<4xf32>, memref<4xf32>) -> ()
        func.call @unknown(%given) : (memref<4xf32>) -> ()
        return %returned : memref<4xf32>
      }`;
    const [f] = unwrap(found(text));
    const written = f?.signature.parameters.map((each) =>
      each.kind === 'buffer' ? each.written : undefined,
    );
    expect(written).toEqual([undefined, false, true, true, true, false]);
  });
});

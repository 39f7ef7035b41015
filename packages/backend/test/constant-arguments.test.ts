import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule, printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { constantsAsArguments, createArtifact } from '../src/index.ts';
import { coreOf } from './script-backend.ts';

const registry = createRegistry(payloadDialects);
const parse = (text: string) => unwrap(parseModule(text, { registry, allowUnregisteredDialects: true }));
const changed = (text: string) => constantsAsArguments(parse(text), registry);

const blobs = `{-# dialect_resources: { builtin: {
  a: "0x040000000000803f00000040", b: "0x04000000000000bf", c: "0x0400000000000000"
} } #-}`;
const globals = `memref.global "private" constant @a : memref<2xf32> = dense_resource<a>
  memref.global "private" constant @b : memref<1xf32> = dense_resource<b>`;

describe('constants of bytes', () => {
  it('become arguments of the functions that refer to them, and of their callers', () => {
    const { module, constants } = unwrap(
      changed(`${globals}
  func.func @main(%x: f32) {
    %b = memref.get_global @b : memref<1xf32>
    "test.use"(%b) : (memref<1xf32>) -> ()
    call @outer(%x) : (f32) -> ()
    return
  }
  func.func private @outer(%x: f32) {
    call @inner(%x) : (f32) -> ()
    return
  }
  func.func private @inner(%x: f32) {
    %a = memref.get_global @a : memref<2xf32>
    %b = memref.get_global @b : memref<1xf32>
    "test.use"(%a, %b) : (memref<2xf32>, memref<1xf32>) -> ()
    return
  }
  func.func @other() { return }
${blobs}`),
    );
    expect(printModule(module, { registry })).toMatchInlineSnapshot(`
      "module {
        func.func @main(%arg0: f32, %arg1: memref<1xf32>, %arg2: memref<2xf32>) {
          "test.use"(%arg1) : (memref<1xf32>) -> ()
          call @outer(%arg0, %arg2, %arg1) : (f32, memref<2xf32>, memref<1xf32>) -> ()
          return
        }
        func.func private @outer(%arg0: f32, %arg1: memref<2xf32>, %arg2: memref<1xf32>) {
          call @inner(%arg0, %arg1, %arg2) : (f32, memref<2xf32>, memref<1xf32>) -> ()
          return
        }
        func.func private @inner(%arg0: f32, %arg1: memref<2xf32>, %arg2: memref<1xf32>) {
          "test.use"(%arg1, %arg2) : (memref<2xf32>, memref<1xf32>) -> ()
          return
        }
        func.func @other() {
          return
        }
      }
      "
    `);
    expect(constants.map(({ bytes, ...each }) => ({ ...each, bytes: [...bytes] }))).toEqual([
      { function: 'main', parameter: 1, bytes: [0, 0, 0, 191] },
      { function: 'main', parameter: 2, bytes: [0, 0, 128, 63, 0, 0, 0, 64] },
    ]);
  });

  it('leave a module without them as it is, and functions that call each other', () => {
    const module = parse('func.func @f() { return }');
    expect(unwrap(constantsAsArguments(module, registry))).toEqual({ module, constants: [] });
    const text = `${globals}
      func.func @f() { call @g() : () -> () return }
      func.func @g() { %a = memref.get_global @a : memref<2xf32> call @f() : () -> () return } ${blobs}`;
    expect(unwrap(changed(text)).constants.map((each) => each.function)).toEqual(['f', 'g']);
  });

  it.each([
    ['', "the bytes of the resource 'a' are missing"],
    [
      '{-# dialect_resources: { builtin: { a: "0x04000000000000bf" } } #-}',
      "the resource 'a' has 4 bytes, but tensor<2xf32> takes 8",
    ],
    [
      `memref.global "private" @c : memref<1xf32> = dense_resource<c> ${blobs}`,
      'a variable does not begin with the bytes of a resource: write them as dense<…>',
    ],
    [blobs, 'the function is used as a value, so its constants cannot be passed to it'],
  ])('are refused where they cannot be passed: %s', (text, message) => {
    const { status, diagnostics } = changed(`${globals}
      func.func @f() { %a = memref.get_global @a : memref<2xf32> return }
      func.func @g() { %f = constant @f : () -> () return }
      ${text}`);
    expect({ status, diagnostics }).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'backend/constant', message }],
    });
  });
});

describe('an artifact with constants', () => {
  const bytes = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
  const constants = [{ function: 'mix', parameter: 2, bytes }];

  it('passes them, and takes other constants', async () => {
    const core = coreOf();
    const artifact = createArtifact({ ...core, constants });
    expect(artifact.functions[0]!.parameters).toHaveLength(2);
    const [x, y] = [Float32Array.of(1, 0, 0, 0), Float32Array.of(0, 1, 0, 0)];
    // The function of the script adds to its last argument, which a function with constants would not.
    expect(artifact.run('mix', x, y)).toEqual([Float32Array.of(2, 12, 3, 4)]);
    expect(await artifact.runAsync('mix', x, y)).toEqual([Float32Array.of(3, 22, 3, 4)]);
    expect(artifact.bind('mix', { 1: y }).run(x)).toEqual([Float32Array.of(2, 12, 3, 4)]);
    expect(() => artifact.bind('mix', { 2: y })).toThrow("'mix' has no argument 2; it takes 2");
    expect(() => artifact.run('mix', x, y, y)).toThrow(
      "'mix' takes 2 arguments besides those that are bound, not 3",
    );
    expect([...bytes.subarray(0, 4)]).toEqual([0, 0, 128, 63]);
  });

  it('copies none where calls read any memory, unless no array can begin there', () => {
    const core = { ...coreOf(), readsConstant: () => true };
    const [x, y] = [new Float32Array(4), Float32Array.of(0, 0, 0, 1)];
    const shifted = new Uint8Array(17);
    shifted.set(bytes, 1);
    const own = bytes.slice();
    createArtifact({ ...core, constants: [{ ...constants[0]!, bytes: own }] }).run('mix', x, y);
    expect([...new Float32Array(own.buffer)]).toEqual([1, 2, 3, 14]);
    const artifact = createArtifact({
      ...core,
      constants: [{ ...constants[0]!, bytes: shifted.subarray(1) }],
    });
    expect(artifact.run('mix', x, y)).toEqual([Float32Array.of(1, 2, 3, 14)]);
    expect([...shifted.subarray(1)]).toEqual([...bytes]);
  });
});

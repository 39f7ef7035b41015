import type { RunValue } from '@sconv/backend';
import { fileLocation, unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { createModuleBuilder } from '../src/encoder.ts';
import { instantiate } from '../src/index.ts';
import { unreachable } from '../src/instructions.ts';
import { trapDiagnostic } from '../src/trap-diagnostic.ts';
import type { WasmModule } from '../src/index.ts';
import { instanceOf } from './emit.ts';

const location = fileLocation('test.mlir', 3, 1);
const f = { name: 'f', location };

describe('what the engines say', () => {
  it.each([
    ['divide by zero', 'wasm/division-by-zero'],
    ['remainder by zero', 'wasm/division-by-zero'],
    ['integer divide by zero', 'wasm/division-by-zero'],
    ['Division by zero (evaluating …)', 'wasm/division-by-zero'],
    ['divide result unrepresentable', 'wasm/overflow'],
    ['float unrepresentable in integer range', 'wasm/overflow'],
    ['invalid conversion to integer', 'wasm/overflow'],
    ['Out of bounds Trunc operation (evaluating …)', 'wasm/overflow'],
    ['integer overflow', 'wasm/overflow'],
    ['memory access out of bounds', 'wasm/out-of-bounds'],
    ['index out of bounds', 'wasm/out-of-bounds'],
    ['Out of bounds memory access (evaluating …)', 'wasm/out-of-bounds'],
    ['something new', 'wasm/trap'],
  ])('%s is %s', (message, code) => {
    expect(trapDiagnostic(new WebAssembly.RuntimeError(message), f)).toMatchObject({
      code,
      severity: 'error',
      location,
      message: expect.stringMatching(/^@f /) as unknown,
    });
  });

  it.each(['Maximum call stack size exceeded', 'too much recursion'])('%s, by another error', (message) => {
    expect(trapDiagnostic(new RangeError(message), f)?.code).toBe('wasm/call-depth');
  });

  it.each([new RangeError('divide by zero'), new TypeError('no'), 'memory access out of bounds', undefined])(
    '%s is no trap',
    (thrown) => {
      expect(trapDiagnostic(thrown, f)).toBeUndefined();
    },
  );
});

/** A body for `@f`, which takes a buffer of four. */
const onBuffer = (body: string, element = 'i32'): string =>
  `func.func @f(%m: memref<4x${element}>, %i: index) {
    ${body}
    return
  }`;

describe('a fault of the payload is a failure', () => {
  it.each([
    [
      'a division',
      `%c0 = arith.constant 0 : index
       %v = memref.load %m[%c0] : memref<4xi32>
       %r = arith.divsi %v, %v : i32
       memref.store %r, %m[%c0] : memref<4xi32>`,
      'i32',
      'wasm/division-by-zero',
    ],
    [
      'a conversion',
      `%c = arith.constant 1.0e+30 : f32
       %r = arith.fptosi %c : f32 to i32`,
      'f32',
      'wasm/overflow',
    ],
    ['an access', '%r = memref.load %m[%i] : memref<4xi32>', 'i32', 'wasm/out-of-bounds'],
    ['an index', '%r = arith.muli %i, %i : index', 'i32', 'wasm/overflow'],
    ['a step', 'scf.for %j = %i to %i step %s { }', 'i32', 'wasm/zero-step'],
  ])('%s', (_, body, element, code) => {
    const step = '%s = arith.constant 0 : index\n';
    const instance = instanceOf(onBuffer(code === 'wasm/zero-step' ? step + body : body, element));
    const values: readonly RunValue[] = [
      element === 'f32' ? new Float32Array(4) : new Int32Array(4),
      100_000_000,
    ];
    const result = instance.call('f', ...values);
    expect([result.status, result.diagnostics.map((each) => each.code)]).toEqual(['definite', [code]]);
    expect(result.diagnostics[0]?.location).toMatchObject({ file: 'test.mlir' });
    expect(() => instance.run('f', ...values)).toThrow(code);
  });

  it('leaves arrays outside of the memory as they were, and the instance in use', () => {
    const text = `func.func @f(%m: memref<2xi32>, %d: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      memref.store %d, %m[%c0] : memref<2xi32>
      %r = arith.divui %d, %d : i32
      memref.store %r, %m[%c1] : memref<2xi32>
      return
    }`;
    const instance = instanceOf(text);
    const array = Int32Array.of(7, 7);
    expect(instance.call('f', array, 0).status).toBe('definite');
    expect(array).toEqual(Int32Array.of(7, 7));
    instance.run('f', array, 3);
    expect(array).toEqual(Int32Array.of(3, 1));
  });

  /** A module whose code is not lowered from IR. */
  const handmade = (build: (module: ReturnType<typeof createModuleBuilder>) => void): WasmModule => {
    const builder = createModuleBuilder();
    builder.importGlobal('scratch');
    build(builder);
    const functions = [{ name: 'f', location, parameters: [], results: [] }];
    return {
      backend: 'wasm',
      bytes: builder.encode(0),
      functions,
      relaxed: false,
      scratchBytes: 0,
      threadScratch: { at: 0, bytes: 0 },
      traps: [],
      parallel: [],
      constants: [],
      packings: [],
    };
  };

  it.each([
    [
      'endless recursion',
      'wasm/call-depth',
      handmade((module) => {
        module.function({ name: 'f', parameters: [] }, (builder) => {
          builder.call({ index: 0, parameters: [], results: [] });
        });
      }),
    ],
    [
      'another trap',
      'wasm/trap',
      handmade((module) => {
        module.function({ name: 'f', parameters: [] }, (builder) => {
          builder.statement(unreachable);
        });
      }),
    ],
  ])('%s', (_, code, module) => {
    expect(instantiate(module).call('f').diagnostics).toMatchObject([{ code, location }]);
  });
});

it('the reason of one trap is not that of the next', () => {
  const text = `func.func @f(%a: i8, %b: i8) -> i8 {
    %r = arith.divsi %a, %b : i8
    return %r : i8
  }`;
  const instance = instanceOf(text);
  const codes = [
    [-128, -1],
    [1, 0],
    [-128, -1],
  ].map(([a, b]) => instance.call('f', a!, b!).diagnostics[0]?.code);
  expect(codes).toEqual(['wasm/overflow', 'wasm/division-by-zero', 'wasm/overflow']);
  expect(unwrap(instance.call('f', 6, -3))).toEqual([-2]);
});

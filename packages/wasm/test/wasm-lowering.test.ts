import { affineMap, constant } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import { anyType, attach, bodyOf, defineOp, extendRegistry, one, parseModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { emitModule, f32, instantiate } from '../src/index.ts';
import {
  bindScalar,
  countedLoop,
  lowerScope,
  resultOf,
  scalarOf,
  structuredLowering,
  typed,
  wasmLowering,
} from '../src/lowering-api.ts';
import { registry } from './emit.ts';

const half = defineOp({
  name: 'test.half',
  summary: 'half of a number',
  operands: { x: one(anyType) },
  results: { y: one(anyType) },
  traits: ['pure', 'same-operands-and-result-type'],
  assembly: { format: '$x attr-dict `:` type($x)' },
});
const thrice = defineOp({
  name: 'test.thrice',
  summary: 'does its body three times',
  regions: ['body'],
  traits: ['recursive-effects', 'single-block'],
  implicitTerminator: 'test.end',
  assembly: { format: '$body attr-dict' },
});
const end = defineOp({
  name: 'test.end',
  summary: 'ends a body',
  traits: ['terminator', 'pure'],
  assembly: { format: 'attr-dict' },
});
const known = extendRegistry(
  registry,
  [{ name: 'test', operations: [half, thrice, end] }],
  [
    attach(wasmLowering, 'test.half', (lowering, operation) => {
      const value = typed(scalarOf(lowering, operation, operation.operands[0]!), 'f32');
      bindScalar(lowering, resultOf(operation), f32.mul(value, f32.const(0.5)));
    }),
    attach(wasmLowering, 'test.thrice', (lowering, operation) => {
      const bounds = { lower: constant(0), upper: constant(3), step: constant(1) };
      countedLoop(lowering, operation, bounds, () => {
        lowerScope(lowering, bodyOf(operation));
      });
    }),
  ],
);

const text = `func.func @f(%m: memref<f32>) {
  test.thrice {
    %x = memref.load %m[] : memref<f32>
    %y = test.half %x : f32
    memref.store %y, %m[] : memref<f32>
  }
  return
}`;
const module = unwrap(parseModule(text, { registry: known }));

it('makes code of the ops of a dialect that the package does not know', () => {
  const numbers = Float32Array.of(40);
  instantiate(unwrap(emitModule(module, { registry: known }))).run('f', numbers);
  expect([...numbers]).toEqual([5]);
});

it('wins over a lowering that was attached before', () => {
  const twice = extendRegistry(
    known,
    [],
    [
      attach(wasmLowering, 'test.half', (lowering, operation) => {
        bindScalar(lowering, resultOf(operation), f32.const(7));
      }),
    ],
  );
  const numbers = Float32Array.of(40);
  instantiate(unwrap(emitModule(module, { registry: twice }))).run('f', numbers);
  expect([...numbers]).toEqual([7]);
});

it('is what an op without it lacks, whatever its definition says', () => {
  const without = extendRegistry(registry, [{ name: 'test', operations: [half, thrice, end] }]);
  expect(emitModule(module, { registry: without })).toMatchObject({
    status: 'definite',
    diagnostics: [
      {
        code: 'wasm/unsupported',
        message: "'test.thrice': this operation cannot be emitted as WebAssembly",
        location: { line: 2 },
      },
    ],
  });
});

it('is none for a structured op without a body, nor for tensors', () => {
  const bare = defineOp({
    name: 'test.bare',
    summary: 'a copy, of which nothing says how',
    operands: { from: one(anyType), to: one(anyType) },
    assembly: { format: '$from `,` $to attr-dict `:` type($from) `,` type($to)' },
  });
  const map = affineMap('(d0) -> (d0)');
  const view = structuredLowering(({ operands: [from, to] }) => ({
    inputs: [from!],
    outputs: [to!],
    indexingMaps: [map, map],
    iteratorTypes: ['parallel'],
    body: undefined,
    loopRanges: [2],
  }));
  const over = extendRegistry(
    registry,
    [{ name: 'test', operations: [bare] }],
    [attach(wasmLowering, 'test.bare', view)],
  );
  const messageFor = (text: string): unknown =>
    emitModule(unwrap(parseModule(text, { registry: over })), { registry: over }).diagnostics;
  const copying = 'test.bare %x, %x : memref<2xf32>, memref<2xf32>';
  expect(messageFor(`func.func @f(%x: memref<2xf32>) {\n${copying}\nreturn\n}`)).toMatchObject([
    {
      code: 'wasm/unsupported',
      message: "'test.bare': a body that is not one block cannot be emitted as WebAssembly",
      location: { line: 2 },
    },
  ]);
  expect(messageFor('func.func @f(%x: tensor<2xf32>) { return }')).toMatchObject([
    {
      code: 'wasm/unsupported',
      message: "'func.func': a value of kind tensor cannot be emitted as WebAssembly: bufferize it first",
    },
  ]);
});

it('is what a terminator needs that does more than to end its block', () => {
  const storing = defineOp({ name: end.name, summary: 'ends a body, and what else', traits: ['terminator'] });
  const over = extendRegistry(known, [{ name: 'test', operations: [storing] }]);
  expect(emitModule(module, { registry: over })).toMatchObject({
    status: 'definite',
    diagnostics: [
      { code: 'wasm/unsupported', message: "'test.end': this operation cannot be emitted as WebAssembly" },
    ],
  });
});

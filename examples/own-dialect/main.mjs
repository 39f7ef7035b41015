/**
 * A dialect of one's own, from text to WebAssembly: node examples/own-dialect/main.mjs
 *
 * `pulse.decay` scales a signal, `pulse.repeat` does some times what its body says, `pulse.end` ends the body;
 * `pulse.soften` bends a number. What passes and backends ask of an op is declared or attached here; no package knows
 * of `pulse`.
 */
import { constant } from '@sconv/affine';
import { bufferizable } from '@sconv/bufferization';
import { composedOf, loopLike } from '@sconv/dialects';
import { addf, divf, maximumf, negf } from '@sconv/dialects/arith';
import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import {
  attach,
  bodyOf,
  implement,
  indexType,
  memoryEffects,
  one,
  typeConstraint,
  variadic,
} from '@sconv/ir';
import { compileModuleSync, defaultRegistry, defineOp, extendRegistry, parseModule, unwrap } from 'sconv';
import { f32 } from '@sconv/wasm';
import {
  bufferOf,
  countedLoop,
  elementAddress,
  indexOf,
  lowerScope,
  scalarOf,
  typed,
  wasmLowering,
} from '@sconv/wasm/lowering';

const signal = typeConstraint(
  'a signal',
  ({ kind, shape }) => (kind === 'tensor' || kind === 'memref') && shape.length === 1,
);
const number = typeConstraint('f32', ({ kind, name }) => kind === 'float' && name === 'f32');
const index = typeConstraint('index', ({ kind }) => kind === 'index', indexType);

// The ops, and what is asked of them everywhere.
const decay = defineOp({
  name: 'pulse.decay',
  summary: 'a signal times a number: a new tensor, or the buffer changed',
  operands: { signal: one(signal), rate: one(number) },
  results: { result: variadic(signal) },
  assembly: { format: 'operands attr-dict `:` functional-type(operands, results)' },
  interfaces: [
    implement(memoryEffects, ({ operands: [value] }) =>
      value.type.kind === 'tensor'
        ? []
        : [
            { kind: 'read', value },
            { kind: 'write', value },
          ],
    ),
  ],
});
const repeat = defineOp({
  name: 'pulse.repeat',
  summary: 'does its body `count` times',
  operands: { count: one(index) },
  regions: ['body'],
  traits: ['recursive-effects', 'single-block'],
  implicitTerminator: 'pulse.end',
  assembly: { format: '$count $body attr-dict' },
  interfaces: [implement(loopLike, { inductionVariables: () => [], isSequential: true })],
});
const end = defineOp({
  name: 'pulse.end',
  summary: 'ends the body of `pulse.repeat`',
  traits: ['terminator', 'pure'],
  parents: ['pulse.repeat'],
  assembly: { format: 'attr-dict' },
});

// An op on numbers needs no more than this: fused into loops, in vectors, on every backend and in the interpreter it is
// what it is composed of.
const numeric = typeConstraint(
  'a float, or floats',
  ({ kind, elementType }) => (elementType?.kind ?? kind) === 'float',
);
const soften = defineOp({
  name: 'pulse.soften',
  summary: 'x / (1 + |x|)',
  operands: { x: one(numeric) },
  results: { result: one(numeric) },
  traits: ['pure', 'elementwise', 'same-operands-and-result-type'],
  assembly: { format: '$x attr-dict `:` type($x)' },
  interfaces: [
    composedOf((b, [x], number) => {
      const magnitude = b(maximumf, { lhs: x, rhs: b(negf, { operand: x }) });
      return b(divf, { lhs: x, rhs: b(addf, { lhs: number(1), rhs: magnitude }) });
    }),
  ],
});

const attachments = [
  // How they work on buffers: the signal is read and written in its own place, where nothing else needs its old value.
  attach(bufferizable, 'pulse.decay', {
    reads: () => true,
    writes: () => true,
    aliases: ({ operation }) => [{ value: operation.results[0], relation: 'same' }],
    bufferize: (operation, bufferizer) => {
      const [signal, rate] = operation.operands;
      const buffer = bufferizer.buffer(signal);
      const inPlace = bufferizer.rewriter.create(
        decay.state({ operands: { signal: buffer, rate }, resultTypes: [] }),
      );
      bufferizer.replace(operation, [buffer], [inPlace]);
    },
  }),
  attach(bufferizable, 'pulse.repeat', {
    holdsTensors: true,
    bufferize: (operation, bufferizer) => bufferizer.bufferizeRegions(operation),
  }),
  // How they become WebAssembly.
  attach(wasmLowering, 'pulse.decay', (lowering, operation) => {
    const { signal: buffer, rate } = decay.operands(operation);
    const { sizes, storage } = bufferOf(lowering, operation, buffer);
    const factor = typed(scalarOf(lowering, operation, rate), 'f32');
    const all = { lower: constant(0), upper: sizes[0], step: constant(1) };
    countedLoop(lowering, operation, all, (i) => {
      const address = elementAddress(lowering, bufferOf(lowering, operation, buffer), [i]);
      const at = lowering.f.get(lowering.f.let(address));
      lowering.f.statement(storage.store(at, f32.mul(typed(storage.load(at), 'f32'), factor)));
    });
  }),
  attach(wasmLowering, 'pulse.repeat', (lowering, operation) => {
    const upper = indexOf(lowering, operation, operation.operands[0]);
    countedLoop(lowering, operation, { lower: constant(0), upper, step: constant(1) }, () => {
      lowerScope(lowering, bodyOf(operation));
    });
  }),
];

const registry = extendRegistry(
  defaultRegistry,
  [{ name: 'pulse', operations: [decay, repeat, end, soften] }],
  attachments,
);

const text = `func.func @fade(%signal: memref<4xf32>, %times: index) -> memref<4xf32> {
  %half = arith.constant 0.5 : f32
  pulse.repeat %times {
    %before = bufferization.to_tensor %signal restrict writable : memref<4xf32>
    %after = pulse.decay %before, %half : (tensor<4xf32>, f32) -> tensor<4xf32>
    bufferization.materialize_in_destination %after in restrict writable %signal
      : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return %signal : memref<4xf32>
}
func.func @soften(%signal: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map { pulse.soften } ins(%signal : tensor<4xf32>) outs(%signal : tensor<4xf32>)
  return %0 : tensor<4xf32>
}`;
const module = unwrap(parseModule(text, { registry }));
const artifact = unwrap(compileModuleSync(module, { registry }));
const [faded] = artifact.run('fade', Float32Array.of(8, 16, 24, 32), 3);
console.log(`after 3 times: ${faded.join()}`); // 1,2,3,4
const [softened] = artifact.run('soften', Float32Array.of(0, 1, -3, 7));
const [same] = unwrap(interpret(module, 'soften', [tensor([4], Float32Array.of(0, 1, -3, 7))], { registry }));
console.log(`softened: ${softened.join()}, interpreted: ${elementsOf(same).join()}`); // 0,0.5,-0.75,0.875 both

/** Draws payloads: chains of structured ops. */
import { constant, dim, identityMap, makeMap } from '@sconv/affine';
import type { ScalarSpec } from './body-spec.ts';
import { dataMagnitude } from './draw-body.ts';
import type { KnownValue, Surroundings } from './draw-generic.ts';
import { drawGeneric, drawShapeOp, valuesOf } from './draw-generic.ts';
import { drawNamed, drawSlicedConvolution } from './draw-named.ts';
import type { Element, OpSpec, OperandSpec, PayloadSpec } from './payload-spec.ts';
import { shapeOf } from './payload-spec.ts';
import type { Random } from './random.ts';

const elementWeights: readonly (readonly [number, Element])[] = [
  [7, 'f32'],
  [0.8, 'f64'],
  [1, 'i32'],
  [0.5, 'i64'],
  [0.3, 'i1'],
  [0.3, 'index'],
];

/** An epilogue of a convolution: `max(x, 0)`, or `x + bias`. */
const epilogue = (random: Random, convolution: OpSpec): OpSpec => {
  const shape = shapeOf(convolution.outputs[0]!, convolution.extents);
  const rank = shape.length;
  const { element } = convolution.outputs[0]!;
  const map = identityMap(rank);
  const operand = (source: OperandSpec['source']): OperandSpec => ({
    map,
    element,
    slack: [],
    dynamic: [],
    source,
  });
  const result = operand({ kind: 'result', op: 0, result: 0 });
  const bias: OperandSpec = { ...operand({ kind: 'argument' }), map: makeMap(rank, 0, [dim(1)]) };
  const x: ScalarSpec = { kind: 'operand', operand: 0 };
  const isBias = random.chance(0.5);
  const value: ScalarSpec = isBias
    ? { kind: 'binary', function: 'add', lhs: x, rhs: { kind: 'operand', operand: 1 } }
    : { kind: 'binary', function: 'max', lhs: x, rhs: { kind: 'constant', value: 0 } };
  return {
    form: { kind: 'generic', body: { yields: [value] } },
    extents: shape,
    iterators: shape.map(() => 'parallel'),
    inputs: isBias ? [result, bias] : [result],
    outputs: [operand(random.chance(0.5) ? { kind: 'empty' } : { kind: 'result', op: 0, result: 0 })],
    magnitudes: [convolution.magnitudes[0]! + dataMagnitude],
  };
};

/** A convolution, alone or with a typical epilogue. */
const drawConvolution = (random: Random): PayloadSpec => {
  const surroundings: Surroundings = {
    element: 'f32',
    extents: [1],
    dynamic: 0,
    isOpen: false,
    op: 0,
    known: [],
  };
  const convolution = drawSlicedConvolution(random, surroundings);
  const ops = random.chance(0.4) ? [convolution, epilogue(random, convolution)] : [convolution];
  return { ops, returned: [] };
};

/** The windows of a linearised image, as after splitting and tiling of a convolution: rows and columns in one index. */
const drawWindows = (random: Random): PayloadSpec => {
  const [channels, rows, columns] = [random.integer(1, 3), random.integer(1, 4), random.integer(2, 4)];
  const width = columns + random.integer(0, 3);
  const d = dim(1);
  const start = random.integer(0, 2);
  const shifted = d.add(start);
  const index = shifted
    .floorDiv(columns)
    .mul(width)
    .add(shifted.mod(columns))
    .add(constant(random.integer(0, 1)));
  const operand = (map: OperandSpec['map']): OperandSpec => ({
    map,
    element: 'f32',
    slack: [],
    dynamic: [],
    source: { kind: 'argument' },
  });
  return {
    ops: [
      {
        form: { kind: 'generic', body: { yields: [{ kind: 'operand', operand: 0 }] } },
        extents: [channels, rows * columns],
        iterators: ['parallel', 'parallel'],
        inputs: [operand(makeMap(2, 0, [dim(0), index]))],
        outputs: [operand(identityMap(2))],
        magnitudes: [dataMagnitude],
      },
    ],
    returned: [],
  };
};

const drawOp = (random: Random, surroundings: Surroundings): OpSpec => {
  const draw = random.weighted<(random: Random, surroundings: Surroundings) => OpSpec>([
    [6, drawGeneric],
    [4, drawNamed],
    [1.5, drawShapeOp],
  ])!;
  return draw(random, surroundings);
};

/** A few ops, whose operands are often results of earlier ones. */
const drawChain = (random: Random): PayloadSpec => {
  const element = random.weighted(elementWeights)!;
  const zero = random.chance(0.05) ? [0] : [];
  const sizes = Array.from({ length: random.integer(2, 3) }, () => random.integer(2, 8));
  const extents = [...sizes, ...zero];
  const dynamic = random.chance(0.15) ? 0.5 : 0;
  // WebAssembly only runs functions with static boundary types.
  const isOpen = random.chance(0.4);
  const ops: OpSpec[] = [];
  const known: KnownValue[] = [];
  const count = random.weighted([
    [4, 1],
    [3, 2],
    [2, 3],
    [1, 4],
  ])!;
  for (let op = 0; op < count; op++) {
    const drawn = drawOp(random, { element, extents, dynamic, isOpen, op, known });
    ops.push(drawn);
    known.push(...valuesOf(drawn, op));
  }
  const results = ops.flatMap(({ outputs }, op) => outputs.map((_, result) => ({ op, result })));
  return { ops, returned: results.filter(() => random.chance(0.15)), returnsDynamic: isOpen };
};

/** A payload. */
export const drawPayload = (random: Random): PayloadSpec =>
  random.weighted<(random: Random) => PayloadSpec>([
    [3.2, drawConvolution],
    [0.9, drawWindows],
    [6.8, drawChain],
  ])!(random);

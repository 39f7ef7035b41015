/** Draws `linalg.generic`, `map`, `reduce`, `transpose` and `broadcast`. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant, dim, identityMap, makeMap } from '@sconv/affine';
import type { BodyContext, Sized } from './draw-body.ts';
import { dataMagnitude, drawReduction, drawScalar, exactMagnitude } from './draw-body.ts';
import { drawIndex, drawIndexBelow } from './draw-maps.ts';
import type { Element, Form, OpSpec, OperandSpec, Source } from './payload-spec.ts';
import { operandsOf, rangeOver, shapeOf } from './payload-spec.ts';
import type { Random } from './random.ts';

/** A value available to later ops. */
export interface KnownValue {
  readonly source: Source;
  readonly shape: readonly number[];
  readonly dynamic: readonly boolean[];
  readonly element: Element;
  readonly magnitude: number;
}

/** The context of drawing an op. */
export interface Surroundings {
  readonly element: Element;
  /** Extents used in this payload, few so that shapes match. */
  readonly extents: readonly number[];
  /** The probability that an operand has dynamic sizes. */
  readonly dynamic: number;
  /** Whether the function's arguments may have dynamic sizes; otherwise they are cast to them. */
  readonly isOpen: boolean;
  /** The index of the op. */
  readonly op: number;
  readonly known: readonly KnownValue[];
}

/** The source of an argument, and which of its sizes the type hides. */
export const drawArgument = (
  random: Random,
  { dynamic, isOpen }: Surroundings,
  rank: number,
): Pick<OperandSpec, 'dynamic' | 'source'> => {
  if (rank === 0 || !random.chance(dynamic)) return { dynamic: [], source: { kind: 'argument' } };
  const hidden = Array.from({ length: rank }, () => random.chance(0.6));
  return { dynamic: hidden, source: { kind: isOpen && random.chance(0.7) ? 'argument' : 'cast' } };
};

const drawSlack = (random: Random, results: readonly AffineExpr[]): readonly number[] =>
  results.map((result) => (result.kind !== 'dim' && random.chance(0.35) ? random.integer(1, 2) : 0));

/** An input that reads an existing value. */
const drawFitting = (
  random: Random,
  surroundings: Surroundings,
  extents: readonly number[],
): (OperandSpec & { readonly magnitude: number }) | undefined => {
  const fitting = surroundings.known.filter(({ element }) => element === surroundings.element);
  if (fitting.length === 0) return undefined;
  const { shape, source, magnitude, dynamic, element } = random.pick(fitting);
  const results = shape.map((size) => drawIndexBelow(random, extents, size));
  if (results.some((result) => result === undefined)) return undefined;
  const known = results as readonly AffineExpr[];
  const slack = known.map((result, i) =>
    result.kind === 'dim' ? 0 : shape[i]! - rangeOver(result, extents).hi,
  );
  return { map: makeMap(extents.length, 0, known), element, slack, dynamic, source, magnitude };
};

/** An input and the magnitude of its elements. */
const drawInput = (
  random: Random,
  surroundings: Surroundings,
  extents: readonly number[],
): OperandSpec & { readonly magnitude: number } => {
  const { element } = surroundings;
  if (random.chance(0.08)) {
    const map = makeMap(extents.length, 0, []);
    const source: Source = { kind: 'argument' };
    return { map, element, scalar: true, slack: [], dynamic: [], source, magnitude: dataMagnitude };
  }
  const fitting = random.chance(0.5) ? drawFitting(random, surroundings, extents) : undefined;
  if (fitting !== undefined) return fitting;
  const rank = random.weighted([
    [0.5, 0],
    [4, 1],
    [6, 2],
    [3, 3],
  ])!;
  const results = Array.from({ length: Math.min(rank, Math.max(1, extents.length)) }, () =>
    drawIndex(random, extents),
  );
  const map = makeMap(extents.length, 0, rank === 0 ? [] : results);
  const argument = drawArgument(random, surroundings, map.results.length);
  return { map, element, slack: drawSlack(random, map.results), ...argument, magnitude: dataMagnitude };
};

/** The map of an output: each iteration of the parallel dimensions has its own element. */
const drawOutputMap = (
  random: Random,
  extents: readonly number[],
  parallel: readonly number[],
): AffineMap => {
  const results = random.shuffled(parallel).flatMap((position): AffineExpr[] => {
    const d = dim(position);
    const extent = extents[position]!;
    if (extent === 0 || random.chance(0.8)) return [d];
    switch (random.integer(0, 3)) {
      case 0:
        return [d.add(random.integer(1, 2))];
      case 1:
        return [d.mul(2).add(random.integer(0, 1))];
      case 2:
        return [constant(extent - 1).sub(d)];
      default:
        return [d.floorDiv(2), d.mod(2)];
    }
  });
  const extra = random.chance(0.08) ? [constant(random.integer(0, 1))] : [];
  return makeMap(extents.length, 0, [...results, ...extra]);
};

/** Whether an op writes every element of its output. */
const coversOutput = ({ map }: OperandSpec): boolean => map.results.every(({ kind }) => kind === 'dim');

const inputWeights: readonly (readonly [number, number])[] = [
  [0.8, 0],
  [4.5, 1],
  [3.5, 2],
  [1.2, 3],
];

/** The extents of the iteration dimensions. */
const drawExtents = (random: Random, pool: readonly number[]): readonly number[] => {
  const rank = random.weighted([
    [0.2, 0],
    [2, 1],
    [4, 2],
    [3, 3],
    [1, 4],
  ])!;
  return Array.from({ length: rank }, () => (random.chance(0.12) ? 1 : random.pick(pool)));
};

/** Ensures that every dimension is the only one in some index, since the shapes determine all extents. */
const withAllDimensions = (
  random: Random,
  surroundings: Surroundings,
  extents: readonly number[],
  inputs: readonly OperandSpec[],
  outputs: readonly OperandSpec[],
): readonly OperandSpec[] => {
  const told = new Set(
    [...inputs, ...outputs].flatMap(({ map }) =>
      map.results.flatMap((result) => (result.kind === 'dim' ? [result.position] : [])),
    ),
  );
  const missing = extents.flatMap((_, position) => (told.has(position) ? [] : [dim(position)]));
  if (missing.length === 0) return inputs;
  const map = makeMap(extents.length, 0, random.shuffled(missing));
  const argument = drawArgument(random, surroundings, missing.length);
  return [...inputs, { map, element: surroundings.element, slack: [], ...argument }];
};

/** A `linalg.generic`. */
export const drawGeneric = (random: Random, surroundings: Surroundings): OpSpec => {
  const { element } = surroundings;
  const extents = drawExtents(random, surroundings.extents);
  const iterators = extents.map(() => (random.chance(0.28) ? ('reduction' as const) : ('parallel' as const)));
  const parallel = iterators.flatMap((iterator, position) => (iterator === 'parallel' ? [position] : []));
  const drawn = Array.from({ length: random.weighted(inputWeights)! }, () =>
    drawInput(random, surroundings, extents),
  );
  // The same tensor again, through the same or another map.
  const [first] = drawn;
  if (first !== undefined && first.scalar !== true && random.chance(0.1)) {
    drawn.push({ ...first, source: { kind: 'operand', op: surroundings.op, operand: 0 } });
  }
  const outputCount = random.weighted([
    [8, 1],
    [1.7, 2],
    [0.4, 3],
  ])!;
  const maps = Array.from({ length: outputCount }, () => drawOutputMap(random, extents, parallel));
  const plain = maps.map((map): OperandSpec => {
    const argument = drawArgument(random, surroundings, map.results.length);
    return { map, element, slack: drawSlack(random, map.results), ...argument };
  });
  const inputs = withAllDimensions(random, surroundings, extents, drawn, plain);
  const readable = inputs.map((_, operand) => ({
    operand,
    magnitude: drawn[operand]?.magnitude ?? dataMagnitude,
  }));
  const context: BodyContext = { element, extents, operands: readable, isGeneric: true };
  const count = extents.reduce(
    (product, extent, i) => (iterators[i] === 'reduction' ? product * extent : product),
    1,
  );
  const isReduction = iterators.includes('reduction');
  const bodies = plain.map((_, i): { readonly output: OperandSpec; readonly value: Sized } =>
    drawOutput(random, surroundings, context, {
      inputs: inputs.length,
      plain,
      i,
      extents,
      isReduction,
      count,
    }),
  );
  return {
    form: { kind: 'generic', body: { yields: bodies.map(({ value }) => value.spec) } },
    extents,
    iterators,
    inputs,
    outputs: bodies.map(({ output }) => output),
    magnitudes: bodies.map(({ value, output }) =>
      Math.max(value.magnitude, initialMagnitude(surroundings, output)),
    ),
  };
};

const initialMagnitude = ({ known }: Surroundings, { source }: OperandSpec): number => {
  const found = known.find((value) => JSON.stringify(value.source) === JSON.stringify(source));
  return found?.magnitude ?? dataMagnitude;
};

interface OutputPlace {
  readonly inputs: number;
  readonly plain: readonly OperandSpec[];
  readonly i: number;
  readonly extents: readonly number[];
  readonly isReduction: boolean;
  readonly count: number;
}

/** Output `i` of an op: its source, and what is yielded for it. */
const drawOutput = (
  random: Random,
  surroundings: Surroundings,
  context: BodyContext,
  { inputs, plain, i, extents, isReduction, count }: OutputPlace,
): { readonly output: OperandSpec; readonly value: Sized } => {
  const operand = inputs + i;
  const output = plain[i]!;
  const drawnInitial = random.chance(0.5) ? drawInitial(random, surroundings, output, extents) : undefined;
  // Yielded values that read this output assume the magnitude of an argument.
  const isSmall = plain.length === 1 || (drawnInitial?.magnitude ?? 0) <= dataMagnitude;
  const initial = isSmall ? drawnInitial : undefined;
  const source = initial?.source ?? output.source;
  const magnitude = initial?.magnitude ?? dataMagnitude;
  if (isReduction) {
    return {
      output: { ...output, source },
      value: drawReduction(random, context, { operand, magnitude }, count),
    };
  }
  // Outputs may be combined if every iteration is independent.
  const others = plain.flatMap((_, j) =>
    j === i || random.chance(0.5) ? [{ operand: inputs + j, magnitude: dataMagnitude }] : [],
  );
  const reads = random.chance(0.5)
    ? [...context.operands, ...(plain.length === 1 ? [{ operand, magnitude }] : others)]
    : context.operands;
  const value = drawScalar(random, { ...context, operands: reads }, random.integer(1, 4));
  const isUnread = plain.length === 1 && reads.length === context.operands.length;
  const coversAll = coversOutput(output) && !output.dynamic.includes(true);
  const isEmpty = isUnread && coversAll && random.chance(0.4);
  return { output: { ...output, source: isEmpty ? { kind: 'empty' } : source }, value };
};

/** A value, existing or new, that an output of this type may start from. */
const drawInitial = (
  random: Random,
  { known, element }: Surroundings,
  output: OperandSpec,
  extents: readonly number[],
): { readonly source: Source; readonly magnitude: number } | undefined => {
  const shape = shapeOf(output, extents);
  const same = known.filter(
    (value) =>
      value.element === element &&
      value.magnitude <= exactMagnitude(element) &&
      value.shape.length === shape.length &&
      value.shape.every(
        (size, d) => size === shape[d] && (value.dynamic[d] ?? false) === (output.dynamic[d] ?? false),
      ),
  );
  if (same.length > 0) return random.pick(same);
  if (output.dynamic.includes(true)) return undefined;
  const value = random.integer(0, 2);
  if (random.chance(0.5)) return { source: { kind: 'fill', value }, magnitude: value };
  return random.chance(0.5) ? { source: { kind: 'constant', value }, magnitude: value } : undefined;
};

/** `linalg.map`, `reduce`, `transpose` or `broadcast`. */
export const drawShapeOp = (random: Random, surroundings: Surroundings): OpSpec => {
  const { element } = surroundings;
  const rank = random.integer(1, 3);
  const extents = Array.from({ length: rank }, () => random.pick(surroundings.extents));
  const positions = extents.map((_, i) => i);
  const chosen = positions.filter(() => random.chance(0.5));
  const some = chosen.length === 0 ? [random.integer(0, rank - 1)] : chosen;
  const kept = positions.filter((position) => !some.includes(position));
  const identity = identityMap(rank);
  const keptMap = makeMap(
    rank,
    0,
    kept.map((position) => dim(position)),
  );
  const choice = random.integer(0, 3);
  // Upstream compares the sizes of all operands as written.
  const shown = { ...surroundings, dynamic: 0 };
  const operand = (map: AffineMap): OperandSpec => {
    const argument = drawArgument(random, shown, map.results.length);
    const fresh: OperandSpec = { map, element, slack: [], ...argument };
    const initial = random.chance(0.4) ? drawInitial(random, surroundings, fresh, extents) : undefined;
    return initial === undefined ? fresh : { ...fresh, source: initial.source };
  };
  const magnitude = Math.max(dataMagnitude, ...surroundings.known.map((value) => value.magnitude));
  const parallel = extents.map(() => 'parallel' as const);
  const done = (form: Form, inputs: readonly OperandSpec[], output: OperandSpec, size: number): OpSpec => ({
    form,
    extents,
    iterators:
      form.kind === 'reduce' ? positions.map((i) => (some.includes(i) ? 'reduction' : 'parallel')) : parallel,
    inputs,
    outputs: [output],
    magnitudes: [size],
  });
  switch (choice) {
    case 0: {
      const inputs = Array.from({ length: random.integer(1, 3) }, () => operand(identity));
      const operands = inputs.map((_, i) => ({ operand: i, magnitude }));
      const value = drawScalar(
        random,
        { element, extents, operands, isGeneric: false },
        random.integer(1, 3),
      );
      return done(
        { kind: 'map', body: { yields: [value.spec] } },
        inputs,
        operand(identity),
        value.magnitude,
      );
    }
    case 1: {
      const count = some.reduce((product, position) => product * extents[position]!, 1);
      const context = { element, extents, operands: [{ operand: 0, magnitude }], isGeneric: false };
      const value = drawReduction(random, context, { operand: 1, magnitude }, count);
      const form: Form = { kind: 'reduce', body: { yields: [value.spec] }, dimensions: some };
      return done(form, [operand(identity)], operand(keptMap), value.magnitude);
    }
    case 2: {
      const permutation = random.shuffled(positions);
      const inverse = positions.map((position) => dim(permutation.indexOf(position)));
      const input = operand(makeMap(rank, 0, inverse));
      return done({ kind: 'transpose', permutation }, [input], operand(identity), magnitude);
    }
    default:
      return done({ kind: 'broadcast', dimensions: some }, [operand(keptMap)], operand(identity), magnitude);
  }
};

/** The values that an op makes available: its operands and results. */
export const valuesOf = (op: OpSpec, index: number): readonly KnownValue[] => [
  ...op.outputs.map((output, result) => ({
    source: { kind: 'result' as const, op: index, result },
    shape: shapeOf(output, op.extents),
    dynamic: output.dynamic,
    element: output.element,
    magnitude: op.magnitudes[result]!,
  })),
  ...operandsOf(op).flatMap((operand, position) =>
    operand.scalar === true || operand.source.kind !== 'argument'
      ? []
      : [
          {
            source: { kind: 'operand' as const, op: index, operand: position },
            shape: shapeOf(operand, op.extents),
            dynamic: operand.dynamic,
            element: operand.element,
            magnitude: dataMagnitude,
          },
        ],
  ),
];

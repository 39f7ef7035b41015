/** Draws scalar bodies whose results are exact and independent of reduction order. */
import type { BinaryFunction, ScalarSpec } from './body-spec.ts';
import { functionsOf } from './body-spec.ts';
import type { Element } from './payload-spec.ts';
import type { Random } from './random.ts';

/** What a body may use. */
export interface BodyContext {
  readonly element: Element;
  readonly extents: readonly number[];
  /** Readable operands of this element type, with the magnitude of their elements. */
  readonly operands: readonly { readonly operand: number; readonly magnitude: number }[];
  /** Whether it may contain `linalg.index` and `tensor.extract`. */
  readonly isGeneric: boolean;
}

/** A scalar and an upper bound on its magnitude. */
export interface Sized {
  readonly spec: ScalarSpec;
  readonly magnitude: number;
}

/** Magnitude of the functions' input data. */
export const dataMagnitude = 4;

/** Up to here all sums are exact in any order; integers wrap, which is just as exact. */
export const exactMagnitude = (element: Element): number => {
  switch (element) {
    case 'f32':
      return 2 ** 23;
    case 'index':
      return 2 ** 30;
    case 'f64':
      return 2 ** 52;
    case 'i1':
    case 'i32':
    case 'i64':
      return Infinity;
  }
};

const drawLeaf = (random: Random, { extents, operands, isGeneric }: BodyContext): Sized => {
  const dims = extents.flatMap((extent, dim) => (extent > 0 ? [dim] : []));
  const kind = random.weighted<'operand' | 'constant' | 'index' | 'captured' | 'extract'>([
    [operands.length > 0 ? 10 : 0, 'operand'],
    [1.5, 'constant'],
    [isGeneric && dims.length > 0 ? 1.2 : 0, 'index'],
    [isGeneric ? 0.4 : 0, 'captured'],
    [isGeneric && dims.length > 0 ? 0.7 : 0, 'extract'],
  ]);
  switch (kind) {
    case 'operand': {
      const { operand, magnitude } = random.pick(operands);
      return { spec: { kind: 'operand', operand }, magnitude };
    }
    case 'index': {
      const dim = random.pick(dims);
      return { spec: { kind: 'index', dim }, magnitude: extents[dim]! };
    }
    case 'captured':
      return { spec: { kind: 'captured' }, magnitude: dataMagnitude };
    case 'extract': {
      const chosen = random.shuffled(dims).slice(0, random.integer(1, Math.min(3, dims.length)));
      return { spec: { kind: 'extract', dims: chosen }, magnitude: dataMagnitude };
    }
    case 'constant':
    case undefined: {
      const value = random.integer(0, 3);
      return { spec: { kind: 'constant', value }, magnitude: value };
    }
  }
};

const magnitudeOf = (name: BinaryFunction, lhs: number, rhs: number): number => {
  switch (name) {
    case 'add':
    case 'sub':
      return lhs + rhs;
    case 'mul':
      return lhs * rhs;
    default:
      return Math.max(lhs, rhs);
  }
};

const combine = (name: BinaryFunction, lhs: Sized, rhs: Sized): Sized => ({
  spec: { kind: 'binary', function: name, lhs: lhs.spec, rhs: rhs.spec },
  magnitude: magnitudeOf(name, lhs.magnitude, rhs.magnitude),
});

/** A scalar with at most this many leaves. */
export const drawScalar = (random: Random, context: BodyContext, leaves: number): Sized => {
  if (leaves <= 1) return drawLeaf(random, context);
  const left = random.integer(1, leaves - 1);
  const lhs = drawScalar(random, context, left);
  const rhs = drawScalar(random, context, leaves - left);
  const { element } = context;
  if (element !== 'index' && random.chance(0.08)) {
    const other = drawLeaf(random, context);
    return {
      spec: { kind: 'select', lhs: lhs.spec, rhs: rhs.spec, other: other.spec },
      magnitude: Math.max(lhs.magnitude, other.magnitude),
    };
  }
  const drawn = combine(random.pick(functionsOf(element)), lhs, rhs);
  return drawn.magnitude <= exactMagnitude(element)
    ? drawn
    : combine(element === 'i1' ? 'or' : 'max', lhs, rhs);
};

/** The combiners of reductions: they must be order-independent. */
const reducing = (element: Element): readonly (readonly [number, BinaryFunction])[] =>
  element === 'i1'
    ? [
        [1, 'or'],
        [1, 'and'],
        [1, 'xor'],
      ]
    : [
        [6, 'add'],
        [1.5, 'max'],
        [1, 'min'],
        [0.5, 'mul'],
      ];

/** The yielded value for the output `operand` of a reduction over `count` elements. */
export const drawReduction = (
  random: Random,
  context: BodyContext,
  output: { readonly operand: number; readonly magnitude: number },
  count: number,
): Sized => {
  const value = drawScalar(random, context, random.integer(1, 3));
  const old: Sized = { spec: { kind: 'operand', operand: output.operand }, magnitude: output.magnitude };
  const name = random.weighted(reducing(context.element))!;
  const times = Math.max(1, count);
  const magnitude =
    name === 'add'
      ? old.magnitude + times * value.magnitude
      : name === 'mul'
        ? old.magnitude * Math.max(1, value.magnitude) ** times
        : Math.max(old.magnitude, value.magnitude);
  const isExact = magnitude <= exactMagnitude(context.element);
  const combined = isExact ? name : context.element === 'i1' ? 'or' : 'max';
  // A subtraction from the accumulator is a sum as well.
  const isSwapped = combined !== 'mul' && random.chance(0.3);
  const [lhs, rhs] = isSwapped ? [value, old] : [old, value];
  return {
    spec: { kind: 'binary', function: combined, lhs: lhs.spec, rhs: rhs.spec },
    magnitude: isExact ? magnitude : Math.max(old.magnitude, value.magnitude),
  };
};

/**
 * Operations of `vector` that combine elements. Each result element combines its terms one after the other, in
 * row-major order, as the interpreter does; different ones are combined side by side, in the lanes of a register.
 */
import { elementTypeOf, scalarOp } from '@sconv/dialects';
import type { CombiningKind } from '@sconv/dialects/vector';
import {
  combinerName,
  contract,
  contractionSizes,
  indicesOf,
  multiReduction,
  outerproduct,
  positionOf,
  productTerms,
  reduction,
  reductionTargets,
  scan,
  vectorShape,
} from '@sconv/dialects/vector';
import type { Operation, Type, Value } from '@sconv/ir';
import { elementCount, floatWidth, modelOf, typeEquals } from '@sconv/ir';
import { arrangeLanes, maskIn } from './arrange-lanes.ts';
import type { Expr } from './instructions.ts';
import { f32x4, f64x2, v128 } from './instructions.ts';
import { isHalf, roundedVector } from './half-floats.ts';
import { heldWidth } from './integer-words.ts';
import type { Lowering, VectorElement, VectorValue } from './lowering.ts';
import { operandOf, resultOf, scalarOf, unsupported } from './lowering.ts';
import type { Elements } from './vector-elementwise.ts';
import { computeElements, scalarLoweringOf } from './vector-elementwise.ts';
import type { Register } from './vector-value.ts';
import {
  bindElements,
  bindVector,
  heldNumber,
  isMask,
  kept,
  laneBytesOf,
  registersOf,
  vectorOf,
  vectorTypeOf,
} from './vector-value.ts';
import type { WasmLowering } from './wasm-lowering.ts';

type Combine = (a: VectorValue, b: VectorValue, count: number) => VectorValue;

/** Combines vectors of elements of a type. */
const combiner = (state: Lowering, operation: Operation, kind: CombiningKind, type: Type): Combine => {
  const name = combinerName(kind, type) ?? unsupported(operation, `'${kind}' of this type`);
  const lower = scalarLoweringOf(operation, name);
  return (a, b, count) => {
    const operands = [a, b].map((value): Elements => ({ type, value }));
    return computeElements(state, operation, name, operands, [type], count, lower)[0]!;
  };
};

/** A vector, or a number as the only element of one. */
const asVector = (state: Lowering, operation: Operation, value: Value): VectorValue => {
  if (value.type.kind === 'vector') {
    vectorTypeOf(operation, value);
    return vectorOf(state, operation, value);
  }
  const bytes = laneBytesOf(value.type) ?? unsupported(operation, 'a number of this type');
  const registers = registersOf(bytes, value.type, [scalarOf(state, operation, value)]);
  return { kind: 'vector', bytes, registers: registers.map((each) => kept(state.f, each)) };
};

/** Some elements of a vector, in this order. */
const picked = (state: Lowering, vector: VectorValue, positions: readonly number[]): VectorValue => {
  const sources = positions.map((position): VectorElement => ({ vector, position }));
  return { ...vector, registers: arrangeLanes(vector.bytes, sources).map((each) => kept(state.f, each)) };
};

/** `chosen` where the mask is set, else `other`. */
const blended = (
  { f }: Lowering,
  mask: VectorValue,
  chosen: VectorValue,
  other: VectorValue,
  count: number,
): VectorValue => {
  const { registers } = maskIn(mask, count, chosen.bytes);
  return {
    ...chosen,
    registers: chosen.registers.map((each, r) =>
      kept(f, v128.bitselect(each, other.registers[r]!, registers[r]!)),
    ),
  };
};

/** What leaves any number as it is when it is combined with it. */
const neutral = (state: Lowering, operation: Operation, kind: CombiningKind, type: Type): Expr => {
  const scalar = modelOf(state.registry, scalarOp, { name: combinerName(kind, type) ?? kind });
  const [float] = scalar?.kind === 'floats' ? (scalar.neutral ?? []) : [];
  const value = scalar?.kind === 'integers' ? scalar.neutral?.(heldWidth(type) ?? 0) : float;
  return value === undefined
    ? unsupported(operation, 'a reduction that begins with nothing')
    : heldNumber(type, isMask(type) ? BigInt.asUintN(1, BigInt(value)) : value);
};

const numberVector = (state: Lowering, type: Type, number: Expr, count: number): VectorValue => {
  const bytes = laneBytesOf(type)!;
  const registers = registersOf(
    bytes,
    type,
    Array.from({ length: count }, () => number),
  );
  return { kind: 'vector', bytes, registers: registers.map((each) => kept(state.f, each)) };
};

const maskOf = (state: Lowering, operation: Operation): VectorValue | undefined => {
  const around = state.maskings.get(operation.id);
  return around && vectorOf(state, operation, around.mask);
};

/** The positions of terms by result element: the first ones of all, the second ones … */
const stepsOf = (outs: readonly number[], count: number): readonly (readonly number[])[] => {
  const terms = Array.from({ length: count }, (): number[] => []);
  outs.forEach((out, i) => terms[out]!.push(i));
  const steps = terms[0]?.length ?? 0;
  return Array.from({ length: steps }, (_, step) => terms.map((own) => own[step]!));
};

/** Combines the terms of each step with the sums; without sums, the first step begins them. */
const sumOf = (
  state: Lowering,
  steps: readonly (readonly number[])[],
  initial: VectorValue | undefined,
  mask: VectorValue | undefined,
  count: number,
  termOf: (positions: readonly number[]) => VectorValue,
  combine: Combine,
): VectorValue | undefined =>
  steps.reduce<VectorValue | undefined>((sum, positions) => {
    const term = termOf(positions);
    if (sum === undefined) return term;
    const combined = combine(sum, term, count);
    return mask === undefined
      ? combined
      : blended(state, picked(state, mask, positions), combined, sum, count);
  }, initial);

/** A factor, extended to the type of its products. */
const factor = (state: Lowering, operation: Operation, value: Value, type: Type): VectorValue => {
  const own = elementTypeOf(value.type);
  const vector = asVector(state, operation, value);
  if (typeEquals(own, type)) return vector;
  const isNarrower =
    (own.kind === 'integer' && type.kind === 'integer' && own.width < type.width) ||
    (own.kind === 'float' && type.kind === 'float' && floatWidth(own.name) < floatWidth(type.name));
  if (!isNarrower) return unsupported(operation, 'a sum of other elements than its factors', castHint);
  const name = own.kind === 'float' ? 'arith.extf' : 'arith.extsi';
  const count = elementCount(vectorShape(value.type));
  const operands = [{ type: own, value: vector }];
  return computeElements(
    state,
    operation,
    name,
    operands,
    [type],
    count,
    scalarLoweringOf(operation, name),
  )[0]!;
};

const castHint = ': cast the factors first';

/** Fails for a contraction of more products than code should be made for. */
const checkSize = (operation: Operation): void => {
  if (!contract.is(operation)) return;
  const { lhs, rhs } = contract.operands(operation);
  const { indexingMaps, iteratorTypes } = contract.attributes(operation);
  const sizes = contractionSizes([lhs.type, rhs.type], indexingMaps, iteratorTypes.length);
  const products = sizes.reduce((all, each) => all * (each?.size ?? 1), 1);
  if (products > maximumProducts)
    unsupported(operation, `a sum of ${products} products`, ': tile what makes it');
};

/** As many as of matrices of the largest vectors. */
const maximumProducts = 64 ** 3;

/** `vector.contract`, `vector.outerproduct` and `vector.matrix_multiply`. */
const products =
  (kindOf: (operation: Operation) => CombiningKind): WasmLowering =>
  (state, operation) => {
    const result = resultOf(operation);
    const type = elementTypeOf(result.type);
    const [lhs, rhs, acc] = operation.operands;
    if (lhs === undefined || rhs === undefined) return unsupported(operation, 'a product without factors');
    const [a, b] = [factor(state, operation, lhs, type), factor(state, operation, rhs, type)];
    const initial = acc && asVector(state, operation, acc);
    const count = elementCount(vectorShape(result.type));
    if (result.type.kind === 'vector') vectorTypeOf(operation, result);
    checkSize(operation);
    const terms = productTerms(operation);
    const steps = stepsOf(
      terms.map(({ out }) => out),
      count,
    );
    const kind = kindOf(operation);
    const multiply = combiner(state, operation, 'mul', type);
    const mask = maskOf(state, operation);
    // What is not set in a mask is 0 without anything to begin with.
    const begin = mask === undefined ? undefined : numberVector(state, type, heldNumber(type, 0), count);
    const sum = sumOf(
      state,
      steps,
      initial ?? begin,
      mask,
      count,
      (positions) =>
        multiply(
          picked(
            state,
            a,
            positions.map((i) => terms[i]!.lhs),
          ),
          picked(
            state,
            b,
            positions.map((i) => terms[i]!.rhs),
          ),
          count,
        ),
      initial === undefined && steps.length <= 1 ? (_, term) => term : combiner(state, operation, kind, type),
    );
    if (sum === undefined) return unsupported(operation, 'a sum of nothing');
    bindElements(state, result, sum.bytes, sum.registers);
  };

/** `vector.reduction` and `vector.multi_reduction`. */
const reduced =
  (kindOf: (operation: Operation) => CombiningKind): WasmLowering =>
  (state, operation) => {
    const result = resultOf(operation);
    const type = elementTypeOf(result.type);
    const kind = kindOf(operation);
    const source = asVector(state, operation, operandOf(operation, 0));
    const [, acc] = operation.operands;
    const count = elementCount(vectorShape(result.type));
    const mask = maskOf(state, operation);
    const steps = stepsOf(reductionTargets(operation), count);
    const begin = (): VectorValue | undefined =>
      mask && numberVector(state, type, neutral(state, operation, kind, type), count);
    const initial = acc === undefined ? begin() : asVector(state, operation, acc);
    const combine = combiner(state, operation, kind, type);
    const sum = sumOf(
      state,
      steps,
      initial,
      mask,
      count,
      (positions) => picked(state, source, positions),
      combine,
    );
    if (sum === undefined) return unsupported(operation, 'a reduction of nothing');
    bindElements(state, result, sum.bytes, sum.registers);
  };

/** `vector.scan`: the sums before, or up to, each element along a dimension, and the last ones. */
const lowerScan: WasmLowering = (state, operation) => {
  const { kind, reductionDim, inclusive } = scan.attributes(operation);
  const { source, initial_value: initial } = scan.operands(operation);
  const { dest, accumulated_value: last } = scan.results(operation);
  const { type } = vectorTypeOf(operation, dest);
  const { shape, elementType } = type;
  const [values, first] = [asVector(state, operation, source), asVector(state, operation, initial)];
  const count = elementCount(vectorShape(last.type));
  const combine = combiner(state, operation, kind, elementType);
  const indices = indicesOf(shape);
  const rest = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => i !== reductionDim);
  const slices = Array.from({ length: shape[reductionDim] ?? 0 }, (_, step) =>
    indices.flatMap((index, i) => (index[reductionDim] === step ? [i] : [])),
  );
  const sums: VectorValue[] = [];
  slices.forEach((_, step) => {
    const before = sums.at(-1);
    const added = (at: number): VectorValue => picked(state, values, slices[at]!);
    if (before === undefined) sums.push(inclusive ? added(0) : first);
    else sums.push(combine(before, added(inclusive ? step : step - 1), count));
  });
  const end = sums.at(-1) ?? unsupported(operation, 'a scan of nothing');
  const placed = indices.map((index): VectorElement => ({
    vector: sums[index[reductionDim]!]!,
    position: positionOf(rest(index), rest(shape)),
  }));
  const bytes = isMask(elementType) ? end.bytes : values.bytes;
  bindVector(state, dest, bytes, arrangeLanes(bytes, placed));
  bindVector(state, last, end.bytes, end.registers);
};

/**
 * `vector.fma`.
 *
 * @deviation WebAssembly has no fused multiply-add whose result is defined: the product is rounded before the sum is,
 * as in the microkernels. With relaxed SIMD, the engine's own is used, which may be fused. Products of small integers
 * are exact either way.
 */
const lowerFma: WasmLowering = (state, operation) => {
  const result = resultOf(operation);
  const { type, bytes } = vectorTypeOf(operation, result);
  const { elementType } = type;
  const [a, b, c] = operation.operands.map((value) => vectorOf(state, operation, value)) as [
    VectorValue,
    VectorValue,
    VectorValue,
  ];
  const vectors = bytes === 8 ? f64x2 : f32x4;
  const isNarrow = elementType.kind === 'float' && isHalf(elementType.name);
  const fused = (x: Register, y: Register, sum: Register): Register => {
    if (state.relaxed && !isNarrow) return vectors.relaxedMadd(x, y, sum);
    const added = vectors.add(vectors.mul(x, y), sum);
    return elementType.kind === 'float' && isHalf(elementType.name)
      ? roundedVector(state.f, elementType.name, added)
      : added;
  };
  const registers = a.registers.map((each, r) => fused(each, b.registers[r]!, c.registers[r]!));
  bindVector(state, result, bytes, registers);
};

/** By operation name, those that a mask may be around. */
export const maskableSums: Readonly<Record<string, WasmLowering>> = {
  'vector.contract': products((operation) => contract.attributes(operation).kind),
  'vector.outerproduct': products((operation) => outerproduct.attributes(operation).kind),
  'vector.reduction': reduced((operation) => reduction.attributes(operation).kind),
  'vector.multi_reduction': reduced((operation) => multiReduction.attributes(operation).kind),
};

/** By operation name. */
export const vectorSumOps: Readonly<Record<string, WasmLowering>> = {
  ...maskableSums,
  'vector.matrix_multiply': products(() => 'add'),
  'vector.scan': lowerScan,
  'vector.fma': lowerFma,
};

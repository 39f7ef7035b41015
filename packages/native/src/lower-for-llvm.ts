/** Lowers what LLVM's conversions refuse or get wrong. */
import { expandView, lowerDelinearize } from '@sconv/canonicalization';
import { structuredToLoops } from '@sconv/loops';
import { lowerHalfFloats, lowerMathFunction, lowerTransfers } from '@sconv/lowering';
import type { Diagnostic } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import {
  createConstantValue,
  createIndex,
  elementTypeOf,
  mixedIndices,
  uniformConstant,
  withElementType,
} from '@sconv/dialects';
import { delinearizeIndex } from '@sconv/dialects/affine';
import {
  addi,
  adduiExtended,
  cmpi,
  extf,
  extsi,
  indexCast,
  muli,
  mulsiExtended,
  muluiExtended,
  select,
} from '@sconv/dialects/arith';
import {
  broadcast,
  contract,
  deinterleave,
  extract,
  extractelement,
  insert,
  insertelement,
  isMasked,
  maskAround,
  reduction,
  shapeCast,
  transferRead,
} from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, denseElementsAttribute, elementCount, floatWidth, i1, i64, vectorType } from '@sconv/ir';
import { lowerDivision } from './exact-integers.ts';
import { unsupported } from './native-ops.ts';

/**
 * Lowers a module's structured ops to loops (upstream drops identities on buffers), vector accesses that may leave a
 * buffer, views (upstream takes the wrong strides where dimensions are dropped), sums and products of double width
 * (upstream refuses them on `index` and in vectors of several dimensions), math on indices, on vectors without
 * dimensions and of f32, single elements of such vectors and at positions that are known at run time, products of
 * narrow factors, sums of floats that begin with nothing (upstream begins with +0.0), elements put into what is read,
 * and bf16. Returns what cannot be compiled, as `native/unsupported`.
 */
export const lowerForLlvm = (rewriter: Rewriter): readonly Diagnostic[] => {
  const { root } = rewriter;
  for (const operation of rewriter.walk(root)) {
    if (operation.name.startsWith('linalg.')) structuredToLoops(rewriter, operation, 'for');
  }
  lowerTransfers(rewriter, root);
  for (const operation of rewriter.walk(root)) {
    if (delinearizeIndex.is(operation)) {
      rewriter.setInsertionPointBefore(operation);
      lowerDelinearize(rewriter, operation);
    } else if (adduiExtended.is(operation)) lowerSum(rewriter, operation);
    else if (mulsiExtended.is(operation) || muluiExtended.is(operation)) flatten(rewriter, operation);
    else if (operation.name.startsWith('math.')) lowerMath(rewriter, operation);
    else if (deinterleave.is(operation) && isOfIndices(operation)) onIntegers(rewriter, operation);
    else if (extract.is(operation) || insert.is(operation)) lowerElement(rewriter, operation);
    else if (contract.is(operation)) extendFactors(rewriter, operation);
    else if (reduction.is(operation)) beginSum(rewriter, operation);
    else expandView(rewriter, operation);
  }
  for (const operation of rewriter.walk(root)) {
    lowerDivision(rewriter, operation);
    if (insert.is(operation)) selectInserted(rewriter, operation);
  }
  const problems = rewriter.walk(root).flatMap((operation) => unsupported(operation) ?? []);
  if (problems.length > 0) return problems;
  return lowerHalfFloats(rewriter, root).map(({ name, location }) =>
    error('native/unsupported', `'${name}' computes with bf16 there: extend it to f32`, location),
  );
};

/** A sum without sign that is less than a term overflowed. */
const lowerSum = (rewriter: Rewriter, operation: DraftOperation): void => {
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const [lhs, rhs] = operation.operands as [Value, Value];
  const sum: Value = b(addi, { lhs, rhs });
  const resultTypes = [operation.results[1]!.type];
  const overflow: Value = b(cmpi, { predicate: 'ult', lhs: sum, rhs: lhs }, { resultTypes });
  rewriter.replaceOperation(operation, [sum, overflow]);
};

/**
 * Upstream refuses math on vectors without dimensions, and of indices, and calls a library for each element of a
 * vector.
 */
const lowerMath = (rewriter: Rewriter, operation: DraftOperation): void => {
  const { type } = operation.operands[0]!;
  const taken = isOfIndices(operation) ? onIntegers(rewriter, operation) : operation;
  if (lowerMathFunction(rewriter, taken)) return;
  if (type.kind === 'vector' && type.shape.length === 0) flatten(rewriter, taken);
};

const isOfIndices = ({ operands }: DraftOperation): boolean =>
  elementTypeOf(operands[0]!.type).kind === 'index';

/** Computes on integers what an operation computes on indices; returns the new operation. */
const onIntegers = (rewriter: Rewriter, operation: DraftOperation): DraftOperation => {
  rewriter.setInsertionPointBefore(operation);
  const castTo = (value: Value, type: Type): Value =>
    builder(rewriter)(indexCast, { in: value }, { resultTypes: [type] });
  const made = rewriter.create({
    name: operation.name,
    operands: operation.operands.map((each) => castTo(each, withElementType(each.type, i64))),
    resultTypes: operation.results.map((each) => withElementType(each.type, i64)),
    attributes: operation.attributes,
    location: operation.location,
  });
  const results = made.results.map((each, i) => castTo(each, operation.results[i]!.type));
  rewriter.replaceOperation(operation, results, [made]);
  return made;
};

/**
 * Takes or puts an element at a position of several dimensions that is known at run time, as one of a list of elements,
 * and one of a vector without dimensions. Upstream leaves the former, and makes a vector a number in the latter.
 */
const lowerElement = (rewriter: Rewriter, operation: DraftOperation): void => {
  const isInsert = insert.is(operation);
  const { type } = isInsert ? operation.operands[1]! : operation.operands[0]!;
  const element = isInsert ? operation.operands[0]!.type : operation.results[0]!.type;
  const { dynamicPosition } = isInsert ? insert.operands(operation) : extract.operands(operation);
  const { staticPosition } = isInsert ? insert.attributes(operation) : extract.attributes(operation);
  if (type.kind !== 'vector' || type.scalable.includes(true) || element.kind === 'vector') return;
  // Upstream's canonicalization crashes on a single element of several dimensions.
  const isOnly = elementCount(type.shape) === 1;
  if (type.shape.length === 1 || (!isOnly && dynamicPosition.length === 0)) return;
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const list = vectorType([elementCount(type.shape)], type.elementType);
  const cast = (source: Value, to: VectorType): Value =>
    b(shapeCast, { source: source as Value<VectorType> }, { resultTypes: [to] });
  const at = mixedIndices(dynamicPosition, staticPosition).reduce<Value>(
    (sum, each, i) => {
      const scaled: Value = b(muli, { lhs: sum, rhs: createIndex(rewriter, type.shape[i]!) });
      return b(addi, { lhs: scaled, rhs: typeof each === 'number' ? createIndex(rewriter, each) : each });
    },
    createIndex(rewriter, 0),
  );
  if (isInsert) {
    const { source, dest } = insert.operands(operation);
    const into = cast(dest, list);
    const made: Value = b(insertelement, { source, dest: into, position: at });
    rewriter.replaceOperation(operation, [cast(made, type)]);
  } else {
    const vector = cast(operation.operands[0]!, list);
    rewriter.replaceOperation(operation, [b(extractelement, { vector, position: at })]);
  }
};

/**
 * Puts elements into a vector that is read for that alone by a selection. Upstream's conversion of the read takes the
 * vector for what is put in there, and crashes.
 */
const selectInserted = (rewriter: Rewriter, operation: DraftOperation): void => {
  const { source, dest, dynamicPosition } = insert.operands(operation);
  const { staticPosition } = insert.attributes(operation);
  const { type } = dest;
  const read = rewriter.definingOperation(dest);
  if (read === undefined || !transferRead.is(read) || rewriter.users(dest).length > 1) return;
  if (type.scalable.includes(true) || dynamicPosition.length > 0) return;
  const { shape } = type;
  const count = elementCount(shape.slice(staticPosition.length));
  const place = staticPosition.reduce((at, index, i) => at * shape[i]! + index, 0);
  const isPut = Array.from({ length: elementCount(shape) }, (_, i) =>
    Math.floor(i / count) === place ? 1n : 0n,
  );
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const maskType = vectorType(shape, i1);
  const condition = createConstantValue(rewriter, denseElementsAttribute(isPut, maskType), maskType);
  const trueValue: Value = b(broadcast, { source }, { resultTypes: [type] });
  rewriter.replaceOperation(operation, [b(select, { condition, trueValue, falseValue: dest })]);
};

/** Products have the type of what they are added to; upstream leaves factors of a narrower one. */
const extendFactors = (rewriter: Rewriter, operation: DraftOperation): void => {
  const { lhs, rhs, acc } = contract.operands(operation);
  const [narrow, wide] = [elementTypeOf(lhs.type), elementTypeOf(acc.type)];
  const extension = narrow.kind === 'float' ? extf : extsi;
  const isNarrower =
    (narrow.kind === 'float' && wide.kind === 'float' && floatWidth(narrow.name) < floatWidth(wide.name)) ||
    (narrow.kind === 'integer' && wide.kind === 'integer' && narrow.width < wide.width);
  // A mask's region has no other operation; masked contractions are refused.
  if (!isNarrower || isMasked(operation)) return;
  rewriter.setInsertionPointBefore(operation);
  for (const [i, factor] of [lhs, rhs].entries()) {
    const resultTypes = [withElementType(factor.type, wide)];
    rewriter.setOperand(operation, i, builder(rewriter)(extension, { in: factor }, { resultTypes }));
  }
};

/** Adds to -0.0, to which any float may be added without a change: with +0.0, -0.0 would become +0.0. */
const beginSum = (rewriter: Rewriter, operation: DraftOperation): void => {
  const { vector, acc } = reduction.operands(operation);
  const { kind, fastmath } = reduction.attributes(operation);
  const { type } = operation.results[0]!;
  if (kind !== 'add' || acc !== undefined || type.kind !== 'float' || fastmath.includes('nsz')) return;
  rewriter.setInsertionPointBefore(maskAround(operation) ?? operation);
  const begin = createConstantValue(rewriter, uniformConstant(-0, type)!, type);
  rewriter.setOperands(operation, [vector, begin]);
};

/** Computes with vectors of several dimensions as with lists of elements. */
const flatten = (rewriter: Rewriter, operation: DraftOperation): void => {
  const { type } = operation.operands[0]!;
  if (type.kind !== 'vector' || type.shape.length === 1 || type.scalable.includes(true)) return;
  const listOf = (each: VectorType): VectorType => vectorType([elementCount(each.shape)], each.elementType);
  const castTo = (value: Value, to: VectorType): Value =>
    builder(rewriter)(shapeCast, { source: value as Value<VectorType> }, { resultTypes: [to] });
  rewriter.setInsertionPointBefore(operation);
  const made = rewriter.create({
    name: operation.name,
    operands: operation.operands.map((each) => castTo(each, listOf(type))),
    resultTypes: operation.results.map((each) => listOf(each.type as VectorType)),
    attributes: operation.attributes,
    location: operation.location,
  });
  const results = made.results.map((each, i) => castTo(each, operation.results[i]!.type as VectorType));
  rewriter.replaceOperation(operation, results, [made]);
};

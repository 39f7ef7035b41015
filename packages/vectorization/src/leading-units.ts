/**
 * Drops the leading unit dimensions of vectors: upstream's `populateCastAwayVectorLeadingOneDimPatterns`. Masked
 * operations and transfers stay.
 *
 * @deviation So do transfers that may be out of bounds along such a dimension: upstream's then access what is not
 * there.
 */
import type { AffineMap } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import { onOp } from '@sconv/canonicalization/matching';
import { isInBounds } from '@sconv/dialects';
import {
  broadcast,
  constantMask,
  contract,
  extractStridedSlice,
  insert,
  insertStridedSlice,
  isMasked,
  transferOf,
  transferRead,
  transferWrite,
} from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, DYNAMIC, hasTrait, typeEquals } from '@sconv/ir';
import { transposed } from './transposed.ts';
import { partOf, withoutLeading } from './vector-parts.ts';

/** The number of leading unit dimensions; the last dimension does not count. */
const leadingUnits = ({ shape, scalable }: VectorType): number => {
  let count = 0;
  while (count < shape.length - 1 && shape[count] === 1 && scalable[count] !== true) count += 1;
  return count;
};

const isVector = (type: Type): type is VectorType => type.kind === 'vector';
const isVectorValue = (value: Value): value is Value<VectorType> => isVector(value.type);

/** A vector without its first `count` dimensions. */
const trimmed = (rewriter: Rewriter, vector: Value, count: number): Value =>
  count === 0
    ? vector
    : partOf(
        rewriter,
        vector,
        Array.from({ length: count }, () => 0),
      );

const repeated = (rewriter: Rewriter, source: Value, type: Type): Value =>
  builder(rewriter)(broadcast, { source }, { resultTypes: [type] });

const sliceWithUnits = onOp(extractStridedSlice, 'slice-with-units', (rewriter, operation) => {
  const { vector } = extractStridedSlice.operands(operation);
  const { offsets, sizes, strides } = extractStridedSlice.attributes(operation);
  const count = leadingUnits(vector.type);
  const type = operation.results[0]!.type as VectorType;
  // A slice has at least one offset.
  if (count === 0 || offsets.length <= count) return;
  const lists = { offsets: offsets.slice(count), sizes: sizes.slice(count), strides: strides.slice(count) };
  const source = trimmed(rewriter, vector, count);
  const options = { resultTypes: [withoutLeading(type, count)] };
  const made = builder(rewriter)(extractStridedSlice, { vector: source, ...lists }, options);
  rewriter.replaceOperation(operation, [repeated(rewriter, made, type)]);
});

const insertedWithUnits = onOp(insertStridedSlice, 'inserted-slice-with-units', (rewriter, operation) => {
  const { source, dest } = insertStridedSlice.operands(operation);
  const { offsets, strides } = insertStridedSlice.attributes(operation);
  const [from, to] = [leadingUnits(source.type), leadingUnits(dest.type)];
  if (from === 0 && to === 0) return;
  const [part, whole] = [trimmed(rewriter, source, from), trimmed(rewriter, dest, to)] as Value<VectorType>[];
  const made = builder(rewriter)(
    insertStridedSlice,
    {
      source: part!,
      dest: whole!,
      offsets: offsets.slice(offsets.length - whole!.type.shape.length),
      strides: strides.slice(strides.length - part!.type.shape.length),
    },
    { resultTypes: [whole!.type] },
  );
  rewriter.replaceOperation(operation, [repeated(rewriter, made, dest.type)]);
});

const insertWithUnits = onOp(insert, 'insert-with-units', (rewriter, operation) => {
  const { source, dest, dynamicPosition } = insert.operands(operation);
  const { staticPosition } = insert.attributes(operation);
  const from = isVector(source.type) && source.type.shape.length > 0 ? leadingUnits(source.type) : 0;
  const to = leadingUnits(dest.type);
  if ((from === 0 && to === 0) || dest.type.shape.length === 0) return;
  const part = trimmed(rewriter, source, from);
  const whole = trimmed(rewriter, dest, to) as Value<VectorType>;
  const rank = isVector(part.type) ? part.type.shape.length : 0;
  // The position in a dropped dimension is 0.
  const kept = staticPosition.slice(Math.min(to, staticPosition.length));
  const dropped = staticPosition.slice(0, staticPosition.length - kept.length);
  const dynamic = dynamicPosition.slice(dropped.filter((position) => position === DYNAMIC).length);
  const { length } = whole.type.shape;
  const position = [...kept, ...Array.from({ length: Math.max(0, length - rank - kept.length) }, () => 0)];
  const made = builder(rewriter)(
    insert,
    { source: part, dest: whole, dynamicPosition: dynamic, staticPosition: position.slice(0, length - rank) },
    { resultTypes: [whole.type] },
  );
  rewriter.replaceOperation(operation, [repeated(rewriter, made, dest.type)]);
});

/** The last results of a map. */
const lastOf = (map: AffineMap, count: number): AffineMap =>
  makeMap(map.numDims, map.numSymbols, map.results.slice(map.results.length - count));

const holdsElements = (source: Value, type: VectorType): boolean =>
  (source.type.kind === 'memref' || source.type.kind === 'tensor') &&
  typeEquals(source.type.elementType, type.elementType);

/** Whether a transfer stays in bounds along its first dimensions, without which it may not leave them. */
const staysInside = (rewriter: Rewriter, operation: DraftOperation, count: number): boolean => {
  const transfer = transferOf(operation);
  return transfer?.map.results.slice(0, count).every((_, i) => isInBounds(rewriter, transfer, i)) === true;
};

const readWithUnits = onOp(transferRead, 'read-with-units', (rewriter, operation) => {
  const { mask, ...operands } = transferRead.operands(operation);
  const { permutationMap, inBounds } = transferRead.attributes(operation);
  const type = operation.results[0]!.type as VectorType;
  const count = leadingUnits(type);
  if (count === 0 || mask !== undefined || isMasked(operation) || !holdsElements(operands.source, type))
    return;
  if (!staysInside(rewriter, operation, count)) return;
  const small = withoutLeading(type, count);
  const { length } = small.shape;
  const made = builder(rewriter)(
    transferRead,
    {
      ...operands,
      permutationMap: lastOf(permutationMap, length),
      inBounds: inBounds.slice(inBounds.length - length),
    },
    { resultTypes: [small] },
  );
  rewriter.replaceOperation(operation, [repeated(rewriter, made, type)]);
});

const writeWithUnits = onOp(transferWrite, 'write-with-units', (rewriter, operation) => {
  const { mask, vector, ...operands } = transferWrite.operands(operation);
  const { permutationMap, inBounds } = transferWrite.attributes(operation);
  const count = leadingUnits(vector.type);
  if (count === 0 || mask !== undefined || isMasked(operation)) return;
  if (!holdsElements(operands.source, vector.type) || !staysInside(rewriter, operation, count)) return;
  const small = trimmed(rewriter, vector, count) as Value<VectorType>;
  const { length } = small.type.shape;
  const state = transferWrite.state<Rewriter>({
    operands: { ...operands, vector: small },
    attributes: {
      permutationMap: lastOf(permutationMap, length),
      inBounds: inBounds.slice(inBounds.length - length),
    },
    resultTypes: operation.results.map(({ type }) => type),
  });
  rewriter.replaceWith(operation, state);
});

/** Drops the leading parallel dimension of the result, from each operand that has it. */
const contractWithUnits = onOp(contract, 'contract-with-units', (rewriter, operation) => {
  const { lhs, rhs, acc } = contract.operands(operation);
  const { indexingMaps, iteratorTypes, kind } = contract.attributes(operation);
  if (!isVector(acc.type) || leadingUnits(acc.type) === 0 || isMasked(operation)) return;
  const first = indexingMaps[2]?.results[0];
  if (first?.kind !== 'dim' || iteratorTypes[first.position] !== 'parallel') return;
  const gone = first.position;
  const positionsOf = (map: AffineMap) =>
    map.results.map((result) => (result.kind === 'dim' ? result.position : -1));
  const parts = [lhs, rhs, acc].map((operand, i) => {
    const positions = positionsOf(indexingMaps[i]!);
    const at = positions.indexOf(gone);
    const kept = positions.filter((position) => position !== gone);
    const map = makeMap(
      indexingMaps[i]!.numDims - 1,
      0,
      kept.map((position) => dim(position < gone ? position : position - 1)),
    );
    if (at < 0) return { operand, map };
    const { shape } = operand.type as VectorType;
    const order = [at, ...shape.flatMap((_, each) => (each === at ? [] : [each]))];
    // A permutation of unit dimensions alone needs no transpose.
    const moves = order.slice(0, -1).some((from, to) => from !== to && shape[to] !== 1);
    const vector = moves ? transposed(rewriter, operand as Value<VectorType>, order) : operand;
    return { operand: trimmed(rewriter, vector, 1), map };
  });
  const [a, b, c] = parts.map(({ operand }) => operand) as [Value, Value, Value];
  const made = builder(rewriter)(
    contract,
    {
      lhs: a,
      rhs: b,
      acc: c,
      indexingMaps: parts.map(({ map }) => map),
      iteratorTypes: iteratorTypes.filter((_, i) => i !== gone),
      kind,
    },
    { resultTypes: [c.type] },
  );
  rewriter.replaceOperation(operation, [repeated(rewriter, made, operation.results[0]!.type)]);
});

const elementwiseWithUnits: RewritePattern = {
  name: 'elementwise-with-units',
  rewrite: (rewriter, operation) => {
    const [result, ...others] = operation.results;
    if (result === undefined || others.length > 0 || !isVectorValue(result)) return;
    if (!hasTrait(rewriter.registry, operation, 'elementwise')) return;
    const count = leadingUnits(result.type);
    if (count === 0) return;
    const operands = operation.operands.map((operand) =>
      isVectorValue(operand) ? trimmed(rewriter, operand, count) : operand,
    );
    const { name, attributes, location } = operation;
    const made = rewriter.createValue({
      name,
      operands,
      resultTypes: [withoutLeading(result.type, count)],
      attributes,
      location,
    });
    rewriter.replaceOperation(operation, [repeated(rewriter, made, result.type)]);
  },
};

const maskWithUnits = onOp(constantMask, 'constant-mask-with-units', (rewriter, operation) => {
  const { maskDimSizes } = constantMask.attributes(operation);
  const type = operation.results[0]!.type as VectorType;
  const count = leadingUnits(type);
  if (count === 0) return;
  // An empty range of a dropped dimension makes the mask all-false.
  const first = maskDimSizes.slice(0, count + 1).reduce((product, size) => product * size, 1);
  const made = builder(rewriter)(
    constantMask,
    { maskDimSizes: [first, ...maskDimSizes.slice(count + 1)] },
    { resultTypes: [withoutLeading(type, count)] },
  );
  rewriter.replaceOperation(operation, [repeated(rewriter, made, type)]);
});

export const leadingUnitPatterns: readonly RewritePattern[] = [
  sliceWithUnits,
  insertedWithUnits,
  insertWithUnits,
  maskWithUnits,
  readWithUnits,
  writeWithUnits,
  elementwiseWithUnits,
  contractWithUnits,
];

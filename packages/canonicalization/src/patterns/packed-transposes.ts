/** Folds pads, slices and transposes into adjacent packings: upstream's `populateFoldIntoPackAndUnpackPatterns`. */
import { isPermutation } from '@sconv/affine';
import type { PackTiling } from '@sconv/dialects';
import {
  createEmpty,
  createPack,
  createPackedDestination,
  createUnpack,
  createUnpackedDestination,
  indexNumber,
  mixedSlice,
  permuted,
  tilingOf,
} from '@sconv/dialects';
import { structured, transpose } from '@sconv/dialects/linalg';
import { extractSlice, mixedPadding, pack, pad, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { attributeEquals, bodyOf, DYNAMIC, terminatorOf } from '@sconv/ir';
import { constantOf, definedBy, isSame, onOp } from '../match.ts';

/** The permutation that a pure transpose applies: result dimension i is input dimension `permutation[i]`. */
const permutationOf = (rewriter: Rewriter, operation: DraftOperation): readonly number[] | undefined => {
  if (operation.results.length !== 1) return undefined;
  if (transpose.is(operation)) {
    const { permutation: given } = operation.attributes;
    return given?.kind === 'dense-array' ? given.values.map(Number) : undefined;
  }
  const view = structured(rewriter.registry, operation);
  if (view?.body === undefined || view.inputs.length !== 1 || view.outputs.length !== 1) return undefined;
  const [read, written] = view.indexingMaps;
  if (read === undefined || written === undefined || view.iteratorTypes.some((kind) => kind !== 'parallel'))
    return undefined;
  if (!isPermutation(read) || !isPermutation(written) || String(read) === String(written)) return undefined;
  const { body } = view;
  if (body.operations.length !== 1 || !isSame(body.operations[0]!.operands[0], body.arguments[0]))
    return undefined;
  const positions = read.results.map((result) => (result.kind === 'dim' ? result.position : -1));
  return written.results.map((result) => (result.kind === 'dim' ? positions.indexOf(result.position) : -1));
};

const inverse = (permutation: readonly number[]): readonly number[] =>
  permutation.map((_, i) => permutation.indexOf(i));

/** The tiling after a transpose of the packed tensor; undefined if that mixes inner and outer dimensions. */
const transposedTiling = (
  { innerTiles, innerDimsPos, outerDimsPerm }: PackTiling,
  permutation: readonly number[],
): PackTiling | undefined => {
  const rank = permutation.length - innerTiles.length;
  const [outer, inner] = [permutation.slice(0, rank), permutation.slice(rank)];
  if (outer.some((position) => position >= rank)) return undefined;
  return {
    innerTiles: inner.map((position) => innerTiles[position - rank]!),
    innerDimsPos: inner.map((position) => innerDimsPos[position - rank]!),
    outerDimsPerm: outer.map((position) => outerDimsPerm[position] ?? position),
  };
};

/** Replaces an op by a packing or unpacking into `dest`, if that has the op's result type. */
const replaceInto = (
  rewriter: Rewriter,
  operation: DraftOperation,
  dest: Value<TensorType>,
  make: () => DraftOperation,
): void => {
  if (String(dest.type.shape) !== String((operation.results[0]!.type as TensorType).shape)) return;
  rewriter.replaceOperation(operation, make().results);
};

const tensorOperand = (operation: DraftOperation): Value<TensorType> | undefined => {
  const [source] = operation.operands;
  return source?.type.kind === 'tensor' ? (source as Value<TensorType>) : undefined;
};

/** A transpose of a packed or unpacked tensor. */
const transposeOfPacked: RewritePattern = {
  name: 'transpose-of-packed',
  rewrite: (rewriter, operation) => {
    const source = tensorOperand(operation);
    const packed = definedBy(rewriter, source, pack);
    const unpacked = definedBy(rewriter, source, unpack);
    if (packed === undefined && unpacked === undefined) return;
    const permutation = permutationOf(rewriter, operation);
    if (permutation === undefined) return;
    if (packed !== undefined) {
      const { source: whole, paddingValue } = pack.operands(packed);
      const tiling = transposedTiling(tilingOf(packed), permutation);
      if (tiling === undefined) return;
      const dest = createPackedDestination(rewriter, whole, tiling);
      replaceInto(rewriter, operation, dest, () => createPack(rewriter, whole, dest, tiling, paddingValue));
      return;
    }
    const { source: tiles } = unpack.operands(unpacked!);
    const tiling = tilingOf(unpacked!);
    const back = inverse(permutation);
    const dest = operation.operands.at(-1) as Value<TensorType>;
    const changed: PackTiling = {
      innerTiles: tiling.innerTiles,
      innerDimsPos: tiling.innerDimsPos.map((position) => back[position]!),
      outerDimsPerm: permuted(back, tiling.outerDimsPerm),
    };
    replaceInto(rewriter, operation, dest, () => createUnpack(rewriter, tiles, dest, changed));
  },
};

/** A packing of a transpose. */
const packOfTranspose = onOp(pack, 'pack-of-transpose', (rewriter, operation) => {
  const { source, paddingValue } = pack.operands(operation);
  const producer = rewriter.definingOperation(source);
  const whole = producer && tensorOperand(producer);
  const permutation = producer && permutationOf(rewriter, producer);
  if (whole === undefined || permutation === undefined) return;
  const { innerTiles, innerDimsPos, outerDimsPerm } = tilingOf(operation);
  const tiling: PackTiling = {
    innerTiles,
    innerDimsPos: innerDimsPos.map((position) => permutation[position]!),
    outerDimsPerm: permuted(permutation, outerDimsPerm),
  };
  const dest = createPackedDestination(rewriter, whole, tiling);
  replaceInto(rewriter, operation, dest, () => createPack(rewriter, whole, dest, tiling, paddingValue));
});

/** An unpacking of a transpose. */
const unpackOfTranspose = onOp(unpack, 'unpack-of-transpose', (rewriter, operation) => {
  const { source } = unpack.operands(operation);
  const producer = rewriter.definingOperation(source);
  const tiles = producer && tensorOperand(producer);
  const permutation = producer && permutationOf(rewriter, producer);
  if (tiles === undefined || permutation === undefined) return;
  const tiling = transposedTiling(tilingOf(operation), inverse(permutation));
  if (tiling === undefined) return;
  const dest = createUnpackedDestination(rewriter, tiles, tiling);
  replaceInto(rewriter, operation, dest, () => createUnpack(rewriter, tiles, dest, tiling));
});

/** A slice of an unpacked tensor that starts at offset 0. */
const sliceOfUnpack = onOp(extractSlice, 'slice-of-unpack', (rewriter, operation) => {
  const unpacked = definedBy(rewriter, operation.operands[0], unpack);
  const { type } = operation.results[0]!;
  if (unpacked === undefined || type.kind !== 'tensor') return;
  const { source, dest: whole } = unpack.operands(unpacked);
  const { offsets, sizes, strides } = mixedSlice(operation);
  if (type.shape.length !== whole.type.shape.length) return;
  const isConstant = (each: (typeof offsets)[number], wanted: number): boolean =>
    indexNumber(rewriter, each) === wanted;
  if (!offsets.every((each) => isConstant(each, 0)) || !strides.every((each) => isConstant(each, 1))) return;
  // `tensor.unpack` does not allow tiles of which nothing is used.
  const dest = createEmpty(rewriter, sizes, type.elementType);
  rewriter.replaceOperation(operation, createUnpack(rewriter, source, dest, tilingOf(unpacked)).results);
});

/**
 * A packing of a high-padded tensor.
 *
 * @deviation Not if the padding is, or may be, whole tiles: there upstream packs into more tiles than the source fills.
 */
const packOfPad = onOp(pack, 'pack-of-pad', (rewriter, operation) => {
  const { source, dest, paddingValue } = pack.operands(operation);
  const padded = definedBy(rewriter, source, pad);
  if (padded === undefined || pad.attributes(padded).nofold) return;
  const isZero = mixedPadding(padded).low.every((size) => indexNumber(rewriter, size) === 0);
  const [value] = terminatorOf(bodyOf(padded)).operands;
  const known = constantOf(rewriter, value);
  const isOutside = value !== undefined && rewriter.isDefinedOutside(value, padded);
  if (!isZero || value === undefined || !isOutside) return;
  const given = constantOf(rewriter, paddingValue);
  if (paddingValue !== undefined && !isSame(paddingValue, value)) {
    if (known === undefined || given === undefined || !attributeEquals(known, given)) return;
  }
  const { source: whole } = pad.operands(padded);
  const tiling = tilingOf(operation);
  if (!isWithinTiles(rewriter, padded, tiling)) return;
  const made = createPack(rewriter, whole, dest, tiling, value);
  rewriter.replaceOperation(operation, made.results);
});

/** Whether high padding only fills the last tile of each dimension. */
const isWithinTiles = (
  rewriter: Rewriter,
  padded: DraftOperation,
  { innerDimsPos, innerTiles }: PackTiling,
): boolean => {
  const [before, after] = [pad.operands(padded).source.type, padded.results[0]!.type as TensorType];
  return mixedPadding(padded).high.every((high, dimension) => {
    if (indexNumber(rewriter, high) === 0) return true;
    const tile = innerTiles[innerDimsPos.indexOf(dimension)];
    const sizes = [before, after].map(({ shape }) => shape[dimension]!);
    if (typeof tile !== 'number' || sizes.includes(DYNAMIC)) return false;
    const [filled, all] = sizes.map((size) => Math.ceil(size / tile));
    return filled === all;
  });
};

export const packedTransposePatterns: readonly RewritePattern[] = [
  sliceOfUnpack,
  packOfPad,
  transposeOfPacked,
  packOfTranspose,
  unpackOfTranspose,
];

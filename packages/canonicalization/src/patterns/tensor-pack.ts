/** Packing into tiles, and unpacking. */
import { castTo, denseOfNumbers, mixedIndices } from '@sconv/dialects';
import { pack, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { attributeEquals, DYNAMIC, elementCount, isStaticShape, typeEquals } from '@sconv/ir';
import {
  constantOf,
  createConstant,
  definedBy,
  destinationStart,
  onOp,
  recreate,
  sameMixed,
} from '../match.ts';
import { tensorCast } from './tensor-cast.ts';

const tilesOf = (operation: DraftOperation) => {
  const definition = pack.is(operation) ? pack : unpack;
  return mixedIndices(
    definition.operands(operation).innerTiles,
    definition.attributes(operation).staticInnerTiles,
  );
};

const attributesOf = (operation: DraftOperation) =>
  (pack.is(operation) ? pack : unpack).attributes(operation);

/** Whether one is the inverse of the other. */
const isInverse = (packed: DraftOperation, unpacked: DraftOperation): boolean => {
  const [a, b] = [attributesOf(packed), attributesOf(unpacked)];
  const isIdentity = (permutation: readonly number[]): boolean => permutation.every((at, i) => at === i);
  const sameOuter =
    String(a.outerDimsPerm) === String(b.outerDimsPerm) ||
    (isIdentity(a.outerDimsPerm) && isIdentity(b.outerDimsPerm));
  return (
    sameOuter &&
    String(a.innerDimsPos) === String(b.innerDimsPos) &&
    pack.operands(packed).paddingValue === undefined &&
    sameMixed(tilesOf(packed), tilesOf(unpacked))
  );
};

const packOfUnpack = onOp(pack, 'pack-of-unpack', (rewriter, operation) => {
  const unpacked = definedBy(rewriter, operation.operands[0], unpack);
  const [source] = unpacked?.operands ?? [];
  if (unpacked === undefined || source === undefined) return;
  if (typeEquals(source.type, operation.results[0]!.type) && isInverse(operation, unpacked))
    rewriter.replaceOperation(operation, [source]);
});

const unpackOfPack = onOp(unpack, 'unpack-of-pack', (rewriter, operation) => {
  const packed = definedBy(rewriter, operation.operands[0], pack);
  const [source] = packed?.operands ?? [];
  if (packed === undefined || source === undefined) return;
  if (typeEquals(source.type, operation.results[0]!.type) && isInverse(packed, operation))
    rewriter.replaceOperation(operation, [source]);
});

/**
 * A padding value although all tiles are full.
 *
 * @deviation Upstream does not count the tiles: beyond the source, whole ones may be padding.
 */
const uselessPadding = onOp(pack, 'pack-without-padding', (rewriter, operation) => {
  const { source, dest, paddingValue, innerTiles } = pack.operands(operation);
  const attributes = pack.attributes(operation);
  if (paddingValue === undefined || attributes.staticInnerTiles.includes(DYNAMIC)) return;
  const { innerDimsPos, outerDimsPerm, staticInnerTiles } = attributes;
  const isFull = innerDimsPos.every((position, i) => {
    const size = source.type.shape[position]!;
    const tiles = dest.type.shape[outerDimsPerm.length === 0 ? position : outerDimsPerm.indexOf(position)]!;
    return size !== DYNAMIC && tiles !== DYNAMIC && size === tiles * staticInnerTiles[i]!;
  });
  if (!isFull) return;
  rewriter.replaceWith(
    operation,
    pack.state({ operands: { source, dest, innerTiles }, attributes, resultTypes: [dest.type] }),
  );
});

/** A splat whose value is also the padding value. */
const packedSplat = [pack, unpack].map((definition) =>
  onOp(definition, 'pack-of-splat-constant', (rewriter, operation) => {
    const constant = constantOf(rewriter, operation.operands[0]);
    const { type } = operation.results[0]!;
    if (constant?.kind !== 'dense-elements' || constant.values.length !== 1) return;
    if (constant.text !== undefined || type.kind !== 'tensor' || !isStaticShape(type)) return;
    if (elementCount(type.shape) === 0) return;
    const padding = pack.is(operation) ? pack.operands(operation).paddingValue : undefined;
    if (padding !== undefined) {
      const number = denseOfNumbers([constantOf(rewriter, padding)], constant.type);
      if (number === undefined || !attributeEquals(number, constant)) return;
    }
    const made = createConstant(rewriter, operation, { ...constant, type }, type);
    if (made !== undefined) rewriter.replaceOperation(operation, [made]);
  }),
);

/** An unpacking overwrites its whole destination: earlier writes to that are dead. */
const unpackIntoWritten = onOp(unpack, 'unpack-into-destination', (rewriter, operation) => {
  const [, dest] = operation.operands;
  const written = dest === undefined ? undefined : rewriter.definingOperation(dest);
  if (written === undefined) return;
  const first = destinationStart(rewriter.registry, written);
  const result = written.results.findIndex(({ id }) => id === dest?.id);
  const init = first === undefined ? undefined : written.operands[first + result];
  if (init !== undefined && typeEquals(init.type, dest!.type)) rewriter.setOperand(operation, 1, init);
});

/** Propagates static sizes of untiled dimensions between both sides. */
const staticSizes = [pack, unpack].map((definition) =>
  onOp(definition, 'pack-of-static-sizes', (rewriter, operation) => {
    const [source, dest] = operation.operands;
    if (source?.type.kind !== 'tensor' || dest?.type.kind !== 'tensor') return;
    const isPack = pack.is(operation);
    const [plain, packed] = isPack ? [source.type, dest.type] : [dest.type, source.type];
    const { innerDimsPos, outerDimsPerm } = attributesOf(operation);
    const [plainShape, packedShape] = [[...plain.shape], [...packed.shape]];
    for (const [i, size] of plain.shape.entries()) {
      if (innerDimsPos.includes(i)) continue;
      const place = outerDimsPerm.length === 0 ? i : outerDimsPerm.indexOf(i);
      const known = size === DYNAMIC ? packed.shape[place]! : size;
      plainShape[i] = known;
      packedShape[place] = known;
    }
    const types: readonly TensorType[] = [
      { ...plain, shape: plainShape },
      { ...packed, shape: packedShape },
    ];
    const [from, to] = isPack ? types : types.toReversed();
    if (typeEquals(from!, source.type) && typeEquals(to!, dest.type)) return;
    recreateAs(
      rewriter,
      operation,
      castTo(rewriter, source, from!, tensorCast),
      castTo(rewriter, dest, to!, tensorCast),
    );
  }),
);

const recreateAs = (rewriter: Rewriter, operation: DraftOperation, source: Value, dest: Value): void => {
  const operands = [source, dest, ...operation.operands.slice(2)];
  const made = recreate(rewriter, operation, { operands, resultTypes: [dest.type] });
  rewriter.replaceOperation(operation, [
    castTo(rewriter, made.results[0]!, operation.results[0]!.type, tensorCast),
  ]);
};

export const tensorPackPatterns: readonly RewritePattern[] = [
  packOfUnpack,
  unpackOfPack,
  uselessPadding,
  ...packedSplat,
  unpackIntoWritten,
  ...staticSizes,
];

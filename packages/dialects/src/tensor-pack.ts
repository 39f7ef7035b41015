/** Packing a tensor into tiles, and unpacking. */
import type { AttributeOutput, TensorType, Value } from '@sconv/ir';
import {
  bare,
  anyType,
  defineOp,
  DYNAMIC,
  i64ArrayAttribute,
  index,
  one,
  optional,
  tensorType,
  typeEquals,
  typesMatchWith,
  variadic,
  withImplicitDefault,
} from '@sconv/ir';
import { rankedTensor } from './constraints.ts';
import { dynamicIndexList } from './mixed-indices.ts';
import { listError } from './slice-verify.ts';
import { withStaticShapes } from './speculatable-models.ts';
import { typeText } from './type-text.ts';

const directives = { DynamicIndexList: dynamicIndexList };

const tail =
  '(`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` ' +
  'custom<DynamicIndexList>($innerTiles, $static_inner_tiles) `into` $dest attr-dict `:` ' +
  'type($source) `->` type($dest)';
const attributes = {
  outerDimsPerm: withImplicitDefault(i64ArrayAttribute, []),
  innerDimsPos: i64ArrayAttribute,
  staticInnerTiles: i64ArrayAttribute,
};
type Tiling = AttributeOutput<typeof attributes>;

const resultIsDest = typesMatchWith('result type matches type of dest', 'dest', 'result', (type) => type);

const ceilDiv = (size: number, tile: number): number =>
  size === DYNAMIC || tile === DYNAMIC ? DYNAMIC : Math.ceil(size / tile);

/**
 * The packed type of `source`: its dimensions in tiles, permuted by `outerDimsPerm` (unless empty), then the tiles of
 * `innerDimsPos`.
 */
export const inferPackedType = (
  source: TensorType,
  innerTiles: readonly number[],
  innerDimsPos: readonly number[],
  outerDimsPerm: readonly number[] = [],
): TensorType => {
  const outer = [...source.shape];
  innerDimsPos.forEach((position, i) => {
    outer[position] = ceilDiv(outer[position]!, innerTiles[i]!);
  });
  const ordered = outerDimsPerm.length === 0 ? outer : outerDimsPerm.map((position) => outer[position]!);
  return tensorType([...ordered, ...innerTiles], source.elementType);
};

/** Whether positions repeat or are out of range. */
const isInvalid = (positions: readonly number[], rank: number): boolean =>
  positions.length > rank ||
  new Set(positions).size !== positions.length ||
  positions.some((position) => position < 0 || position >= rank);

/** Errors of both ops, with upstream's messages; `unpacked` and `packed` are the types of either side. */
function* tileErrors(
  { staticInnerTiles: tiles, innerDimsPos: positions, outerDimsPerm: permutation }: Tiling,
  unpacked: TensorType,
  packed: TensorType,
  dynamicTiles: readonly Value[],
): Generator<string> {
  const rank = unpacked.shape.length;
  const wrongTiles = listError('inner tile', tiles, dynamicTiles, tiles.length);
  if (tiles.includes(0)) yield 'invalid zero tile factor';
  else if (isInvalid(positions, rank)) yield 'invalid inner_dims_pos vector';
  else if (isInvalid(permutation, rank)) yield 'invalid outer_dims_perm vector';
  else if (permutation.length > 0 && permutation.length !== rank) {
    yield 'outer_dims_perm must be a permutation or empty';
  } else if (tiles.length !== positions.length) {
    yield 'tiling factors must equal the number of dimensions to tile';
  } else if (packed.shape.length !== rank + tiles.length) {
    yield 'packed rank must equal unpacked rank + tiling factors';
  } else if (wrongTiles !== undefined) {
    yield wrongTiles;
  } else {
    yield* packedShapeErrors(packed, inferPackedType(unpacked, tiles, positions, permutation), tiles);
  }
}

function* packedShapeErrors(
  packed: TensorType,
  expected: TensorType,
  tiles: readonly number[],
): Generator<string> {
  const fits = expected.shape.every((size, i) => {
    const given = packed.shape[i]!;
    return size === DYNAMIC || given === DYNAMIC || size <= given;
  });
  const inner = packed.shape.slice(packed.shape.length - tiles.length);
  if (!fits) {
    yield (
      'the shape of output is not large enough to hold the packed data. Expected at least ' +
      `'${typeText(expected)}', got '${typeText(packed)}'`
    );
  } else if (inner.some((size, i) => size !== tiles[i])) {
    yield 'mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type';
  }
}

/** Whether a tile does not divide its dimension; a dynamic tile size is taken from the packed type. */
const hasPartialTiles = (
  { staticInnerTiles: tiles, innerDimsPos, outerDimsPerm }: Tiling,
  source: TensorType,
  packed: TensorType,
): boolean =>
  innerDimsPos.some((position, i) => {
    const [size, tile] = [source.shape[position]!, tiles[i]!];
    const count = packed.shape[outerDimsPerm.length === 0 ? position : outerDimsPerm.indexOf(position)]!;
    const divisor = tile === DYNAMIC ? count : tile;
    return size !== DYNAMIC && divisor !== DYNAMIC && size % divisor !== 0;
  });

/** `tensor.pack %t inner_dims_pos = [0] inner_tiles = [8] into %d : … -> …`. */
export const pack = defineOp({
  name: 'tensor.pack',
  interfaces: [withStaticShapes],
  summary: 'a tensor rearranged into tiles',
  operands: {
    source: one(rankedTensor),
    dest: one(rankedTensor),
    paddingValue: optional(anyType),
    innerTiles: variadic(index),
  },
  results: { result: one(rankedTensor) },
  attributes,
  traits: ['pure'],
  destinations: 'dest',
  typeRelations: [resultIsDest],
  assembly: {
    format: '$source (`padding_value` `(` $paddingValue^ `:` type($paddingValue) `)`)? ' + tail,
    directives,
  },
  *verify({ operands: { source, dest, paddingValue: padding, innerTiles }, attributes: tiling }) {
    const unpacked = source.type;
    const errors = [...tileErrors(tiling, unpacked, dest.type, innerTiles)];
    yield* bare(errors);
    if (errors.length > 0) return;
    if (padding !== undefined && !typeEquals(padding.type, unpacked.elementType)) {
      yield `expected padding_value has '${typeText(unpacked.elementType)}' but got: '${typeText(padding.type)}'`;
    } else if (padding === undefined && hasPartialTiles(tiling, unpacked, dest.type)) {
      yield 'invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set';
    }
  },
  resultName: () => 'pack',
});

/** `tensor.unpack %t inner_dims_pos = [0] inner_tiles = [8] into %d : … -> …`. */
export const unpack = defineOp({
  name: 'tensor.unpack',
  interfaces: [withStaticShapes],
  summary: 'a tensor put together from tiles',
  operands: { source: one(rankedTensor), dest: one(rankedTensor), innerTiles: variadic(index) },
  results: { result: one(rankedTensor) },
  attributes,
  traits: ['pure'],
  destinations: 'dest',
  typeRelations: [resultIsDest],
  assembly: { format: '$source ' + tail, directives },
  verify: ({ operands: { source, dest, innerTiles }, attributes: tiling }) =>
    bare(tileErrors(tiling, dest.type, source.type, innerTiles)),
  resultName: () => 'unpack',
});

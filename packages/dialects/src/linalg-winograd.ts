/** The three steps of a Winograd convolution: F(m × m, r × r), in tiles of m + r - 1. */
import type { Operation, TypeConstraint } from '@sconv/ir';
import { defineOp, DYNAMIC, i64Attribute, one, typeConstraint } from '@sconv/ir';
import { compatibleShapes, elementTypeErrors, shapeOf } from './constraints.ts';

const tensorOfRank = (rank: number): TypeConstraint =>
  typeConstraint(
    `${rank}D tensor of any type values`,
    (type) => type.kind === 'tensor' && type.shape.length === rank,
  );

/** The output tile size `m` and the filter size `r`. */
interface Tile {
  readonly m: number;
  readonly r: number;
}

/** Computes the output shape, or an error message for the input. */
type OutputShape = (input: readonly number[], tile: Tile) => readonly number[] | string;

/** `FHWC` → `alphaH alphaW C F`. */
const filterShape: OutputShape = ([f = 0, h = 0, w = 0, c = 0], { m, r }) => {
  if (h !== r && h !== 1) return 'expect filter height either equals to r or 1';
  if (w !== r && w !== 1) return 'expect filter width either equals to r or 1';
  if (h === 1 && w === 1) return 'expect either filter height or width equals to r';
  return [...[h, w].map((size) => (size === r ? m + r - 1 : 1)), c, f];
};

/** `NHWC` → `alphaH alphaW tileH tileW N C`. */
const inputShape: OutputShape = ([n = 0, h = 0, w = 0, c = 0], { m, r }) => {
  const alpha = (size: number): number => (size === 1 ? 1 : m + r - 1);
  const tiles = (size: number): number =>
    size === DYNAMIC || size === 1 ? size : Math.trunc((size - (r - 1)) / m);
  return [alpha(h), alpha(w), tiles(h), tiles(w), n, c];
};

/** `alphaH alphaW tileH tileW N F` → `NHWF`. */
const outputShape: OutputShape = ([alphaH = 0, alphaW = 0, tileH = 0, tileW = 0, n = 0, f = 0], { m, r }) => {
  const isOther = (alpha: number, tiles: number): boolean =>
    alpha !== DYNAMIC && tiles !== DYNAMIC && alpha !== 1 && alpha !== m + r - 1;
  const size = (alpha: number, tiles: number): number =>
    alpha === DYNAMIC || tiles === DYNAMIC ? DYNAMIC : (alpha === 1 ? 1 : m) * tiles;
  if (isOther(alphaH, tileH)) return 'expect input height equals to input tile size';
  if (isOther(alphaW, tileW)) return 'expect input width equals to input tile size';
  return [n, size(alphaH, tileH), size(alphaW, tileW), f];
};

function* shapeErrors({ operands }: Operation, expected: OutputShape, tile: Tile): Generator<string> {
  const [from = [], to = []] = operands.map(({ type }) => shapeOf(type));
  const shape = expected(from, tile);
  if (typeof shape === 'string') yield shape;
  else if (!compatibleShapes(shape, to)) yield 'the output shape is not expected';
}

const winograd = (
  what: 'filter' | 'input' | 'output',
  operand: string,
  [inputRank, outputRank]: readonly [number, number],
  expected: OutputShape,
) =>
  defineOp({
    name: `linalg.winograd_${what}_transform`,
    summary: `winograd ${what} transform`,
    operands: { [operand]: one(tensorOfRank(inputRank)), output: one(tensorOfRank(outputRank)) },
    results: { result: one(tensorOfRank(outputRank)) },
    attributes: { m: i64Attribute, r: i64Attribute },
    *verify({ operation, attributes: tile }) {
      const types = operation.operands.map(({ type }) => type);
      yield* elementTypeErrors(`all of {${operand}, output}`, types);
      yield* shapeErrors(operation, expected, tile);
    },
    assembly: {
      format:
        `attr-dict \`m\` \`(\` $m \`)\` \`r\` \`(\` $r \`)\` \`ins\` \`(\` $${operand} \`:\` ` +
        `type($${operand}) \`)\` \`outs\` \`(\` $output \`:\` type($output) \`)\` \`->\` type($result)`,
    },
  });

export const winogradFilterTransform = winograd('filter', 'filter', [4, 4], filterShape);
export const winogradInputTransform = winograd('input', 'input', [4, 6], inputShape);
export const winogradOutputTransform = winograd('output', 'value', [6, 4], outputShape);

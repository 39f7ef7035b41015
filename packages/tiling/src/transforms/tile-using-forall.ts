/** `tileUsingForallOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import type { OpAsmParser, OpAsmPrinter, Operation, ParsedOperation } from '@sconv/ir';
import { denseArrayAttribute, i32, i64ArrayAttribute, withImplicitDefault } from '@sconv/ir';
import type { Handle, RecordOptions } from '@sconv/transform';
import { callSite, consumes, defineTransformOp, produces, readsParams } from '@sconv/transform';
import { tileUsingForallOp } from '../tile-using-forall-op.ts';
import { slicingFailures } from './slicing-failures.ts';

/** How each list is introduced, by its attribute. */
const lists = { static_num_threads: 'num_threads', static_tile_sizes: 'tile_sizes' } as const;

/** One target, and none of the sizes that are operands. */
const operandSegmentSizes = denseArrayAttribute([1, 0, 0, 0, 0], i32);

/** `%t num_threads [0, 2] : …` or `%t tile_sizes [1, 0, 4] : …`. */
const parse = (parser: OpAsmParser): ParsedOperation => {
  const target = parser.operand();
  const given = Object.entries(lists).find(([, keyword]) => parser.accept(keyword));
  const sizes = given && parser.list('square', () => parser.exactInteger());
  const attributes = parser.optionalAttrDict();
  parser.expect(':');
  const types = parser.functionalType();
  return {
    operands: parser.resolveAll([target], types.inputs, parser.here()),
    resultTypes: types.results,
    attributes: {
      ...attributes,
      operandSegmentSizes,
      ...(given === undefined ? {} : { [given[0]]: denseArrayAttribute(sizes ?? []) }),
    },
  };
};

const print = (printer: OpAsmPrinter, operation: Operation): void => {
  printer.text(' ');
  printer.operands(operation.operands);
  for (const [name, keyword] of Object.entries(lists)) {
    const attribute = operation.attributes[name];
    const values = attribute?.kind === 'dense-array' ? attribute.values : [];
    if (values.length > 0) printer.text(` ${keyword} [${values.join(', ')}]`);
  }
  printer.optionalAttrDict(operation, [...Object.keys(lists), 'operandSegmentSizes']);
  printer.text(' : ');
  printer.functionalType(
    operation.operands.map(({ type }) => type),
    operation.results.map(({ type }) => type),
  );
};

const tileOp = defineTransformOp({
  name: 'transform.structured.tile_using_forall',
  summary: 'Tiles the target with one `scf.forall`, whose iterations may run at the same time.',
  operands: {
    target: consumes('structured ops on static tensors', 'linalg.*'),
    numThreads: readsParams<number>('not supported'),
    tileSizes: readsParams<number>('not supported'),
    packedNumThreads: readsParams<number>('not supported'),
    packedTileSizes: readsParams<number>('not supported'),
  },
  attributes: {
    staticNumThreads: withImplicitDefault(i64ArrayAttribute, []),
    staticTileSizes: withImplicitDefault(i64ArrayAttribute, []),
  },
  results: {
    tiledOp: produces('the tiles, of the kind of the targets'),
    forallOp: produces('the loops', 'scf.forall'),
  },
  failures: {
    'tile/not-structured': { mode: 'silenceable', when: 'a target is not a structured op' },
    'tile/sizes': {
      mode: 'silenceable',
      when: 'there are more numbers than loops, a negative one, or none but 0',
    },
    'tile/reduction': { mode: 'silenceable', when: 'a dimension is not parallel' },
    'tile/race': { mode: 'silenceable', when: 'tiles would write the same elements of a result' },
    'tile/remainder': { mode: 'silenceable', when: 'a number does not divide its dimension' },
    ...slicingFailures,
    'tile/named-map': {
      mode: 'silenceable',
      when: 'a tile would index an operand otherwise than a named op does',
    },
  },
  assembly: { parse, print },
  *verify({ operation, attributes: { staticNumThreads, staticTileSizes } }) {
    if (operation.operands.length !== 1) yield 'does not support sizes that are operands';
    if (staticNumThreads.length > 0 === staticTileSizes.length > 0) {
      yield 'expects either num_threads or tile_sizes';
    }
  },
  apply: ({ rewriter }, { target }, { staticNumThreads: threads, staticTileSizes: tileSizes }) =>
    mapSuccess(
      collect(target, (operation) =>
        tileUsingForallOp(rewriter, operation, threads.length > 0 ? { threads } : { tileSizes }),
      ),
      (tiles) => ({
        tiledOp: tiles.map(({ tiled }) => tiled),
        forallOp: tiles.map(({ loop }) => loop),
      }),
    ),
});

/** This file, whose calls record ops for those who call it. */
const here = callSite();

/** How a `tile_using_forall` is to tile; 0 for a dimension that is not tiled, and missing numbers are 0. */
export type ForallTileOptions =
  /** How many tiles there are along each iteration dimension. */
  | { readonly staticNumThreads: readonly number[] }
  /** Iterations of a tile in each iteration dimension. */
  | { readonly staticTileSizes: readonly number[] };

/** `transform.structured.tile_using_forall`; the tiles are ops of the name that the target has. */
export const tileUsingForall = Object.assign(
  <N extends `linalg.${string}`>(
    { target }: { readonly target: Handle<N> },
    options: ForallTileOptions,
    recording?: RecordOptions,
  ): { readonly tiledOp: Handle<N>; readonly forallOp: Handle<'scf.forall'> } => {
    const { tiledOp, forallOp } = tileOp(
      { target, numThreads: [], tileSizes: [], packedNumThreads: [], packedTileSizes: [] },
      options,
      { helper: here, ...recording },
    );
    // A tile is made as its target is.
    return { tiledOp: tiledOp as Handle<N>, forallOp };
  },
  { definition: tileOp.definition },
);

/**
 * Input packing (ST §4.2): the windows of a tile, expanded, in the order N, N_c, F_h, F_w, N_win (Eq. 5).
 *
 * The tile gathers its input: iteration (iN, iF, iN_win, iN_c, iF_h, iF_w) reads the input at iT_h and iT_w, which Eqs.
 * 6-12 give. Packing stores the same elements at (iN, iN_c, iF_h, iF_w, iN_win).
 *
 * @deviation ST reads from the tile's slice, at rows and columns relative to the tile's start (Eqs. 9-12); here the packing
 * reads the unsliced input at absolute ones, iT_h = iO_hw / O_w and iT_w = iO_hw mod O_w. Both forms are proved equal in
 * `@sconv/packing-equations`.
 */
import { dim, isFunctionOfDim, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import { elementSource } from '@sconv/dialects';
import { generic, structured } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { packOperand } from './pack-operand.ts';
import { packWindowsExamples } from './examples.ts';

/** Positions of the iteration dimensions of a linearised convolution. */
export const dimensions = {
  batch: 0,
  filter: 1,
  window: 2,
  channel: 3,
  filterRow: 4,
  filterColumn: 5,
} as const;

/** Eq. 5 with the batch before it: N × N_c × F_h × F_w × N_win. */
const packedOrder = [
  dimensions.batch,
  dimensions.channel,
  dimensions.filterRow,
  dimensions.filterColumn,
  dimensions.window,
];

export interface PackResult {
  readonly packing: DraftOperation;
  /** The op, reading the packed operand. */
  readonly operation: DraftOperation;
}

/** Replaces the gather of a tiled, linearised convolution by a packed input. */
export const packWindows = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<PackResult> => {
  const gathers = rewriter.walk(operation).filter((inner) => extract.is(inner));
  const [gather] = gathers;
  if (!generic.is(operation) || gather === undefined || gathers.length > 1) {
    return silenceable(
      error(
        'pack-windows/no-gather',
        'expected a linalg.generic that reads its input through one tensor.extract',
        operation.location,
      ),
    );
  }
  const source = elementSource(rewriter, operation, gather);
  if (source.indices.some((expr) => isFunctionOfDim(expr, dimensions.filter))) {
    return silenceable(
      error(
        'pack-windows/depends-on-filter',
        'the input is read at an index that depends on the filter',
        operation.location,
      ),
    );
  }
  const { packing, order } = packOperand(rewriter, operation, source, packedOrder);
  const { inputs, outputs, indexingMaps, iteratorTypes } = structured(operation);
  const packedMap = makeMap(
    iteratorTypes.length,
    0,
    order.map((position) => dim(position)),
  );
  rewriter.setInsertionPointBefore(operation);
  const packed = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [packing.results[0]!, ...inputs], outputs },
      attributes: { indexingMaps: [packedMap, ...indexingMaps], iteratorTypes },
      resultTypes: operation.results.map((result) => result.type),
      bodies: [undefined],
      location: operation.location,
    }),
  );
  readThroughArgument(rewriter, operation, packed, gather);
  rewriter.replaceOperation(operation, packed.results);
  rewriter.recordReplacement(operation, [packed]);
  return success({ packing, operation: packed });
};

/** The body of `from` in `to`, with a first block argument in place of `element`. */
const readThroughArgument = (
  rewriter: Rewriter,
  from: DraftOperation,
  to: DraftOperation,
  element: DraftOperation,
): void => {
  const old = bodyOf(from);
  const block = rewriter.createBlock(to.regions[0]!, [
    element.results[0]!.type,
    ...old.arguments.map((argument) => argument.type),
  ]);
  rewriter.setInsertionPointToEnd(block);
  rewriter.inlineBlock(old, block.arguments.slice(1));
  rewriter.replaceAllUsesWith(element.results[0]!, block.arguments[0]!);
  for (const inner of block.operations.toReversed()) {
    const used = inner.results.length === 0 || inner.results.some((result) => rewriter.hasUses(result));
    if (!used) rewriter.eraseOperation(inner);
  }
};

/** `transform.structured.pack_windows`. */
export const packWindowsOp = defineTransformOp({
  name: 'transform.structured.pack_windows',
  summary: 'Packs the input windows of a tile in the order of the microkernel.',
  paper: ['ST §4.2, Eqs. 4-12', 'ST §5.4, task 4a'],
  operands: { target: consumes('tiles of linearised convolutions that gather their input') },
  results: {
    packing: produces('the ops that pack', 'linalg.generic'),
    packed: produces('the tiles, reading the packed input', 'linalg.generic'),
  },
  failures: {
    'pack-windows/no-gather': {
      mode: 'silenceable',
      when: 'a target does not read through one tensor.extract',
    },
    'pack-windows/depends-on-filter': {
      mode: 'silenceable',
      when: 'the index of the input depends on the filter',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  examples: () => packWindowsExamples,
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => packWindows(rewriter, operation)),
      (results) => ({
        packing: results.map(({ packing }) => packing),
        packed: results.map(({ operation }) => operation),
      }),
    ),
});

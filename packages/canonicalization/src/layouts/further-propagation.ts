/**
 * Propagation of data layouts where upstream stops: through named ops, poolings, reductions and gathers, ops of several
 * unpacked operands, and concatenations and insertions along whole tiles.
 */
import type { PackTiling } from '@sconv/dialects';
import { createUnpack, createUnpackedDestination, mayRunInBlocks, tilingOf } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import { concat, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { definedBy, onOp } from '../match.ts';
import { unpackThroughInsertSlice } from './inserted-packs.ts';
import { packedDomain } from './packed-domain.ts';
import { isFull, isSameTiling, packedTypeOf } from './packed-types.ts';
import type { PropagationControl } from './propagation-control.ts';
import { pushDownUnpack, unpackedOperands } from './push-down-unpack.ts';

/** The view of a structured op with one result whose body has an argument for each operand. */
const packableView = (rewriter: Rewriter, operation: DraftOperation): StructuredOp | undefined => {
  if (operation.results.length !== 1) return undefined;
  const view = structured(rewriter.registry, operation);
  return view?.body?.arguments.length === operation.operands.length ? view : undefined;
};

/**
 * The dimensions that tiles may be of: parallel ones, and if the only operand is reduced, those whose iterations may
 * run tile by tile. Products of several operands keep their reductions whole: their layouts are chosen, not inherited.
 */
const tileable =
  (rewriter: Rewriter, operation: DraftOperation, { iteratorTypes, inputs }: StructuredOp) =>
  (dimension: number): boolean =>
    iteratorTypes[dimension] === 'parallel' ||
    (inputs.length === 1 &&
      mayRunInBlocks(
        rewriter.registry,
        operation,
        iteratorTypes.map((_, each) => each),
        (each) => each === dimension,
      ));

/** Unpacked operands of a structured op: the op in the packed domain of the first that has one, then unpacked. */
const unpackThroughStructured = (control: PropagationControl): RewritePattern => ({
  name: 'push-down-unpack-through-structured',
  rewrite: (rewriter, operation) => {
    const unpacked = unpackedOperands(rewriter, operation);
    const view = unpacked.length === 0 ? undefined : packableView(rewriter, operation);
    if (view === undefined) return;
    const mayTile = tileable(rewriter, operation, view);
    for (const each of unpacked) {
      const { position, producer } = each;
      if (!control({ rewriter, producer, consumer: operation, operand: position })) continue;
      const domain = packedDomain(view, position, tilingOf(producer), mayTile);
      if (domain !== undefined && pushDownUnpack(rewriter, operation, view, each, domain)) return;
    }
  },
});

/** Whether all tiles are full, so that none reaches from one operand of a concatenation into the next. */
const areWhole = (whole: readonly Value[], tiling: PackTiling): boolean =>
  whole.every((value) => isFull(value, tiling));

/** A concatenation of what is unpacked alike, tiles being full: the tiles concatenated, then unpacked. */
const unpackThroughConcat = (control: PropagationControl): RewritePattern =>
  onOp(concat, 'push-down-unpack-through-concat', (rewriter, operation) => {
    const { operands } = operation;
    const producers = operands.flatMap((operand) => definedBy(rewriter, operand, unpack) ?? []);
    const [first] = producers;
    if (first === undefined || producers.length < operands.length) return;
    const tiling = tilingOf(first);
    if (!producers.every((each) => isSameTiling(tilingOf(each), tiling))) return;
    if (!areWhole(operands, tiling)) return;
    const isAllowed = producers.every((producer, operand) =>
      control({ rewriter, producer, consumer: operation, operand }),
    );
    const result = operation.results[0] as Value<TensorType>;
    const type = packedTypeOf(result.type, tiling);
    const sources = producers.map((each) => unpack.operands(each).source);
    const areMinimal = sources.every((source, i) =>
      typeEquals(source.type, packedTypeOf(operands[i]!.type as TensorType, tiling)),
    );
    if (!isAllowed || !areMinimal) return;
    const { dim } = concat.attributes(operation);
    const { outerDimsPerm } = tiling;
    const along = outerDimsPerm.length === 0 ? dim : outerDimsPerm.indexOf(dim);
    const made = rewriter.createValue(
      concat.state({ operands: { inputs: sources }, attributes: { dim: along }, resultTypes: [type] }),
    ) as Value<TensorType>;
    const dest = createUnpackedDestination(rewriter, made, tiling);
    rewriter.replaceOperation(operation, createUnpack(rewriter, made, dest, tiling).results);
  });

/** The patterns of `transform.apply_patterns.linalg.further_data_layout_propagation`. */
export const furtherLayoutPatterns = (
  control: PropagationControl = () => true,
): readonly RewritePattern[] => [
  unpackThroughStructured(control),
  unpackThroughConcat(control),
  unpackThroughInsertSlice(control),
];

/** The vector pattern sets of `apply_patterns`. */
import { insertOfExpanded } from '@sconv/canonicalization';
import { patternDescriptor } from '@sconv/transform';
import type { Attachment, Operation, RewritePattern } from '@sconv/ir';
import { attach, integerOf } from '@sconv/ir';
import { reductionToContractPatterns } from './contraction-patterns.ts';
import type { ContractionStrategy } from './contraction-strategies.ts';
import { contractionPatterns } from './lower-contraction.ts';
import { extensionPatterns, outerProductPatterns } from './fold-arithmetic.ts';
import { dropUnitPatterns } from './drop-unit-transfers.ts';
import { leadingUnitPatterns } from './leading-units.ts';
import { gatherPatterns } from './lower-gather.ts';
import { maskedTransferPatterns, maskPatterns, materializeMaskPatterns } from './lower-masks.ts';
import type { MultiReductionStrategy } from './lower-multi-reduction.ts';
import { multiReductionPatterns } from './lower-multi-reduction.ts';
import { outerProductPattern } from './lower-outer-product.ts';
import { scanPatterns } from './lower-scan.ts';
import {
  bitcastPatterns,
  broadcastPatterns,
  interleavePatterns,
  interleaveShufflePatterns,
  shapeCastPatterns,
} from './lower-shapes.ts';
import { transferLoadPatterns } from './lower-transfer.ts';
import { transferToScfPatterns } from './transfer-to-scf.ts';
import type { TransposeStrategy } from './lower-transpose.ts';
import { transposePatterns } from './lower-transpose.ts';
import { forceInBoundsPatterns } from './force-in-bounds.ts';
import { slicePatterns } from './slice-patterns.ts';
import { transferPermutationPatterns } from './transfer-permutation.ts';

type Patterns = readonly RewritePattern[];

/** A strategy, by its number in upstream's enum. */
const strategyOf = <S extends string>(
  { attributes }: Operation,
  strategies: readonly S[],
  preset: S,
): S | undefined => {
  const { lowering_strategy: chosen } = attributes;
  return chosen === undefined ? preset : strategies[integerOf(chosen) ?? -1];
};

const contractions: readonly ContractionStrategy[] = [
  'dot',
  'matmulintrinsics',
  'outerproduct',
  'parallelarith',
];
const reductions: readonly MultiReductionStrategy[] = ['innerparallel', 'innerreduction'];
const transpositions: readonly TransposeStrategy[] = [
  'eltwise',
  'flat_transpose',
  'shuffle_1d',
  'shuffle_16x16',
];

/**
 * By the op name after `transform.apply_patterns.`; undefined for sets that are not implemented, which are rejected.
 */
const setsByName: Readonly<Record<string, (operation: Operation) => Patterns | undefined>> = {
  'vector.transfer_permutation_patterns': () => transferPermutationPatterns,
  'vector.reduction_to_contract': () => reductionToContractPatterns,
  'vector.lower_outerproduct': () => [outerProductPattern],
  'vector.lower_contraction': (operation) => {
    const strategy = strategyOf(operation, contractions, 'outerproduct');
    return strategy && contractionPatterns(strategy);
  },
  'vector.lower_multi_reduction': (operation) => {
    const strategy = strategyOf(operation, reductions, 'innerparallel');
    return strategy && multiReductionPatterns(strategy);
  },
  'vector.lower_transpose': (operation) => {
    const strategy = strategyOf(operation, transpositions, 'eltwise');
    const { avx2_lowering_strategy: forAvx2 } = operation.attributes;
    // Upstream uses inline assembly for AVX2.
    return strategy === undefined || integerOf(forAvx2) === 1 ? undefined : transposePatterns(strategy);
  },
  'vector.lower_gather': () => gatherPatterns,
  'vector.lower_scan': () => scanPatterns,
  'vector.rank_reducing_subview_patterns': () => dropUnitPatterns,
  'vector.lower_broadcast': () => broadcastPatterns,
  'vector.lower_shape_cast': () => shapeCastPatterns,
  'vector.lower_bitcast': () => bitcastPatterns,
  'vector.lower_interleave': () => interleavePatterns,
  'vector.interleave_to_shuffle': () => interleaveShufflePatterns,
  'vector.lower_masks': () => maskPatterns,
  'vector.lower_create_mask': () => maskPatterns,
  'vector.cast_away_vector_leading_one_dim': () => leadingUnitPatterns,
  'vector.fold_arith_extension': () => extensionPatterns,
  'vector.elementwise_to_vector': () => outerProductPatterns,
  'vector.lower_masked_transfers': () => maskedTransferPatterns,
  'vector.materialize_masks': () => materializeMaskPatterns,
  'vector.lower_transfer': ({ attributes }) =>
    transferLoadPatterns(integerOf(attributes['max_transfer_rank']) ?? 1),
  'vector.transfer_to_scf': ({ attributes }) => {
    const rank = integerOf(attributes['max_transfer_rank']) ?? 1;
    // Loops over rows go through buffers of vectors, upstream.
    return integerOf(attributes['full_unroll']) !== 1 || rank < 1 ? undefined : transferToScfPatterns(rank);
  },
  'vector.split_transfer_full_partial': ({ attributes }) => {
    const strategy = integerOf(attributes['split_transfer_strategy']);
    return strategy === 0 ? [] : strategy === 3 ? forceInBoundsPatterns : undefined;
  },
  'tensor.fold_tensor_subset_ops': () => [...slicePatterns, ...insertOfExpanded],
  'tensor.fold_tensor_subset_ops_into_vector_transfers': () => slicePatterns,
};

export const patternSets: readonly Attachment[] = Object.entries(setsByName).map(([name, patterns]) =>
  attach(patternDescriptor, `transform.apply_patterns.${name}`, { patterns }),
);

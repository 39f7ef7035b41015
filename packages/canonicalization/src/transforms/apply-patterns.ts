/** `transform.apply_patterns`, and the pattern sets of its body. */
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { collect, describeValue, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import type { Attachment, DraftOperation, Operation, RewritePattern, Rewriter } from '@sconv/ir';
import {
  applyPatternsGreedily,
  attach,
  hasTrait,
  i64Attribute,
  integerOf,
  modelOf,
  unitAttributeKind,
  withDefault,
} from '@sconv/ir';
import type { Handle } from '@sconv/transform';
import {
  appliedToItself,
  defineTransformOp,
  descriptorErrors,
  itselfFailures,
  notImplemented,
  patternDescriptor,
  reads,
} from '@sconv/transform';
import { dataLayoutPropagationPatterns } from '../layouts/data-layout-propagation.ts';
import { furtherLayoutPatterns } from '../layouts/further-propagation.ts';
import { eliminateCommonSubexpressions } from '../passes/cse.ts';
import { expandStridedMetadataPatterns } from '../passes/expand-strided-metadata.ts';
import { aliasPatterns } from '../passes/fold-memref-alias-ops.ts';
import { loopPatterns } from '../passes/scf-for-loop-canonicalization.ts';
import { canonicalizationPatterns } from '../patterns.ts';
import { addressComputationPatterns } from '../patterns/address-computations.ts';
import { bubbleCollapsePatterns } from '../patterns/bubble-collapses.ts';
import { concatPatterns } from '../patterns/concats.ts';
import { constantTensorPatterns } from '../patterns/constant-tensors.ts';
import { expandMemrefPatterns } from '../patterns/expand-memref-ops.ts';
import { foldEmptyPatterns } from '../patterns/empty-tensors.ts';
import { fusedGatherPatterns } from '../patterns/fused-gathers.ts';
import { linalgPatterns } from '../patterns/linalg.ts';
import { mergeSlicePatterns } from '../patterns/merge-slices.ts';
import { packedTransposePatterns } from '../patterns/packed-transposes.ts';
import { redundantExpansionPatterns } from '../patterns/redundant-expansions.ts';
import { reshapesOfSlices } from '../patterns/reshapes-of-slices.ts';
import { resultSizePatterns } from '../patterns/result-sizes.ts';
import { stackPatterns } from '../patterns/stack-allocations.ts';
import { unitExtentPatterns } from '../patterns/unit-extents.ts';
import { unnecessaryInputPatterns } from '../patterns/unnecessary-inputs.ts';
import { simplifyRegions } from '../simplify-regions.ts';

/** The operations whose canonicalization patterns tiling needs, as in upstream. */
const tiled: ReadonlySet<string | undefined> = new Set([
  'affine.apply',
  'affine.for',
  'affine.min',
  'affine.max',
  'arith.constant',
  'memref.subview',
  'memref.view',
  'scf.for',
  'scf.parallel',
  'tensor.cast',
  'tensor.empty',
  'tensor.extract_slice',
  'tensor.insert_slice',
]);

const tilingPatterns: readonly RewritePattern[] = [
  ...new Set([...canonicalizationPatterns.filter(({ root }) => tiled.has(root)), ...linalgPatterns]),
];

/** What cleans up around reshapes, as upstream does when it drops dimensions of size 1. */
const afterUnits = (...roots: readonly string[]): readonly RewritePattern[] => [
  ...canonicalizationPatterns.filter(
    ({ root = '', name }) => roots.includes(root) || name.endsWith('of-fill'),
  ),
  ...foldEmptyPatterns(false),
  ...resultSizePatterns,
];

/** Whether an op has an attribute that is not false. */
const isSet = ({ attributes }: Operation, name: string): boolean => {
  const value = attributes[name];
  return value !== undefined && integerOf(value) !== 0;
};

/** By the op name after `transform.apply_patterns.`. */
const patternsByName = {
  canonicalization: () => canonicalizationPatterns,
  'linalg.data_layout_propagation': () => dataLayoutPropagationPatterns(),
  'linalg.further_data_layout_propagation': () => furtherLayoutPatterns(),
  'linalg.erase_unnecessary_inputs': () => unnecessaryInputPatterns,
  'linalg.fold_unit_extent_dims_via_reshapes': () => [
    ...unitExtentPatterns('reshapes'),
    ...afterUnits('tensor.empty', 'tensor.collapse_shape', 'tensor.expand_shape'),
  ],
  'linalg.fold_unit_extent_dims_via_slices': () => [
    ...unitExtentPatterns('slices'),
    ...afterUnits('tensor.empty'),
  ],
  'linalg.fuse_gathers': () => fusedGatherPatterns,
  'linalg.tiling_canonicalization': () => tilingPatterns,
  'memref.alloc_to_alloca': ({ attributes }) =>
    stackPatterns(integerOf(attributes['size_limit']) ?? Infinity),
  'memref.expand_ops': () => expandMemrefPatterns,
  'memref.extract_address_computations': () => addressComputationPatterns,
  'memref.expand_strided_metadata': () => expandStridedMetadataPatterns,
  'memref.fold_memref_alias_ops': () => aliasPatterns,
  'memref.resolve_ranked_shaped_type_result_dims': () => resultSizePatterns,
  'scf.for_loop_canonicalization': () => loopPatterns,
  'tensor.bubble_collapse': () => [
    ...bubbleCollapsePatterns,
    ...afterUnits('tensor.empty', 'tensor.collapse_shape', 'tensor.expand_shape'),
  ],
  'tensor.decompose_concat': () => concatPatterns,
  'tensor.drop_redundant_insert_slice_rank_expansion': () => redundantExpansionPatterns,
  'tensor.fold_into_pack_and_unpack': () => packedTransposePatterns,
  'tensor.fold_tensor_empty': (operation) => foldEmptyPatterns(isSet(operation, 'fold_single_use_only')),
  'tensor.merge_consecutive_insert_extract_slice': () => mergeSlicePatterns,
  'tensor.reassociative_reshape_folding': () => reshapesOfSlices,
  'tensor.rewrite_as_constant': (operation) => constantTensorPatterns(isSet(operation, 'aggressive')),
} satisfies Readonly<Record<string, (operation: Operation) => readonly RewritePattern[]>>;

/** A pattern set: the name of its op after `transform.apply_patterns.`. */
export type PatternSet = keyof typeof patternsByName;

const prefix = 'transform.apply_patterns.';

/** The patterns of each op in the body; further ops of upstream have none here. */
export const patternSets: readonly Attachment[] = Object.entries(patternsByName).map(([name, patterns]) =>
  attach(patternDescriptor, `${prefix}${name}`, { patterns }),
);

/** The operations in the body. */
const descriptorsIn = ({ regions }: Operation): readonly Operation[] =>
  regions[0]?.blocks.flatMap(({ operations }) => operations) ?? [];

/** The most alternations of patterns and CSE, as in upstream. */
const mostTurns = 50;

const applyPatternsOp = defineTransformOp({
  name: 'transform.apply_patterns',
  summary: 'Applies the patterns in its body to the target until none matches.',
  operands: { target: reads('the ops to apply the patterns in') },
  attributes: {
    applyCse: unitAttributeKind,
    maxIterations: withDefault(i64Attribute, -1),
    maxNumRewrites: withDefault(i64Attribute, -1),
  },
  regions: ['patterns'],
  traits: ['graph-region', 'single-block', 'no-terminator'],
  failures: {
    ...itselfFailures,
    'transform/not-converged': {
      mode: 'silenceable',
      when: 'the patterns do not converge, or exceed the limits that the attributes set',
    },
  },
  assembly: { format: '`to` $target $patterns attr-dict `:` type($target)' },
  verify: ({ operation }, context) =>
    descriptorErrors(
      descriptorsIn(operation),
      patternDescriptor,
      'children ops to implement PatternDescriptorOpInterface',
      context,
    ),
  apply: (context, { target }, options) => {
    const { rewriter, operation } = context;
    const itself = appliedToItself(context, target);
    if (itself !== undefined) return itself;
    const patterns: RewritePattern[] = [];
    for (const each of descriptorsIn(operation)) {
      const set = modelOf(rewriter.registry, patternDescriptor, each)?.patterns?.(each);
      if (set === undefined) return notImplemented(`'${each.name}'`, each.location);
      patterns.push(...set);
    }
    return mapSuccess(
      collect(target, (each) => applyIn(rewriter, each, patterns, options)),
      () => ({}),
    );
  },
});

/**
 * Records a `transform.apply_patterns` with these sets; `applyCse` alternates them with CSE.
 *
 *     applyPatterns({ target }, ['canonicalization'], { applyCse: true });
 */
export const applyPatterns = Object.assign(
  (
    operands: { readonly target: Handle },
    sets: readonly PatternSet[],
    options: Partial<Options> = {},
  ): void => {
    if (!Array.isArray(sets)) {
      throw new TypeError(
        `applyPatterns expects a list of names of pattern sets, not ${describeValue(sets)}`,
      );
    }
    applyPatternsOp(operands, options, {
      bodies: [
        {
          build: (rewriter) => {
            for (const name of sets) {
              rewriter.create({
                name: `${prefix}${name}`,
                operands: [],
                resultTypes: [],
              });
            }
          },
        },
      ],
    });
  },
  { definition: applyPatternsOp.definition },
);

interface Options {
  readonly applyCse: boolean;
  readonly maxIterations: number;
  readonly maxNumRewrites: number;
}

const applyIn = (
  rewriter: Rewriter,
  target: DraftOperation,
  patterns: readonly RewritePattern[],
  { applyCse, maxIterations, maxNumRewrites }: Options,
): Diagnosed<undefined> => {
  const isIsolated = hasTrait(rewriter.registry, target, 'isolated-from-above');
  for (let turn = 0; turn < mostTurns; turn++) {
    const result = applyPatternsGreedily(rewriter, [target], patterns, {
      topDown: false,
      maxRounds: maxIterations < 0 ? Infinity : maxIterations,
      // Without a limit, the driver's default for a payload of this size.
      ...(maxNumRewrites < 0 ? {} : { maxRewrites: maxNumRewrites }),
      ...(isIsolated
        ? {
            afterRound: (_, parts) => {
              for (const part of parts) simplifyRegions(rewriter, part, { mergeBlocks: true });
            },
          }
        : {}),
    });
    if (result.status !== 'success') return notConverged(target, result.diagnostics[0]!.message);
    if (!applyCse || eliminateCommonSubexpressions(rewriter, target) === 0) return success(undefined);
  }
  return notConverged(target, `cse finds more after each of ${mostTurns} turns`);
};

const notConverged = ({ location }: DraftOperation, why: string): Failed =>
  silenceable(error('transform/not-converged', `greedy pattern application failed: ${why}`, location));

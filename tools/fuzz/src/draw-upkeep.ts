/** Draws upstream's steps that navigate the payload or clean it up. */
import type { Operation } from '@sconv/ir';
import type { PatternSet } from '@sconv/canonicalization/transforms';
import { stepOn } from './step-on.ts';
import type { Candidate, Fresh } from './step-on.ts';
import type { Random } from './random.ts';
import type { LiveHandle } from './session.ts';

/** Navigation from a handle's ops. */
export const lookups = (random: Random, fresh: Fresh, handle: LiveHandle): readonly Candidate[] => {
  const { operations } = handle;
  const [first] = operations;
  if (first === undefined) return [];
  const look = (weight: number, name: string, attributes = {}): Candidate => [
    weight,
    () => stepOn(random, fresh, name, handle, attributes, [undefined]),
  ];
  const candidates: Candidate[] = [];
  if (operations.every(({ name }) => name !== 'builtin.module'))
    candidates.push(look(0.15, 'get_parent_op', { deduplicate: true }));
  if (operations.every(({ operands }) => operands.length > 0))
    candidates.push(look(0.1, 'get_producer_of_operand', { operandNumber: first.operands.length - 1 }));
  if (operations.length === 1 && first.results.length > 0)
    candidates.push(look(0.1, 'get_consumers_of_result', { resultNumber: 0 }));
  if (operations.length > 1) candidates.push(look(0.15, 'select', { opName: random.pick(operations).name }));
  return candidates;
};

/** Patterns that may be applied to any payload without leaving what the backends support. */
const patternSets: readonly PatternSet[] = [
  'linalg.erase_unnecessary_inputs',
  'linalg.fuse_gathers',
  'linalg.tiling_canonicalization',
  'scf.for_loop_canonicalization',
  'tensor.bubble_collapse',
  'tensor.decompose_concat',
  'tensor.drop_redundant_insert_slice_rank_expansion',
  'tensor.fold_into_pack_and_unpack',
  'tensor.fold_tensor_empty',
  'tensor.merge_consecutive_insert_extract_slice',
  'tensor.reassociative_reshape_folding',
  'tensor.rewrite_as_constant',
];

const isFunction = ({ name }: Operation): boolean => name === 'func.func';

/** Steps that change the form of the payload, not its results. */
export const cleanups = (random: Random, fresh: Fresh, handle: LiveHandle): readonly Candidate[] => {
  const { operations } = handle;
  if (operations.length === 0) return [];
  const clean = (weight: number, name: string, attributes = {}): Candidate => [
    weight,
    () => stepOn(random, fresh, name, handle, attributes, []),
  ];
  const candidates: Candidate[] = [];
  // Modules accept only attributes with a dialect prefix.
  if (operations.every(({ name }) => name !== 'builtin.module'))
    candidates.push(clean(0.1, 'annotate', { name: 'seen' }));
  if (operations.every(({ regions }) => regions.length > 0)) {
    candidates.push(
      clean(0.3, 'apply_patterns', {
        sets: random.chance(0.5)
          ? ['canonicalization']
          : [random.pick(patternSets), random.pick(patternSets)],
        ...(random.chance(0.5) ? { applyCse: true } : {}),
      }),
      clean(0.1, 'apply_cse'),
      clean(0.1, 'apply_dce'),
      clean(0.1, 'bufferization.buffer_loop_hoisting'),
    );
  }
  if (operations.every(({ name }) => name === 'scf.for'))
    candidates.push(
      clean(0.4, 'apply_licm'),
      clean(0.2, 'loop.promote_if_one_iteration'),
      clean(0.2, 'loop.unroll', { factor: random.integer(1, 3) }),
    );
  if (operations.every(isFunction))
    candidates.push(
      clean(0.45, 'memref.erase_dead_alloc_and_stores'),
      clean(0.45, 'bufferization.eliminate_empty_tensors'),
      clean(0.45, 'structured.eliminate_empty_tensors'),
      [
        0.7,
        () => stepOn(random, fresh, 'structured.hoist_redundant_vector_transfers', handle, {}, [undefined]),
      ],
      [
        0.6,
        () => {
          const attributes = random.chance(0.5)
            ? {}
            : random.chance(0.5)
              ? { vectorizePadding: true, vectorizeNdExtract: true }
              : { disableMultiReductionToContractPatterns: true };
          const name = 'structured.vectorize_children_and_apply_patterns';
          return stepOn(random, fresh, name, handle, attributes, [undefined]);
        },
      ],
      [
        1,
        () =>
          stepOn(
            random,
            fresh,
            'apply_registered_pass',
            handle,
            { passName: random.pick(['canonicalize', 'cse', 'loop-invariant-code-motion']) },
            [undefined],
          ),
      ],
    );
  return candidates;
};

/** A loop interchange of generic ops of equal rank. */
export const interchanges = (
  random: Random,
  fresh: Fresh,
  handle: LiveHandle,
  ranks: readonly number[],
): readonly Candidate[] => {
  const [rank] = ranks;
  if (rank === undefined || rank === 0 || ranks.some((other) => other !== rank)) return [];
  return [
    [
      0.5,
      () => {
        const order = random.shuffled(Array.from({ length: rank }, (_, i) => i));
        return stepOn(random, fresh, 'structured.interchange', handle, { iteratorInterchange: order }, [
          'linalg.generic',
        ]);
      },
    ],
  ];
};

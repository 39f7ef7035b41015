/**
 * Draws schedules that make vectors of structured ops, and lower these: tilings and packings, `vectorize` with and
 * without sizes, bufferization before or after, and each strategy of the vector pattern sets.
 */
import { usedDims } from '@sconv/affine';
import { structuredViews } from '@sconv/dialects/linalg';
import type { Module, Operation } from '@sconv/ir';
import { walk } from '@sconv/ir';
import { isStatic, isStructured, rangesOf } from './draw-structured.ts';
import type { Random } from './random.ts';

/** A schedule, and what it is made of. */
export interface DrawnLowering {
  readonly script: string;
  /** For statistics. */
  readonly features: readonly string[];
}

const any = '!transform.any_op';

/** The pattern sets of a pipeline, in its order, each in its variants. */
const patterns: readonly (readonly [probability: number, variants: readonly string[]])[] = [
  [0.5, ['vector.reduction_to_contract']],
  [0.4, ['vector.transfer_permutation_patterns']],
  [0.3, ['vector.cast_away_vector_leading_one_dim']],
  [
    0.9,
    ['outerproduct', 'dot', 'parallelarith', 'matmulintrinsics'].map(
      (strategy) => `vector.lower_contraction lowering_strategy = "${strategy}"`,
    ),
  ],
  [0.3, ['vector.elementwise_to_vector', 'vector.fold_arith_extension']],
  [
    0.8,
    ['innerparallel', 'innerreduction'].map(
      (strategy) => `vector.lower_multi_reduction lowering_strategy = "${strategy}"`,
    ),
  ],
  [0.3, ['vector.materialize_masks', 'vector.lower_masked_transfers']],
  [0.4, ['vector.lower_masks', 'vector.lower_create_mask']],
  [0.3, ['vector.rank_reducing_subview_patterns', 'tensor.fold_tensor_subset_ops_into_vector_transfers']],
  [0.5, [1, 2].map((rank) => `vector.transfer_to_scf max_transfer_rank = ${rank} full_unroll = true`)],
  [0.5, [0, 1, 2].map((rank) => `vector.lower_transfer max_transfer_rank = ${rank}`)],
  [0.3, ['vector.split_transfer_full_partial split_transfer_strategy = "none"']],
  [
    0.6,
    ['eltwise', 'flat_transpose', 'shuffle_1d', 'shuffle_16x16'].map(
      (strategy) => `vector.lower_transpose lowering_strategy = "${strategy}"`,
    ),
  ],
  [0.5, ['vector.lower_outerproduct']],
  [0.4, ['vector.lower_broadcast']],
  [0.4, ['vector.lower_shape_cast']],
  [0.3, ['vector.lower_gather']],
  [0.2, ['vector.lower_scan', 'vector.lower_interleave', 'vector.lower_bitcast']],
];

class LoweringWriter {
  readonly lines: string[] = [];
  readonly features: string[] = [];
  readonly random: Random;
  private next = 0;

  constructor(random: Random) {
    this.random = random;
  }

  line(text: string): void {
    this.lines.push(`    ${text}`);
  }

  fresh(): string {
    this.next += 1;
    return `%h${this.next}`;
  }

  /** A step that may fail, on one handle: failures are ignored. */
  attempt(operand: string, feature: string, step: (argument: string) => readonly string[]): void {
    this.features.push(feature);
    const argument = this.fresh();
    this.line(`transform.sequence ${operand} : ${any} failures(suppress) {`);
    this.line(`^bb0(${argument}: ${any}):`);
    for (const text of step(argument)) this.line(`  ${text}`);
    this.line('  transform.yield');
    this.line('}');
  }

  match(what: string, within: string): string {
    const name = this.fresh();
    this.line(`${name} = transform.structured.match ${what} in ${within} : (${any}) -> ${any}`);
    return name;
  }
}

type Draw = (w: LoweringWriter, operand: string, operation: Operation) => void;

const sizesText = (sizes: readonly number[]): string => `[${sizes.join(', ')}]`;

const tileUsingFor: Draw = (w, operand, operation) => {
  const sizes = rangesOf(operation).map(() => w.random.pick([0, 1, 2, 2, 3, 4]));
  const loops = sizes.filter((size) => size !== 0).length;
  if (loops === 0) return;
  w.attempt(operand, 'tile_using_for', (argument) => [
    `${w.fresh()}:${loops + 1} = transform.structured.tile_using_for ${argument} tile_sizes ${sizesText(sizes)} ` +
      `: (${any}) -> (${Array<string>(loops + 1)
        .fill(any)
        .join(', ')})`,
  ]);
};

const tileUsingForall: Draw = (w, operand, operation) => {
  const sizes = rangesOf(operation).map(() => w.random.pick([0, 2, 3, 4]));
  if (sizes.length === 0) return;
  w.attempt(operand, 'tile_using_forall', (argument) => [
    `${w.fresh()}:2 = transform.structured.tile_using_forall ${argument} tile_sizes ${sizesText(sizes)} ` +
      `: (${any}) -> (${any}, ${any})`,
  ]);
};

/** Whether operands have this dimension once each, and in no sum: others are not packed. */
const isWhole = (operation: Operation, position: number): boolean =>
  structuredViews.get(operation.name)!(operation).indexingMaps.every(({ results }) => {
    const using = results.filter((result) => usedDims(result).includes(position));
    return using.length === 0 || (using.length === 1 && using[0]!.kind === 'dim');
  });

const packed: Draw = (w, operand, operation) => {
  if (!isStatic(operation)) return;
  const sizes = rangesOf(operation).map((_, i) =>
    isWhole(operation, i) ? w.random.pick([0, 0, 2, 3, 4]) : 0,
  );
  w.attempt(operand, 'pack', (argument) => [
    `${w.fresh()} = transform.structured.pack ${argument} packed_sizes = ${sizesText(sizes)} ` +
      `: (${any}) -> !transform.op<"linalg.generic">`,
  ]);
};

const vectorized: Draw = (w, operand, operation) => {
  const sizes = rangesOf(operation).map((range) => Math.max(1, range) + w.random.pick([0, 0, 1, 3]));
  w.attempt(operand, 'vectorize with sizes', (argument) => [
    `transform.structured.vectorize ${argument} vector_sizes ${sizesText(sizes)} : ${any}`,
  ]);
};

/** A transform without options that gives one handle. */
const rewritten =
  (name: string): Draw =>
  (w, operand) => {
    w.attempt(operand, name, (argument) => [
      `${w.fresh()} = transform.structured.${name} ${argument} : (${any}) -> ${any}`,
    ]);
  };

const steps: readonly (readonly [weight: number, draw: Draw | undefined])[] = [
  [5, undefined],
  [4, tileUsingFor],
  [1.5, tileUsingForall],
  [1.5, packed],
  [1.5, vectorized],
  [1, rewritten('generalize')],
  [0.5, rewritten('decompose')],
];

/** The structured ops of the payload's function, in order. */
const structuredIn = ({ root }: Module): readonly Operation[] => [...walk(root)].filter(isStructured);

/** Draws a schedule for a payload. */
export const drawLowering = (random: Random, payload: Module): DrawnLowering => {
  const w = new LoweringWriter(random);
  const operations = structuredIn(payload);
  const { length } = operations;
  const all = w.match('interface{LinalgOp}', '%root');
  if (length > 0) {
    const name = w.fresh();
    const types = Array<string>(length).fill(any).join(', ');
    w.line(`${name}:${length} = transform.split_handle ${all} : (${any}) -> (${types})`);
    for (const [i, operation] of operations.entries())
      random.weighted(steps)?.(w, length === 1 ? name : `${name}#${i}`, operation);
  }
  for (const [packing, lowering, results] of [
    ['tensor.pack', 'lower_pack', ['tensor.pad', 'tensor.expand_shape', 'linalg.transpose']],
    [
      'tensor.unpack',
      'lower_unpack',
      ['tensor.empty', 'linalg.transpose', 'tensor.collapse_shape', 'tensor.extract_slice'],
    ],
  ] as const) {
    if (!w.features.includes('pack')) continue;
    const ops = w.match(`ops{["${packing}"]}`, '%root');
    const typed = w.fresh();
    w.line(`${typed} = transform.cast ${ops} : ${any} to !transform.op<"${packing}">`);
    w.line(
      `${w.fresh()}:${results.length} = transform.structured.${lowering} ${typed} : (!transform.op<"${packing}">) -> ` +
        `(${results.map((result) => `!transform.op<"${result}">`).join(', ')})`,
    );
  }
  const vectorizes = random.chance(0.9);
  if (vectorizes) {
    const options = ['vectorize_padding', 'vectorize_nd_extract', 'flatten_1d_depthwise_conv'].filter(() =>
      random.chance(0.4),
    );
    w.features.push('vectorize_children_and_apply_patterns');
    const functions = w.match('ops{["func.func"]}', '%root');
    const text = options.length === 0 ? '' : ` {${options.join(', ')}}`;
    w.line(
      `${w.fresh()} = transform.structured.vectorize_children_and_apply_patterns ${functions}${text} : (${any}) -> ${any}`,
    );
  }
  let root = '%root';
  const isEarly = random.chance(0.4);
  if (isEarly) {
    w.features.push('bufferized before');
    root = w.fresh();
    w.line(
      `${root} = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root ` +
        `{bufferize_function_boundaries = true} : (${any}) -> ${any}`,
    );
  }
  if (random.chance(0.3)) {
    const loops = w.match('interface{LoopLikeInterface}', root);
    w.attempt(loops, 'hoist_loop_invariant_subsets', (argument) => [
      `transform.loop.hoist_loop_invariant_subsets ${argument} : ${any}`,
    ]);
  }
  for (const [probability, variants] of patterns) {
    if (!random.chance(probability)) continue;
    const chosen = random.pick(variants);
    w.features.push(chosen);
    const functions = w.match('ops{["func.func"]}', root);
    w.line(`transform.apply_patterns to ${functions} {`);
    w.line(`  transform.apply_patterns.${chosen}`);
    // What broadcasts are lowered to folds to broadcasts again.
    const isStable = chosen !== 'vector.lower_broadcast';
    if (isStable && random.chance(0.4)) w.line('  transform.apply_patterns.canonicalization');
    w.line(`} : ${any}`);
  }
  const consumption = isEarly ? 'consumed' : 'readonly';
  return {
    features: [...new Set(w.features)],
    script: [
      'module attributes {transform.with_named_sequence} {',
      `  transform.named_sequence @__transform_main(%root: ${any} {transform.${consumption}}) {`,
      ...w.lines,
      '    transform.yield',
      '  }',
      '}',
      '',
    ].join('\n'),
  };
};

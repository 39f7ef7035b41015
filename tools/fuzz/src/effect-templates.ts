/** Single transforms as text, with random options: valid ones, and sometimes such as must be refused. */
import type { Operation } from '@sconv/ir';
import type { Random } from './random.ts';

/** What a transform can be applied to. */
export interface Template {
  /** The transform. */
  readonly name: string;
  /** The names of ops that it may apply to; a pattern for several. */
  readonly targets: RegExp;
  /** Its lines; `%t` is the target, `%func` its function, `%root` the module. */
  readonly text: (random: Random, target: Operation) => string;
  /** Whether it assumes what the payload does not say, so that results may change. */
  readonly assumes?: boolean;
}

const any = '!transform.any_op';
const anys = (count: number): string => Array.from({ length: count }, () => any).join(', ');

/** The number of loops of a structured op; a guess for others. */
const loopCount = ({ attributes, results, operands }: Operation): number => {
  const iterators = attributes['iterator_types'];
  if (iterators?.kind === 'array') return iterators.elements.length;
  const type = results[0]?.type ?? operands.at(-1)?.type;
  return type !== undefined && 'shape' in type ? type.shape.length : 1;
};

/** Tile sizes, sometimes all 0, negative or too many. */
const sizes = (random: Random, target: Operation, least = 0): readonly number[] => {
  const count = Math.max(1, loopCount(target) + (random.chance(0.05) ? 1 : 0));
  return Array.from({ length: count }, () =>
    random.chance(0.02) ? -1 : random.pick([least, 1, 2, 2, 3, 4, 8]),
  );
};

const list = (numbers: readonly number[]): string => `[${numbers.join(', ')}]`;
const flag = (random: Random, text: string, probability = 0.4): string =>
  random.chance(probability) ? text : '';
const braces = (...parts: readonly string[]): string => {
  const given = parts.filter((part) => part !== '');
  return given.length === 0 ? '' : ` {${given.join(', ')}}`;
};

const structured = /^linalg\.(?!yield|index|init_tensor)/;
const loops = /^(scf|affine)\.for$/;
const tensorOps =
  /^(tensor\.(empty|pad|generate|from_elements|pack|unpack|insert_slice)|linalg\.(generic|matmul|fill|copy))$/;

/** `%a, … = op %t … : (any) -> (…)`. */
const unary =
  (count: number, options: (random: Random, target: Operation) => string = () => '') =>
  (name: string) =>
  (random: Random, target: Operation): string => {
    const results = Array.from({ length: count }, (_, i) => `%r${i}`).join(', ');
    const head = count === 0 ? '' : `${results} = `;
    return `${head}${name} %t${options(random, target)} : (${any}) -> ${count === 1 ? any : `(${anys(count)})`}`;
  };

/** The same for an operand of one kind of op. */
const typed =
  (
    op: string,
    results: readonly string[],
    options: (random: Random, target: Operation) => string = () => '',
  ) =>
  (name: string) =>
  (random: Random, target: Operation): string => {
    const names = results.map((_, i) => `%r${i}`).join(', ');
    const types = results.map((each) => (each === '' ? any : `!transform.op<"${each}">`));
    const cast = `%c = transform.cast %t : ${any} to !transform.op<"${op}">`;
    const signature = `(!transform.op<"${op}">) -> (${types.join(', ')})`;
    return `${cast}\n    ${names} = ${name} %c${options(random, target)} : ${signature}`;
  };

/** `op %t … : any`. */
const plain =
  (options: (random: Random, target: Operation) => string = () => '') =>
  (name: string) =>
  (random: Random, target: Operation): string =>
    `${name} %t${options(random, target)} : ${any}`;

const row = (
  name: string,
  targets: RegExp,
  text: (name: string) => Template['text'],
  assumes = false,
): Template => ({ name: `transform.${name}`, targets, text: text(`transform.${name}`), assumes });

const permutation = (random: Random, count: number): readonly number[] =>
  random.chance(0.05)
    ? Array.from({ length: count }, () => 0)
    : random.shuffled(Array.from({ length: count }, (_, i) => i));

const tileFor =
  (name: string) =>
  (random: Random, target: Operation): string => {
    const given = sizes(random, target);
    const count = given.filter((size) => size !== 0).length;
    const names = ['%tile', ...Array.from({ length: count }, (_, i) => `%loop${i}`)].join(', ');
    const order = flag(random, ` interchange = ${list(permutation(random, given.length))}`, 0.25);
    const exact = flag(random, ' {exact}', 0.1);
    return `${names} = ${name} %t tile_sizes ${list(given)}${order}${exact} : (${any}) -> (${anys(count + 1)})`;
  };

const fuse =
  (name: string) =>
  (random: Random, target: Operation): string => {
    const given = sizes(random, target);
    const count = given.filter((size) => size !== 0).length;
    const names = ['%tile', ...Array.from({ length: count }, (_, i) => `%loop${i}`)].join(', ');
    const order = flag(random, `tile_interchange = ${list(permutation(random, given.length))}`, 0.2);
    const options = braces(`tile_sizes = ${list(given)}`, order, flag(random, 'apply_cleanup = true', 0.3));
    return `${names} = ${name} %t${options} : (${any}) -> (${anys(count + 1)})`;
  };

const paddingValues = (target: Operation): string => {
  const values = target.operands.map(({ type }) => {
    const element = 'elementType' in type ? type.elementType : type;
    if (element.kind === 'float') return `0.0 : ${element.name}`;
    return element.kind === 'integer' ? `0 : i${element.width}` : '0 : index';
  });
  return `padding_values = [${values.join(', ')}]`;
};

/** A dimension and a size. */
const sizeOptions = (random: Random): string =>
  `{dimension = ${random.integer(0, 1)}, target_size = ${random.integer(1, 4)}}`;

/** What transforms there are for functions with effects, in the order of docs/transforms.md. */
export const templates: readonly Template[] = [
  row(
    'get_parent_op',
    /^(?!builtin)/,
    unary(1, (random) =>
      braces(
        flag(random, 'isolated_from_above'),
        flag(random, 'deduplicate'),
        flag(random, 'nth_parent = 2 : i64', 0.2),
      ),
    ),
  ),
  row(
    'get_consumers_of_result',
    /^(arith|linalg|vector|memref|tensor)\./,
    (name) => () => `%r = ${name} %t[0] : (${any}) -> ${any}`,
  ),
  row(
    'get_producer_of_operand',
    /^(linalg|vector|memref|arith)\.[^c]/,
    (name) => () => `%r = ${name} %t[0] : (${any}) -> ${any}`,
  ),
  row('annotate', /^(?!builtin)/, (name) => () => `${name} %t "fuzz.seen" : ${any}`),
  row('verify', /^func\.func$/, plain()),
  row('apply_cse', /^func\.func$/, (name) => () => `${name} to %t : ${any}`),
  row('apply_dce', /^func\.func$/, (name) => () => `${name} to %t : ${any}`),
  row('apply_licm', loops, (name) => () => `${name} to %t : ${any}`),
  row('memref.erase_dead_alloc_and_stores', /^func\.func$/, unary(0)),
  row(
    'structured.hoist_redundant_vector_transfers',
    /^func\.func$/,
    unary(1, (random) => flag(random, ' {verify_non_zero_trip}')),
  ),
  row('structured.hoist_redundant_vector_broadcasts', /^func\.func$/, unary(1)),
  row('loop.hoist_loop_invariant_subsets', loops, plain()),
  row('structured.generalize', structured, unary(1)),
  row(
    'structured.interchange',
    /^linalg\.generic$/,
    unary(1, (random, target) => ` iterator_interchange = ${list(permutation(random, loopCount(target)))}`),
  ),
  row('structured.decompose', structured, unary(1)),
  row('structured.decompose_interface', structured, unary(1)),
  row('structured.flatten_elementwise', structured, unary(1)),
  row('structured.insert_slice_to_copy', /^tensor\.insert_slice$/, unary(1)),
  row(
    'structured.transpose_matmul',
    /^linalg\.matmul$/,
    unary(1, (random) => flag(random, ' <inputs = rhs>', 0.01)),
  ),
  row('structured.specialize', /^linalg\.generic$/, unary(1)),
  row('structured.split', structured, (name) => (random, target) => {
    const dimension = random.integer(0, Math.max(0, loopCount(target) - (random.chance(0.9) ? 1 : 0)));
    const options = braces(`dimension = ${dimension} : i64`, flag(random, 'exact', 0.2));
    return `%a, %b = ${name} %t after ${random.integer(0, 4)}${options} : ${any}`;
  }),
  row(
    'structured.split_reduction',
    /^linalg\.(generic|matmul|reduce)$/,
    unary(4, (random) =>
      braces(
        `split_factor = ${random.pick([0, 1, 2, 4])}`,
        `insert_split_dimension = ${random.integer(0, 2)}`,
        flag(random, 'inner_parallel'),
        flag(random, 'use_scaling_algorithm'),
        flag(random, 'use_alloc', 0.3),
      ),
    ),
  ),
  row('loop.promote_if_one_iteration', loops, plain()),
  row(
    'loop.unroll',
    loops,
    plain((random) => ` {factor = ${random.pick([1, 2, 2, 3, 4])} : i64}`),
  ),
  row(
    'loop.unroll_and_jam',
    loops,
    plain((random) => ` {factor = ${random.pick([1, 2, 2, 3, 4])} : i64}`),
  ),
  row(
    'loop.peel',
    /^scf\.for$/,
    typed('scf.for', ['', ''], (random) =>
      braces(flag(random, 'peel_front = true'), flag(random, 'fail_if_already_divisible = true', 0.2)),
    ),
  ),
  row(
    'loop.pipeline',
    /^scf\.for$/,
    typed('scf.for', [''], (random) =>
      braces(
        flag(random, `iteration_interval = ${random.integer(1, 3)} : i64`),
        flag(random, `read_latency = ${random.integer(1, 6)} : i64`),
      ),
    ),
  ),
  row('loop.coalesce', loops, unary(1)),
  row(
    'loop.outline',
    loops,
    unary(2, () => ' {func_name = "outlined"}'),
  ),
  row('loop.forall_to_for', /^scf\.forall$/, unary(1)),
  row('loop.forall_to_parallel', /^scf\.forall$/, unary(1)),
  row(
    'scf.take_assumed_branch',
    /^scf\.if$/,
    (name) => (random) => `${name} %t${flag(random, ' take_else_branch')} : (${any}) -> ()`,
    true,
  ),
  row('structured.convert_to_loops', /^(linalg\.|tensor\.(pad|pack))/, unary(1)),
  row('loop.fuse_sibling', loops, (name) => () => `%r = ${name} %t into %t2 : (${any}, ${any}) -> ${any}`),
  row('structured.tile_using_for', structured, tileFor),
  row('structured.tile_using_for', /^tensor\.(pad|pack|unpack)$/, tileFor),
  row(
    'structured.tile_using_forall',
    structured,
    unary(
      2,
      (random, target) => ` ${random.pick(['tile_sizes', 'num_threads'])} ${list(sizes(random, target))}`,
    ),
  ),
  row('structured.fuse', structured, fuse),
  row(
    'structured.fuse_into_containing_op',
    structured,
    (name) => () => `%a, %b = ${name} %t into %t2 : (${any}, ${any}) -> (${anys(2)})`,
  ),
  row('structured.scalarize', structured, unary(1)),
  row(
    'structured.multitile_sizes',
    structured,
    (name) => (random) => `%a, %b, %c = ${name} %t ${sizeOptions(random)} : (${any}) -> ${any}`,
  ),
  row(
    'structured.continuous_tile_sizes',
    structured,
    (name) => (random) => `%a, %b = ${name} %t ${sizeOptions(random)} : (${any}) -> ${any}`,
  ),
  row(
    'structured.tile_reduction_using_for',
    /^linalg\.(generic|matmul|reduce)$/,
    unary(4, (random, target) => ` by tile_sizes = ${list(sizes(random, target))}`),
  ),
  row(
    'structured.tile_reduction_using_forall',
    /^linalg\.(generic|matmul|reduce)$/,
    unary(4, (random, target) => ` by num_threads = ${list(sizes(random, target))}`),
  ),
  row(
    'tensor.make_loop_independent',
    /^tensor\.(empty|pad)$/,
    unary(1, (random) => ` {num_loops = ${random.integer(0, 2)} : i64}`),
  ),
  row(
    'memref.make_loop_independent',
    /^memref\.alloca$/,
    unary(1, (random) => ` {num_loops = ${random.integer(0, 2)} : i64}`),
  ),
  row(
    'structured.pack',
    structured,
    unary(1, (random, target) => ` packed_sizes = ${list(sizes(random, target))}`),
  ),
  row(
    'structured.pack_greedily',
    /^linalg\.(generic|matmul)$/,
    unary(1, (random) => {
      const packed = list([random.integer(1, 4), random.integer(0, 3), random.integer(1, 4)]);
      return ` matmul_packed_sizes = ${packed} matmul_inner_dims_order = ${list(random.shuffled([0, 1, 2]))}`;
    }),
  ),
  row('structured.pack_transpose', /^tensor\.(pack|unpack)$/, (name) => (random) => {
    const order = list(permutation(random, 2));
    return `%a, %b, %c = ${name} %t with_compute_op(%t2) inner_perm = ${order} : (${any}, ${any}) -> (${anys(3)})`;
  }),
  row(
    'structured.lower_pack',
    /^tensor\.pack$/,
    typed('tensor.pack', ['tensor.pad', 'tensor.expand_shape', 'linalg.transpose']),
  ),
  row(
    'structured.lower_unpack',
    /^tensor\.unpack$/,
    typed('tensor.unpack', [
      'tensor.empty',
      'linalg.transpose',
      'tensor.collapse_shape',
      'tensor.extract_slice',
    ]),
  ),
  row(
    'structured.pad',
    structured,
    unary(3, (random, target) => {
      const dims = Array.from({ length: loopCount(target) }, (_, i) => i);
      const multiples = list(dims.map(() => random.integer(random.chance(0.05) ? 0 : 1, 4)));
      const copyBack = random.pick(['none', 'linalg.copy', 'bufferization.materialize_in_destination']);
      const values = `padding_dimensions = ${list(dims)}, ${paddingValues(target)}`;
      return ` pad_to_multiple_of ${multiples} {${values}, copy_back_op = "${copyBack}"}`;
    }),
  ),
  row(
    'structured.hoist_pad',
    /^tensor\.pad$/,
    unary(1, (random) => ` by ${random.integer(1, 2)} loops`),
  ),
  row(
    'structured.promote',
    structured,
    unary(1, (random, target) =>
      braces(
        flag(random, `operands_to_promote = [${random.integer(0, target.operands.length - 1)}]`),
        flag(random, 'use_full_tiles_by_default'),
        flag(random, 'use_alloca'),
      ),
    ),
  ),
  row('bufferization.one_shot_bufferize', /^builtin\.module$/, (name) => (random) => {
    const options = braces(
      `bufferize_function_boundaries = ${random.chance(0.6)}`,
      `allow_return_allocs_from_loops = ${random.chance(0.8)}`,
      `memcpy_op = "${random.pick(['memref.copy', 'linalg.copy'])}"`,
    );
    return `%r = ${name} %root${options} : (${any}) -> ${any}`;
  }),
  row('structured.bufferize_to_allocation', tensorOps, (name) => (random) => {
    const options = braces(
      flag(random, 'alloc_op = "memref.alloca"', 0.3),
      flag(random, 'memcpy_op = "linalg.copy"', 0.3),
      flag(random, 'bufferize_destination_only', 0.3),
      flag(random, 'emit_dealloc', 0.2),
    );
    return `%buffer, %new = ${name} %t${options} : ${any}`;
  }),
  row('structured.eliminate_empty_tensors', /^func\.func$/, plain()),
  row('bufferization.eliminate_empty_tensors', /^func\.func$/, plain()),
  row(
    'bufferization.empty_tensor_to_alloc_tensor',
    /^tensor\.empty$/,
    typed('tensor.empty', ['bufferization.alloc_tensor']),
  ),
  row('bufferization.buffer_loop_hoisting', /^func\.func$/, plain()),
  row('structured.rewrite_in_destination_passing_style', /^tensor\.(generate|from_elements|pad)$/, unary(1)),
  row(
    'memref.multibuffer',
    /^memref\.alloc$/,
    typed(
      'memref.alloc',
      [''],
      (random) => ` {factor = ${random.integer(1, 3)} : i64${flag(random, ', skip_analysis', 0.05)}}`,
    ),
  ),
  row('memref.alloca_to_global', /^memref\.alloca$/, typed('memref.alloca', ['', ''])),
  row(
    'structured.vectorize',
    structured,
    plain((random, target) => (random.chance(0.5) ? '' : ` vector_sizes ${list(sizes(random, target, 1))}`)),
  ),
  row(
    'structured.vectorize',
    /^tensor\.(pad|pack|unpack)$/,
    plain((random, target) => (random.chance(0.3) ? '' : ` vector_sizes ${list(sizes(random, target, 1))}`)),
  ),
  row(
    'structured.vectorize_children_and_apply_patterns',
    /^func\.func$/,
    unary(1, (random) =>
      braces(
        flag(random, 'vectorize_padding'),
        flag(random, 'vectorize_nd_extract'),
        flag(random, 'disable_multi_reduction_to_contract_patterns'),
        flag(random, 'disable_transfer_permutation_map_lowering_patterns'),
      ),
    ),
  ),
];

const option = (random: Random, name: string, values: readonly string[]): string =>
  flag(random, ` ${name} = ${random.pick(values)}`, 0.7);

/** The options of pattern sets that have some. */
export const patternOptions: Readonly<Record<string, (random: Random) => string>> = {
  'transform.apply_patterns.vector.lower_contraction': (random) =>
    option(random, 'lowering_strategy', ['"dot"', '"outerproduct"', '"matmulintrinsics"', '"parallelarith"']),
  'transform.apply_patterns.vector.lower_multi_reduction': (random) =>
    option(random, 'lowering_strategy', ['"innerparallel"', '"innerreduction"']),
  'transform.apply_patterns.vector.lower_transfer': (random) =>
    option(random, 'max_transfer_rank', ['0', '1', '2']),
  'transform.apply_patterns.vector.lower_transpose': (random) =>
    option(random, 'lowering_strategy', ['"eltwise"', '"flat_transpose"', '"shuffle_1d"', '"shuffle_16x16"']),
  'transform.apply_patterns.vector.split_transfer_full_partial': (random) =>
    ` split_transfer_strategy = ${random.pick(['"linalg-copy"', '"vector-transfer"', '"force-in-bounds"', '"none"'])}`,
  'transform.apply_patterns.vector.transfer_to_scf': (random) =>
    ` max_transfer_rank = ${random.integer(0, 2)} full_unroll = true`,
  'transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice': () => '',
};

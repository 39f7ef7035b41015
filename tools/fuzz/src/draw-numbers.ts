/** Functions and schedules full of numbers around the ends of what words and doubles hold. */
import type { Random } from './random.ts';

const ends = [2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n];
const odd = [94_906_267n, 3_002_399_751_580_331n, 4_503_599_627_370_496n, 6_004_799_503_160_661n];

/** An integer of any size near one of the ends, or small. */
export const drawNumber = (random: Random, width = 64): bigint => {
  const small = BigInt(random.integer(-4, 9));
  const large = random.pick([...ends, ...odd, 0n, 0n]) + BigInt(random.integer(-2, 2));
  const chosen = random.chance(0.45) ? small : random.chance(0.4) ? -large : large;
  return BigInt.asIntN(width, chosen);
};

const exactNumber = (random: Random): bigint => {
  const value = drawNumber(random);
  return Number.isSafeInteger(Number(value)) ? value : 7n;
};

const positive = (random: Random): bigint => {
  const value = exactNumber(random);
  return value > 0n ? value : 1n - value;
};

/** A function `@f` with its parameters, which take small or large indices and integers. */
export interface NumberFunction {
  readonly text: string;
  /** The widths of integer parameters; 64 for an index. */
  readonly widths: readonly number[];
}

const integerTypes = { i8: 8, i16: 16, i32: 32, i64: 64, index: 64 } as const;
type IntegerName = keyof typeof integerTypes;
const integerNames = Object.keys(integerTypes) as readonly IntegerName[];

const binaryOps =
  'addi subi muli divsi divui remsi remui ceildivsi ceildivui floordivsi maxsi minsi maxui minui andi ori xori';

const scalars = (random: Random): NumberFunction => {
  const type = random.pick(integerNames);
  const lines: string[] = [];
  const names = ['%a', '%b'];
  const count = random.integer(2, 8);
  for (let i = 0; i < count; i++) {
    const name = `%v${i}`;
    if (random.chance(0.45)) {
      lines.push(`${name} = arith.constant ${drawNumber(random, integerTypes[type])} : ${type}`);
    } else if (random.chance(0.15)) {
      const predicate = random.pick(['slt', 'ule', 'eq', 'sge']);
      lines.push(`%c${i} = arith.cmpi ${predicate}, ${random.pick(names)}, ${random.pick(names)} : ${type}`);
      lines.push(`${name} = arith.select %c${i}, ${random.pick(names)}, ${random.pick(names)} : ${type}`);
    } else {
      const op = random.pick(binaryOps.split(' '));
      lines.push(`${name} = arith.${op} ${random.pick(names)}, ${random.pick(names)} : ${type}`);
    }
    names.push(name);
  }
  return {
    text: functionText(`%a: ${type}, %b: ${type}`, lines, names.slice(-2), [type, type]),
    widths: [integerTypes[type], integerTypes[type]],
  };
};

const functionText = (
  parameters: string,
  lines: readonly string[],
  results: readonly string[],
  types: readonly string[],
): string =>
  [
    `func.func @f(${parameters})${types.length === 0 ? '' : ` -> (${types.join(', ')})`} {`,
    ...lines.map((line) => `  ${line}`),
    results.length === 0 ? '  return' : `  return ${results.join(', ')} : ${types.join(', ')}`,
    '}',
  ].join('\n');

/** An affine expression over `d0`, `d1` and `s0`. */
export const drawExpression = (random: Random, depth = 3): string => {
  if (depth === 0 || random.chance(0.2))
    return random.chance(0.6) ? random.pick(['d0', 'd1', 's0']) : `(${exactNumber(random)})`;
  const inner = drawExpression(random, depth - 1);
  switch (random.integer(0, 4)) {
    case 0:
      return `(${inner} * (${exactNumber(random)}))`;
    case 1:
      return `(${inner} ${random.pick(['mod', 'floordiv', 'ceildiv'])} ${positive(random)})`;
    case 2:
      return `(${inner} - ${drawExpression(random, depth - 1)})`;
    default:
      return `(${inner} + ${drawExpression(random, depth - 1)})`;
  }
};

const affine = (random: Random): NumberFunction => {
  const lines: string[] = [];
  const names = ['%a', '%b'];
  const count = random.integer(2, 5);
  for (let i = 0; i < count; i++) {
    const operands = `(${random.pick(names)}, ${random.pick(names)})[${random.pick(names.slice(0, 2))}]`;
    const op = random.pick(['apply', 'apply', 'min', 'max', 'constant', 'delinearize']);
    if (op === 'constant') lines.push(`%v${i} = arith.constant ${drawNumber(random)} : index`);
    else if (op === 'delinearize') {
      lines.push(`%q${i} = arith.constant ${positive(random)} : index`);
      lines.push(
        `%v${i}, %w${i} = affine.delinearize_index ${random.pick(names)} into (%q${i}, %q${i}) : index, index`,
      );
    } else {
      const extra = op === 'apply' ? '' : `, ${drawExpression(random, 2)}`;
      lines.push(
        `%v${i} = affine.${op} affine_map<(d0, d1)[s0] -> (${drawExpression(random)}${extra})>${operands}`,
      );
    }
    names.push(`%v${i}`);
  }
  if (random.chance(0.4)) {
    const [lower, upper] = [exactNumber(random), exactNumber(random)];
    lines.push(`affine.for %i = ${lower} to ${upper} step ${positive(random)} {`);
    lines.push(`  %x = affine.apply affine_map<(d0, d1)[s0] -> (${drawExpression(random)})>(%i, %i)[%a]`);
    lines.push(`  affine.if affine_set<(d0)[s0] : (d0 * ${exactNumber(random)} - s0 >= 0)>(%x)[%b] {`);
    lines.push('    %y = arith.addi %x, %x : index');
    lines.push('  }');
    lines.push('}');
  }
  const results = names.slice(-2);
  return { text: functionText('%a: index, %b: index', lines, results, ['index', 'index']), widths: [64, 64] };
};

/** Loops over a buffer, outer and inner, the outer marked. */
const loops = (random: Random): NumberFunction => {
  const type = random.pick(['index', 'index', 'index', 'i32', 'i8'] as const);
  const width = integerTypes[type];
  const constants = Array.from({ length: 6 }, (_, i) => {
    const value = random.chance(0.5) ? BigInt(random.integer(0, 9)) : drawNumber(random, width);
    return `%k${i} = arith.constant ${i % 3 === 2 && value <= 0n ? 1n : value} : ${type}`;
  });
  const at = (variable: string, name: string): readonly string[] =>
    type === 'index'
      ? [`${name}r = arith.remui ${variable}, %eight : index`]
      : [
          `${name}x = arith.index_cast ${variable} : ${type} to index`,
          `${name}r = arith.remui ${name}x, %eight : index`,
        ];
  const of = type === 'index' ? '' : ` : ${type}`;
  const inner = random.chance(0.6);
  const body = [
    ...at('%i', '%p'),
    ...(inner
      ? [
          `scf.for %j = %k3 to %k4 step %k5 ${of}{`,
          ...at('%j', '%q'),
          'memref.store %one, %m[%pr, %qr] : memref<8x8xf32>',
          '}',
        ]
      : ['memref.store %one, %m[%pr, %pr] : memref<8x8xf32>']),
  ];
  const carried = !inner && random.chance(0.5);
  const lines = [
    ...constants,
    '%eight = arith.constant 8 : index',
    '%one = arith.constant 1.0 : f32',
    ...(carried
      ? [
          `%s = scf.for %i = %k0 to %k1 step %k2 iter_args(%c = %one) -> (f32) ${of}{`,
          ...at('%i', '%p'),
          '%l = memref.load %m[%pr, %pr] : memref<8x8xf32>',
          '%n = arith.addf %c, %l : f32',
          'scf.yield %n : f32',
          '} {outer}',
          'memref.store %s, %m[%zero, %zero] : memref<8x8xf32>',
        ]
      : [`scf.for %i = %k0 to %k1 step %k2 ${of}{`, ...body, '} {outer}']),
  ];
  const zero = carried ? ['%zero = arith.constant 0 : index'] : [];
  return { text: functionText('%m: memref<8x8xf32>', [...zero, ...lines], [], []), widths: [] };
};

/** Structured ops with large maps and sizes, which nothing can execute; some are small. */
const structured = (random: Random): NumberFunction => {
  const size = random.chance(0.6) ? BigInt(random.integer(1, 12)) : positive(random);
  const factor = random.chance(0.5) ? BigInt(random.integer(1, 3)) : positive(random);
  const other = random.chance(0.5) ? BigInt(random.integer(1, 9)) : positive(random);
  const kind = random.pick([
    'generic',
    'matmul',
    'pad',
    'reduce',
    'slice',
    'reshape',
    'conv',
    'transfer',
    'subview',
  ]);
  switch (kind) {
    case 'matmul':
      return whole(
        `%a: tensor<${size}x${other}xf32>, %b: tensor<${other}x4xf32>, %o: tensor<${size}x4xf32>`,
        [
          `%0 = linalg.matmul ins(%a, %b : tensor<${size}x${other}xf32>, tensor<${other}x4xf32>) outs(%o : tensor<${size}x4xf32>) -> tensor<${size}x4xf32>`,
        ],
        `tensor<${size}x4xf32>`,
      );
    case 'conv':
      return whole(
        `%a: tensor<1x2x${size + 2n}x${other + 2n}xf32>, %b: tensor<4x2x3x3xf32>, %o: tensor<1x4x${size}x${other}xf32>`,
        [
          `%0 = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<1x2x${size + 2n}x${other + 2n}xf32>, tensor<4x2x3x3xf32>) outs(%o : tensor<1x4x${size}x${other}xf32>) -> tensor<1x4x${size}x${other}xf32>`,
        ],
        `tensor<1x4x${size}x${other}xf32>`,
      );
    case 'reduce':
      return whole(
        `%a: tensor<${other}x${size}xf32>, %o: tensor<${other}xf32>`,
        [
          `%0 = linalg.reduce { arith.addf } ins(%a : tensor<${other}x${size}xf32>) outs(%o : tensor<${other}xf32>) dimensions = [1]`,
        ],
        `tensor<${other}xf32>`,
      );
    case 'pad':
      return whole(
        `%a: tensor<${size}xf32>, %i: f32`,
        [
          `%0 = tensor.pad %a low[${factor}] high[${other}] {`,
          '^bb0(%x: index):',
          '  tensor.yield %i : f32',
          `} : tensor<${size}xf32> to tensor<${size + factor + other}xf32>`,
        ],
        `tensor<${size + factor + other}xf32>`,
      );
    case 'slice':
      return whole(
        `%a: tensor<?xf32>, %n: index`,
        [
          `%1 = tensor.extract_slice %a[${other}] [%n] [${factor}] : tensor<?xf32> to tensor<?xf32>`,
          `%0 = tensor.extract_slice %1[${size}] [3] [${factor}] : tensor<?xf32> to tensor<3xf32>`,
        ],
        'tensor<3xf32>',
      );
    case 'subview':
      return whole(
        `%a: memref<?xf32>, %n: index`,
        [
          `%1 = memref.subview %a[${other}] [%n] [${factor}] : memref<?xf32> to memref<?xf32, strided<[${factor}], offset: ${other}>>`,
          `%2 = memref.subview %1[${size}] [3] [${factor}] : memref<?xf32, strided<[${factor}], offset: ${other}>> to memref<3xf32, strided<[${factor * factor}], offset: ${other + size * factor}>>`,
          `%c = arith.constant 1 : index`,
          `%0 = memref.load %2[%c] : memref<3xf32, strided<[${factor * factor}], offset: ${other + size * factor}>>`,
        ],
        'f32',
      );
    case 'reshape':
      return whole(
        `%a: tensor<${size}x${other}xf32>`,
        [
          `%1 = tensor.collapse_shape %a [[0, 1]] : tensor<${size}x${other}xf32> into tensor<${size * other}xf32>`,
          `%0 = tensor.expand_shape %1 [[0, 1]] output_shape [${other}, ${size}] : tensor<${size * other}xf32> into tensor<${other}x${size}xf32>`,
        ],
        `tensor<${other}x${size}xf32>`,
      );
    case 'transfer':
      return whole(
        `%a: memref<?xf32>, %i: f32`,
        [
          `%c = arith.constant ${drawNumber(random)} : index`,
          '%0 = vector.transfer_read %a[%c], %i : memref<?xf32>, vector<4xf32>',
        ],
        'vector<4xf32>',
      );
    default:
      return whole(
        `%a: tensor<?xf32>, %o: tensor<${size}xf32>`,
        [
          `%0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * ${factor} + ${other})>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%o : tensor<${size}xf32>) {`,
          '^bb0(%x: f32, %y: f32):',
          '  linalg.yield %x : f32',
          `} -> tensor<${size}xf32>`,
        ],
        `tensor<${size}xf32>`,
      );
  }
};

const whole = (parameters: string, lines: readonly string[], type: string): NumberFunction => ({
  text: functionText(parameters, lines, ['%0'], [type]),
  widths: [],
});

/** A function for passes. */
export const drawNumberFunction = (random: Random): NumberFunction =>
  random.pick([scalars, affine, affine, loops, structured])(random);

const handle = '!transform.any_op';
const arrow = `(${handle}) -> ${handle}`;

/** A transform on `%op`, and what it is on: the marked loop, or the first structured op. */
const drawTransform = (random: Random): readonly [on: 'loop' | 'op' | 'pad', name: string, text: string] => {
  const n = random.chance(0.5) ? BigInt(random.integer(-1, 6)) : drawNumber(random);
  const d = random.integer(0, 2);
  const two = `(${handle}) -> (${handle}, ${handle})`;
  return random.pick([
    ['loop', 'loop.unroll', `%op {factor = ${n} : i64} : ${handle}`],
    ['loop', 'loop.unroll_and_jam', `%op {factor = ${n} : i64} : ${handle}`],
    ['loop', 'loop.coalesce', `%op : ${arrow}`],
    ['loop', 'loop.peel', `%op {peel_front = ${random.pick(['true', 'false'])}} : ${two}`],
    [
      'loop',
      'loop.pipeline',
      `%op {iteration_interval = ${n} : i64, read_latency = ${d + 1} : i64} : ${arrow}`,
    ],
    ['loop', 'loop.promote_if_one_iteration', `%op : ${handle}`],
    ['loop', 'loop.outline', `%op {func_name = "g"} : ${two}`],
    ['op', 'structured.tile_using_for', `%op tile_sizes [${n}] : ${two}`],
    ['op', 'structured.tile_using_forall', `%op tile_sizes [${n}] : ${two}`],
    ['op', 'structured.tile_using_forall', `%op num_threads [${n}] : ${two}`],
    ['op', 'structured.fuse', `%op {tile_sizes = [${n}]} : ${two}`],
    ['op', 'structured.split', `%op after ${n} {dimension = ${d} : i64} : ${handle}`],
    [
      'op',
      'structured.split_reduction',
      `%op {split_factor = ${n} : i64, insert_split_dimension = ${d} : i64} : (${handle}) -> (${handle}, ${handle}, ${handle}, ${handle})`,
    ],
    [
      'op',
      'structured.multitile_sizes',
      `%op {dimension = ${d} : i64, target_size = ${n} : i64, divisor = ${drawNumber(random)} : i64} : (${handle}) -> (${handle}, ${handle}, ${handle})`,
    ],
    [
      'op',
      'structured.continuous_tile_sizes',
      `%op {dimension = ${d} : i64, target_size = ${n} : i64} : ${two}`,
    ],
    [
      'op',
      'structured.pad',
      `%op {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1], pad_to_multiple_of = [${n}, 2]} : (${handle}) -> (${handle}, ${handle}, ${handle})`,
    ],
    ['op', 'structured.pack', `%op packed_sizes = [${n}, ${d}, 2] : ${arrow}`],
    [
      'op',
      'structured.pack_greedily',
      `%op matmul_packed_sizes = [${n}, 2, 3] matmul_inner_dims_order = [0, 1, 2] : ${arrow}`,
    ],
    ['op', 'structured.vectorize', `%op vector_sizes [${n}] : ${handle}`],
    [
      'op',
      'structured.tile_reduction_using_for',
      `%op by tile_sizes = [0, ${n}] : (${handle}) -> (${handle}, ${handle}, ${handle}, ${handle})`,
    ],
    [
      'op',
      'structured.tile_reduction_using_forall',
      `%op by num_threads = [0, ${n}], tile_sizes = [0, ${d}] : (${handle}) -> (${handle}, ${handle}, ${handle}, ${handle})`,
    ],
    ['op', 'structured.generalize', `%op : ${arrow}`],
    ['op', 'structured.convert_to_loops', `%op : ${arrow}`],
    ['op', 'structured.flatten_elementwise', `%op : ${arrow}`],
    ['op', 'structured.convert_conv2d_to_img2col', `%op : ${two}`],
    ['op', 'structured.winograd_conv2d', `%op {m = ${random.pick([2, 4, 6])}, r = 3} : ${arrow}`],
    ['op', 'structured.sconv', `%op : ${arrow}`],
    ['op', 'structured.linearize', `%op : ${arrow}`],
    ['pad', 'structured.rewrite_in_destination_passing_style', `%op : ${arrow}`],
  ] as const);
};

const matches = {
  loop: 'match ops{["scf.for"]} attributes {outer} in',
  op: 'match interface{LinalgOp} in',
  pad: 'match ops{["tensor.pad"]} in',
} as const;

/** A function and a schedule of one transform. */
export const drawNumberSchedule = (
  random: Random,
): { readonly payload: NumberFunction; readonly transform: string; readonly script: string } => {
  const [on, name, text] = drawTransform(random);
  const transform = `transform.${name}`;
  const results = /-> \(([^)]*)\)$/.exec(text)?.[1]?.split(',').length ?? (text.includes('->') ? 1 : 0);
  const bound = Array.from({ length: results }, (_, i) => `%r${i}`).join(', ');
  const script = [
    'module attributes {transform.with_named_sequence} {',
    `  transform.named_sequence @__transform_main(%root: ${handle}) {`,
    `    %op = transform.structured.${matches[on]} %root : ${arrow}`,
    `    ${bound}${results === 0 ? '' : ' = '}${transform} ${text}`,
    '    transform.yield',
    '  }',
    '}',
  ].join('\n');
  return { payload: on === 'loop' ? loops(random) : structured(random), transform, script };
};

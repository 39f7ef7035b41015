import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const t = 'tensor<4x6xf32>';
const fuse = `%fused = transform.structured.fuse_epilogue %e : (${any}) -> ${any}`;
const match = (name: string, op: string): string =>
  `%${name} = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}\n`;
const consumers = (op: string): string =>
  `${match('op', op)}%users = transform.get_consumers_of_result %op[0] : (${any}) -> ${any}
%e = transform.merge_handles %users {deduplicate} : ${any}\n`;

/** A matrix product in `%0`, followed by `behind`; `%r` is another matrix of its type. */
const product = (behind: string, result = '%1'): string => `#id = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: ${t}, %r: ${t}, %bias: tensor<6xf32>, %column: tensor<4x1xf32>) -> ${t} {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %empty = tensor.empty() : ${t}
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : ${t}) -> ${t}
  ${behind}
  return ${result} : ${t}
}`;

const binary = (result: string, op: string, operands: string, out = '%empty'): string =>
  `${result} = linalg.${op} ins(${operands} : ${t}, ${t}) outs(${out} : ${t}) -> ${t}`;

const generic = (
  result: string,
  maps: string,
  ins: string,
  types: string,
  body: string,
  out = '%empty',
): string => `${result} = linalg.generic {indexing_maps = [${maps}], iterator_types = ["parallel", "parallel"]} ins(${ins} : ${types}) outs(${out} : ${t}) {
  ${body}
  } -> ${t}`;

const relu = generic(
  '%1',
  '#id, #id',
  '%0',
  t,
  `^bb0(%x: f32, %old: f32):
    %y = arith.maximumf %x, %zero : f32
    linalg.yield %y : f32`,
);

const tiled = (sizes: string, loops: number): string =>
  `%t, %l:${loops} = transform.structured.tile_using_for %op tile_sizes ${sizes} : (${any}) -> (${Array(
    loops + 1,
  )
    .fill(any)
    .join(', ')})\n`;

const nests = [
  ['loops over tiles', tiled('[2, 3]', 2)],
  ['a loop that adds', tiled('[0, 0, 2]', 1)],
  [
    'loops over tiles in one that adds',
    tiled('[2, 3, 4]', 3).replace('[2, 3, 4]', '[2, 3, 4] interchange = [2, 0, 1]'),
  ],
  ['a loop that adds in one over tiles', tiled('[2, 0, 2]', 2)],
  [
    'loops in loops',
    `${tiled('[2, 0, 4]', 2)}%u, %k:2 = transform.structured.tile_using_for %t tile_sizes [1, 3] : (${any}) -> (${any}, ${any}, ${any})\n`,
  ],
  [
    'a parallel loop',
    `%t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 3] : (${any}) -> (${any}, ${any})\n`,
  ],
  ['nothing', ''],
] as const;

const epilogues = [
  ['an activation', relu],
  [
    'a bias and an activation',
    generic(
      '%1',
      '#id, affine_map<(i, j) -> (j)>, #id',
      '%0, %bias',
      `${t}, tensor<6xf32>`,
      `^bb0(%x: f32, %w: f32, %old: f32):
    %y = arith.addf %x, %w : f32
    %z = arith.maxnumf %y, %zero : f32
    linalg.yield %z : f32`,
    ),
  ],
  [
    'an operand with a dimension of size 1',
    generic(
      '%1',
      '#id, affine_map<(i, j) -> (i, 0)>, #id',
      '%0, %column',
      `${t}, tensor<4x1xf32>`,
      `^bb0(%x: f32, %w: f32, %old: f32):
    %y = arith.mulf %x, %w : f32
    linalg.yield %y : f32`,
    ),
  ],
  [
    'a scalar, and loops in another order',
    generic(
      '%1',
      '#swapped, affine_map<(i, j) -> ()>, #swapped',
      '%0, %six',
      `${t}, f32`,
      `^bb0(%x: f32, %w: f32, %old: f32):
    %y = arith.minimumf %x, %w : f32
    linalg.yield %y : f32`,
    ),
  ],
  ['a residual', binary('%1', 'sub', '%r, %0')],
  ['itself', binary('%1', 'mul', '%0, %0')],
  [
    'what it is added to',
    generic(
      '%1',
      '#id, #id',
      '%r',
      t,
      `^bb0(%w: f32, %x: f32):
    %y = arith.addf %x, %w : f32
    linalg.yield %y : f32`,
      '%0',
    ),
  ],
  [
    'what it is added to as an input',
    generic(
      '%1',
      '#id, #id',
      '%0',
      t,
      `^bb0(%x: f32, %w: f32):
    %y = arith.addf %x, %w : f32
    linalg.yield %y : f32`,
      '%r',
    ),
  ],
  [
    'a map',
    `%1 = linalg.map ins(%0, %r : ${t}, ${t}) outs(%empty : ${t})
    (%x: f32, %w: f32) {
      %y = arith.addf %x, %w : f32
      %z = arith.minimumf %y, %six : f32
      linalg.yield %z : f32
    }`,
  ],
  [
    'named ops with broadcast operands',
    `%w = linalg.broadcast ins(%bias : tensor<6xf32>) outs(%empty : ${t}) dimensions = [0]
  %z = linalg.fill ins(%zero : f32) outs(%empty : ${t}) -> ${t}
  %s = arith.constant dense<6.0> : ${t}
  ${binary('%x', 'add', '%0, %w')}
  ${binary('%y', 'max', '%z, %x')}
  ${binary('%1', 'min', '%y, %s')}`,
  ],
  [
    'an operand that is computed after it',
    `%w = linalg.negf ins(%r : ${t}) outs(%empty : ${t}) -> ${t}
  ${binary('%1', 'add', '%0, %w')}`,
  ],
] as const;

describe.each(nests)('a product in %s', (_, tiling) => {
  it.each(epilogues)('takes %s into it', (__, behind) => {
    const { diagnostics, text } = apply(product(behind), `${consumers('linalg.matmul')}${tiling}${fuse}`);
    // Without loops, there is nothing to be gained.
    expect(diagnostics).toMatch(
      tiling === ''
        ? /^\S+ warning: what follows 'linalg.matmul' is still applied to all of its result: .* \[fuse-epilogue\/no-loops\]\n.*note/
        : /^$/,
    );
    // In place, not after the loops.
    expect(text).not.toMatch(/linalg\.(?:add|sub|mul|max|min|map|broadcast|fill) /);
    expect(text.trimEnd().split('\n').at(-4)).not.toContain('linalg');
  });
});

const loops = tiled('[2, 3]', 2);

describe('what is not fused', () => {
  it.each([
    [
      'fuse-epilogue/not-elementwise',
      'which sums',
      `%s = tensor.empty() : tensor<4xf32>
  %2 = linalg.reduce ins(%0 : ${t}) outs(%s : tensor<4xf32>) dimensions = [1]
    (%x: f32, %sum: f32) {
      %y = arith.addf %x, %sum : f32
      linalg.yield %y : f32
    }`,
      '%r',
      loops,
    ],
    [
      'fuse-epilogue/not-elementwise',
      'which computes of indices',
      generic(
        '%1',
        '#id, #id',
        '%0',
        t,
        `^bb0(%x: f32, %old: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %w = arith.sitofp %k : i32 to f32
    %y = arith.addf %x, %w : f32
    linalg.yield %y : f32`,
      ),
      '%1',
      loops,
    ],
    [
      'fuse-epilogue/not-elementwise',
      'which is no structured op',
      `%2 = tensor.collapse_shape %0 [[0, 1]] : ${t} into tensor<24xf32>`,
      '%r',
      loops,
    ],
    [
      'fuse-epilogue/no-operand',
      'of another type',
      `%h = tensor.empty() : tensor<4x6xf16>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : ${t}) outs(%h : tensor<4x6xf16>) {
  ^bb0(%x: f32, %old: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<4x6xf16>`,
      '%r',
      loops,
    ],
    [
      'fuse-epilogue/users',
      'whose operand is used besides',
      `${relu}\n  ${binary('%2', 'add', '%0, %1')}`,
      '%2',
      loops,
    ],
    ['fuse-epilogue/loops', 'whose operand no loops make', relu.replace('ins(%0', 'ins(%r'), '%1', ''],
    [
      'fuse-epilogue/loops',
      'whose operand is made with other tiles at the end',
      relu,
      '%1',
      tiled('[3, 3]', 2),
    ],
    [
      'fuse-epilogue/order',
      'of which an operand is computed of what it is applied to',
      `%o = tensor.empty() : tensor<6x4xf32>
  %x = linalg.transpose ins(%r : ${t}) outs(%o : tensor<6x4xf32>) permutation = [1, 0]
  %w = func.call @g(%r) : (${t}) -> ${t}
  ${binary('%1', 'add', '%0, %w')}`,
      '%1',
      loops,
    ],
  ])('%s: an op %s', (code, _, behind, result, tiling) => {
    const other = `\nfunc.func private @g(%a: ${t}) -> ${t} {\n  return %a : ${t}\n}`;
    const { status, diagnostics, text } = apply(
      `${product(behind, result)}${other}`,
      `${match('op', 'linalg.matmul')}${behind.includes('ins(%r :') && tiling === '' ? match('e', 'linalg.generic') : consumers('linalg.matmul').split('\n').slice(1).join('\n')}${tiling}${fuse}`,
    );
    expect(status).toBe('success');
    expect(diagnostics).toContain(`[${code}]`);
    expect(diagnostics).toMatch(/warning: this op is not fused: /);
    expect(text).toContain('linalg.matmul');
  });
});

it('leaves an op behind a loop that inserts element by element', () => {
  const { status, diagnostics, text } = apply(
    product(`%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %r) -> (${t}) {
    %e = tensor.extract %0[%i, %i] : ${t}
    %d = tensor.insert %e into %old[%i, %c0] : ${t}
    scf.yield %d : ${t}
  }
  ${relu.replace('ins(%0', 'ins(%2')}`),
    `${match('e', 'linalg.generic')}${fuse}`,
  );
  expect(status).toBe('success');
  expect(diagnostics).toContain('a loop does not put a part of it in its place [fuse-epilogue/loops]');
  expect(text).toMatch(/scf\.yield[^]*maximumf/);
});

it('says of a chain where it ends, and fuses what comes before', () => {
  const chain = `${relu}
  %w = func.call @g(%r) : (${t}) -> ${t}
  ${binary('%2', 'add', '%1, %w')}`;
  const { status, diagnostics, text } = apply(
    `${product(chain, '%2')}\nfunc.func private @g(%a: ${t}) -> ${t} {\n  return %a : ${t}\n}`,
    `${consumers('linalg.matmul')}${loops}${fuse}`,
  );
  expect(status).toBe('success');
  expect(diagnostics).toContain('[fuse-epilogue/order]');
  expect(text).toMatch(/maximumf[^]*scf\.yield[^]*linalg\.add/);
});

it('leaves an op on some of the dimensions that are counted as one', () => {
  const three = 'tensor<2x2x6xf32>';
  const payload = `#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: ${t}, %w: tensor<2xf32>) -> ${three} {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : ${t}) -> ${t}
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, 6] : ${t} into ${three}
  %2 = tensor.empty() : ${three}
  %3 = linalg.generic {indexing_maps = [#id, affine_map<(i, j, k) -> (i)>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %w : ${three}, tensor<2xf32>) outs(%2 : ${three}) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> ${three}
  return %3 : ${three}
}`;
  const { status, diagnostics } = apply(
    payload,
    `${match('op', 'linalg.matmul')}${match('e', 'linalg.generic')}${loops}${fuse}`,
  );
  expect(status).toBe('success');
  expect(diagnostics).toContain('[fuse-epilogue/reshape]');
});

it('goes through reshapes and slices of reduced rank', () => {
  const three = 'tensor<1x4x6xf32>';
  const payload = `#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: ${t}, %o: ${three}, %w: tensor<1x6xf32>) -> ${three} {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : ${t}) -> ${t}
  %1 = tensor.insert_slice %0 into %o[0, 0, 0] [1, 4, 6] [1, 1, 1] : ${t} into ${three}
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(i, j, k) -> (i, k)>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %w : ${three}, tensor<1x6xf32>) outs(%o : ${three}) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> ${three}
  return %2 : ${three}
}`;
  const { diagnostics, text } = apply(
    payload,
    `${match('op', 'linalg.matmul')}${match('e', 'linalg.generic')}${loops}${fuse}`,
  );
  expect(diagnostics).toBe('');
  expect(text).toMatch(/scf\.for[^]*linalg\.generic[^]*scf\.yield/);
});

it.each([
  ['a product of one image', '1x4x6', '[[0, 1], [2]]', '4x6', 'i, j', 'j', '6'],
  ['rows of two images', '2x4x6', '[[0, 1], [2]]', '8x6', 'i, j', 'i', '8'],
])(
  'goes through dimensions that are collapsed behind the loops: %s',
  (_, whole, groups, flat, dims, read, size) => {
    const [sums, result, bias] = [whole, flat, size].map((sizes) => `tensor<${sizes}xf32>`);
    const batch = whole.split('x')[0]!;
    const payload = `#id = affine_map<(${dims}) -> (${dims})>
func.func @f(%a: tensor<${batch}x4x8xf32>, %b: tensor<${batch}x8x6xf32>, %c: ${sums!}, %w: ${bias!}) -> ${result!} {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<${batch}x4x8xf32>, tensor<${batch}x8x6xf32>) outs(%c : ${sums!}) -> ${sums!}
  %1 = tensor.collapse_shape %0 ${groups} : ${sums!} into ${result!}
  %o = tensor.empty() : ${result!}
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(${dims}) -> (${read})>, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %w : ${result!}, ${bias!}) outs(%o : ${result!}) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> ${result!}
  return %2 : ${result!}
}`;
    const loopsOver = `%t, %l:3 = transform.structured.tile_using_for %op tile_sizes [1, 2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)\n`;
    const { diagnostics, text } = apply(
      payload,
      `${match('op', 'linalg.batch_matmul')}${match('e', 'linalg.generic')}${loopsOver}${fuse}`,
    );
    expect(diagnostics).toBe('');
    expect(text).toMatch(/scf\.for[^]*linalg\.generic[^]*scf\.yield/);
  },
);

describe('what is put together from parts', () => {
  const half = 'tensor<2x6xf32>';
  const slice = (result: string, of: string, row: number | string, columns: number): string =>
    `${result} = tensor.extract_slice ${of}[${row}, 0] [2, ${columns}] [1, 1] : tensor<4x${columns}xf32> to tensor<2x${columns}xf32>`;

  /** A product in two halves of rows; the second is added to `onto`, and stands at `row`, of `into`. */
  const halves = ({
    row = '2',
    onto = slice('%d2', '%c', 2, 6),
    into = '%w1',
    more = '',
  } = {}): string => `#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: ${t}, %o: ${t}, %n: index) -> ${t} {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %k = arith.minui %n, %c2 : index
  %empty = tensor.empty() : ${t}
  ${slice('%a1', '%a', 0, 8)}
  ${slice('%d1', '%c', 0, 6)}
  %m1 = linalg.matmul ins(%a1, %b : tensor<2x8xf32>, tensor<8x6xf32>) outs(%d1 : ${half}) -> ${half}
  %w1 = tensor.insert_slice %m1 into %o[0, 0] [2, 6] [1, 1] : ${half} into ${t}
  ${slice('%a2', '%a', 2, 8)}
  ${onto}
  %m2 = linalg.matmul ins(%a2, %b : tensor<2x8xf32>, tensor<8x6xf32>) outs(%d2 : ${half}) -> ${half}
  %0 = tensor.insert_slice %m2 into ${into}[${row}, 0] [2, 6] [1, 1] : ${half} into ${t}
  ${more}
  ${relu}
  return %1 : ${t}
}`;
  const script = `${match('e', 'linalg.generic')}${fuse}`;
  const between = (row: number): string => slice('%d2', '%w1', row, 6);

  it.each([
    ['two halves', halves()],
    ['halves of which the second reads where it is put', halves({ onto: between(2) })],
  ])('%s: after each', (_, payload) => {
    const { text } = apply(payload, script);
    expect(text.match(/arith\.maximumf/g)).toHaveLength(2);
    expect(text.match(/linalg\.matmul[^]*?arith\.maximumf/g)).toHaveLength(2);
  });

  it.each([
    ['a part is missing', halves({ into: '%o' }), 'its parts do not cover it exactly once'],
    ['parts overlap', halves({ row: '1' }), 'its parts do not cover it exactly once'],
    ['a part stands at a computed row', halves({ row: '%k' }), ''],
    [
      'the second reads the first',
      halves({ onto: between(0) }),
      'a part of it is used before it is complete',
    ],
    [
      'the second reads some of the first',
      halves({ onto: between(1) }),
      'a part of it is used before it is complete',
    ],
  ])('not where %s', (_, payload, message) => {
    const { text, diagnostics } = apply(payload, script);
    expect(diagnostics).toContain('[fuse-epilogue/loops]');
    expect(diagnostics).toContain(message);
    expect(text.match(/arith\.maximumf/g)).toHaveLength(1);
  });
});

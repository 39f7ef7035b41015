/** Payloads and scripts shared by the tests of this package. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptPrinter, scriptTester } from '@sconv/transform/testing';
import { transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
export const apply = scriptTester(transforms, { difference: firstDifference });

export const printed = scriptPrinter(transforms);

/** The type of a handle to any op. */
export const any = '!transform.any_op';

/** `%op`: the ops of this name. */
export const matchOps = (name = 'linalg.generic'): string =>
  `%op = transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}`;
export const generalize = `%g = transform.structured.generalize %op : (${any}) -> ${any}`;
export const linearize = (target = '%op'): string =>
  `%l = transform.structured.linearize ${target} : (${any}) -> ${any}`;
export const delinearize = `transform.structured.delinearize %op : ${any}`;

/** A text with others in it replaced, each of which must occur. */
export const replaced = (text: string, ...changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`there is no '${from}'`);
    return before.replaceAll(from, to);
  }, text);

/** A convolution; pairs are height and width. */
export interface Convolution {
  readonly batch: number;
  readonly channels: number;
  readonly filters: number;
  readonly filter: readonly [number, number];
  readonly output: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly dilations: readonly [number, number];
  /** Rows and columns of the input that no window reaches. */
  readonly slack: readonly [number, number];
}

/** The types of input, filters and output. */
const convolutionTypes = (shape: Convolution): readonly [string, string, string] => {
  const { batch, channels, filters, filter, output, strides, dilations, slack } = shape;
  const [height, width] = [0, 1].map(
    (i) => (output[i]! - 1) * strides[i]! + (filter[i]! - 1) * dilations[i]! + 1 + slack[i]!,
  );
  return [
    `tensor<${batch}x${channels}x${height!}x${width!}xf32>`,
    `tensor<${filters}x${channels}x${filter.join('x')}xf32>`,
    `tensor<${batch}x${filters}x${output.join('x')}xf32>`,
  ];
};

/** A `linalg.conv_2d_nchw_fchw`. */
export const namedConvolution = (shape: Convolution): string => {
  const [input, filters, output] = convolutionTypes(shape);
  return `func.func @conv(%in: ${input}, %filters: ${filters}, %out: ${output}) -> ${output} {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<[${shape.dilations.join(', ')}]> : tensor<2xi64>, strides = dense<[${shape.strides.join(', ')}]> : tensor<2xi64>} ins(%in, %filters : ${input}, ${filters}) outs(%out : ${output}) -> ${output}
  return %0 : ${output}
}
`;
};

const over = 'affine_map<(d0, d1, d2, d3, d4, d5, d6) -> ';

/** A generic convolution of 4 filters of 2x3x2 over 2x8x9 with strides 2, 1 and dilations 1, 3: 3x6 windows. */
export const genericConvolution = `func.func @conv(%in: tensor<1x2x8x9xf32>, %filters: tensor<4x2x3x2xf32>, %out: tensor<1x4x3x6xf32>) -> tensor<1x4x3x6xf32> {
  %0 = linalg.generic {indexing_maps = [${over}(d0, d4, d2 * 2 + d5, d3 + d6 * 3)>, ${over}(d1, d4, d5, d6)>, ${over}(d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%in, %filters : tensor<1x2x8x9xf32>, tensor<4x2x3x2xf32>) outs(%out : tensor<1x4x3x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x4x3x6xf32>
  return %0 : tensor<1x4x3x6xf32>
}
`;

/** The same on buffers. */
const convolutionOnBuffers = replaced(
  genericConvolution,
  [') -> tensor<1x4x3x6xf32> {', ') {'],
  ['} -> tensor<1x4x3x6xf32>', '}'],
  ['%0 = linalg', 'linalg'],
  ['return %0 : tensor<1x4x3x6xf32>', 'return'],
  ['tensor<', 'memref<'],
);

/** The same with an unused third input. */
const convolutionOfThree = replaced(
  genericConvolution,
  [`, ${over}(d0, d1, d2, d3)>]`, `, ${over}(d0)>, ${over}(d0, d1, d2, d3)>]`],
  ['%out: ', '%bias: tensor<1xf32>, %out: '],
  ['ins(%in, %filters : ', 'ins(%in, %filters, %bias : '],
  ['tensor<4x2x3x2xf32>) outs', 'tensor<4x2x3x2xf32>, tensor<1xf32>) outs'],
  ['%y: f32, %sum', '%y: f32, %z: f32, %sum'],
);

/** The same with a second output. */
const convolutionOfTwo = replaced(
  genericConvolution,
  [`${over}(d0, d1, d2, d3)>]`, `${over}(d0, d1, d2, d3)>, ${over}(d0, d1, d2, d3)>]`],
  ['outs(%out : tensor<1x4x3x6xf32>)', 'outs(%out, %out : tensor<1x4x3x6xf32>, tensor<1x4x3x6xf32>)'],
  ['} -> tensor<1x4x3x6xf32>', '} -> (tensor<1x4x3x6xf32>, tensor<1x4x3x6xf32>)'],
  ['%0 = linalg', '%0:2 = linalg'],
  ['return %0 :', 'return %0#0 :'],
  ['%sum: f32', '%sum: f32, %other: f32'],
  ['linalg.yield %next : f32', 'linalg.yield %next, %other : f32, f32'],
);

type Change = readonly [string, string];

const misses = (
  ...named: readonly (readonly [string, ...Change[]])[]
): readonly (readonly [string, string])[] =>
  named.map(([name, ...changes]) => [name, replaced(genericConvolution, ...changes)]);

/** Near misses of `genericConvolution`: what must not match as a convolution, and why. */
export const nearMisses: readonly (readonly [string, string])[] = [
  ['buffers', convolutionOnBuffers],
  ['a third input', convolutionOfThree],
  ['a second output', convolutionOfTwo],
  ...misses(
    ['filters in another order', ['(d1, d4, d5, d6)', '(d1, d4, d6, d5)'], ['4x2x3x2', '4x2x2x3']],
    ['a permuted output', ['(d0, d1, d2, d3)', '(d0, d1, d3, d2)'], ['1x4x3x6', '1x4x6x3']],
    ['a parallel channel', ['"reduction", "reduction", "reduction"', '"parallel", "reduction", "reduction"']],
    [
      'a reduced column',
      ['"parallel", "reduction", "reduction", "r', '"reduction", "reduction", "reduction", "r'],
    ],
    ['an input read from its second row', ['d2 * 2 + d5', 'd2 * 2 + d5 + 1']],
    ['rows read from below', ['d2 * 2 + d5', 'd2 * -2 + d5 + 4']],
    ['filters read from behind', ['d3 + d6 * 3', 'd3 + d6 * -3 + 3']],
    ['rows without a filter', ['d2 * 2 + d5', 'd2 * 2']],
    ['columns without a window', ['d3 + d6 * 3', 'd6 * 3']],
    ['columns with a constant for a filter', ['d3 + d6 * 3', 'd3 + 3']],
    ['rows for columns', ['d2 * 2 + d5, d3 + d6 * 3', 'd3 + d6 * 3, d2 * 2 + d5'], ['1x2x8x9', '1x2x9x8']],
    ['a filter row among columns', ['d3 + d6 * 3', 'd3 + d5 * 3'], ['1x2x8x9', '1x2x8x12']],
    ['a column among rows', ['d2 * 2 + d5', 'd3 + d5']],
    ['every second window', ['d2 * 2 + d5', '(d2 floordiv 2) * 2 + d5']],
    ['a filter that wraps around', ['d3 + d6 * 3', 'd3 + d6 mod 2']],
    ['the batch as channel', ['(d0, d4, d2', '(d0, d0, d2'], ['1x2x8x9', '1x1x8x9']],
    ['the channel as batch', ['(d0, d4, d2', '(d4, d4, d2'], ['1x2x8x9', '2x2x8x9']],
    ['the filter as batch', ['(d0, d4, d2', '(d1, d4, d2'], ['1x2x8x9', '4x2x8x9']],
    ['a constant as channel', ['(d0, d4, d2', '(d0, 1, d2']],
    ['an input without channels', ['(d0, d4, d2', '(d0, d2'], ['1x2x8x9', '1x8x9']],
    ['an input with another dimension', ['d3 + d6 * 3)', 'd3 + d6 * 3, 0)'], ['1x2x8x9', '1x2x8x9x1']],
    ['an input of dynamic size', ['1x2x8x9', '1x2x?x9']],
    ['filters of dynamic size', ['4x2x3x2', '?x2x3x2']],
    ['an output of dynamic size', ['1x4x3x6', '1x?x3x6']],
  ),
];

/** A script that applies a transform to all ops of a name. */
export const rewrite = (name: string, op: string, mode = ''): string =>
  `${matchOps(op)}\n%0 = transform.structured.${name} %op ${mode} : (${any}) -> ${any}`;

/** A function of inputs and an output around one named op. */
export const around = (op: string, attributes: string, ...types: readonly string[]): string => {
  const parameters = types.map((type, i) => `%a${i}: ${type}`).join(', ');
  const result = types.at(-1)!;
  const inputs = types.slice(0, -1);
  const tensor = result.startsWith('tensor');
  return `func.func @f(${parameters})${tensor ? ` -> ${result}` : ''} {
  ${tensor ? '%0 = ' : ''}${op} ${attributes} ins(${inputs.map((_, i) => `%a${i}`).join(', ')} : ${inputs.join(', ')}) outs(%a${inputs.length} : ${result})${tensor ? ` -> ${result}` : ''}
  return${tensor ? ` %0 : ${result}` : ''}
}`;
};

export const identity = 'affine_map<(i, j) -> (i, j)>';
export const transposed = 'affine_map<(i, j) -> (j, i)>';

/** An elementwise op on a square, with the map of its input and its body. */
export const elementwise = (maps: string, body: string): string =>
  `func.func @f(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [${maps}, ${identity}], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x3xf32>) outs(%b : tensor<3x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    ${body}
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}`;

import type { TensorValue } from '@sconv/interpreter';
import { elementsOf, integerData } from '@sconv/interpreter';
import { children, interpret, parseModule, tensor, unwrap } from '../src/index.ts';
import { f32 } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { defaultRegistry } from '../src/default-registry.ts';
import type { Comparison } from '../src/run/check-result.ts';
import { probeFunction } from '../src/run/probe-function.ts';

const conv = (
  name: string,
  input: string,
  filters: string,
  initial: string,
  sizes: readonly [string, string, string],
  strides = 1,
): string => {
  const [i, f, o] = sizes.map((each) => `tensor<${each}xf32>`);
  return `${name} = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<${strides}> : tensor<2xi64>}
    ins(${input}, ${filters} : ${i}, ${f}) outs(${initial} : ${o}) -> ${o}`;
};

const padding = (
  low: string,
  high: string,
  from: string,
  to: string,
  value = '%c',
): string => `%p = tensor.pad %a low[${low}] high[${high}] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    ${value === '%c' ? '' : `${value} = arith.constant 3.0 : f32`}
    tensor.yield ${value} : f32
  } : tensor<${from}xf32> to tensor<${to}xf32>`;

/** The function of %a, %f and %b with these operations, which gives %r. */
const definitionOf = (
  parameters: readonly string[],
  body: readonly string[],
  result: string,
  returned = '%r',
) => {
  const names = ['%a', '%f', '%b'];
  const list = parameters.map((each, i) => `${names[i]}: tensor<${each}xf32>`).join(', ');
  const type = `tensor<${result}xf32>`;
  const text = `func.func @f(${list}) -> ${type} {\n${body.join('\n')}\nreturn ${returned} : ${type}\n}`;
  const module = unwrap(parseModule(text, { registry: defaultRegistry }));
  return { module, definition: children(module.root)[0]! };
};

const sizesOf = (text: string): readonly number[] => text.split('x').map(Number);

/** Compares the interpreter's output, with one element changed by `change`, with the probe. */
const probe = (
  parameters: readonly string[],
  body: readonly string[],
  result: string,
  { change = 0, isExact = true, scale = 1, returned = '%r' } = {},
): Comparison | undefined => {
  const { module, definition } = definitionOf(parameters, body, result, returned);
  const given = parameters.map((each, i) =>
    integerData(
      sizesOf(each).reduce((product, size) => product * size, 1),
      i + 1,
    ).map((value) => value * scale),
  );
  const [computed] = unwrap(
    interpret(
      module,
      'f',
      given.map((data, i) => tensor(sizesOf(parameters[i]!), data, f32)),
    ),
  );
  const value = Float32Array.from(elementsOf(computed as TensorValue), Number);
  value[7]! += change;
  return probeFunction(definition, { given, outputs: [{ value, argument: undefined }], isExact });
};

const right: Comparison = { oracle: 'linear probe', isExact: true, mismatches: 0, maxAbsError: 0 };

const [image, filter, output] = ['1x2x6x7', '3x2x3x3', '1x3x4x5'] as const;
const one = conv('%r', '%a', '%f', '%b', [image, filter, output]);
const zero = '%c = arith.constant 0.0 : f32';
const cases: readonly (readonly [string, readonly string[], readonly string[], string])[] = [
  [
    'fewer windows than there could be',
    [image, filter, '1x3x4x4'],
    [conv('%r', '%a', '%f', '%b', [image, filter, '1x3x4x4'])],
    '1x3x4x4',
  ],
  ['a convolution', [image, filter, output], [one], output],
  [
    'strides',
    ['2x2x7x7', '3x2x3x3', '2x3x3x3'],
    [conv('%r', '%a', '%f', '%b', ['2x2x7x7', '3x2x3x3', '2x3x3x3'], 2)],
    '2x3x3x3',
  ],
  [
    'a filled output',
    [image, filter],
    [
      '%c = arith.constant 5.0 : f32',
      `%e = tensor.empty() : tensor<${output}xf32>`,
      `%z = linalg.fill ins(%c : f32) outs(%e : tensor<${output}xf32>) -> tensor<${output}xf32>`,
      conv('%r', '%a', '%f', '%z', [image, filter, output]),
    ],
    output,
  ],
  [
    'a pad, of a number of its own',
    [image, filter, '1x3x5x8'],
    [
      padding('0, 0, 1, 2', '0, 0, 0, 1', image, '1x2x7x10', '%own'),
      conv('%r', '%p', '%f', '%b', ['1x2x7x10', filter, '1x3x5x8']),
    ],
    '1x3x5x8',
  ],
  [
    'a pad, of a number from outside',
    ['2x2x3x4', filter, '2x3x3x4'],
    [
      zero,
      padding('0, 0, 1, 1', '0, 0, 1, 1', '2x2x3x4', '2x2x5x6'),
      conv('%r', '%p', '%f', '%b', ['2x2x5x6', filter, '2x3x3x4']),
    ],
    '2x3x3x4',
  ],
  [
    'a pad that is returned',
    ['2x2x3x4'],
    [zero, padding('1, 0, 2, 1', '0, 1, 0, 3', '2x2x3x4', '3x3x5x8')],
    '3x3x5x8',
  ],
  [
    'a convolution of a convolution',
    ['1x3x9x9', '3x3x2x2'],
    [
      zero,
      '%e = tensor.empty() : tensor<1x3x8x8xf32>',
      '%z = linalg.fill ins(%c : f32) outs(%e : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>',
      conv('%m', '%a', '%f', '%z', ['1x3x9x9', '3x3x2x2', '1x3x8x8']),
      '%e2 = tensor.empty() : tensor<1x3x7x7xf32>',
      '%z2 = linalg.fill ins(%c : f32) outs(%e2 : tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32>',
      conv('%r', '%m', '%f', '%z2', ['1x3x8x8', '3x3x2x2', '1x3x7x7']),
    ],
    '1x3x7x7',
  ],
];

describe('the probe of a function', () => {
  const returnedOf = (body: readonly string[]): string =>
    body.some((each) => each.startsWith('%r')) ? '%r' : '%p';
  it.each(cases)('agrees with the interpreter about %s', (_, parameters, body, result) => {
    expect(probe(parameters, body, result, { returned: returnedOf(body) })).toEqual(right);
  });
  it.each(cases)('sees one wrong element of %s', (_, parameters, body, result) => {
    expect(probe(parameters, body, result, { change: 1, returned: returnedOf(body) })).toMatchObject({
      mismatches: 1,
    });
  });
  it.each(cases)(
    'forgives rounding in %s where data are no integers, and no more',
    (_, parameters, body, result) => {
      const options = { isExact: false, scale: 0.1, returned: returnedOf(body) };
      expect(probe(parameters, body, result, options)).toMatchObject({ mismatches: 0, isExact: false });
      expect(probe(parameters, body, result, { ...options, change: 100 })).toMatchObject({ mismatches: 1 });
    },
  );
});

describe('no probe', () => {
  const relu =
    '%c = arith.constant 2.0 : f32\n%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<8xf32>) { ^bb0(%o: f32): linalg.yield %c : f32 } -> tensor<8xf32>';
  it.each([['what is no convolution', ['8'], [relu], '8', {}]] as const)(
    'of %s',
    (_, parameters, body, result, options) => {
      expect(probe(parameters, body, result, options)).toBeUndefined();
    },
  );

  const { definition } = definitionOf([image, filter, output], [one], output);
  const given = [image, filter, output].map((sizes, i) =>
    integerData(
      sizesOf(sizes).reduce((product, size) => product * size, 1),
      i,
    ),
  );
  const outputs = [{ value: new Float32Array(60), argument: undefined }];

  it.each([0, 1, 2])('of operands that are no f32: the one at %i', (i) => {
    const others = given.map((data, at) => (at === i ? Float64Array.from(data) : data));
    expect(probeFunction(definition, { given: others, outputs, isExact: true })).toBeUndefined();
  });
  it.each([
    ['none', []],
    ['more than it returns', [...outputs, ...outputs]],
    ['no f32', [{ value: new Float64Array(60), argument: undefined }]],
    ['a number', [{ value: 1, argument: undefined }]],
  ])('of results that are %s', (_, results) => {
    expect(probeFunction(definition, { given, outputs: results, isExact: true })).toBeUndefined();
  });

  const pads = (
    low: string,
    high: string,
    to: string,
    inside = 'tensor.yield %c : f32',
  ): readonly string[] => [
    zero,
    `%r = tensor.pad %a low[${low}] high[${high}] {\n^bb0(%i: index, %j: index):\n${inside}\n} : tensor<2x3xf32> to tensor<${to}xf32>`,
  ];
  const twoNumbers = '%x = arith.constant 7.0 : f32\n%y = arith.constant 4.0 : f32\ntensor.yield %y : f32';
  it.each([
    ['margins', pads('1, 0', '0, 2', '3x5'), '3x5'],
    ['the number that is yielded, not another', pads('1, 0', '0, 2', '3x5', twoNumbers), '3x5'],
    ['no margins', pads('0, 0', '0, 0', '2x3'), '2x3'],
  ])('but of a pad by %s', (_, body, result) => {
    expect(probe(['2x3'], body, result)).toEqual({ ...right });
  });
  const computed = '%x = arith.constant 7.0 : f32\n%y = arith.negf %x : f32\ntensor.yield %y : f32';
  it.each([
    ['computes its number', pads('1, 0', '0, 2', '3x5', computed), '3x5'],
    ['has sizes of run time', ['%n = arith.constant 1 : index', ...pads('%n, 0', '0, 2', '?x5'), '%q = tensor.cast %r : tensor<?x5xf32> to tensor<3x5xf32>'], '3x5'],
    ['has a margin of run time', ['%n = arith.constant 1 : index', ...pads('%n, 0', '0, 2', '3x5')], '3x5'],
  ])('of a pad that %s', (_, body, result) => {
    const options = { returned: body.at(-1)!.slice(0, 2) };
    expect(probe(['2x3'], body, result, options)).toBeUndefined();
  }); // prettier-ignore

  // The interpreter does not execute these.
  it.each([
    ['cuts off before', pads('-1, 0', '2, 0', '3x3'), '3x3'],
    ['cuts off behind', pads('2, 0', '-1, 0', '3x3'), '3x3'],
  ])('of a pad that %s', (_, body, result) => {
    const { definition: cropping } = definitionOf(['2x3'], body, result);
    const results = [{ value: new Float32Array(9), argument: undefined }];
    const execution = { given: [new Float32Array(6)], outputs: results, isExact: true };
    expect(probeFunction(cropping, execution)).toBeUndefined();
  });

  it.each([
    ['a pad', '%r = tensor.pad %a low[0, 0] high[%n, 2] {\n^bb0(%i: index, %j: index):\ntensor.yield %x : f32\n} : tensor<2x3xf32> to tensor<?x5xf32>'],
    ['an empty tensor', '%r = tensor.empty(%n) : tensor<?x5xf32>'],
    ['a fill', '%r = linalg.fill ins(%x : f32) outs(%b : tensor<?x5xf32>) -> tensor<?x5xf32>'],
  ])('of %s whose size is known at run time', (_, body) => {
    const parameters = '%a: tensor<2x3xf32>, %b: tensor<?x5xf32>, %x: f32, %n: index';
    const text = `func.func @f(${parameters}) -> tensor<?x5xf32> {\n${body}\nreturn %r : tensor<?x5xf32>\n}`;
    const [dynamic] = children(unwrap(parseModule(text, { registry: defaultRegistry })).root);
    const execution = { given: [new Float32Array(6), new Float32Array(10), 1, 1], outputs: [{ value: new Float32Array(15), argument: undefined }], isExact: true };
    expect(probeFunction(dynamic!, execution)).toBeUndefined();
  }); // prettier-ignore

  it('of a constant that is no number', () => {
    const { definition: counting } = definitionOf(
      [image, filter, output],
      ['%i = arith.constant dense<1.0> : tensor<2xf32>', one],
      output,
    );
    expect(probeFunction(counting, { given, outputs, isExact: true })).toBeUndefined();
  });

  it('of a fill by a number that is not known, or of a buffer', () => {
    const parse = (text: string) =>
      children(unwrap(parseModule(text, { registry: defaultRegistry })).root)[0]!;
    const fill = parse(`func.func @f(%a: f32, %b: tensor<4xf32>) -> tensor<4xf32> {
      %r = linalg.fill ins(%a : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }`);
    const filled = [{ value: new Float32Array(4).fill(3), argument: undefined }];
    const initial = new Float32Array(4);
    expect(probeFunction(fill, { given: [3, initial], outputs: filled, isExact: true })).toEqual(right);
    expect(
      probeFunction(fill, { given: [initial, initial], outputs: filled, isExact: true }),
    ).toBeUndefined();
    const buffer = parse(`func.func @f(%a: f32, %b: memref<4xf32>) -> f32 {
      linalg.fill ins(%a : f32) outs(%b : memref<4xf32>)
      return %a : f32
    }`);
    const number = [{ value: 3, argument: undefined }];
    expect(probeFunction(buffer, { given: [3, initial], outputs: number, isExact: true })).toBeUndefined();
  });
});

import { affineMap, evaluate, usedDims } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  convolutionSizes,
  createInterpreter,
  elementsOf,
  integerData,
  memref,
  referenceConvolution,
  tensor,
} from '../src/index.ts';
import type { ConvolutionShape, Handler } from '../src/index.ts';
import { failure, parse, run, trapOf } from './run.ts';

const iota = (...shape: number[]) =>
  tensor(
    shape,
    Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
  );

const unit = { h: 1, w: 1 };

describe('convolutions', () => {
  const shapes: readonly [string, ConvolutionShape][] = [
    [
      '3x3',
      {
        batch: 1,
        inputChannels: 3,
        inputHeight: 7,
        inputWidth: 9,
        filters: 4,
        filterHeight: 3,
        filterWidth: 3,
      },
    ],
    [
      '1x1',
      {
        batch: 2,
        inputChannels: 5,
        inputHeight: 4,
        inputWidth: 3,
        filters: 2,
        filterHeight: 1,
        filterWidth: 1,
      },
    ],
    [
      'strides and dilations',
      {
        batch: 2,
        inputChannels: 2,
        inputHeight: 11,
        inputWidth: 14,
        filters: 3,
        filterHeight: 2,
        filterWidth: 3,
        strides: { h: 2, w: 3 },
        dilations: { h: 3, w: 2 },
      },
    ],
  ];
  const operands = (shape: ConvolutionShape) => {
    const sizes = convolutionSizes(shape);
    const [input, filters, output] = [sizes.input, sizes.filters, sizes.output].map((count, i) =>
      integerData(count, i),
    );
    return {
      input: input!,
      filters: filters!,
      output: output!,
      shapes: [
        [shape.batch, shape.inputChannels, shape.inputHeight, shape.inputWidth],
        [shape.filters, shape.inputChannels, shape.filterHeight, shape.filterWidth],
        [shape.batch, shape.filters, sizes.outputHeight, sizes.outputWidth],
      ] as const,
    };
  };
  const types = (shapes: readonly (readonly number[])[], kind: string): string[] =>
    shapes.map((shape) => `${kind}<${shape.join('x')}xf32>`);

  it.each(shapes)('the named one: %s', (_, shape) => {
    const { input, filters, output, shapes: sizes } = operands(shape);
    const [i, w, o] = types(sizes, 'tensor') as [string, string, string];
    const { strides = unit, dilations = unit } = shape;
    const text = `func.func @f(%i: ${i}, %w: ${w}, %o: ${o}) -> ${o} {
      %0 = linalg.conv_2d_nchw_fchw {dilations = dense<[${dilations.h}, ${dilations.w}]> : tensor<2xi64>, strides = dense<[${strides.h}, ${strides.w}]> : tensor<2xi64>}
        ins(%i, %w : ${i}, ${w}) outs(%o : ${o}) -> ${o}
      return %0 : ${o}
    }`;
    const values = [tensor(sizes[0], input), tensor(sizes[1], filters), tensor(sizes[2], output)];
    const expected = referenceConvolution(shape, input, filters, output);
    expect(run(text, values)).toEqual([[[...sizes[2]], [...expected]]]);
  });

  it.each(shapes)('linearised, with the input gathered in the body, on memrefs: %s', (_, shape) => {
    const { input, filters, output, shapes: sizes } = operands(shape);
    const { outputWidth } = convolutionSizes(shape);
    const { strides = unit, dilations = unit } = shape;
    const window = sizes[2][2] * outputWidth;
    const linear = `memref<${shape.batch}x${shape.filters}x${window}xf32>`;
    const [i, w, o] = types(sizes, 'memref') as [string, string, string];
    const text = `func.func @f(%i: ${i}, %w: ${w}, %o: ${o}) {
      %l = memref.collapse_shape %o [[0], [1], [2, 3]] : ${o} into ${linear}
      linalg.generic {
        indexing_maps = [
          affine_map<(n, f, o, c, fh, fw) -> (f, c, fh, fw)>,
          affine_map<(n, f, o, c, fh, fw) -> (n, f, o)>],
        iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
      } ins(%w : ${w}) outs(%l : ${linear}) {
      ^bb0(%b: f32, %s: f32):
        %n = linalg.index 0 : index
        %q = linalg.index 2 : index
        %c = linalg.index 3 : index
        %fh = linalg.index 4 : index
        %fw = linalg.index 5 : index
        %h = affine.apply affine_map<(o, k) -> ((o floordiv ${outputWidth}) * ${strides.h} + k * ${dilations.h})>(%q, %fh)
        %v = affine.apply affine_map<(o)[k] -> ((o mod ${outputWidth}) * ${strides.w} + k * ${dilations.w})>(%q)[%fw]
        %a = memref.load %i[%n, %c, %h, %v] : ${i}
        %p = arith.mulf %a, %b : f32
        %r = arith.addf %s, %p : f32
        linalg.yield %r : f32
      }
      return
    }`;
    const expected = referenceConvolution(shape, input, filters, output);
    run(text, [memref(sizes[0], input), memref(sizes[1], filters), memref(sizes[2], output)]);
    expect([...output]).toEqual([...expected]);
  });
});

it.each<[string, string, unknown[], unknown]>([
  [
    'fill',
    `func.func @f(%t: tensor<2x2xf32>, %x: f32) -> tensor<2x2xf32> {
      %0 = linalg.fill ins(%x : f32) outs(%t : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }`,
    [iota(2, 2), 5],
    [
      [2, 2],
      [5, 5, 5, 5],
    ],
  ],
  [
    'fill of 64-bit integers',
    `func.func @f(%t: tensor<2xi64>, %x: i64) -> tensor<2xi64> {
      %0 = linalg.fill ins(%x : i64) outs(%t : tensor<2xi64>) -> tensor<2xi64>
      return %0 : tensor<2xi64>
    }`,
    [tensor([2], new BigInt64Array(2)), 2n ** 60n],
    [[2], [2n ** 60n, 2n ** 60n]],
  ],
  [
    'matmul',
    `func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }`,
    [iota(2, 3), iota(3, 2), tensor([2, 2], new Float32Array([100, 200, 300, 400]))],
    [
      [2, 2],
      [110, 213, 328, 440],
    ],
  ],
  [
    'transpose',
    `func.func @f(%a: tensor<2x3xf32>, %c: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%c : tensor<3x2xf32>) permutation = [1, 0]
      return %0 : tensor<3x2xf32>
    }`,
    [iota(2, 3), iota(3, 2)],
    [
      [3, 2],
      [0, 3, 1, 4, 2, 5],
    ],
  ],
  [
    'broadcast',
    `func.func @f(%a: tensor<2xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = linalg.broadcast ins(%a : tensor<2xf32>) outs(%c : tensor<2x3xf32>) dimensions = [1]
      return %0 : tensor<2x3xf32>
    }`,
    [iota(2), iota(2, 3)],
    [
      [2, 3],
      [0, 0, 0, 1, 1, 1],
    ],
  ],
  [
    'generic of rank 0',
    `func.func @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%a : tensor<f32>) outs(%b : tensor<f32>) {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<f32>
      return %0 : tensor<f32>
    }`,
    [tensor([], new Float32Array([3])), tensor([], new Float32Array([4]))],
    [[], [7]],
  ],
  [
    'generic over nothing',
    `func.func @f(%a: tensor<0x3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<0x3xf32>) outs(%b : tensor<3xf32>) {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }`,
    [tensor([0, 3], new Float32Array(0)), iota(3)],
    [[3], [0, 1, 2]],
  ],
  [
    'generic that reads a captured tensor by its own indices',
    `func.func @f(%t: tensor<4xf32>, %o: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%o : tensor<2x2xf32>) {
      ^bb0(%y: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %k = affine.apply affine_map<(d0, d1) -> (3 - d0 * 2 - d1)>(%i, %j)
        %x = tensor.extract %t[%k] : tensor<4xf32>
        linalg.yield %x : f32
      } -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }`,
    [iota(4), iota(2, 2)],
    [
      [2, 2],
      [3, 2, 1, 0],
    ],
  ],
])('%s', (_, text, values, expected) => {
  expect(run(text, values as never)).toEqual([expected]);
});

it('several results, and the inputs are not changed', () => {
  const text = `func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
    %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a, %b : tensor<2xf32>, tensor<2xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %y, %x : f32, f32
    } -> (tensor<2xf32>, tensor<2xf32>)
    return %0#0, %0#1, %a : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }`;
  const b = tensor([2], new Float32Array([5, 6]));
  expect(run(text, [iota(2), b])).toEqual([
    [[2], [5, 6]],
    [[2], [0, 1]],
    [[2], [0, 1]],
  ]);
});

/** Of the loops below, in order. */
const points = Array.from({ length: 60 }, (_, n) => [Math.floor(n / 20), Math.floor(n / 5) % 4, n % 5]);

/** `out[i, j] += in[map(i, j, k)]`-like operations, with the product as body so that they take the short way. */
const generic = (map: string, inputSize: number, body: string): string => `
  func.func @f(%a: tensor<${inputSize}xf32>, %b: tensor<3x4x5xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = linalg.generic {
      indexing_maps = [affine_map<${map}>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%a, %b : tensor<${inputSize}xf32>, tensor<3x4x5xf32>) outs(%c : tensor<3x4xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      ${body}
      linalg.yield %r : f32
    } -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }`;
const shortBody = '%p = arith.mulf %x, %y : f32\n%r = arith.addf %s, %p : f32';
// The same value by operations that are not recognised.
const longBody = '%p = arith.mulf %x, %y : f32\n%z = arith.negf %p : f32\n%r = arith.subf %s, %z : f32';

const factor = fc.integer({ min: 0, max: 3 });
const term = fc.oneof(
  fc
    .tuple(fc.constantFrom('i', 'j', 'k', '(i + j)', '(j * 2 + k)', '(i * 4 + j)'), factor)
    .map(([v, f]) => `${v} * ${f}`),
  fc
    .tuple(
      fc.constantFrom('i', 'j', 'k', '(i + k)', '(j * 2 + k)', '(i * 4 + j + 1)'),
      fc.constantFrom('floordiv', 'mod', 'ceildiv'),
      fc.integer({ min: 1, max: 5 }),
      factor,
    )
    .map(([v, op, d, f]) => `(${v} ${op} ${d}) * ${f}`),
);
/** Sums of multiples, quotients and remainders of the three loop variables, never negative. */
const expression = fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => [...terms, '1'].join(' + '));

it('an indexing map accesses what @sconv/affine evaluates, by the short way and the long one', () => {
  fc.assert(
    fc.property(expression, (text) => {
      const map = affineMap(`(i, j, k) -> (${text})`);
      const [a, b, c] = [integerData(128, 1), integerData(60, 2), integerData(12, 3)];
      const expected = Float32Array.from(c);
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 4; j++)
          for (let k = 0; k < 5; k++) {
            expected[i * 4 + j]! += a[evaluate(map, [i, j, k])[0]!]! * b[(i * 4 + j) * 5 + k]!;
          }
      for (const body of [shortBody, longBody]) {
        const source = generic(`(i, j, k) -> (${text})`, 128, body);
        expect(run(source, [tensor([128], a), tensor([3, 4, 5], b), tensor([3, 4], c)])).toEqual([
          [[3, 4], [...expected]],
        ]);
      }
    }),
    { numRuns: 100 },
  );
});

it('an affine.apply in the body is evaluated at every point, whichever loops it uses', () => {
  fc.assert(
    fc.property(expression, fc.boolean(), (text, asSymbols) => {
      const operands = asSymbols ? '(%k)[%i, %j]' : '(%i, %j, %k)';
      const inputs = asSymbols ? '(k)[i, j]' : '(i, j, k)';
      const source = `func.func @f(%o: tensor<3x4x5xindex>) -> tensor<3x4x5xindex> {
        %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
          outs(%o : tensor<3x4x5xindex>) {
        ^bb0(%y: index):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %k = linalg.index 2 : index
          %v = affine.apply affine_map<${inputs} -> (${text})>${operands}
          linalg.yield %v : index
        } -> tensor<3x4x5xindex>
        return %0 : tensor<3x4x5xindex>
      }`;
      const map = affineMap(`(i, j, k) -> (${text})`);
      const expected = points.map((point) => evaluate(map, point)[0]!);
      const output = tensor([3, 4, 5], new Float64Array(60), { kind: 'index' });
      expect(run(source, [output])).toEqual([[[3, 4, 5], expected]]);
    }),
    { numRuns: 100 },
  );
});

describe('what an operation of the body costs', () => {
  /** How often `math.sqrt` of this value is computed in a body over 3 x 4 x 5 points. */
  const computed = (lines: string, value: string): number => {
    let count = 0;
    const sqrt: Handler = () => () => {
      count += 1;
    };
    const text = `func.func @f(%c: tensor<3x4x5xf32>, %outside: f32, %t: tensor<5xf32>, %n: index) -> tensor<3x4x5xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
        outs(%c : tensor<3x4x5xf32>) {
      ^bb0(%s: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %k = linalg.index 2 : index
        ${lines}
        %root = math.sqrt ${value} : f32
        linalg.yield %root : f32
      } -> tensor<3x4x5xf32>
      return %0 : tensor<3x4x5xf32>
    }`;
    const handlers = { 'math.sqrt': sqrt };
    unwrap(createInterpreter(parse(text), { handlers }).run('f', [iota(3, 4, 5), 1, iota(5), 1]));
    return count;
  };
  const float = (index: string): string => `%y = arith.index_cast ${index} : index to i32\n%x = arith.sitofp %y : i32 to f32`;
  it.each([
    ['what is outside', '', '%outside', 1],
    ['a constant', '%x = arith.constant 2.0 : f32', '%x', 1],
    ['the outermost loop', float('%i'), '%x', 3],
    ['the loop in between', float('%j'), '%x', 12],
    ['the innermost loop', float('%k'), '%x', 60],
    ['a map of the outer loops', `%m = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)\n${float('%m')}`, '%x', 12],
    ['the least of a loop and a number', `%m = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]\n${float('%m')}`, '%x', 3],
    ['an element at an outer loop', '%x = tensor.extract %t[%j] : tensor<5xf32>', '%x', 12],
    ['a size', `%m = tensor.dim %t, %n : tensor<5xf32>\n${float('%m')}`.replace('%n', '%zero').replace('%m =', '%zero = arith.constant 0 : index\n%m ='), '%x', 1],
    ['an element of the operand', '', '%s', 60],
    ['a region', '%x = scf.execute_region -> f32 { scf.yield %outside : f32 }', '%x', 60],
  ])('depends on the innermost loop that it uses: %s', (_, lines, value, count) => {
    expect(computed(lines, value)).toBe(count);
  });
}); // prettier-ignore

it('an operation runs again on operands of other shapes', () => {
  const text = `func.func private @add(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.add ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
    %0 = call @add(%a, %a) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %1 = call @add(%b, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %2 = call @add(%c, %c) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  }`;
  const doubled = (...sizes: readonly [number, number]) => [
    sizes,
    [...elementsOf(iota(...sizes))].map((x) => Number(x) * 2),
  ];
  expect(run(text, [iota(2, 3), iota(2, 4), iota(5, 4)])).toEqual([
    doubled(2, 3),
    doubled(2, 4),
    doubled(5, 4),
  ]);
});

it('the first point whose access is out of bounds is named; loops that the map does not use are at 0', () => {
  fc.assert(
    fc.property(expression, fc.integer({ min: 1, max: 12 }), (text, size) => {
      const map = affineMap(`(i, j, k) -> (${text})`);
      const used = usedDims(map.results[0]!);
      const first = points.find(
        (point) => point.every((at, i) => at === 0 || used.includes(i)) && evaluate(map, point)[0]! >= size,
      );
      const source = generic(`(i, j, k) -> (${text})`, size, shortBody);
      // The verifier looks at the last point only, and would refuse some.
      expect(trapOf(source, [iota(size), iota(3, 4, 5), iota(3, 4)])).toEqual(
        first === undefined
          ? ['success', '']
          : [
              'interpreter/out-of-bounds',
              `'linalg.generic' at the point [${first.join(', ')}] accesses operand #0 at [${evaluate(map, first).join()}], which is out of bounds of the shape ${size}`,
            ],
      );
    }),
    { numRuns: 100 },
  );
});

describe('bodies near that of a matrix product compute what they say', () => {
  type Compute = (x: number, y: number, s: number) => number;
  it.each<[string, Compute]>([
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %s : f32', (x, y, s) => x * y + s],
    ['%p = arith.mulf %y, %y : f32\n%r = arith.addf %s, %p : f32', (_, y, s) => y * y + s],
    ['%p = arith.mulf %x, %s : f32\n%r = arith.addf %s, %p : f32', (x, _, s) => x * s + s],
    ['%p = arith.mulf %s, %y : f32\n%r = arith.addf %s, %p : f32', (_, y, s) => s * y + s],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %x, %p : f32', (x, y) => x * y + x],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %y : f32', (x, y) => x * y + y],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %p : f32', (x, y) => x * y * 2],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.addf %x, %s : f32', (x, _, s) => x + s],
    ['%r = arith.mulf %x, %y : f32\n%q = arith.addf %s, %r : f32', (x, y) => x * y],
    ['%p = arith.addf %x, %y : f32\n%r = arith.addf %s, %p : f32', (x, y, s) => x + y + s],
    ['%p = arith.mulf %x, %y : f32\n%r = arith.mulf %s, %p : f32', (x, y, s) => x * y * s],
    ['%p = arith.mulf %x, %y : f32\n%q = arith.addf %s, %p : f32\n%r = arith.negf %q : f32', (x, y, s) => -(x * y + s)],
    ['%two = arith.constant 2.0 : f32\n%p = arith.mulf %x, %two : f32\n%r = arith.addf %s, %p : f32', (x, _, s) => x * 2 + s],
  ])('%s', (body, compute) => {
    const small = (...shape: number[]) => tensor(shape, integerData(shape.reduce((a, b) => a * b), shape.length));
    const [a, b, c] = [small(5), small(3, 4, 5), small(3, 4)];
    const [x, y, s] = [a, b, c].map((value) => [...elementsOf(value)] as number[]) as [number[], number[], number[]];
    points.forEach(([i, j, k], at) => {
      const out = i! * 4 + j!;
      s[out] = Math.fround(compute(x[k!]!, y[at]!, s[out]!));
    });
    expect(run(generic('(i, j, k) -> (k)', 5, body), [a, b, c])).toEqual([[[3, 4], s]]);
  }); // prettier-ignore
});

it('the short way rounds as the operations do', () => {
  const values = () => [
    tensor(
      [20],
      Float32Array.from({ length: 20 }, (_, i) => 1 / (i + 3)),
    ),
    tensor(
      [3, 4, 5],
      Float32Array.from({ length: 60 }, (_, i) => 1 / (i + 7)),
    ),
    tensor(
      [3, 4],
      Float32Array.from({ length: 12 }, (_, i) => 1e-3 * i),
    ),
  ];
  const map = '(i, j, k) -> (i * 4 + j + k)';
  expect(run(generic(map, 20, shortBody), values())).toEqual(run(generic(map, 20, longBody), values()));
});

it('the short way goes through outputs as well, where the innermost loop is parallel', () => {
  const text = `func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]
    } ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      ${shortBody}
      linalg.yield %r : f32
    } -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }`;
  expect(run(text, [iota(2, 3), iota(3, 4), iota(2, 4)])).toEqual([
    [
      [2, 4],
      [20, 24, 28, 32, 60, 73, 86, 99],
    ],
  ]);
});

describe('errors', () => {
  it('an access out of bounds names the point, the operand, the index and the shape', () => {
    const text = generic('(i, j, k) -> ((i * 4 + j) mod 7 + k)', 9, shortBody);
    const values = [iota(9), iota(3, 4, 5), iota(3, 4)];
    expect(failure(text, values)).toMatchObject({
      code: 'interpreter/out-of-bounds',
      message:
        "'linalg.generic' at the point [1, 1, 4] accesses operand #0 at [9], which is out of bounds of the shape 9",
      location: { line: 3 },
    });
  });

  it('an access that stays within bounds is none, however its map is written', () => {
    const text = generic('(i, j, k) -> ((j + 8 * i - (i * 8 + j)) mod 3 + k)', 5, shortBody);
    expect(() => run(text, [iota(5), iota(3, 4, 5), iota(3, 4)])).not.toThrow();
    // 0 or 3; by the ranges of its terms, from -2 to 5.
    const difference = generic('(i, j, k) -> ((i * 4 + j) mod 3 - (i * 4 + j) mod 6 + 3)', 4, shortBody);
    expect(() => run(difference, [iota(4), iota(3, 4, 5), iota(3, 4)])).not.toThrow();
  });

  it('operands of different sizes', () => {
    const text = `func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %0 = linalg.copy ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }`;
    expect(failure(text, [iota(3), iota(4)])).toMatchObject({
      code: 'interpreter/shape-mismatch',
      message: "'linalg.copy' runs d0 over 3 points, but has 4 in dimension 0 of operand #1",
    });
  });

  it('an access in the body', () => {
    const text = `func.func @f(%t: tensor<2xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : tensor<3xf32>) {
      ^bb0(%y: f32):
        %i = linalg.index 0 : index
        %x = tensor.extract %t[%i] : tensor<2xf32>
        linalg.yield %x : f32
      } -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }`;
    expect(failure(text, [iota(2), iota(3)])).toMatchObject({
      code: 'interpreter/out-of-bounds',
      message: "'tensor.extract' accesses [2], which is out of bounds of the shape 2",
      location: { line: 5 },
    });
  });
});

import { describe, expect, it } from 'vitest';
import {
  convolutionSizes,
  elementsOf,
  integerData,
  memref,
  referenceConvolution,
  tensor,
} from '../src/index.ts';
import type { ReferenceShape } from '../src/index.ts';
import { failure, iota, run } from './run.ts';

const unit = { h: 1, w: 1 };

describe('convolutions', () => {
  const shapes: readonly [string, ReferenceShape][] = [
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
  const operands = (shape: ReferenceShape) => {
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

it('operands of different sizes are refused', () => {
  const text = `func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.copy ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }`;
  expect(failure(text, [iota(3), iota(4)])).toMatchObject({
    code: 'interpreter/shape-mismatch',
    message: "'linalg.copy' runs d0 over 3 points, but has 4 in dimension 0 of operand #1",
  });
});

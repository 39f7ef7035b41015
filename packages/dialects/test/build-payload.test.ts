import { fileLocation, unwrap } from '@sconv/diagnostics';
import type { Module, Value } from '@sconv/ir';
import {
  f32,
  floatAttribute,
  i32,
  indexType,
  integerAttribute,
  memrefType,
  parseModule,
  printModule,
  tensorType,
  walk,
} from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { apply } from '../src/affine.ts';
import { addf, addi, constant, mulf } from '../src/arith.ts';
import type { PayloadBuilder } from '../src/index.ts';
import { buildPayload } from '../src/index.ts';
import { conv2dNchwFchw, fill, matmul } from '../src/linalg.ts';
import { alloc, store } from '../src/memref.ts';
import { forOp, yieldOp } from '../src/scf.ts';
import { dim as dimOf, empty, extractSlice } from '../src/tensor.ts';
import { dim, makeMap } from '@sconv/affine';
import { registry } from './support.ts';

const row = tensorType([4], f32);
const buffer = memrefType([4], indexType);
const square = tensorType([4, 4], f32);
const index = (value: number) => ({ value: integerAttribute(value, indexType) });

const cases: Readonly<Record<string, readonly [(payload: PayloadBuilder) => void, string]>> = {
  'a function of nothing': [({ func }) => func('f', [], () => undefined), 'func.func @f() {\n  return\n}'],
  'what a function is given, given back': [
    ({ func }) => func('f', [f32, i32], (_, x, y) => [y, x]),
    'func.func @f(%x: f32, %y: i32) -> (i32, f32) {\n  return %y, %x : i32, f32\n}',
  ],
  'types of results from those of operands': [
    ({ func }) =>
      func('f', [row, f32], (b, t, x) => {
        const size = b(dimOf, { source: t, index: b(constant, index(0)) });
        const sum = b(addf, { lhs: x, rhs: x, fastmath: ['contract'] });
        return [b(mulf, { lhs: t, rhs: t }), sum, size];
      }),
    `func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32, index) {
      %c0 = arith.constant 0 : index
      %size = tensor.dim %t, %c0 : tensor<4xf32>
      %sum = arith.addf %x, %x fastmath<contract> : f32
      %0 = arith.mulf %t, %t : tensor<4xf32>
      return %0, %sum, %size : tensor<4xf32>, f32, index
    }`,
  ],
  'types of results from sizes': [
    ({ func }) =>
      func('f', [square, indexType], (b, source, i) =>
        b(extractSlice, {
          source,
          offsets: [i],
          staticOffsets: [-(2 ** 63), 0],
          staticSizes: [1, 4],
          staticStrides: [1, 1],
        }),
      ),
    `func.func @f(%t: tensor<4x4xf32>, %i: index) -> tensor<1x4xf32> {
      %0 = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
      return %0 : tensor<1x4xf32>
    }`,
  ],
  'bodies, maps and types of named ops': [
    ({ func }) =>
      func(
        'f',
        [tensorType([1, 2, 6, 7], f32), tensorType([3, 2, 3, 3], f32), tensorType([1, 3, 2, 3], f32)],
        (b, input, filters, init) =>
          b(conv2dNchwFchw, { inputs: [input, filters], outputs: [init], strides: [2, 2] }),
      ),
    `func.func @f(%in: tensor<1x2x6x7xf32>, %filters: tensor<3x2x3x3xf32>, %out: tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32> {
      %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%in, %filters : tensor<1x2x6x7xf32>, tensor<3x2x3x3xf32>)
        outs(%out : tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
      return %0 : tensor<1x3x2x3xf32>
    }`,
  ],
  'several functions': [
    ({ func }) => {
      func('zero', [], (b) => {
        const [zeros] = b(fill, {
          inputs: [b(constant, { value: floatAttribute(0, f32) })],
          outputs: [b(empty, {}, { resultTypes: [square] })],
        });
        return zeros;
      });
      func('multiply', [square, square], (b, lhs, rhs) => b(matmul, { inputs: [lhs, rhs], outputs: [rhs] }));
    },
    `func.func @zero() -> tensor<4x4xf32> {
      %zero = arith.constant 0.0 : f32
      %0 = tensor.empty() : tensor<4x4xf32>
      %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %1 : tensor<4x4xf32>
    }
    func.func @multiply(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }`,
  ],
  'bodies that are given': [
    ({ func }) =>
      func('f', [buffer, indexType], (b, m, n) => {
        b(
          forOp,
          { lowerBound: b(constant, index(0)), upperBound: n, step: b(constant, index(1)) },
          {
            bodies: [
              {
                argumentTypes: [indexType],
                build: (inner, i) => {
                  const twice = inner(apply, { mapOperands: [i], map: makeMap(1, 0, [dim(0).mul(2)]) });
                  inner(store, { value: twice, memref: m, indices: [i] });
                  inner(yieldOp, {});
                },
              },
            ],
          },
        );
        return undefined;
      }),
    `func.func @f(%m: memref<4xindex>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
        memref.store %0, %m[%i] : memref<4xindex>
      }
      return
    }`,
  ],
};

const generically = (module: Module): string => printModule(module, { registry, generic: true });

describe('buildPayload', () => {
  it.each(Object.entries(cases))('builds %s', (_, [build, text]) => {
    const built = unwrap(buildPayload(registry, build));
    expect(generically(built)).toBe(generically(unwrap(parseModule(text, { registry }))));
    for (const operation of walk(built.root)) expect(Object.isFrozen(operation)).toBe(true);
  });

  it.each<[string, (payload: PayloadBuilder) => void, string, string]>([
    [
      'an operand of another type',
      ({ func }) => func('f', [f32], (b, x) => b(addi, { lhs: x, rhs: x })),
      'verify/operand-type',
      "'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'",
    ],
    [
      'operands of different types',
      ({ func }) => func('f', [f32, row], (b, x, y) => b(addf, { lhs: x, rhs: y })),
      'verify/types',
      "'arith.addf' op requires the same type for all operands and results",
    ],
    [
      'a shape that does not fit',
      ({ func }) => func('f', [square, row], (b, x, y) => b(matmul, { inputs: [x, x], outputs: [y] })),
      'verify/operation',
      "'linalg.matmul' op expected operand rank (1) to match the result rank of indexing_map #2 (2)",
    ],
    [
      'two functions of one name',
      ({ func }) => {
        func('f', [], () => undefined);
        func('f', [], () => undefined);
      },
      'verify/symbol',
      'redefinition of symbol named',
    ],
  ])('refuses %s, where it says', (_, build, code, message) => {
    const location = fileLocation('here.ts', 7, 1);
    const result = buildPayload(registry, build, { location });
    expect(result.status).toBe('definite');
    expect(result.diagnostics[0]).toMatchObject({ code, location });
    expect(result.diagnostics[0]!.message).toContain(message);
  });

  it.each<[string, (payload: PayloadBuilder) => void, string]>([
    [
      'are not determined',
      ({ func }) => func('f', [], (b) => b(empty, {})),
      "'tensor.empty' needs its result types",
    ],
  ])('throws where types of results %s', (_, build, message) => {
    expect(() => buildPayload(registry, build)).toThrow(message);
  });
});

it('is typed: these are errors of the compiler', () => {
  const build = ({ func }: PayloadBuilder): void => {
    func('f', [square, f32], (b, t, x) => {
      // @ts-expect-error -- an operand is missing
      b(addf, { lhs: x });
      // @ts-expect-error -- there is no such operand or attribute
      b(addf, { lhs: x, rhs: x, fastMath: [] });
      // @ts-expect-error -- one value for a group of them
      b(matmul, { inputs: t, outputs: [t] });
      // @ts-expect-error -- an attribute of another kind
      b(conv2dNchwFchw, { inputs: [t, t], outputs: [t], strides: 2 });
      // @ts-expect-error -- a scalar where a tensor is wanted
      b(extractSlice, { source: x, staticOffsets: [], staticSizes: [], staticStrides: [] });
      // @ts-expect-error -- a tensor among indices
      b(store, { value: x, memref: b(alloc, {}, { resultTypes: [buffer] }), indices: [t] });
      // @ts-expect-error -- a matmul has a list of them
      const one: Value = b(matmul, { inputs: [t, t], outputs: [t] });
      return one;
    });
  };
  // Nothing of this can be built.
  expect(() => buildPayload(registry, build)).toThrow();
});

/**
 * Winograd convolutions: the same operations as LLVM 19's `mlir-opt` makes, but for the zeros that products start from;
 * and what the direct convolution computes, up to rounding.
 */
import { unwrap } from '@sconv/diagnostics';
import type { TensorValue } from '@sconv/interpreter';
import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { printModule } from '@sconv/ir';
import { transformInterpreterPass } from '@sconv/transform';
import { describe, expect, it } from 'vitest';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';

interface Case {
  readonly m: number;
  readonly r: number;
  readonly image: readonly [height: number, width: number];
  readonly window: readonly [height: number, width: number];
}

const cases: readonly Case[] = [
  { m: 2, r: 3, image: [6, 9], window: [3, 3] },
  { m: 4, r: 3, image: [6, 6], window: [3, 3] },
  { m: 4, r: 3, image: [11, 10], window: [3, 3] },
  { m: 4, r: 3, image: [1, 13], window: [1, 3] },
  { m: 2, r: 5, image: [9, 8], window: [5, 5] },
  { m: 2, r: 5, image: [8, 1], window: [5, 1] },
];

const shapesOf = ({ image, window }: Case) => {
  const output = image.map((size, i) => size - window[i]! + 1);
  return { input: [2, ...image, 3], filter: [4, ...window, 3], output: [2, ...output, 4] };
};

const payload = (chosen: Case, element: string): string => {
  const { input, filter, output } = shapesOf(chosen);
  const [i, k, o] = [input, filter, output].map((shape) => `tensor<${shape.join('x')}x${element}>`);
  return `func.func @f(%i: ${i}, %k: ${k}) -> ${o} {
  %zero = arith.constant 0.0 : ${element}
  %empty = tensor.empty() : ${o}
  %init = linalg.fill ins(%zero : ${element}) outs(%empty : ${o}) -> ${o}
  %0 = linalg.conv_2d_nhwc_fhwc ins(%i, %k : ${i}, ${k}) outs(%init : ${o}) -> ${o}
  return %0 : ${o}
}`;
};

const any = '!transform.any_op';
const script = (body: string): string => `
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: ${any} {transform.readonly}) {
${body}
    transform.yield
  }
}`;
const matched = (name: string): string =>
  `transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}`;
const winograd = ({ m, r }: Case): string =>
  script(`    %op = ${matched('linalg.conv_2d_nhwc_fhwc')}
    %0 = transform.structured.winograd_conv2d %op {m = ${m}, r = ${r}} : (${any}) -> ${any}`);
const decompose = script(
  ['filter', 'input', 'output']
    .map(
      (what) => `    %${what} = ${matched(`linalg.winograd_${what}_transform`)}
    %${what}_loops = transform.structured.decompose_winograd_op %${what} : (${any}) -> ${any}`,
    )
    .join('\n'),
);

const transformed = (text: string): Module =>
  unwrap(transformInterpreterPass().run(parse(text, 'payload.mlir'), { registry }));

/** The function of a module, without its script. */
const functionIn = (module: Module): string => {
  const text = printModule(module, { registry, localScope: true });
  return text.slice(text.indexOf('  func.func'), text.indexOf('\n  }\n') + 4);
};

/** The operations without names of values, constants and fills, in the order of mlir-opt's cleanup. */
const skeleton = (text: string): readonly string[] =>
  mlirOpt([text], ['--canonicalize', '--cse', '--mlir-print-local-scope'])[0]!
    .split('\n')
    .filter((line) => !/linalg\.fill|arith\.constant|tensor\.empty|^module|transform\.|^\s*}?$/.test(line))
    .map((line) => line.replace(/%\w+(#\d+)?/g, '%').trim());

describe.each(cases)('F($m, $r) of an image of $image and a filter of $window', (chosen) => {
  it.skipIf(!hasMlirOpt)('is what mlir-opt makes of it', () => {
    const text = payload(chosen, 'f32');
    const ours = functionIn(transformed(text + winograd(chosen)));
    const theirs = mlirOpt([text + winograd(chosen)], ['--transform-interpreter'])[0]!;
    expect(skeleton(ours)).toEqual(skeleton(theirs));
    const loops = functionIn(transformed(ours + decompose));
    const theirLoops = mlirOpt([ours], ['--test-linalg-transform-patterns=test-decompose-winograd-ops'])[0]!;
    expect(loops).toContain('linalg.matmul');
    expect(skeleton(loops)).toEqual(skeleton(theirLoops));
  });

  it('computes what the direct convolution does', () => {
    const text = payload(chosen, 'f64');
    const { input, filter } = shapesOf(chosen);
    const operands = [input, filter].map((shape, operand) => {
      const count = shape.reduce((a, b) => a * b, 1);
      const values = Float64Array.from({ length: count }, (_, i) => ((i * (7 + operand)) % 11) - 5);
      return tensor(shape, values);
    });
    const run = (module: Module): number[] => {
      const [result] = unwrap(interpret(module, 'f', operands));
      return Array.from(elementsOf(result as TensorValue), Number);
    };
    const direct = run(parse(text, 'payload.mlir'));
    const ours = functionIn(transformed(text + winograd(chosen)));
    for (const other of [ours, functionIn(transformed(ours + decompose))]) {
      const values = run(parse(other, 'winograd.mlir'));
      const error = Math.max(...direct.map((value, i) => Math.abs(value - values[i]!)));
      expect(error).toBeLessThan(1e-9);
      expect(values).toHaveLength(direct.length);
    }
  });
});

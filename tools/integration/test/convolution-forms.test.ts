/** Convolutions in layouts other than NCHW, with groups or padding: after every stage, as IR and as code. */
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { printModule, walk } from '@sconv/ir';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import { compileModule, defaultBackends } from 'sconv';
import { describe, expect, it } from 'vitest';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { parse, stagesOf } from './support/stages.ts';

const hasLlvm = 'paths' in (await findToolchain());

/** A convolution of 45 windows with 5 filters, per group; `%p` is the input, padded or not. */
const payload = (
  op: string,
  [input, filters, output]: readonly [string, string, string],
  unpadded?: string,
): string => {
  const type = (shape: string): string => `tensor<${shape}xf32>`;
  const rank = input.split('x').length;
  const margin = [...Array<number>(rank - 2).fill(0), 1, 2].join(', ');
  const indices = Array.from({ length: rank }, (_, i) => `%d${i}: index`).join(', ');
  const pad = `%zero = arith.constant 0.0 : f32
  %p = tensor.pad %in low[${margin}] high[${margin}] {
  ^bb0(${indices}):
    tensor.yield %zero : f32
  } : ${type(unpadded ?? input)} to ${type(input)}`;
  return `func.func @conv(%in: ${type(unpadded ?? input)}, %f: ${type(filters)}, %out: ${type(output)}) -> ${type(output)} {
  ${unpadded === undefined ? '' : pad}
  %0 = linalg.${op} {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(${unpadded === undefined ? '%in' : '%p'}, %f : ${type(input)}, ${type(filters)}) outs(%out : ${type(output)}) -> ${type(output)}
  return %0 : ${type(output)}
}`;
};

const payloads: readonly (readonly [name: string, op: string, text: string])[] = (
  [
    ['conv_2d_nchw_fchw', ['2x3x7x11', '5x3x3x3', '2x5x5x9'], '2x3x5x7'],
    ['conv_2d_ngchw_fgchw', ['2x3x2x7x11', '5x3x2x3x3', '2x3x5x5x9'], '2x3x2x5x7'],
    ['conv_2d_ngchw_gfchw', ['2x3x2x7x11', '3x5x2x3x3', '2x3x5x5x9'], '2x3x2x5x7'],
    ['conv_2d_nhwc_hwcf', ['2x7x11x3', '3x3x3x5', '2x5x9x5'], undefined],
    ['conv_2d_nhwc_fhwc', ['2x7x11x3', '5x3x3x3', '2x5x9x5'], undefined],
  ] as const
).flatMap(([op, shapes, unpadded]) => [
  [op, op, payload(op, shapes)] as const,
  ...(unpadded === undefined ? [] : [[`${op}, padded`, op, payload(op, shapes, unpadded)] as const]),
]);

const script = (op: string, schedule: string): string => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %convs = transform.structured.match ops{["linalg.${op}"]} in %root : (!transform.any_op) -> !transform.any_op
    %kernels, %loops = transform.structured.sconv %convs {mk_info = [4, 2], arch_info = [512, 1024, 4096, 64], schedule = "${schedule}", edges = "small"}
      : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)
    transform.yield
  }
}`;

describe.each(['is', 'ws'])('sliced by %s', (schedule) => {
  const stages = payloads.map(([name, op, text]) => ({
    name,
    stages: stagesOf(parse(text, 'payload.mlir'), parse(script(op, schedule), 'schedule.mlir')),
  }));

  it.each(stages)('$name computes the same after every stage', ({ stages: each }) => {
    const [first, ...later] = each;
    expect(later.map(({ name }) => name)).toContain('delinearize');
    for (const { name, module } of later)
      expect({ name, difference: firstDifference(first!.module, module) }).toEqual({
        name,
        difference: undefined,
      });
  });

  it.each(stages.filter(({ name }) => name.includes('padded')))('$name has no padded copy', (each) => {
    const names = [...walk(each.stages.at(-1)!.module.root)].map(({ name }) => name);
    expect(names).not.toContain('tensor.pad');
  });

  it.skipIf(!hasMlirOpt)('is what mlir-opt-19 reads, verifies and prints', () => {
    const printed = stages.flatMap(({ stages: each }) =>
      each.map(({ module }) => printModule(module, { registry }).trim()),
    );
    expect(mlirOpt(printed).map((text) => text.trim())).toEqual(printed);
  });
});

/** A schedule that changes nothing. */
const nothing = parse(
  `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.yield
  }
}`,
  'nothing.mlir',
);

describe('compiled by default', () => {
  const targets = [
    { target: wasm, backends: defaultBackends, runs: true },
    { target: process.arch === 'arm64' ? neon : avx2, backends: [nativeBackend], runs: hasLlvm },
  ];
  it.each(targets.filter(({ runs }) => runs))('for $target.name', async ({ target, backends }) => {
    // One module, to start LLVM only once.
    const text = payloads.map((each, i) => each[2].replaceAll('@conv', `@conv${i}`)).join('\n');
    const module = parse(text, 'payload.mlir');
    const compiled = unwrap(await compileModule(module, { target, backends }));
    expect(compiled.plans).toHaveLength(payloads.length);
    const plain = unwrap(await compileModule(module, { target: wasm, schedule: nothing }));
    for (const [i, [name]] of payloads.entries()) {
      const { parameters } = compiled.functions[i]!;
      const values = parameters.map((parameter, at) =>
        Float32Array.from(
          { length: parameter.kind === 'buffer' ? parameter.length : 0 },
          (_, k) => ((k * (at + 3)) % 7) - 3,
        ),
      );
      const expected = plain.run(`conv${i}`, ...values.map((value) => value.slice()));
      expect({ name, result: compiled.run(`conv${i}`, ...values) }).toEqual({ name, result: expected });
    }
  });
});

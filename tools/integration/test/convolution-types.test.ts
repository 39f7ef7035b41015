/**
 * Convolutions with element types other than f32: random ones, padded or not, compiled and compared with a plain sum of
 * products.
 */
import { halfBits, halfValues } from '@sconv/backend';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { printModule } from '@sconv/ir';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import { compileModule, defaultBackends } from 'sconv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSchedule } from '@sconv/transform';
import type { Case } from './support/draw-convolution.ts';
import {
  cases,
  count,
  dataOf,
  elementsOf,
  forms,
  plain,
  sizesOf,
  textOf,
} from './support/draw-convolution.ts';
import { registry } from './support/registry.ts';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { parse, stagesOf } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());

const generalization = (op: string) =>
  parse(
    `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["linalg.${op}"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %named : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}`,
    'schedule.mlir',
  );

/** How many, and from which seed: what `check-convolutions.mjs` requests, or a few. */
const [requested, seed] = [Number(process.env['CONVOLUTIONS'] ?? 0), Number(process.env['SEED'] ?? 1)];

describe('a random convolution', () => {
  const targets = [
    { target: wasm, backends: defaultBackends, runs: true, numRuns: requested || (isThorough ? 60 : 10) },
    {
      target: process.arch === 'arm64' ? neon : avx2,
      backends: [nativeBackend],
      runs: hasLlvm,
      numRuns: requested || (isThorough ? 25 : 4),
    },
  ];

  it.each(targets.filter(({ runs }) => runs))(
    'compiled for $target.name is the sum of products',
    async ({ target, backends, numRuns }) => {
      await fc.assert(
        fc.asyncProperty(cases, async (each) => {
          const { form, types } = each.typed;
          const sizes = sizesOf(each);
          fc.pre(sizes[2]['h']! > 0 && sizes[2]['w']! > 0);
          const named = parse(textOf(each), 'payload.mlir');
          // Groups are loops around named ops only.
          const isGeneralized = each.isGeneralized && !form.layouts[0].includes('g');
          const module = isGeneralized
            ? unwrap(runSchedule(generalization(form.op), named, { registry })).module
            : named;
          const result = await compileModule(module, { target, backends, threads: each.threads });
          const compiled = unwrap(result);
          const data = types.map((type, i) =>
            dataOf(type, count(form.layouts[i]!, sizes[i]!), each.seed + i),
          );
          const values = data.map((numbers, i) => elementsOf(types[i]!, numbers));
          const scalars = form.quantized && !each.areConstant ? each.zeroPoints : [];
          const [output] = compiled.run('conv', ...values, ...scalars);
          expect([...(output as Float32Array)]).toEqual(plain(each, data));
          expect(compiled.plans).not.toEqual([]);
          expect(result.diagnostics.map(({ code }) => code)).not.toContain('kernels/no-microkernel');
          compiled.dispose();
        }),
        { numRuns, seed },
      );
    },
    Math.max(240_000, requested * 4_000),
  );
});

describe('sliced in steps', () => {
  const plainCase: Omit<Case, 'typed'> = {
    zeroPoints: [-7, 3],
    areConstant: true,
    isGeneralized: false,
    groups: 2,
    batch: 2,
    channels: 4,
    filters: 5,
    filter: [3, 3],
    output: [5, 9],
    strides: [1, 2],
    dilations: [1, 1],
    margins: [1, 2],
    threads: 1,
    seed: 1,
  };
  const typed = (op: (typeof forms)[number]['op'], types: Case['typed']['types']): Case => ({
    ...plainCase,
    typed: { form: forms.find((form) => form.op === op)!, types } as Case['typed'],
  });
  const sliced = [
    typed('conv_2d_nchw_fchw', ['f16', 'f16', 'f32']),
    typed('conv_2d_nhwc_hwcf', ['bf16', 'bf16', 'f32']),
    typed('conv_2d_nchw_fchw', ['i8', 'i8', 'i32']),
    typed('conv_2d_nhwc_fhwc_q', ['i8', 'i8', 'i32']),
    typed('conv_2d_ngchw_gfchw_q', ['i8', 'i8', 'i32']),
    { ...typed('conv_2d_nhwc_hwcf_q', ['i8', 'i8', 'i32']), areConstant: false },
  ].flatMap((each) => ['', ', pairs'].map((pairs) => ({ each, pairs, isGeneric: false })));
  const generics = [
    typed('conv_2d_ngchw_fgchw', ['f32', 'f32', 'f32']),
    typed('conv_2d_ngchw_gfchw', ['i8', 'i8', 'i32']),
    typed('conv_2d_ngchw_gfchw_q', ['i8', 'i8', 'i32']),
  ].map((each) => ({ each, pairs: '', isGeneric: true }));
  const stages = [...sliced, ...generics].map(({ each, pairs, isGeneric }) => ({
    name: `${each.typed.form.op} of ${each.typed.types.join(', ')}${pairs}${isGeneric ? ', as a generic' : ''}`,
    stages: stagesOf(
      parse(textOf(each), 'payload.mlir'),
      parse(
        `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["linalg.${each.typed.form.op}"]} in %root : (!transform.any_op) -> !transform.any_op
    ${isGeneric ? '%convs = transform.structured.generalize %named : (!transform.any_op) -> !transform.any_op' : '%convs = transform.merge_handles %named : !transform.any_op'}
    %kernels, %loops = transform.structured.sconv %convs {mk_info = [4, 2], arch_info = [512, 1024, 4096, 64], edges = "small"${pairs}}
      : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)
    transform.yield
  }
}`,
        'schedule.mlir',
      ),
    ),
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

  it.skipIf(!hasMlirOpt)('is what mlir-opt-19 reads, verifies and prints', () => {
    const printed = stages.flatMap(({ stages: each }) =>
      each.map(({ module }) => printModule(module, { registry }).trim()),
    );
    expect(mlirOpt(printed).map((text) => text.trim())).toEqual(printed);
  });
});

it('takes subnormal and infinite numbers of 16 bits as they are', async () => {
  for (const type of ['f16', 'bf16'] as const) {
    const shape = 'tensor<1x1x8x8x';
    const text = `func.func @conv(%in: ${shape.slice(0, -1)}x${type}>, %f: tensor<4x1x1x1x${type}>, %out: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%in, %f : tensor<1x1x8x8x${type}>, tensor<4x1x1x1x${type}>) outs(%out : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}`;
    const bits = Uint16Array.from({ length: 64 }, (_, i) => (i * 0x0401 + (i % 2) * 0x8000) & 0xffff);
    const ones = halfBits(type, [1, 1, 1, 1]);
    const compiled = unwrap(
      await compileModule(parse(text, 'payload.mlir'), { target: wasm, backends: defaultBackends }),
    );
    const [result] = compiled.run('conv', bits, ones, new Float32Array(256));
    const expected = [...halfValues(type, bits)].map((value) => value + 0);
    expect([...(result as Float32Array)].map((value) => value + 0)).toEqual(Array(4).fill(expected).flat());
  }
});

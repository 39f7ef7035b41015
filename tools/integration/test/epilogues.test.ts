/** Elementwise ops after convolutions, fused into their loops: as IR after every stage, and as code. */
import fc from 'fast-check';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { elementsOf, integerData, interpret, tensor } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { children, functionTypeOf, printModule, symbolNameOf, walk } from '@sconv/ir';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import { runSchedule } from '@sconv/transform';
import type { CompileOptions } from 'sconv';
import { compileModule } from 'sconv';
import { describe, expect, it } from 'vitest';
import type { FormName } from './support/epilogues.ts';
import { epilogueCases, epilogueFunction } from './support/epilogues.ts';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import type { Stage } from './support/stages.ts';
import { firstMismatch, parse, stagesOf } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());

const formNames: readonly FormName[] = [
  'conv_2d_nchw_fchw',
  'conv_2d_ngchw_fgchw',
  'conv_2d_ngchw_gfchw',
  'conv_2d_nhwc_hwcf',
  'conv_2d_nhwc_fhwc',
];

/** Functions of one module, to start LLVM only once. */
const payload = parse(
  fc
    .sample(epilogueCases(formNames), { seed: 1, numRuns: isThorough ? 24 : 12 })
    .map((each, i) => epilogueFunction(`f${i}`, each))
    .join(''),
  'payload.mlir',
);

const shapesOf = (module: Module): ReadonlyMap<string, readonly (readonly number[])[]> =>
  new Map(
    children(module.root).map((operation) => [
      symbolNameOf(operation)!,
      functionTypeOf(operation.attributes['function_type'])!.inputs.map((type) =>
        type.kind === 'tensor' ? type.shape : [],
      ),
    ]),
  );

const calls = [...shapesOf(payload)].map(([name, shapes]) => {
  const data = shapes.map((shape, i) =>
    integerData(
      shape.reduce((product, size) => product * size, 1),
      i + 1,
    ),
  );
  const [result] = unwrap(
    interpret(
      payload,
      name,
      shapes.map((shape, i) => tensor(shape, data[i]!.slice())),
    ),
  );
  if (typeof result !== 'object' || result.kind !== 'tensor') throw new Error('no tensor is returned');
  return { name, data, expected: elementsOf(result) as Float32Array };
});

const compilations: readonly (readonly [string, CompileOptions, boolean])[] = [
  ['WebAssembly', { target: wasm }, true],
  ['WebAssembly with three threads in turn', { target: wasm, threads: 3 }, true],
  ['native code', { target: process.arch === 'arm64' ? neon : avx2, backends: [nativeBackend] }, hasLlvm],
];

describe('compiled by default', () => {
  it.each(compilations.filter(([, , runs]) => runs))('as %s', async (_, options) => {
    const result = await compileModule(payload, options);
    const codes = new Set(result.diagnostics.map(({ code }) => code));
    // Everything is fused, without extra copies.
    expect([...codes].filter((code) => /fuse-epilogue|bufferize/.test(code))).toEqual([]);
    const compiled = unwrap(result);
    for (const { name, data, expected } of calls) {
      const [actual] = compiled.run(name, ...data.map((each) => each.slice()));
      expect({ name, mismatch: firstMismatch(actual as Float32Array, expected) }).toEqual({
        name,
        mismatch: undefined,
      });
    }
    compiled.dispose();
  });
});

const script = (op: string, attributes: string): Module =>
  parse(
    `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %convs = transform.structured.match ops{["linalg.${op}"]} in %root : (!transform.any_op) -> !transform.any_op
    %users = transform.get_consumers_of_result %convs[0] : (!transform.any_op) -> !transform.any_op
    %behind = transform.merge_handles deduplicate %users : !transform.any_op
    %kernels, %loops = transform.structured.sconv %convs {mk_info = [4, 2], ${attributes}, edges = "small"}
      : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)
    %fused = transform.structured.fuse_epilogue %behind : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}`,
    'schedule.mlir',
  );

/** The stages of a payload for a plan with blocks of one channel, and tiles in sets of two if there are that many. */
const stagesInBlocks = (module: Module, form: FormName, schedule: string): readonly Stage[] => {
  const withSets = (size: number): readonly Stage[] => {
    const steps = script(form, `schedule = "${schedule}", nc = 1, k2 = ${size}, k3 = ${size}`);
    const fused = unwrap(runSchedule(steps, module, { registry }));
    return [...stagesOf(module, steps), { name: 'epilogue', module: fused.module }];
  };
  try {
    return withSets(2);
  } catch {
    return withSets(1);
  }
};

describe.each(formNames)('%s in blocks of its channels', (form) => {
  const runs = fc
    .sample(epilogueCases([form]), { seed: 1, numRuns: isThorough ? 6 : 3 })
    .map((each) => epilogueFunction('f', { ...each, sizes: { ...each.sizes, c: Math.max(2, each.sizes.c) } }))
    .map((text) => parse(text, 'payload.mlir'))
    .flatMap((module) => ['is', 'ws'].map((schedule) => stagesInBlocks(module, form, schedule)));

  it('computes the same after every stage', () => {
    for (const [first, ...later] of runs) {
      for (const { module } of later) expect(firstDifference(first!.module, module)).toBeUndefined();
    }
  });

  it('is applied in the last block only', () => {
    const after = runs.map((stages) => stages.at(-1)!.module);
    const names = after.flatMap((module) => [...walk(module.root)].map(({ name }) => name));
    expect(names).toContain('scf.if');
  });

  it.skipIf(!hasMlirOpt)('is what mlir-opt-19 reads, verifies and prints', () => {
    const printed = runs.flatMap((stages) =>
      stages.map(({ module }) => printModule(module, { registry }).trim()),
    );
    expect(mlirOpt(printed).map((text) => text.trim())).toEqual(printed);
  });
});

/** Contractions of any layout, planned however small they are: exact in the interpreter and on both backends. */
import { csaPlanner } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import type { TensorValue } from '@sconv/interpreter';
import { elementsOf, integerData, interpret, tensor } from '@sconv/interpreter';
import { f16 } from '@sconv/ir';
import { findToolchain, nativeBackend } from '@sconv/native';
import type { Planner } from '@sconv/plans';
import { avx2, machineFromFigures, neon, wasm } from '@sconv/targets';
import type { KernelChoice } from '@sconv/csa';
import type { CompileOptions } from 'sconv';
import { compileModule, compileModuleSync } from 'sconv';
import { describe, expect, it } from 'vitest';
import type { Below } from './support/draw-plan.ts';
import {
  contractionData,
  contractionText,
  drawContraction,
  elementsAs,
  sizesOf,
} from './support/draw-contraction.ts';
import { registry } from './support/registry.ts';
import { parse, sequence } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());

/** xorshift32. */
const random = (seed: number): Below => {
  let state = seed;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
};

/** Caches of a few tiles, so that small contractions have loops and remainders. */
const machine = machineFromFigures({
  name: 'small',
  cacheBytes: [512, 1024, 4096],
  lineBytes: 64,
  latencyCycles: [4, 10, 40, 100],
  source: 'this test',
});

const planner: Planner<KernelChoice> = (problem) =>
  csaPlanner({ edges: 'small' })(problem, {
    machine,
    microkernel: { windows: 4, filters: 3 },
    otherMicrokernels: [],
  });

const seed = Number(process.env['SEED'] ?? 1);
const batches = isThorough ? 10 : 1;
const perBatch = isThorough ? 20 : 14;

const drawn = Array.from({ length: batches }, (_, batch) => {
  const below = random(0x9e3779b9 ^ (1000 * seed + batch));
  return Array.from({ length: perBatch }, (_, i) => {
    const contraction = drawContraction(below, 9);
    return { name: `f${i}`, contraction, ...contractionData(below, contraction) };
  });
});

const native = { target: process.arch === 'arm64' ? neon : avx2, backends: [nativeBackend] };
const compilations: readonly (readonly [string, CompileOptions, boolean])[] = [
  ['WebAssembly', { target: wasm }, true],
  ['WebAssembly with three threads', { target: wasm, threads: 3 }, isThorough],
  ['native code', native, hasLlvm],
];

/** The interpreter computes halves as numbers. */
const interpreted = (type: string, sizes: readonly number[], values: readonly number[]): TensorValue =>
  tensor(sizes, elementsAs(type === 'f16' ? 'f32' : type, values), type === 'f16' ? f16 : undefined);

const textOf = (batch: (typeof drawn)[number]): string =>
  batch.map(({ contraction, name }) => contractionText(contraction, name)).join('\n');

describe.each(drawn.map((batch, i) => ({ batch, i })))('contractions of batch $i', ({ batch }) => {
  it('are what the interpreter computes', () => {
    const module = parse(textOf(batch), 'payload.mlir');
    for (const { name, contraction, operands, expected } of batch) {
      const values = operands.map((each, operand) =>
        interpreted(contraction.types[operand < 2 ? 0 : 1], sizesOf(contraction, operand), each),
      );
      const [result] = unwrap(interpret(module, name, values, { registry }));
      expect([...elementsOf(result as TensorValue)].map(Number), contractionText(contraction, name)).toEqual(
        expected,
      );
    }
  });

  it.each(compilations.filter(([, , runs]) => runs))('are exact as %s', async (_, options) => {
    const compiled = unwrap(
      await compileModule(parse(textOf(batch), 'payload.mlir'), { ...options, planner }),
    );
    expect(compiled.plans.length).toBeGreaterThanOrEqual(perBatch / 2);
    for (const { name, contraction, operands, expected } of batch) {
      const data = operands.map((each, operand) => elementsAs(contraction.types[operand < 2 ? 0 : 1], each));
      const [actual] = compiled.run(name, ...data);
      expect([...(actual as Float32Array)], contractionText(contraction, name)).toEqual(expected);
    }
    compiled.dispose();
  });
});

const named = {
  matvec: ['9x10', '10', '9'],
  vecmat: ['10', '10x9', '9'],
  dot: ['20', '20', ''],
  batch_matvec: ['3x9x10', '3x10', '3x9'],
  batch_vecmat: ['3x10', '3x10x9', '3x9'],
  batch_reduce_matmul: ['3x9x10', '3x10x7', '9x7'],
  mmt4d: ['3x2x4x5', '2x2x6x5', '3x2x4x6'],
  batch_mmt4d: ['2x3x2x4x5', '2x2x2x6x5', '2x3x2x4x6'],
  conv_1d_nwc_wcf: ['2x12x3', '3x3x7', '2x10x7'],
  conv_1d_ncw_fcw: ['2x3x12', '7x3x3', '2x7x10'],
} as const;

describe.each(Object.entries(named))('linalg.%s', (name, shapes) => {
  const [a, b, c] = shapes.map((shape) => `tensor<${shape === '' ? '' : `${shape}x`}f32>`);
  const payload = parse(
    `func.func @f(%a: ${a!}, %b: ${b!}, %c: ${c!}) -> ${c!} {
  %0 = linalg.${name} ins(%a, %b : ${a!}, ${b!}) outs(%c : ${c!}) -> ${c!}
  return %0 : ${c!}
}`,
    'payload.mlir',
  );
  const script = parse(
    sequence(
      `%op = transform.structured.match ops{["linalg.${name}"]} in %root : (!transform.any_op) -> !transform.any_op
    %kernels, %loops = transform.structured.sconv %op {mk_info = [4, 3], arch_info = [512, 1024, 4096, 64], edges = "small"}
      : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`,
    ),
    'schedule.mlir',
  );
  const data = shapes.map((shape, i) =>
    integerData(
      shape.split('x').reduce((size, each) => size * Number(each === '' ? 1 : each), 1),
      i + 1,
    ),
  );

  it('is sliced by a schedule', () => {
    const values = data.map((each, i) =>
      tensor(shapes[i]!.split('x').filter(Boolean).map(Number), each.slice()),
    );
    const [expected] = unwrap(interpret(payload, 'f', values, { registry }));
    const compiled = unwrap(compileModuleSync(payload, { schedule: script }));
    expect(compiled.plans).toHaveLength(1);
    expect(compiled.run('f', ...data.map((each) => each.slice()))[0]).toEqual(
      elementsOf(expected as TensorValue),
    );
  });
});

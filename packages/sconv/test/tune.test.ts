import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integerData } from '@sconv/interpreter';
import { contractionOf, planForTarget, planWithTiling } from '@sconv/csa';
import { success, unwrap } from '@sconv/diagnostics';
import { planProblems } from '@sconv/plans';
import { wasm, wasmRelaxed } from '@sconv/targets';
import type { TuningRecord } from '@sconv/tuning';
import { printRecord, readRecords } from '@sconv/tuning';
import { wasmBackend } from '@sconv/wasm';
import { afterAll, describe, expect, it } from 'vitest';
import {
  compileConvolution,
  compileModuleSync,
  convolution,
  convolutionPayload,
  parseModule,
  parseShape,
  specOfShape,
} from '../src/index.ts';
import { defaultRegistry } from '../src/default-registry.ts';
import type { TunedPlans } from '../src/node.ts';
import { readTuned, tune } from '../src/node.ts';
import { packageFile } from '../src/package-file.ts';
import { generatorHash } from '../src/tune/fingerprint.ts';
import { candidatesBy, strategyNames } from '../src/tune/strategies.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, payload as payloadText } from './support/capture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tune-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const shape = parseShape('1x4x8x8,8x4x3x3');
const payload = convolutionPayload({ ...specOfShape(shape), accumulate: false });

/** A plan that the analysis does not choose. */
const { microkernel } = planForTarget(shape, wasm);
const tiling = { schedule: 'ws', nc: 2, k2: 1, k3: 1 } as const;
const other = planWithTiling(shape, microkernel, tiling, 'composed').tree;

const tunedTo = (plan: ReturnType<TunedPlans['planOf']>, target = 'wasm'): TunedPlans => ({
  kind: 'tuned-plans',
  target,
  planOf: () => plan,
});

describe('tuned plans', () => {
  it('take the place of the planner, and compute the same', () => {
    const compiled = unwrap(compileModuleSync(payload, { tuned: tunedTo(success(other)) }));
    expect(compiled.plans.map(({ plan }) => plan.tree)).toEqual([other]);
    const spec = { ...specOfShape(shape), elementType: 'f32' as const };
    const [input, filters] = [integerData(4 * 64, 1), integerData(8 * 36, 2)].map((values) =>
      Float32Array.from(values),
    );
    const tuned = compileConvolution({ ...spec, tuned: tunedTo(success(other)) });
    expect(tuned.plan).toBeUndefined();
    expect(tuned.run(input!, filters!)).toEqual(compileConvolution(spec).run(input!, filters!));
  });

  it.each([
    ['of another target', tunedTo(success(other), wasmRelaxed.name), 'sconv/tuned-target'],
    [
      'for other extents',
      tunedTo(success(planForTarget(convolution({ ...shape, filters: 9 }), wasm).tree)),
      'sconv/tuned-plan',
    ],
    ['there are none', tunedTo(success(undefined)), undefined],
  ])('are not used, with a warning: %s', (_, tuned, code) => {
    const compiled = compileModuleSync(payload, { tuned });
    expect(compiled.diagnostics.map((each) => each.code)).toEqual(code === undefined ? [] : [code]);
    expect(unwrap(compiled).plans[0]?.plan.tree).not.toEqual(other);
  });

  it.each([
    [{ tuned: {} }, "'tuned' is what readTuned or tune of sconv/node gives, not an object"],
    [
      { tuned: tunedTo(success(other)), schedule: payload },
      "'tuned' is for the schedule that a target asks for",
    ],
  ])('are checked as an option: %#', (options, message) => {
    const [problem] = compileModuleSync(payload, options as never).diagnostics;
    expect(problem).toMatchObject({
      code: 'sconv/option',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('candidates', () => {
  const problem = contractionOf(parseShape('1x2x5x6,8x2x2x3'));

  it.each(strategyNames)('of %s are new plans of the contraction, the same for a seed', (strategy) => {
    const propose = candidatesBy(strategy, problem, wasm, wasm, 7);
    const first = propose([], 6);
    const scored = first.map((candidate, i) => ({ candidate, ratio: 1 + i }));
    const all = [...first, ...propose(scored, 6)];
    expect(all).toHaveLength(12);
    expect(new Set(all.map(({ name }) => name)).size).toBe(12);
    for (const { plan } of all) expect(planProblems(plan!, { contraction: problem })).toEqual([]);
    expect(candidatesBy(strategy, problem, wasm, wasm, 7)([], 6)).toEqual(first);
  });

  it('end where there are no more', () => {
    const small = contractionOf(parseShape('1x1x3x6,2x1x1x1'));
    for (const strategy of strategyNames) {
      const propose = candidatesBy(strategy, small, wasm, wasm, 1);
      const all = Array.from({ length: 100 }, () => propose([], 20)).flat();
      expect(all.length).toBeLessThan(2000);
      expect(propose([], 20)).toEqual([]);
    }
  });
});

describe('tune', () => {
  const functions = (...bodies: readonly string[]) =>
    unwrap(
      parseModule(bodies.map((body, i) => `func.func @f${i}(%a: f32) { ${body} }`).join('\n'), {
        registry: defaultRegistry,
      }),
    );

  /** The WebAssembly backend, but with the code of another function of the same name and type. */
  const emitting = (body: string): typeof wasmBackend => {
    const [input, filters, output] = ['1x4x8x8', '8x4x3x3', '1x8x6x6'].map((sizes) => `memref<${sizes}xf32>`);
    const text = `func.func @convolve(%a: ${input}, %b: ${filters}, %c: ${output}) -> ${output} {
      ${body}
      return %c : ${output}
    }`;
    const other = unwrap(parseModule(text, { registry: defaultRegistry }));
    return { ...wasmBackend, emit: (_, options) => wasmBackend.emit(other, options) };
  };

  it.each([
    ['computes something else', '', 'tune/wrong'],
    [
      'traps',
      `%i = arith.constant 0 : index
      %j = arith.floordivsi %i, %i : index
      %x = memref.load %c[%j, %i, %i, %i] : memref<1x8x6x6xf32>
      memref.store %x, %c[%i, %i, %i, %i] : memref<1x8x6x6xf32>`,
      'tuning/untuned',
    ],
  ])('refuses a backend whose code %s', async (_, body, code) => {
    const backends = [emitting(body)];
    expect((await tune(payload, { backends })).diagnostics).toMatchObject([{ code }]);
  });

  it.each([
    ['no convolution', functions('return'), {}, 'tune/nothing'],
    ['no function', functions(), {}, 'tune/function'],
    ['several functions', functions('return', 'return'), {}, 'tune/function'],
    ['a function that is not there', functions('return'), { functionName: 'g' }, 'tune/function'],
  ])('refuses a payload with %s', async (_, module, options, code) => {
    expect((await tune(module, options)).diagnostics).toMatchObject([{ code }]);
  });
});

describe('sconv tune', () => {
  const words = ['tune', '1x4x8x8,8x4x3x3', '--budget', '1s'];

  it('reports, writes records and draws', async () => {
    const [records, picture] = [join(folder, 'b.jsonl'), join(folder, 'b.svg')];
    const { code, out, err } = await capture(main, ...words, '-o', records, '--svg', picture);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^target wasm, protocol 1 cold wall arguments, /);
    expect(out).toMatch(/1x4x8x8,8x4x3x3: \d+ candidates? in \d+ s: .*measured/);
    expect(out).toMatch(/^ {2}untuned +\d+\.\d +1\.000 +\d\.\d\d$/m);
    expect(readFileSync(picture, 'utf8')).toContain('against predicted cycles');
    // As if another plan had been much faster.
    const [first] = unwrap(readRecords([records])).values();
    const measurements = ['ratio', 'won'].map((name, value) => ({ name, value, unit: '' }));
    const planted = {
      ...first!,
      stage: 'final',
      configuration: { name: 'other', plan: other },
      measurements,
    };
    const file = join(folder, 'planted.jsonl');
    writeFileSync(file, printRecord(planted as TuningRecord));
    const tuned = unwrap(await readTuned(file));
    const compiled = unwrap(compileModuleSync(payload, { tuned }));
    expect(compiled.plans[0]?.plan.tree).toEqual(other);
    const run = await capture(main, 'run', join(folder, 'none.mlir'), '--tuned', join(folder, 'none.jsonl'));
    expect(run.err).toContain('tuning/cannot-read');
    const tunedBy = fileWith('{"a":1}', 'cut.jsonl');
    const cut = await capture(main, 'run', fileWith(payloadText()), '--tuned', tunedBy);
    expect(cut).toMatchObject({ code: 0, err: expect.stringContaining('[tuning/cut-line]') as string });
  });

  it.each([
    [[], 'nothing to tune'],
    [['1x2'], "'1x2'"],
    [['--set', 'figure'], "no set of shapes 'figure'"],
    [['1x4x8x8,8x4x3x3', '--resume'], '--resume goes with --output only'],
    [['1x4x8x8,8x4x3x3', '--budget', '0s'], 'a number of candidates, or of seconds as in 60s'],
  ])('refuses %j', async (given, message) => {
    const { code, err } = await capture(main, 'tune', ...given);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

it('the code generator is hashed by itself: what else is in the program does not make records old', () => {
  const program = readFileSync(packageFile('bin/commands.js'));
  const ofProgram = createHash('sha256').update(program).digest('hex').slice(0, 16);
  expect(generatorHash()).toMatch(/^[0-9a-f]{16}$/);
  expect(generatorHash()).not.toBe(ofProgram);
});

import type { Backend } from '@sconv/backend';
import { avx2, target, wasm } from '@sconv/targets';
import { nativeBackend } from '@sconv/native';
import type { WasmModule } from '@sconv/wasm';
import { wasmBackend } from '@sconv/wasm';
import { describe, expect, it } from 'vitest';
import type { KernelChoice } from '@sconv/csa';
import { csaPlanner } from '@sconv/csa';
import { success } from '@sconv/diagnostics';
import type { Plan, Planner } from '@sconv/plans';
import { printPlan } from '@sconv/plans';
import type { Registry } from '@sconv/ir';
import { edit, symbolNameOf } from '@sconv/ir';
import { planAttribute } from '@sconv/slicing';
import { emitPayload } from '../src/compile-module.ts';
import {
  children,
  compileModule,
  compileModuleSync,
  createRegistry,
  defaultRegistry,
  generalize,
  integerData,
  match,
  parseModule,
  payloadDialects,
  referenceConvolution,
  schedule,
  unwrap,
  walk,
} from '../src/index.ts';
import type { CompileOptions, CompileStep, Module, PlannedConvolution } from '../src/index.ts';
import { schedulePayload } from '../src/schedule-payload.ts';
import { payload as conv, slicing } from './support/capture.ts';

const parse = (text: string) => unwrap(parseModule(text, { registry: defaultRegistry, fileName: 'in.mlir' }));
const payload = parse(conv());

/** A convolution that no target slices. */
const line = `func.func @f(%a: tensor<1x2x9x9x9xf32>, %f: tensor<4x2x3x3x3xf32>, %b: tensor<1x4x7x7x7xf32>, %c: f32)
    -> tensor<1x4x7x7x7xf32> {
  %called = call @called(%c) : (f32) -> f32
  %0 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : vector<3xi64>, strides = dense<1> : vector<3xi64>}
    ins(%a, %f : tensor<1x2x9x9x9xf32>, tensor<4x2x3x3x3xf32>) outs(%b : tensor<1x4x7x7x7xf32>) -> tensor<1x4x7x7x7xf32>
  return %0 : tensor<1x4x7x7x7xf32>
}`;

const [input, filters, initial] = [3 * 81, 5 * 27, 5 * 49].map((length, i) => integerData(length, i)) as [
  Float32Array,
  Float32Array,
  Float32Array,
];
const expected = referenceConvolution(
  {
    batch: 1,
    inputChannels: 3,
    inputHeight: 9,
    inputWidth: 9,
    filters: 5,
    filterHeight: 3,
    filterWidth: 3,
    strides: { h: 1, w: 1 },
    dilations: { h: 1, w: 1 },
  },
  input,
  filters,
  initial,
);

const generalized = schedule(({ root }) => {
  generalize({ target: match({ target: root }, { ops: ['linalg.conv_2d_nchw_fchw'] }).results });
  return undefined;
});

const single = { batch: 1, group: 1, channels: 1, windows: 1, filters: 1 };

const isSliced = ({ root }: Module): boolean =>
  [...walk(root)].some(({ attributes }) => 'microkernel' in attributes);

/** The codes of a failure, or of the warnings of a success. */
const codesOf = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map(({ code }) => code);

describe('a compiled module', () => {
  it.each<[string, CompileOptions, { readonly plans: number; readonly sliced: boolean }]>([
    ['by the schedule of its target', {}, { plans: 1, sliced: true }],
    ['with one operand stationary', { schedule: 'ws', edges: 'small' }, { plans: 1, sliced: true }],
    ['by a cost model', { costModel: 'traffic' }, { plans: 1, sliced: true }],
    ['by a script', { schedule: parse(slicing()) }, { plans: 1, sliced: true }],
    ['by a recorded schedule', { schedule: generalized }, { plans: 0, sliced: false }],
    ['by a schedule of nothing', { schedule: schedule(() => undefined) }, { plans: 0, sliced: false }],
  ])('computes, scheduled %s', async (_, options, { plans, sliced }) => {
    const compiled = unwrap(await compileModule(payload, options));
    expect(compiled.run('conv', input, filters, initial.slice())).toEqual([expected]);
    expect(compiled.plans).toHaveLength(plans);
    expect(isSliced(compiled.stages.scheduled)).toBe(sliced);
    expect(compiled.stages.payload).toBe(payload);
    const types = [...walk(compiled.stages.bufferized.root)].flatMap(({ operands }) =>
      operands.map(({ type }) => type.kind),
    );
    expect(types).not.toContain('tensor');
  });

  it('is planned as it is asked for', () => {
    for (const dataflow of ['is', 'ws'] as const) {
      const { plans } = unwrap(compileModuleSync(payload, { schedule: dataflow, costModel: 'traffic' }));
      expect(plans[0]?.plan).toMatchObject({ schedule: dataflow });
    }
  });

  it('can be loaded again', async () => {
    const { backend, emitted } = unwrap(compileModuleSync(payload));
    expect(backend.name).toBe('wasm');
    const again = unwrap(await backend.load(emitted));
    expect(again.run('conv', input, filters, initial.slice())).toEqual([expected]);
  });

  it('needs no convolution', () => {
    const text = 'func.func @f(%x: f32) -> f32 { return %x : f32 }';
    expect(unwrap(compileModuleSync(parse(text))).run('f', 2)).toEqual([2]);
  });

  it.each([compileModule, compileModuleSync])('says what is done next', async (compile) => {
    const steps: unknown[] = [];
    const { stages } = unwrap(await compile(payload, { onStep: (...step) => steps.push(step) }));
    expect(steps).toEqual([
      ['schedule', payload],
      ['bufferize', stages.scheduled],
      ['emit', stages.bufferized],
      ['load', stages.bufferized],
    ]);
  });

  it.each([
    { names: ['f'], left: ['called', 'f'], warned: ['sconv/unscheduled'] },
    { names: ['conv'], left: ['conv'], warned: [] },
    { names: ['conv', 'called'], left: ['called', 'conv'], warned: [] },
    { names: undefined, left: ['called', 'conv', 'f'], warned: ['sconv/unscheduled'] },
  ])('compiles the functions that are asked for, and those that they call: $names', (example) => {
    const { names, left, warned } = example;
    const many = parse(`${conv()}${line}
      func.func @called(%a: f32) -> f32 { return %a : f32 }`);
    const emitted = emitPayload(many, {
      target: avx2,
      backends: [nativeBackend],
      ...(names === undefined ? {} : { functions: names }),
    });
    const { stages, plans } = unwrap(emitted);
    expect(children(stages.scheduled.root).map(symbolNameOf).toSorted()).toEqual(left);
    expect(plans).toHaveLength(left.includes('conv') ? 1 : 0);
    expect(codesOf(emitted).filter((code) => code === 'sconv/unscheduled')).toEqual(warned);
  });

  it.each([
    [
      'a pooling',
      'linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ' +
        'ins(%a, %w : tensor<1x4x6x6xf32>, tensor<3x3xf32>) outs(%b : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>',
      'linalg.pooling_nchw_max',
    ],
    ['a fill', 'linalg.fill ins(%c : f32) outs(%b : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>', undefined],
  ])('warns of an elementwise op that is not fused with %s', (_, op, name) => {
    const text = `func.func @f(%a: tensor<1x4x6x6xf32>, %w: tensor<3x3xf32>, %b: tensor<1x4x4x4xf32>, %c: f32)
    -> tensor<1x4x4x4xf32> {
      %0 = ${op}
      %1 = linalg.exp ins(%0 : tensor<1x4x4x4xf32>) outs(%b : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
      return %1 : tensor<1x4x4x4xf32>
    }`;
    const { diagnostics } = schedulePayload(parse(text), { target: wasm }, { registry: defaultRegistry });
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual(
      name === undefined
        ? []
        : [
            'sconv/unfused: this op is not fused: only sliced convolutions take what follows them, and ' +
              `'${name}' is none`,
          ],
    );
  });

  it('warns of an elementwise op that is not fused because what it is applied to has another user', () => {
    const image = 'tensor<1x8x6x6xf32>';
    const text = `func.func @f(%a: tensor<1x4x8x8xf32>, %f: tensor<8x4x3x3xf32>, %b: ${image}, %d: ${image})
    -> (${image}, ${image}) {
      %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
        ins(%a, %f : tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) outs(%b : ${image}) -> ${image}
      %1 = linalg.add ins(%0, %0 : ${image}, ${image}) outs(%d : ${image}) -> ${image}
      return %0, %1 : ${image}, ${image}
    }`;
    const compiled = compileModuleSync(parse(text));
    expect(compiled.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'warning', code: 'fuse-epilogue/users' }),
    );
    const [a, f, b] = [integerData(256, 1), integerData(288, 2), integerData(288, 3)];
    const [whole, twice] = unwrap(compiled).run('f', a, f, b, new Float32Array(288)) as [
      Float32Array,
      Float32Array,
    ];
    expect(twice).toEqual(whole.map((x) => 2 * x));
  });

  it.each<readonly [unknown, string]>([
    [['g'], "'functions': no function 'g'; there are conv"],
    [[3], "'functions': no name 3"],
    ['conv', "'functions': expected an array of names, not 'conv'"],
  ])('refuses functions that there are not: %j', (functions, message) => {
    const compiled = compileModuleSync(payload, { functions } as CompileOptions);
    expect(compiled).toMatchObject({ status: 'definite', diagnostics: [{ code: 'sconv/option' }] });
    expect(compiled.diagnostics[0]!.message).toContain(message);
  });

  it('takes all of its options', async () => {
    const said: string[] = [];
    const options: Omit<Required<CompileOptions>, 'planner'> = {
      target: wasm,
      schedule: 'is',
      costModel: 'sc',
      edges: 'small',
      layouts: 'as-given',
      tuned: { kind: 'tuned-plans', target: 'wasm', planOf: () => success(undefined) },
      functions: ['conv'],
      backends: [wasmBackend],
      registry: defaultRegistry,
      threads: 1,
      workers: () => {
        throw new Error('one thread takes no workers');
      },
      signal: { aborted: false },
      heapBytes: 65_536,
      sharesMemory: false,
      onStep: (step) => said.push(step),
    };
    for (const compiled of [await compileModule(payload, options), compileModuleSync(payload, options)]) {
      expect(unwrap(compiled).plans).toMatchObject([{ plan: { schedule: 'is', edgeKind: 'small' } }]);
    }
    expect(said).toHaveLength(8);
  });

  it('computes by the plan of another planner', async () => {
    const asked: string[] = [];
    /** One tile after the other, of all filters. */
    const planner: Planner<KernelChoice> = ({ dimensions }, { microkernel }) => {
      const extent = (name: string) => dimensions.find((each) => each.name === name)!.extent;
      const [batch, channels, filters] = [extent('batch'), extent('channels'), extent('filters')];
      const windows = extent('rows') * extent('columns');
      asked.push(`${windows} windows for ${microkernel.windows}`);
      const ofWidth = (width: number, count: number): Plan => ({
        kind: 'loop',
        dimension: 'windows',
        step: width,
        count,
        body: {
          kind: 'pack',
          operand: 'input',
          tiles: 1,
          body: {
            kind: 'loop',
            dimension: 'filters',
            step: filters,
            count: 1,
            body: {
              kind: 'pack',
              operand: 'filters',
              tiles: 1,
              body: {
                kind: 'kernel',
                lanes: 'windows',
                extents: { batch: 1, group: 1, channels, windows: width, filters },
              },
            },
          },
        },
      });
      const width = Math.min(4, windows);
      const rest = windows % width;
      const parts = [
        { size: windows - rest, body: ofWidth(width, Math.floor(windows / width)) },
        ...(rest === 0 ? [] : [{ size: rest, body: ofWidth(rest, 1) }]),
      ];
      const body: Plan = { kind: 'split', dimension: 'windows', parts };
      return success({ tree: { kind: 'loop', dimension: 'batch', step: 1, count: batch, body } });
    };
    const compiled = unwrap(await compileModule(payload, { planner }));
    expect(printPlan(compiled.plans[0]!.plan.tree)).toMatch(/^loop batch/);
    expect(asked).toHaveLength(1);
    expect(compiled.run('conv', input, filters, initial.slice())).toEqual([expected]);
  });

  it('computes by the plan that a convolution carries', () => {
    const [{ plan }] = unwrap(compileModuleSync(payload, { schedule: 'ws', edges: 'composed' })).plans as [
      PlannedConvolution,
    ];
    const { module } = edit(payload, { registry: defaultRegistry }, (rewriter) => {
      const found = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.conv_2d_nchw_fchw');
      rewriter.setAttribute(found!, 'sconv.plan', planAttribute(plan.tree));
    });
    const compiled = unwrap(compileModuleSync(module, { threads: 1 }));
    expect(printPlan(compiled.plans[0]!.plan.tree)).toBe(printPlan(plan.tree));
    expect(compiled.run('conv', input, filters, initial.slice())).toEqual([expected]);
    const other = edit(payload, { registry: defaultRegistry }, (rewriter) => {
      const found = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.conv_2d_nchw_fchw');
      rewriter.setAttribute(found!, 'sconv.plan', planAttribute({ kind: 'scalar', extents: single }));
    });
    expect(codesOf(compileModuleSync(other.module))).toEqual(['sconv/plan-shape']);
  });

  it.each<readonly [string, CompileOptions, string, string]>([
    [
      'a plan for something else',
      { planner: () => success({ tree: { kind: 'scalar', extents: single } }) },
      'sconv/plan',
      'plan: this scalar covers 1 of',
    ],
    ['no function', { planner: 'csa' as never }, 'sconv/option', "'planner': expected a function"],
    [
      'a function that gives nothing',
      { planner: () => undefined as never },
      'sconv/plan',
      'expected success({ tree }) or a failure from the planner, not undefined',
    ],
    [
      'a promise',
      { planner: (() => Promise.resolve(success({}))) as never },
      'sconv/plan',
      'planners are synchronous',
    ],
    [
      'a success without a plan',
      { planner: () => success(undefined as never) },
      'sconv/plan',
      'expected { tree } from the planner, not undefined',
    ],
    [
      'options of the analysis besides',
      { planner: csaPlanner(), edges: 'small' },
      'sconv/option',
      "'edges' is for Convolution Slicing Analysis",
    ],
  ])('refuses, as a planner, %s', (_, options, code, message) => {
    const { status, diagnostics } = compileModuleSync(payload, options);
    expect([status, diagnostics[0]?.code]).toEqual(['definite', code]);
    expect(diagnostics[0]?.message).toContain(message);
  });

  it('is loaded with the options of the load', async () => {
    for (const result of [
      await compileModule(payload, { threads: 2, heapBytes: 0 }),
      compileModuleSync(payload, { threads: 2, heapBytes: 0 }),
    ]) {
      expect(codesOf(result)).toEqual(['wasm/single-thread']);
      const compiled = unwrap(result);
      expect(() => compiled.allocate('f32', 65_536)).toThrow('no room');
    }
  });
});

describe('a module that is not compiled', () => {
  const asynchronous: Backend = {
    name: 'later',
    serves: () => true,
    emit: (module, options) => wasmBackend.emit(module, options),
    load: (emitted, options) => wasmBackend.load(emitted as WasmModule, options),
  };

  it.each<[string, CompileOptions, string]>([
    ['for a target that nobody serves', { target: avx2 }, 'backend/no-backend'],
    ['without backends', { backends: [] }, 'backend/no-backend'],
    ['by an op that the registry does not know', { registry: createRegistry(payloadDialects) }, ''],
    ['with no room', { heapBytes: 2 ** 33 }, 'wasm/memory'],
    ['with an option that there is not', { targets: [wasm] } as object, 'sconv/unknown-option'],
    ['for the name of a target', { target: 'wasm' } as object, 'sconv/option'],
    ['with edges beside a schedule', { schedule: generalized, edges: 'small' }, 'sconv/option'],
    [
      'with a cost model beside a schedule',
      { schedule: parse('module {}'), costModel: 'sc' },
      'sconv/option',
    ],
    ['with nothing for backends', { backends: null as unknown as [] }, 'sconv/option'],
    ['with a step that is no function', { onStep: 0 as unknown as () => void }, 'sconv/option'],
    ['with a registry that is none', { registry: {} as unknown as Registry }, 'sconv/option'],
    ['with options that are none', 7 as unknown as object, 'sconv/option'],
    ['with null for options', null as unknown as object, 'sconv/option'],
  ])('%s', async (_name, options, code) => {
    const results = [await compileModule(payload, options), compileModuleSync(payload, options)];
    for (const result of results) {
      expect(result.status).not.toBe('success');
      if (code !== '') expect(codesOf(result)).toContain(code);
    }
  });

  it.each<[string, unknown, string]>([
    ['a text', 'module {}', "not 'module {}'; parseModule() makes one of a text"],
    [
      'a result',
      { status: 'success', value: payload },
      'not an object; unwrap() takes the module out of a result',
    ],
    ['nothing', undefined, 'not undefined'],
    ['another object', { root: {} }, 'not an object'],
  ])('of %s for a module', async (_, given, message) => {
    const results = [await compileModule(given as Module), compileModuleSync(given as Module)];
    for (const { status, diagnostics } of results) {
      expect(status).toBe('definite');
      expect(diagnostics).toMatchObject([
        { code: 'sconv/option', message: `expected a module as payload, ${message}` },
      ]);
    }
  });

  it.each<[CompileStep, string]>([
    ['schedule', 'sconv/aborted'],
    ['bufferize', 'sconv/aborted'],
    ['emit', 'sconv/aborted'],
    ['load', 'wasm/aborted'],
  ])('stopped before the step %s', async (last, code) => {
    for (const compile of [compileModule, compileModuleSync]) {
      const signal = { aborted: false };
      const steps: CompileStep[] = [];
      const onStep = (step: CompileStep) => {
        steps.push(step);
        signal.aborted = step === last;
      };
      const result = await compile(payload, { signal, onStep });
      expect(result).toMatchObject({ status: 'definite', diagnostics: [{ code }] });
      expect(steps.at(-1)).toBe(last);
    }
  });

  it('stopped while its schedule runs', () => {
    let asked: number | undefined;
    const signal = {
      get aborted() {
        if (asked === undefined) return false;
        asked += 1;
        // The first time, right before the schedule.
        return asked > 1;
      },
    };
    const onStep = () => {
      asked ??= 0;
    };
    expect(codesOf(compileModuleSync(payload, { signal, onStep }))).toContain('transform/aborted');
  });

  it('at once by a backend that cannot', async () => {
    const options = { backends: [asynchronous], target: target('wasm') };
    expect(compileModuleSync(payload, options)).toMatchObject({
      status: 'definite',
      diagnostics: [
        {
          code: 'sconv/no-sync-load',
          message: "backend 'later' loads only asynchronously, with compileModule or compileConvolutionAsync",
        },
      ],
    });
    expect((await compileModule(payload, options)).status).toBe('success');
  });

  it('is blamed at the payload where nobody wrote its schedule', () => {
    const dynamic = parse(conv('1x3x?x9', '5x3x3x3', '1x5x?x7'));
    const result = compileModuleSync(dynamic);
    expect(result.status).not.toBe('success');
    for (const { location, notes } of result.diagnostics) {
      for (const place of [location, ...notes.map((note) => note.location)]) {
        expect(place).toMatchObject({ file: 'in.mlir' });
      }
    }
  });

  it('keeps the warnings of the steps before', () => {
    const few = parse(conv('1x3x4x4', '4x3x3x3', '1x4x2x2'));
    const scheduled = compileModuleSync(few, { edges: 'scalar' });
    const failed = compileModuleSync(few, { edges: 'scalar', heapBytes: 2 ** 33 });
    expect(codesOf(failed)).toEqual([...codesOf(scheduled), 'wasm/memory']);
  });
});

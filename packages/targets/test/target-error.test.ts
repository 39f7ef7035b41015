/** What functions refuse at their entry. */
import { describe, expect, it } from 'vitest';
import * as targets from '../src/index.ts';

const { wasm } = targets;
const { machine, microkernel } = wasm;
const speeds = { stepCycles: [[1]], passCycles: { each: 0, always: 0 } };
const record = 'targets/not-a-record';
const list = 'targets/not-a-list';

type Row = [name: keyof typeof targets, code: string, field: string, ...args: unknown[]];

describe('an untyped caller', () => {
  it.each<Row>([
    ['define', record, 'kind', null],
    ['derive', record, 'kind', undefined, () => undefined],
    ['derive', 'targets/not-a-function', 'recipe', wasm, { name: 'x' }],
    ['microkernels', record, 'target', 'wasm'],
    ['microkernels', list, 'target.otherMicrokernels', machine],
    ['lineBytes', record, 'machine', null],
    ['lineBytes', record, 'machine.cache', microkernel],
    ['machineFromFigures', record, 'figures', 7],
    ['machineFromFigures', list, 'figures.cacheBytes', { latencyCycles: [] }],
    ['machineFromFigures', list, 'figures.latencyCycles', { cacheBytes: [] }],
    ['microkernelShape', record, 'microkernel', undefined],
    ['registerUse', record, 'microkernel', null, machine],
    ['registerUse', record, 'machine', microkernel],
    ['registerUse', record, 'machine.vector', microkernel, { ...machine, vector: null }],
    ['openblasKernel', record, 'tile', 'HASWELL'],
    ['divideTile', record, 'speeds', undefined, microkernel, { lanes: 4 }],
    ['divideTile', list, 'speeds.stepCycles', {}, microkernel, { lanes: 4 }],
    ['divideTile', record, 'tile', speeds, 16, { lanes: 4 }],
    ['divideTile', record, 'options', speeds, microkernel],
    ['tileUnit', record, 'target.machine', { machine: 1 }],
    ['divideForMatrix', record, 'unit', null, microkernel],
    ['modelledSpeeds', record, 'unit', 4],
    ['tileCycles', record, 'speeds.passCycles', { stepCycles: [] }, microkernel, 1],
  ])('of %s gets %s for %s', (name, code, field, ...args) => {
    const call = () => (targets[name] as (...given: readonly unknown[]) => unknown)(...args);
    expect(call).toThrow(expect.objectContaining({ name: 'TargetError', code, field }));
  });

  it.each<[unknown, string, string]>([
    [null, record, 'kind'],
    [{ ...machine, cache: { l1: null } }, record, 'cache.l1'],
    [{ ...machine, vector: 128 }, record, 'vector'],
    [{ ...machine, memoryLatency: '300' }, 'targets/not-positive', 'memoryLatency'],
    [{ ...machine, memoryLatency: Symbol('300') }, 'targets/not-positive', 'memoryLatency'],
    [{ ...microkernel, registerTile: '8x4' }, record, 'registerTile'],
    [{ ...wasm, otherMicrokernels: undefined }, list, 'otherMicrokernels'],
    [{ ...wasm, otherMicrokernels: new Array(1) }, record, 'otherMicrokernels[0]'],
    [{ ...wasm, speeds: null }, record, 'speeds'],
  ])('is told what is wrong with a record', (value, code, field) => {
    expect(() => targets.check(value as targets.Target)).toThrow(expect.objectContaining({ code, field }));
  });

  it.each([
    [targets.machineProblems, 'machine'],
    [targets.microkernelProblems, 'microkernel'],
    [targets.targetProblems, 'target'],
  ])('gets problems as values', (problems, field) => {
    expect(problems(null as never)).toMatchObject([{ code: record, field }]);
  });

  it.each([
    ['openblasPanels', [1n]],
    ['openblasProcessor', [undefined]],
    ['panelWidth', [8, 4n]],
    ['findTarget', [Symbol('wasm')]],
  ] as const)('finds nothing: %s', (name, args) => {
    expect((targets[name] as (...given: readonly unknown[]) => unknown)(...args)).toBeUndefined();
  });

  it('asks whether anything is an element type', () => {
    expect(targets.isElementType(Object.create(null) as string)).toBe(false);
  });
});

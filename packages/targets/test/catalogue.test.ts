import { describe, expect, it } from 'vitest';
import {
  derive,
  findTarget,
  isElementType,
  microkernels,
  microkernelShape,
  target,
  targetProblems,
  targets,
  wasm,
} from '../src/index.ts';

describe('the shipped targets', () => {
  it.each(targets.map((shipped) => [shipped.name, shipped] as const))(
    '%s is possible and frozen',
    (name, shipped) => {
      expect(target(name)).toBe(shipped);
      expect(findTarget(name)).toBe(shipped);
      expect(targetProblems(shipped)).toEqual([]);
      expect(Object.isFrozen(shipped.machine.cache)).toBe(true);
      for (const kernel of microkernels(shipped)) expect(Object.isFrozen(kernel.panels)).toBe(true);
    },
  );

  it('have distinct names, and no other name is found', () => {
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length);
    expect(findTarget('vax')).toBeUndefined();
  });

  it.each([
    ['avx22', /^name: no target 'avx22'; there are wasm, .*, default; did you mean 'avx2'\?$/],
    ['vax', /, default$/],
  ])('do not include %s', (name, message) => {
    const call = () => target(name);
    expect(call).toThrow(expect.objectContaining({ code: 'targets/unknown-target', field: 'name' }));
    expect(call).toThrow(message);
  });
});

it.each([
  [7, /^name: expected the name of a target \(wasm, .*, default\), not 7$/],
  [undefined, /not undefined$/],
])('targets are known by names, not by %s', (name, message) => {
  const call = () => target(name as unknown as string);
  expect(call).toThrow(expect.objectContaining({ code: 'targets/unknown-target', field: 'name' }));
  expect(call).toThrow(message);
});

it('microkernels are written as windows by filters', () => {
  expect(microkernelShape({ windows: 16, filters: 8 })).toBe('16x8');
});

it.each([
  ['f32', true],
  ['i8', true],
  ['f128', false],
  ['toString', false],
])('%s is an element type: %s', (text, expected) => {
  expect(isElementType(text)).toBe(expected);
});

describe('derive', () => {
  it('changes a copy and keeps the rest', () => {
    const smaller = derive(wasm, (draft) => {
      draft.machine.cache = {
        ...draft.machine.cache,
        l2: { bytes: 262_144, lineBytes: 64, latency: 12, sharing: 'core' },
      };
    });
    expect(smaller.machine.cache.l2?.bytes).toBe(262_144);
    expect(wasm.machine.cache.l2?.bytes).toBe(524_288);
    expect(smaller.microkernel).toBe(wasm.microkernel);
    expect(Object.isFrozen(smaller.machine.cache)).toBe(true);
  });
});

/** The numbers and keywords of a record, without texts for people. */
const figures = (record: object): string =>
  Object.entries(record)
    .filter(
      ([name]) =>
        !['kind', 'title', 'source', 'sources', 'machine', 'microkernel', 'otherMicrokernels'].includes(name),
    )
    .map(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null ? `${name}(${figures(value)})` : `${name}=${String(value)}`,
    )
    .join(' ');

describe('the figures of the shipped targets', () => {
  // Repeated here so that none changes unnoticed; each machine's `sources` cites them.
  it.each(targets.map((each) => [each.name, each] as const))('of the machine of %s', (_, { machine }) => {
    expect(figures(machine)).toMatchSnapshot();
  });
  it.each(targets.map((each) => [each.name, each] as const))('of the microkernels of %s', (_, shipped) => {
    expect(microkernels(shipped).map(figures)).toMatchSnapshot();
  });
  it('of the speeds of those that were measured, and of no other', () => {
    const measured = targets.filter(({ speeds }) => speeds !== undefined);
    expect(measured.map(({ name }) => name)).toEqual(['wasm', 'wasm-relaxed', 'avx2', 'zen4', 'alder-lake']);
    for (const { speeds } of measured) expect(figures(speeds!)).toMatchSnapshot();
  });
  it('of the kernels that were measured, the percents of each grid added up', () => {
    for (const { name, kernels } of targets) {
      if (kernels === undefined) continue;
      const sums = kernels.grids.map(({ shares }) =>
        Math.round(100 * shares.flat().reduce((sum, each) => sum + each, 0)),
      );
      expect({ name, lanes: kernels.lanes, sums: sums.join(' ') }).toMatchSnapshot();
    }
  });
});

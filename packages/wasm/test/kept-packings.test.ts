import type { Artifact, BoundFunction } from '@sconv/backend';
import { unwrap } from '@sconv/diagnostics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadModuleSync } from '../src/load.ts';
import { emitted } from './emit.ts';
import { inexact } from './inexact.ts';
import { arbitraryMacroKernel, macroKernelText, sizesOf } from './macro-kernel.ts';

/** Whether tests take all that they have, as in `.ci/run`, or some of it, as in `npm test`: see CONTRIBUTING.md. */
const isThorough = process.env['THOROUGH'] !== undefined;

/** Packs elements of %w, by %i, into a buffer. */
const pack = (index: string, into = '%p', type = 'memref<4xf32>'): string =>
  `linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(${into} : ${type}) {
    ^bb0(%x: f32):
      %i = linalg.index 0 : index
      %v = memref.load %w[${index}] : memref<4x2xf32>
      linalg.yield %v : f32
  }`;

const alloc = '%p = memref.alloc() : memref<4xf32>';

const row = 'memref<4xf32, strided<[1], offset: ?>>';

/** Copies the packed buffer to a row of the output. */
const copyTo = (at: string, from = '%p', to = '%r'): string =>
  `${to} = memref.subview %o[${at}, 0] [1, 4] [1, 1] : memref<2x4xf32> to ${row}
  memref.copy ${from}, ${to} : memref<4xf32> to ${row}`;

const loop = (body: string, bounds = '%c0 to %c2 step %c1', counter = '%k'): string =>
  `scf.for ${counter} = ${bounds} { ${body} }`;

type Source = 'constant' | 'argument';

const constants = `%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %nine = arith.constant 9.0 : f32`;

/** `body` in a function that nobody else calls, and a call of it, or of another one with `index` instead of `%n`. */
const called = (
  body: string,
): string => `func.func private @g(%w: memref<4x2xf32>, %o: memref<2x4xf32>, %n: index) {
    ${constants}
    ${body}
    return
  }`;
const callOf = (weights = '%w'): string =>
  `func.call @g(${weights}, %o, %n) : (memref<4x2xf32>, memref<2x4xf32>, index) -> ()`;

/** `@f` with %w as a constant of the module or as the first argument, the output %o, and a number. */
const functionText = (source: Source, body: string): string =>
  `${source === 'constant' ? 'memref.global "private" constant @weights : memref<4x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]>' : ''}
  func.func @f(${source === 'argument' ? '%w: memref<4x2xf32>, ' : ''}%o: memref<2x4xf32>, %n: index) {
    ${constants}
    ${source === 'constant' ? '%w = memref.get_global @weights : memref<4x2xf32>' : ''}
    ${body}
    return
  }`;

const weights = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);

/** Overwrites occurrences of a sequence in an artifact's memory. */
const overwrite = (artifact: Artifact, sequence: Float32Array): void => {
  const { buffer } = artifact.allocate('f32', 0);
  const memory = new Float32Array(buffer, 0, Math.floor(buffer.byteLength / 4));
  for (let at = memory.indexOf(sequence[0]!); at >= 0; at = memory.indexOf(sequence[0]!, at + 1)) {
    if (sequence.every((value, i) => memory[at + i] === value)) memory.fill(-1, at, at + sequence.length);
  }
};

/** The result of the first call, and of a second after the source was overwritten. */
const twice = (source: Source, body: string, functions = ''): readonly (readonly number[])[] => {
  const artifact = unwrap(loadModuleSync(emitted(functionText(source, body) + functions)));
  const bound = artifact.bind('f', source === 'argument' ? { 0: weights } : {});
  return [2, 2].map((n) => {
    const output = new Float32Array(8);
    bound.run(output, n);
    overwrite(artifact, weights);
    return [...output];
  });
};

/** Columns of %w. */
const columns = (...of: readonly number[]): readonly number[] =>
  of.flatMap((at) => [...weights].filter((_, i) => i % 2 === at));

/** A packing of %w, and the expected output. */
const kept: readonly (readonly [string, string, readonly number[]])[] = [
  ['alone', `${alloc} ${pack('%i, %c1')} ${copyTo('%c0')}`, [...columns(1), 0, 0, 0, 0]],
  ['for each iteration', loop(`${alloc} ${pack('%i, %k')} ${copyTo('%k')}`), columns(0, 1)],
  [
    'for each iteration into one buffer',
    `${alloc} ${loop(`${pack('%i, %k')} ${copyTo('%k')}`)}`,
    columns(0, 1),
  ],
  [
    'in a loop that it does not depend on',
    loop(`${alloc} ${pack('%i, %c1')} ${copyTo('%k')}`),
    columns(1, 1),
  ],
  [
    'in loops of which it depends on one',
    loop(loop(`${alloc} ${pack('%i, %k')} ${copyTo('%j')}`), '%c0 to %c2 step %c1', '%j'),
    columns(1, 1),
  ],
  [
    'by counters that are not the iterations',
    loop(
      `%l = affine.apply affine_map<(d0) -> ((d0 - 3) floordiv 2)>(%k) ${alloc} ${pack('%i, %l')} ${copyTo('%l')}`,
      '%c3 to %c6 step %c2',
    ),
    columns(0, 1),
  ],
  [
    'twice, as different parts',
    `${loop(`${alloc} ${pack('%i, %k')} ${copyTo('%k')}`)}
    %q = memref.alloc() : memref<4xf32>
    ${pack('%i, %c0', '%q')}
    ${copyTo('%c1', '%q', '%t')}`,
    columns(0, 0),
  ],
  [
    'by loops in another order',
    loop(
      loop(
        `%p = memref.alloc() : memref<1xf32>
        %q = memref.alloc() : memref<1xf32>
        ${pack('%j, %k', '%p', 'memref<1xf32>')}
        ${pack('%k, %j', '%q', 'memref<1xf32>')}
        %a = memref.load %p[%c0] : memref<1xf32>
        %b = memref.load %q[%c0] : memref<1xf32>
        %two = arith.addi %k, %c2 : index
        memref.store %a, %o[%j, %k] : memref<2x4xf32>
        memref.store %b, %o[%j, %two] : memref<2x4xf32>`,
      ),
      '%c0 to %c2 step %c1',
      '%j',
    ),
    [1, 2, 1, 3, 3, 4, 2, 4],
  ],
  ['in parallel', `scf.forall (%k) in (2) { ${alloc} ${pack('%i, %c1')} ${copyTo('%k')} }`, columns(1, 1)],
  [
    'in parallel in a loop',
    loop(`scf.forall (%j) in (2) { ${alloc} ${pack('%i, %k')} ${copyTo('%j')} }`),
    columns(1, 1),
  ],
  [
    'in parallel in a loop that it does not depend on',
    loop(`scf.forall (%j) in (2) { ${alloc} ${pack('%i, %c0')} ${copyTo('%j')} }`),
    columns(0, 0),
  ],
  [
    'in parallel by what is computed in a loop around',
    loop(`%l = arith.subi %c1, %k : index
      scf.forall (%j) in (2) { ${alloc} ${pack('%i, %l')} ${copyTo('%j')} }`),
    columns(0, 0),
  ],
  [
    'in a loop of what is parallel',
    `scf.forall (%j) in (2) { ${loop(`${alloc} ${pack('%i, %k')} ${copyTo('%k')}`)} }`,
    columns(0, 1),
  ],
  [
    'for each of the iterations that are parallel',
    `scf.forall (%k) in (2) { ${alloc} ${pack('%i, %k')} ${copyTo('%k')} }`,
    columns(0, 1),
  ],
  [
    'for one loop of a parallel nest, from 1 on in steps of 2',
    `scf.forall (%j, %k) = (0, 1) to (2, 4) step (1, 2) {
      ${alloc} %l = arith.subi %k, %c1 : index %h = arith.divsi %l, %c2 : index
      ${pack('%i, %h')} ${copyTo('%h')}
    }`,
    columns(0, 1),
  ],
];

const notKept: readonly (readonly [string, string, readonly number[]])[] = [
  [
    'where something else writes the buffer',
    `${alloc} ${pack('%i, %c1')} memref.store %nine, %p[%c0] : memref<4xf32> ${copyTo('%c0')}`,
    [9, 4, 6, 8, 0, 0, 0, 0],
  ],
  [
    'on a condition',
    `%is = arith.cmpi eq, %n, %c2 : index scf.if %is { ${alloc} ${pack('%i, %c1')} ${copyTo('%c0')} }`,
    [...columns(1), 0, 0, 0, 0],
  ],
  [
    'in a loop that may have no iteration',
    loop(`${alloc} ${pack('%i, %c1')} ${copyTo('%k')}`, '%c0 to %n step %c1'),
    columns(1, 1),
  ],
  [
    'in a parallel loop that may have no iteration',
    `scf.forall (%k) in (%n) { ${alloc} ${pack('%i, %c1')} ${copyTo('%k')} }`,
    columns(1, 1),
  ],
  [
    'in a parallel loop of unknown start',
    `scf.forall (%k) = (%n) to (4) step (1) { ${alloc} ${pack('%i, %c1')} ${copyTo('%c0')} }`,
    [...columns(1), 0, 0, 0, 0],
  ],
  [
    'by a number that is passed',
    `%l = arith.subi %n, %c1 : index ${alloc} ${pack('%i, %l')} ${copyTo('%c0')}`,
    [...columns(1), 0, 0, 0, 0],
  ],
  [
    'into parts of the buffer',
    `%q = memref.alloc() : memref<2x4xf32>
    ${loop(`%p = memref.subview %q[%k, 0] [1, 4] [1, 1] : memref<2x4xf32> to ${row} ${pack('%i, %k', '%p', row)}`)}
    memref.copy %q, %o : memref<2x4xf32> to memref<2x4xf32>`,
    columns(0, 1),
  ],
];

/** Every column, in a loop, to the rows of the output. */
const columnByColumn = loop(`${alloc} ${pack('%i, %k')} ${copyTo('%k')}`);

/** An artifact of `@f(%w, %o, %n)`. */
const load = (body: string): Artifact => unwrap(loadModuleSync(emitted(functionText('argument', body))));

/** The same, then the remainder of 6 by the first number: fails for 0, after packing. */
const fails = `${columnByColumn}
  %rest = arith.remsi %c6, %n : index
  %s = arith.index_cast %rest : index to i32
  %e = arith.sitofp %s : i32 to f32
  memref.store %e, %o[%c0, %c0] : memref<2x4xf32>`;

/** Twice `weights`, by columns. */
const doubled = [2, 6, 10, 14, 4, 8, 12, 16];

describe.each(['constant', 'argument'] as const)('what is packed of a bound %s', (source) => {
  it.each(kept)('is kept: %s', (_, body, output) => {
    expect(twice(source, body)).toEqual([output, output]);
    expect(twice(source, callOf(), called(body))).toEqual([output, output]);
  });

  it.each(notKept)('is packed in each call: %s', (_, body, output) => {
    const again = output.map((value) => (value === 0 || value === 9 ? value : -1));
    expect(twice(source, body)).toEqual([output, again]);
    expect(twice(source, callOf(), called(body))).toEqual([output, again]);
  });
});

describe('what a called function packs', () => {
  const whole = called(columnByColumn);
  const packingsWith = (body: string, functions = whole, first = '%w: memref<4x2xf32>') =>
    emitted(functionText('argument', body).replace('%w: memref<4x2xf32>', first) + functions).packings;
  const both = '%w: memref<4x2xf32>, %v: memref<4x2xf32>';

  it('is kept for each of its callers, and once for equal calls', () => {
    expect(packingsWith(callOf())).toMatchObject([{ parameter: 0, bytes: 32, isOnlyPacked: true }]);
    expect(packingsWith(callOf() + callOf())).toMatchObject([
      { parameter: 0, bytes: 32, isOnlyPacked: true },
    ]);
    expect(packingsWith(callOf() + callOf('%v'), whole, both)).toMatchObject([
      { parameter: 0, bytes: 32, isOnlyPacked: true },
      { parameter: 1, bytes: 32, isOnlyPacked: true },
    ]);
  });

  it('is not kept by calls that may not be made, or of public functions', () => {
    const is = '%is = arith.cmpi eq, %n, %c2 : index';
    expect(packingsWith(`${is} scf.if %is { ${callOf()} }`)).toEqual([]);
    expect(packingsWith(loop(callOf()))).toMatchObject([{ parameter: 0, bytes: 32 }]);
    expect(packingsWith(callOf(), whole.replace('private ', ''))).toMatchObject([{ function: 'g' }]);
  });

  it('is that of the call', () => {
    const artifact = unwrap(
      loadModuleSync(
        emitted(
          functionText(
            'argument',
            `${callOf()} %s = memref.subview %o[0, 0] [1, 4] [1, 1] : memref<2x4xf32> to ${row.replace('?', '0')}
          %q = memref.alloc() : memref<4xf32>
          memref.copy %s, %q : ${row.replace('?', '0')} to memref<4xf32>
          ${callOf('%v')} ${copyTo('%c1', '%q')}`,
          )
            .replace('%w: memref<4x2xf32>', both)
            .replace(', offset: 0>', '>')
            .replace(', offset: 0>', '>') + whole,
        ),
      ),
    );
    const doubles = weights.map((value) => 2 * value);
    const bound = artifact.bind('f', { 0: weights, 1: doubles });
    const expected = [...doubled.slice(0, 4), ...columns(0)];
    for (let times = 0; times < 3; times += 1) {
      expect(outputOf(bound)).toEqual(expected);
      overwrite(artifact, weights);
      overwrite(artifact, doubles);
    }
  });
});

/** Runs with a new output and returns it. */
const outputOf = (of: Pick<BoundFunction, 'run'>, n = 2): readonly number[] => {
  const output = new Float32Array(8);
  of.run(output, n);
  return [...output];
};

describe('a bound argument that is packed', () => {
  it('is not changed with the array of the caller', () => {
    const given = weights.slice();
    const bound = load(columnByColumn).bind('f', { 0: given });
    given.fill(0);
    expect(outputOf(bound)).toEqual(columns(0, 1));
    given.fill(0);
    expect(outputOf(bound)).toEqual(columns(0, 1));
  });

  it('has no influence on other calls', () => {
    const artifact = load(columnByColumn);
    const [a, b] = [1, 2].map((by) => artifact.bind('f', { 0: weights.map((value) => by * value) }));
    const sevens = weights.map(() => 7);
    const unbound: Pick<BoundFunction, 'run'> = { run: (...values) => artifact.run('f', sevens, ...values) };
    for (let times = 0; times < 3; times += 1) {
      expect(outputOf(a!)).toEqual(columns(0, 1));
      expect(outputOf(unbound)).toEqual([...sevens]);
      expect(outputOf(b!)).toEqual(doubled);
      expect(outputOf(unbound)).toEqual([...sevens]);
    }
    a!.dispose();
    expect(outputOf(b!)).toEqual(doubled);
    expect(outputOf(artifact.bind('f', { 0: weights }))).toEqual(columns(0, 1));
    expect(outputOf(b!)).toEqual(doubled);
  });

  it('is bound together with others', () => {
    const bound = load(columnByColumn).bind('f', { 0: weights, 2: 2 });
    const output = new Float32Array(8);
    for (let times = 0; times < 2; times += 1) {
      bound.run(output.fill(0));
      expect([...output]).toEqual(columns(0, 1));
    }
  });

  it('is packed by the first call that succeeds', () => {
    const artifact = load(fails);
    const bound = artifact.bind('f', { 0: weights });
    const other = artifact.bind('f', { 0: weights.map((value) => 2 * value) });
    for (let times = 0; times < 3; times += 1) {
      expect(bound.call(new Float32Array(8), 0)).toMatchObject({
        status: 'definite',
        diagnostics: [{ code: 'wasm/division-by-zero' }],
      });
      expect(outputOf(other, 5)).toEqual([1, ...doubled.slice(1)]);
      if (times === 0) continue;
      expect(outputOf(bound, 4)).toEqual([2, ...columns(0, 1).slice(1)]);
    }
  });

  it('is packed in promised calls', async () => {
    const artifact = load(columnByColumn);
    const [a, b] = [1, 2].map((by) => artifact.bind('f', { 0: weights.map((value) => by * value) }));
    const outputs = Array.from({ length: 6 }, () => new Float32Array(8));
    await Promise.all(outputs.map((output, i) => (i % 2 === 0 ? a! : b!).runAsync(output, 2)));
    outputs.forEach((output, i) => {
      expect([...output]).toEqual(i % 2 === 0 ? columns(0, 1) : doubled);
    });
    const last = a!.runAsync(outputs[0]!.fill(0), 2);
    expect(() => a!.call(outputs[1]!, 2)).toThrow('not settled');
    await last;
    expect(outputOf(a!)).toEqual(columns(0, 1));
  });
});

describe('the memory of a bound argument', () => {
  /** Elements in 64 bytes, the allocation granularity. */
  const block = 16;

  /** With a heap of this many blocks. */
  const withBlocks = (blocks: number, body = columnByColumn): Artifact => {
    const artifact = load(body);
    const { buffer, byteOffset } = artifact.allocate('f32', 0);
    artifact.allocate('i8', buffer.byteLength - byteOffset - 64 * blocks);
    return artifact;
  };

  it('is given back when it is packed', () => {
    const artifact = withBlocks(2);
    const bound = artifact.bind('f', { 0: weights });
    expect(() => artifact.allocate('f32', block)).toThrow('no room');
    expect(outputOf(bound)).toEqual(columns(0, 1));
    artifact.allocate('f32', block).fill(-1);
    expect(() => artifact.allocate('f32', block)).toThrow('no room');
    expect(outputOf(bound)).toEqual(columns(0, 1));
    bound.dispose();
    expect(artifact.allocate('f32', block)).toHaveLength(block);
    expect(() => artifact.allocate('f32', block)).toThrow('no room');
  });

  it('is given back only after a call that succeeds', () => {
    const artifact = withBlocks(2, fails);
    const bound = artifact.bind('f', { 0: weights });
    expect(bound.call(new Float32Array(8), 0).status).toBe('definite');
    expect(() => artifact.allocate('f32', block)).toThrow('no room');
    bound.run(new Float32Array(8), 1);
    expect(artifact.allocate('f32', block)).toHaveLength(block);
  });

  it.each([
    [
      'is read elsewhere',
      `${columnByColumn} %v = memref.load %w[%c0, %c0] : memref<4x2xf32> memref.store %v, %o[%c0, %c0] : memref<2x4xf32>`,
      columns(0, 1),
    ],
    ['is packed in part', `${alloc} ${pack('%i, %c0')} ${copyTo('%c0')}`, [...columns(0), 0, 0, 0, 0]],
  ])('is not given back where it %s', (_, body, output) => {
    const artifact = withBlocks(3, body);
    const bound = artifact.bind('f', { 0: weights });
    for (let times = 0; times < 2; times += 1) {
      expect(outputOf(bound)).toEqual(output);
      if (times === 0) artifact.allocate('f32', block).fill(-1);
      expect(() => artifact.allocate('f32', block)).toThrow('no room');
    }
  });

  it.each([0, 1])('is not given back by constants that are disposed of after %i calls', (calls) => {
    const artifact = withBlocks(2);
    for (let times = 0; times < 3; times += 1) {
      const bound = artifact.bind('f', { 0: weights });
      for (let i = 0; i < calls; i += 1) expect(outputOf(bound)).toEqual(columns(0, 1));
      bound.dispose();
      bound.dispose();
    }
    const all = [artifact.allocate('f32', block).fill(1), artifact.allocate('f32', block).fill(2)];
    expect(all.map(([first]) => first)).toEqual([1, 2]);
    expect(() => artifact.allocate('f32', block)).toThrow('no room');
  });

  it('need not be enough for what is packed', () => {
    const artifact = withBlocks(1);
    const bound = artifact.bind('f', { 0: weights });
    for (let times = 0; times < 2; times += 1) expect(outputOf(bound)).toEqual(columns(0, 1));
    bound.dispose();
    expect(artifact.allocate('f32', block)).toHaveLength(block);
  });

  it('has room for what is packed unless it is told how much', () => {
    const artifact = load(columnByColumn);
    const bound = [1, 2].map((by) => artifact.bind('f', { 0: weights.map((value) => by * value) }));
    expect(bound.map((each) => outputOf(each))).toEqual([columns(0, 1), doubled]);
  });
});

it('bindings of artifacts that share a memory keep what they pack, each its own', () => {
  const code = emitted(functionText('argument', columnByColumn));
  const bound = [1, 2].map((by) =>
    unwrap(loadModuleSync(code, { sharesMemory: true })).bind('f', { 0: weights.map((value) => by * value) }),
  );
  const expected = [1, 2].map((by) => columns(0, 1).map((value) => by * value));
  expect([...bound, ...bound].map((each) => outputOf(each))).toEqual([...expected, ...expected]);
});

it('three bindings keep what they pack, even if none has been called yet', () => {
  const many = 2 ** 13;
  const text = functionText('argument', columnByColumn)
    .replaceAll('4x2x', `4x${many}x`)
    .replaceAll('2x4x', `${many}x4x`)
    .replace('constant 2 ', `constant ${many} `);
  const artifact = unwrap(loadModuleSync(emitted(text)));
  const constants = [1, 2, 3].map((by) => Float32Array.from({ length: 4 * many }, (_, i) => by * (i + 1)));
  const bound = constants.map((each) => artifact.bind('f', { 0: each }));
  const isRight = (): readonly boolean[] =>
    bound.map((each, n) => {
      const output = new Float32Array(4 * many);
      each.run(output, 2);
      return output.every((value, i) => value === constants[n]![(i % 4) * many + Math.floor(i / 4)]);
    });
  expect(isRight()).toEqual([true, true, true]);
  for (const each of constants) overwrite(artifact, each);
  expect(isRight()).toEqual([true, true, true]);
});

describe('the packings of an emitted module', () => {
  const packingsOf = (body: string) => emitted(functionText('argument', body)).packings;

  it('are those of its arguments', () => {
    expect(packingsOf(columnByColumn)).toEqual([
      { function: 'f', parameter: 0, bytes: 32, record: expect.any(Number) as number, isOnlyPacked: true },
    ]);
    expect(emitted(functionText('constant', columnByColumn)).packings).toEqual([]);
  });

  it.each(notKept)('are not those: %s', (_, body) => {
    expect(packingsOf(body)).toEqual([]);
  });

  it('share a place where they pack the same', () => {
    const again = columnByColumn.replaceAll('%k', '%l').replaceAll('%p', '%q');
    expect(packingsOf(`${columnByColumn} ${again}`)).toMatchObject([{ bytes: 32, isOnlyPacked: true }]);
    const reversed = loop(
      `%m = arith.subi %c1, %l : index ${alloc} ${pack('%i, %m')} ${copyTo('%m')}`,
      '%c0 to %c2 step %c1',
      '%l',
    );
    expect(packingsOf(`${columnByColumn} ${reversed}`)).toMatchObject([{ bytes: 64 }]);
    const first = loop(`${alloc} ${pack('%i, %l')} ${copyTo('%l')}`, '%c0 to %c1 step %c1', '%l');
    expect(packingsOf(`${columnByColumn} ${first}`)).toMatchObject([{ bytes: 48 }]);
  });

  it('are none where they take more than twice the argument', () => {
    const parts = [
      '%c0 to %c2 step %c1',
      '%c0 to %c2 step %c2',
      '%c1 to %c2 step %c1',
      '%c0 to %c1 step %c1',
    ];
    const bodies = parts.map((bounds, i) =>
      loop(`${alloc} ${pack(`%i, %k${i}`)} ${copyTo(`%k${i}`)}`, bounds, `%k${i}`),
    );
    expect(packingsOf(bodies.slice(0, 3).join('\n'))).toMatchObject([{ bytes: 64 }]);
    expect(packingsOf(bodies.join('\n'))).toEqual([]);
    // Constants are: nothing else would make them faster.
    expect(twice('constant', bodies.join('\n'))).toEqual([columns(0, 1), columns(0, 1)]);
  });
});

describe('a macro-kernel', () => {
  it('gives the same to the last bit with what is bound, call after call', () => {
    fc.assert(
      fc.property(arbitraryMacroKernel, ([shape, tiling]) => {
        const module = emitted(macroKernelText(shape, tiling));
        expect(module.packings.some(({ parameter }) => parameter === 1)).toBe(true);
        const [input, weights, output] = sizesOf(shape).map(inexact) as [
          Float32Array,
          Float32Array,
          Float32Array,
        ];
        const artifact = unwrap(loadModuleSync(module, { heapBytes: 2 ** 22 }));
        const expected = output.slice();
        artifact.run('conv', input, weights, expected);
        const [ofWeights, ofInput, ofBoth] = [{ 1: weights }, { 0: input }, { 0: input, 1: weights }].map(
          (constants) => artifact.bind('conv', constants),
        );
        for (let times = 0; times < 3; times += 1) {
          const results = Array.from({ length: 3 }, () => output.slice());
          ofWeights!.run(input, results[0]!);
          ofInput!.run(weights, results[1]!);
          ofBoth!.run(results[2]!);
          expect(results).toEqual([expected, expected, expected]);
        }
      }),
      { numRuns: isThorough ? 60 : 20 },
    );
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEqual, parseRelation } from '@sconv/presburger';
import { main } from '../src/sconv.ts';
import { capture, example, fileWith, temporaryFolder } from './support/capture.ts';

const stencil = `// a[t][i] = a[t - 1][i + 1]
domain   { [t, i] : 1 <= t < 9 and 1 <= i < 9 }
read a   { [t, i] -> [t - 1, i + 1] }
write a  (t, i) -> (t, i)
`;

const twoNests = `
domain [n] -> { [i] : 0 <= i < n }
write b (i) -> (i)
domain [n] -> { [i] : 0 <= i < n }
read b (i) -> (i + 1)
`;

const deps = (text: string, ...options: readonly string[]) =>
  capture(main, 'affine', 'deps', fileWith(text, 'nest.txt'), ...options);

describe('sconv affine deps', () => {
  it('lists dependences', async () => {
    expect(await deps(stencil)).toEqual({
      out:
        'flow of a, distance (1, -1): ' +
        "{ [t, i] -> [t', i'] : t' = t + 1 and i' = i - 1 and t >= 1 and i <= 8 and t' <= 8 and i' >= 1 }\n",
      err: '',
      code: 0,
    });
    expect(await deps(twoNests)).toMatchObject({
      out: "flow of b, statement 0 to 1: [n] -> { [i] -> [i'] : i' = i - 1 and i < n and i' >= 0 }\n",
      code: 0,
    });
    expect(await deps('domain { [i] : 0 <= i < 9 }\nwrite a (i) -> (i)')).toMatchObject({
      out: 'no dependences\n',
      code: 0,
    });
  });

  it.each<[string[], string, number]>([
    [['--order', '1,0'], 'not legal: (2, 1) would not run after (1, 2) (flow of a)', 1],
    [['--tile', '4'], 'legal', 0],
    [['--tile', '4,4'], 'not legal: (2, 3) would not run after (1, 4) (flow of a)', 1],
    [['--order', '1', '--tile', '0,4'], 'not legal: (2, 1) would not run after (1, 2) (flow of a)', 1],
    [['--schedule', '{ [t, i] -> [t + i, t] }'], 'legal', 0],
    [['--fuse', '0'], 'legal', 0],
  ])('of a nest that is changed by %j', async (options, answer, code) => {
    const { out, ...others } = await deps(stencil, ...options);
    expect(out.trimEnd().split('\n').at(-1)).toBe(answer);
    expect(others).toEqual({ err: '', code });
  });

  it('shows what a fusion breaks', async () => {
    const { out, code } = await deps(twoNests, '--fuse', '1');
    expect(out.trimEnd().split('\n').at(-1)).toBe(
      'not legal: statement 1 at (0) would not run after statement 0 at (1) for n = 2 (flow of b)',
    );
    expect(code).toBe(1);
    const later = ['(i) -> (i + 1, 0)', '(i) -> (i + 2, 1)'].flatMap((time) => ['--schedule', time]);
    expect(await deps(twoNests, ...later)).toMatchObject({ code: 0 });
  });

  it('answers in JSON', async () => {
    const { out, code } = await deps(stencil, '--order', '1,0', '--json');
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      dependences: [{ kind: 'flow', array: 'a', source: 0, target: 0, distance: [1, -1] }],
      legal: false,
      counterexample: { dependence: 0, source: [1, 2], target: [2, 1], symbols: [] },
    });
    expect(code).toBe(1);
    expect(JSON.parse((await deps(stencil, '--json')).out)).not.toHaveProperty('legal');
  });

  it.each<[string, string[], string]>([
    ['domain { [i] : i < n }', [], 'nest.txt:1:20: error: n is not declared'],
    ['domain { [i] }\n  read a (i, j) -> (i)', [], 'nest.txt:2:10: error: of 2 loops, in a domain of 1'],
    ['', [], 'nest.txt:1:1: error: no statement: write domain { [i] : … }'],
    [stencil, ['--order', '0,0'], 'error: [0, 0] is no order of 2 loops'],
    [stencil, ['--order', '2'], 'error: [2] is no order of 2 loops'],
    [stencil, ['--tile', '1,2,3'], 'error: 3 loops are tiled, of a nest of 2'],
    [stencil, ['--fuse', '3'], 'error: 3 loops are not shared by nests of 2'],
    [
      stencil,
      ['--tile', 'x'],
      "option '--tile <sizes>' argument 'x' is invalid. write integers from 0 as 1,0",
    ],
    [stencil, ['--fuse', 'x'], "option '--fuse <count>' argument 'x' is invalid. an integer from 0"],
    [stencil, ['--schedule', '(t) -> (t)'], 'error: '],
    [twoNests, ['--schedule', '(i) -> (i)'], 'error: statement 1 has no schedule'],
    [stencil, ['--schedule', '(t, i) -> (t, i)', '--fuse', '0'], 'error: --schedule says all that'],
  ])('%j with %j is refused', async (text, options, message) => {
    const { out, err, code } = await deps(text, ...options);
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toContain(message);
  });

  it('refuses a file that is not there', async () => {
    const { err, code } = await capture(main, 'affine', 'deps', 'missing.txt');
    expect(err).toContain('missing.txt:1:1: error: cannot read: ');
    expect(code).toBe(2);
  });
});

const seidel = `func.func @seidel(%a: memref<?x?xf32>, %n: index, %steps: index) {
  affine.for %t = 0 to %steps {
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %x = affine.load %a[%i - 1, %t] : memref<?x?xf32>
      %y = affine.load %a[%j, %t] : memref<?x?xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %a[%i, %t + 1] : memref<?x?xf32>
    }
  }
  return
}
`;

/** A function of these lines on two buffers. */
const inFunction = (...lines: readonly string[]): string =>
  [`func.func @f(%a: memref<64xf32>, %b: memref<64xf32>, %n: index) {`, ...lines, 'return', '}'].join('\n');

const mlir = (text: string, ...options: readonly string[]) =>
  capture(main, 'affine', 'deps', fileWith(text), ...options);

describe('sconv affine deps of MLIR', () => {
  it('lists the dependences of affine loops', async () => {
    expect(await mlir(seidel)).toEqual({
      out:
        'flow of %a, distance (1, 1): [steps, n] -> ' +
        "{ [t, i] -> [t', i'] : i' = i + 1 and t' = t + 1 and t >= 0 and i >= 1 and t' < steps and i' + 2 <= n }\n" +
        'flow of %a, distance (1, -1): [steps, n] -> ' +
        "{ [t, i] -> [t', i'] : i' = i - 1 and t' = t + 1 and t >= 0 and i + 2 <= n and t' < steps and i' >= 1 }\n",
      err: '',
      code: 0,
    });
    const { out, code } = await mlir(seidel, '--order', '1,0');
    expect(out.trimEnd().split('\n').at(-1)).toBe(
      'not legal: (1, 1) would not run after (0, 2) for steps = 2, n = 4 (flow of %a)',
    );
    expect(code).toBe(1);
  });

  it('reads steps, several bounds, conditions, quotients and accesses of memref', async () => {
    const text = inFunction(
      'affine.for %i = max affine_map<(d0) -> (0, d0)>(%n) to min affine_map<(d0) -> (64, d0 + 9)>(%n) {',
      '  affine.for %or = 0 to 9 step 4 {',
      '    affine.if affine_set<(d0) : (d0 mod 8 == 0)>(%or) {',
      '      %x = memref.load %a[%i] : memref<64xf32>',
      '      affine.store %x, %b[%or floordiv 4] : memref<64xf32>',
      '    } else {',
      '      %x = affine.load %b[symbol(%n)] : memref<64xf32>',
      '      memref.store %x, %a[%or] : memref<64xf32>',
      '    }',
      '  }',
      '}',
    );
    const { out } = await mlir(text, '--json');
    const { dependences, statements } = JSON.parse(out) as {
      dependences: { kind: string; array: string; source: number; target: number; pairs: string }[];
      statements: { line: number }[];
    };
    expect(statements.map(({ line }) => line)).toEqual([5, 8]);
    const found = dependences.map(
      ({ kind, array, source, target }) => `${kind} ${array} ${source} ${target}`,
    );
    expect(found).toEqual([
      'output %b 0 0',
      'flow %b 0 1',
      'anti %a 0 1',
      'flow %a 1 0',
      'anti %b 1 0',
      'output %a 1 1',
    ]);
    const [output, flow] = dependences;
    const ofFirst = (i: string, j: string) =>
      `${i} >= 0 and ${i} >= n and ${i} < 64 and ${i} < n + 9 and (${j} = 0 or ${j} = 8)`;
    const same = `[n] -> { [i, j] -> [k, l] : j = l and i < k and ${ofFirst('i', 'j')} and ${ofFirst('k', 'l')} }`;
    expect(isEqual(parseRelation(output!.pairs), parseRelation(same))).toBe(true);
    const read =
      `[n] -> { [i, j] -> [k, l] : l = 4 and (i < k or (i = k and j < l)) and j = 4n and ${ofFirst('i', 'j')}` +
      ' and k >= 0 and k >= n and k < 64 and k < n + 9 }';
    expect(isEqual(parseRelation(flow!.pairs), parseRelation(read))).toBe(true);
  });

  it('reads structured ops, which accumulate', async () => {
    const { out, code } = await capture(main, 'affine', 'deps', example('matmul.mlir'), '--tile', '8,8,8');
    expect(out).toBe(
      'flow, anti, output of %r: { [d0, d1, d2] -> ' +
        "[d0', d1', d2'] : d0' = d0 and d1' = d1 and d2 >= 0 and d2 < d2' and 0 <= d0' <= 127 and " +
        "0 <= d1' <= 127 and d2' <= 127 }\nlegal\n",
    );
    expect(code).toBe(0);
    const convolution = await capture(main, 'affine', 'deps', example('convolution.mlir'), '--fuse', '4');
    expect(convolution.out).toContain('statement 0: linalg.fill at ');
    expect(convolution).toMatchObject({ err: '', code: 0 });
  });

  it.each<[string, string, string]>([
    ['a file with errors', 'func.func @f(', 'input.mlir:1:14: error: '],
    ['no function', 'module {}', 'expected one function with a body'],
    [
      'two functions',
      `${seidel}${seidel.replace('@seidel', '@other')}`,
      'input.mlir:13:1: error: expected one',
    ],
    [
      'a call',
      `func.func private @g()\n${inFunction('func.call @g() : () -> ()')}`,
      'input.mlir:3:1: error: func.call is not read',
    ],
    [
      'an index that is no affine one',
      inFunction(
        'affine.for %i = 0 to 8 {',
        '%j = arith.muli %i, %i : index',
        '%x = memref.load %a[%j] : memref<64xf32>',
        '}',
      ),
      'input.mlir:4:6: error: the indices are not affine',
    ],
    [
      'a remainder of a symbol',
      inFunction('affine.for %i = 0 to 8 {', '%x = affine.load %a[%i mod symbol(%n)] : memref<64xf32>', '}'),
      'input.mlir:3:6: error: the indices are not affine',
    ],
    [
      'a value that a loop carries',
      inFunction(
        '%z = arith.constant 0.0 : f32',
        '%s = affine.for %i = 0 to 8 iter_args(%t = %z) -> f32 {',
        'affine.yield %t : f32',
        '}',
      ),
      'input.mlir:3:6: error: the loop carries values',
    ],
    [
      'a buffer of each iteration',
      inFunction('affine.for %i = 0 to 8 {', '%x = memref.alloc() : memref<4xf32>', '}'),
      'input.mlir:3:6: error: memref.alloc is not read',
    ],
    [
      'another name of a buffer',
      inFunction('%c = memref.cast %a : memref<64xf32> to memref<?xf32>'),
      'input.mlir:2:6: error: memref.cast is not read',
    ],
    [
      'a load in the body of a structured op',
      inFunction(
        'linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}',
        'outs(%a : memref<64xf32>) {',
        '^bb0(%x: f32):',
        '%i = linalg.index 0 : index',
        '%y = memref.load %a[%i] : memref<64xf32>',
        'linalg.yield %y : f32',
        '}',
      ),
      'input.mlir:6:6: error: memref.load in the body of a structured op is not read',
    ],
  ])('refuses %s', async (_, text, message) => {
    const { out, err, code } = await mlir(text);
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toContain(message);
  });

  it('asks for schedules of statements that share loops', async () => {
    const text = inFunction(
      'affine.for %i = 0 to 8 {',
      'affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {',
      '%x = affine.load %a[%i - 1] : memref<64xf32>',
      'affine.store %x, %b[%i] : memref<64xf32>',
      '}',
      'affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) {',
      '%x = affine.load %b[%i] : memref<64xf32>',
      'affine.store %x, %a[%i] : memref<64xf32>',
      '}',
      '}',
    );
    const { err, code } = await mlir(text, '--tile', '4');
    expect(err).toContain('error: statements share loops: say when each runs by --schedule');
    expect(code).toBe(2);
    const late = await mlir(text, '--schedule', '(i) -> (i, 0)', '--schedule', '(i) -> (i + 1, 0)');
    expect(late.out).toContain(
      'not legal: statement 0 at (4) would not run after statement 1 at (3) (flow of %a)',
    );
    expect(late.code).toBe(1);
  });
});

describe('sconv affine deps --svg', () => {
  const count = (picture: string, element: string) => picture.split(`<${element} `).length - 1;
  const drawn = async (text: string, ...options: readonly string[]) => {
    const path = join(temporaryFolder(), 'nest.svg');
    const answer = await deps(text, '--svg', path, ...options);
    return { answer, picture: existsSync(path) ? readFileSync(path, 'utf8') : undefined };
  };

  it('draws iterations, their tiles, and what depends on them', async () => {
    const { answer, picture = '' } = await drawn(stencil, '--tile', '4,4');
    expect(answer).toEqual(await deps(stencil, '--tile', '4,4'));
    // 8 by 8 iterations in tiles of 1 to 3, 4 to 7, and 8; 7 by 7 dependences, and the broken one again.
    expect(count(picture, 'circle')).toBe(64);
    expect(count(picture, 'rect')).toBe(1 + 9);
    expect(count(picture, 'polygon')).toBe(49 + 1);
    expect(picture).toContain('>broken<');
    const legal = await drawn(stencil);
    expect(count(legal.picture ?? '', 'polygon')).toBe(49);
    expect(legal.picture).not.toContain('>broken<');
  });

  it('draws several nests, and the first of many dependences', async () => {
    const text = twoNests.replaceAll('[n] ->', '').replaceAll('n }', '4 }');
    const { picture = '' } = await drawn(text, '--fuse', '0');
    expect([count(picture, 'circle'), count(picture, 'polygon')]).toEqual([8, 3]);
    const sum = 'domain { [i, j] : 0 <= i, j < 4 }\nread s (i, j) -> (i)\nwrite s (i, j) -> (i)';
    expect(count((await drawn(sum)).picture ?? '', 'polygon')).toBe(3 * 12);
    expect(count((await drawn('domain { [i] : false }\nwrite a (i) -> (i)')).picture ?? '', 'circle')).toBe(
      0,
    );
  });

  it.each([
    ['symbols', twoNests, 'error: no picture: a picture needs numbers for n'],
    [
      'three loops',
      'domain { [i, j, k] : 0 <= i, j, k < 2 }',
      'error: no picture: a picture has nests of one or two',
    ],
    ['many iterations', 'domain { [i] : 0 <= i < 9999 }', 'error: the set has more than 4096 points'],
    ['endless iterations', 'domain { [i] : i >= 0 }', 'error: the set has more than 4096 points'],
  ])('draws no %s', async (_, text, message) => {
    const { answer, picture } = await drawn(text);
    expect(answer).toMatchObject({ out: '', code: 2 });
    expect(answer.err).toContain(message);
    expect(picture).toBeUndefined();
  });

  it('tells that a file cannot be written', async () => {
    const { out, err, code } = await deps(stencil, '--svg', '/missing/nest.svg');
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toContain('/missing/nest.svg:1:1: error: ');
  });
});

import { describe, expect, it } from 'vitest';
import { isEqual, parseRelation, parseSet, print } from '@sconv/presburger';
import {
  constantDistance,
  dependences,
  differences,
  footprint,
  fusedSchedules,
  legality,
  nestSchedules,
  permutedSchedule,
  reuses,
  sequentialSchedule,
  tiledSchedule,
  tiles,
} from '@sconv/presburger/dependences';

/** `a[t][i] = a[t - 1][i + 1]`: a dependence of (1, -1). */
const stencil = {
  domain: '{ [t, i] : 1 <= t < 9 and 1 <= i < 9 }',
  reads: [{ array: 'a', elements: '{ [t, i] -> [t - 1, i + 1] }' }],
  writes: [{ array: 'a', elements: '{ [t, i] -> [t, i] }' }],
};

/** `c[i][j] += a[i][k] * b[k][j]`. */
const product = {
  domain: '[n] -> { [i, j, k] : 0 <= i, j, k < n }',
  reads: [
    { array: 'a', elements: '{ [i, j, k] -> [i, k] }' },
    { array: 'b', elements: '{ [i, j, k] -> [k, j] }' },
    { array: 'c', elements: '{ [i, j, k] -> [i, j] }' },
  ],
  writes: [{ array: 'c', elements: '{ [i, j, k] -> [i, j] }' }],
};

describe('dependences', () => {
  it('of a stencil are a flow', () => {
    const [flow, ...others] = dependences([stencil]);
    expect(others).toEqual([]);
    expect(flow).toMatchObject({ kind: 'flow', array: 'a', source: 0, target: 0 });
    const expected = '{ [t, i] -> [t + 1, i - 1] : 1 <= t < 8 and 2 <= i < 9 }';
    expect(isEqual(flow!.pairs, parseRelation(expected))).toBe(true);
    expect(flow!.pairs.space.inputs).toEqual(['t', 'i']);
    expect(isEqual(differences(flow!.pairs), parseSet('{ [t, i] : t = 1 and i = -1 }'))).toBe(true);
  });

  it('of a reduction are all between its iterations, of every kind', () => {
    const found = dependences([product]);
    expect(found.map(({ kind, array }) => `${kind} ${array}`)).toEqual(['flow c', 'anti c', 'output c']);
    const along = parseSet('[n] -> { [i, j, k] : i = 0 and j = 0 and 0 < k < n }');
    for (const { pairs } of found) expect(isEqual(differences(pairs), along)).toBe(true);
  });

  it('run from one nest to the next, and not back', () => {
    const writer = { domain: '{ [i] : 0 <= i < 8 }', writes: [{ array: 'b', elements: '(i) -> (i)' }] };
    const reader = { domain: '{ [i] : 0 <= i < 8 }', reads: [{ array: 'b', elements: '(i) -> (7 - i)' }] };
    expect(dependences([writer, reader])).toMatchObject([{ kind: 'flow', source: 0, target: 1 }]);
    expect(dependences([reader, writer])).toMatchObject([{ kind: 'anti', source: 0, target: 1 }]);
  });

  it('need times of one length, and accesses of the loops', () => {
    const other = { domain: nine, schedule: '{ [i] -> [0, i, 0] }' };
    expect(() => dependences([{ domain: nine }, other])).toThrow('times of 2 and 3 components');
    const wrong = { domain: nine, writes: [{ array: 'a', elements: '(i, j) -> (i)' }] };
    expect(() => dependences([wrong])).toThrow('dimensions');
  });
});

const nine = '{ [i] : 0 <= i < 9 }';

describe('legality', () => {
  it.each([
    ['as written', sequentialSchedule(2), true],
    ['permuted', permutedSchedule([1, 0]), false],
    ['tiled', tiledSchedule([4, 4]), false],
    ['tiled along time', tiledSchedule([4, 0]), true],
    ['tiled along space', tiledSchedule([0, 4]), false],
    ['skewed and tiled', parseRelation('{ [t, i] -> [floor(t/4), floor((t + i)/4), t, t + i] }'), true],
    ['skewed and permuted', parseRelation('{ [t, i] -> [t + i, t] }'), true],
  ])('of a stencil that is %s', (_, schedule, legal) => {
    expect(legality(dependences([stencil]), [schedule]).legal).toBe(legal);
  });

  it.each([[[0, 2, 1]], [[1, 0, 2]], [[2, 1, 0]], [[1, 2, 0]]])('of a product in the order %j', (order) => {
    expect(legality(dependences([product]), [permutedSchedule(order)])).toEqual({ legal: true });
  });

  it('shows a pair that would run in the wrong order', () => {
    const found = legality(dependences([stencil]), [permutedSchedule([1, 0])]);
    if (found.legal) throw new Error('it is not legal');
    const [[t = 0, i = 0], target] = [found.source.map(Number), found.target.map(Number)];
    expect(target).toEqual([t + 1, i - 1]);
    expect([t, i]).toEqual([1, 2]);
    expect(found.dependence.kind).toBe('flow');
  });

  it('of a fusion is that what is read was written', () => {
    const writer = { domain: '{ [i] : 0 <= i < 8 }', writes: [{ array: 'b', elements: '(i) -> (i)' }] };
    const reader = (elements: string) => ({
      domain: '{ [i] : 1 <= i < 8 }',
      reads: [{ array: 'b', elements }],
    });
    const fused = fusedSchedules([1, 1], 1);
    expect(fused.map(print)).toEqual([
      '{ [i0] -> [t0, t1] : t0 = i0 and t1 = 0 }',
      '{ [i0] -> [t0, t1] : t0 = i0 and t1 = 1 }',
    ]);
    const legal = (elements: string) => legality(dependences([writer, reader(elements)]), fused).legal;
    expect(legal('(i) -> (i - 1)')).toBe(true);
    expect(legal('(i) -> (i)')).toBe(true);
    expect(legal('(i) -> (8 - i)')).toBe(false);
    expect(legal('(i) -> (i + 1)')).toBe(false);
  });

  it('refuses what is no schedule', () => {
    expect(() => permutedSchedule([0, 2])).toThrow('[0, 2] is no permutation');
    expect(() => tiledSchedule([4, -1])).toThrow('-1 is no size of a tile');
    expect(() => fusedSchedules([1, 2], 2)).toThrow('2 loops are not shared by nests of 1, 2');
    expect(() => legality(dependences([stencil]), [])).toThrow('statement 0 has no schedule');
  });
});

describe('nestSchedules', () => {
  const writer = {
    domain: '[n] -> { [i, j] : 0 <= i, j < n }',
    writes: [{ array: 'b', elements: '(i, j) -> (i, j)' }],
  };
  const reader = (elements: string) => ({
    domain: '[n] -> { [i, j] : 0 <= i, j < n }',
    reads: [{ array: 'b', elements }],
  });

  it('permutes, then tiles, then fuses', () => {
    const [, second] = nestSchedules([2, 2], { order: [1], tile: [0, 4], fuse: 2 });
    const expected = '{ [i, j] -> [floor(i/4), j, 1, i] }';
    expect(isEqual(second!, parseRelation(expected))).toBe(true);
    expect(isEqual(nestSchedules([1], {})[0]!, parseRelation('{ [i] -> [0, i] }'))).toBe(true);
  });

  it.each([
    ['a tile that is read as it was written', '(i, j) -> (i, j)', { tile: [8], fuse: 1 }, true],
    ['rows of the tile', '(i, j) -> (i floordiv 8 * 8, j)', { tile: [8], fuse: 1 }, true],
    ['a later tile', '(i, j) -> (i + 1, j)', { tile: [8], fuse: 1 }, false],
    ['a tile of another loop', '(i, j) -> (i + 1, j)', { order: [1], tile: [8], fuse: 1 }, true],
  ])('fuses %s', (_, elements, changes, legal) => {
    const found = dependences([writer, reader(elements)]);
    expect(legality(found, nestSchedules([2, 2], changes)).legal).toBe(legal);
  });

  it('refuses more loops than there are', () => {
    expect(() => nestSchedules([1], { order: [1, 0] })).toThrow('[1, 0] is no order of 1 loops');
    expect(() => nestSchedules([2], { order: [0, 0] })).toThrow('[0, 0] is no order of 2 loops');
    expect(() => nestSchedules([2, 1], { tile: [4, 4] })).toThrow('2 loops are tiled, of a nest of 1');
  });
});

describe('constantDistance', () => {
  it.each([
    ['{ [i, j] -> [i + 1, j - 2] : 0 <= i, j < 9 }', [1, -2]],
    ['[n] -> { [i] -> [i + 3] : 0 <= i < n }', [3]],
    ['{ [i] -> [j] : 0 <= i < j < 3 }', undefined],
    ['{ [i] -> [i + 1] : false }', undefined],
    ['[n] -> { [i] -> [i + n] : 0 <= i < n }', undefined],
  ])('of %s', (pairs, distance) => {
    expect(constantDistance(parseRelation(pairs))).toEqual(distance);
  });
});

describe('tiles', () => {
  it('are what their loops run over', () => {
    const expected = '{ [t] -> [i] : 4t <= i < 4t + 4 and 0 <= i < 10 }';
    expect(isEqual(tiles('{ [i] : 0 <= i < 10 }', [4]), parseRelation(expected))).toBe(true);
    expect(() => tiles(nine, [0])).toThrow('0 is no size of a tile');
  });

  it('use a footprint', () => {
    const tile = '{ [w, f] : 0 <= w < 8 and 0 <= f < 3 }';
    const input = footprint(tile, '(w, f) -> (w + f)');
    expect(isEqual(input, parseSet('{ [i] : 0 <= i < 10 }'))).toBe(true);
    const both = footprint(tile, '(w, f) -> (w * 2)', '(w, f) -> (w * 2 + 1)');
    expect(isEqual(both, parseSet('{ [i] : 0 <= i < 16 }'))).toBe(true);
    expect(() => footprint(tile)).toThrow('no access is given');
  });

  it('use elements again, later', () => {
    const again = reuses('{ [i, j] : 0 <= i, j < 4 }', '(i, j) -> (i + j)');
    expect(print(again)).toContain("{ [i, j] -> [i', j']");
    expect(isEqual(differences(again), parseSet('{ [i, j] : i + j = 0 and 1 <= i <= 3 }'))).toBe(true);
    expect(() => differences(parseRelation('{ [i] -> [i, i] }'))).toThrow('points of 1 and of 2 dimensions');
  });
});

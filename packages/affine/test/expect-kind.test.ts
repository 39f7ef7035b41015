import { describe, expect, it } from 'vitest';
import * as affine from '../src/index.ts';

const { affineExpr, affineMap, integerSet } = affine;

const [expression, map, set] = [affineExpr('d0'), affineMap('(d0) -> (d0)'), integerSet('(d0) : (d0 >= 0)')];

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** The entry points by their first parameter, with their other arguments. */
const takers = {
  expression: {
    add: [1],
    adopt: [],
    arityOf: [],
    ceilDiv: [2],
    compileExpr: [],
    rowMajorIndices: [[2, 3]],
    fold: [{}],
    floorDiv: [2],
    isNonNegative: [{}],
    isPureAffine: [],
    isSymbolicOrConstant: [],
    largestKnownDivisor: [],
    linearForm: [],
    writtenLinearForm: [],
    mod: [2],
    mul: [2],
    neg: [],
    printExpr: [],
    range: [{}],
    sizeOf: [],
    sub: [1],
  },
  map: {
    adoptMap: [],
    compileMap: [],
    compose: [map],
    compressUnusedDims: [],
    compressUnusedSymbols: [],
    dropDims: [[]],
    dropResults: [[]],
    dropSymbols: [[]],
    imageSize: [{}],
    injectivity: [{}],
    inversePermutation: [],
    inverseProjectedPermutation: [],
    isIdentity: [],
    isPermutation: [],
    isProjectedPermutation: [],
    printMap: [],
    shiftDims: [1],
    shiftSymbols: [0],
    splitDim: [0, 2],
    subMap: [[]],
  },
  set: { adoptSet: [], contains: [[0]], printSet: [] },
  'expression or map': {
    evaluate: [[0]],
    evaluateBigInt: [[0n]],
    isFunctionOfDim: [0],
    isFunctionOfSymbol: [0],
    stridesAndOffset: [1],
    usedDims: [],
    usedSymbols: [],
  },
  'expression, map or set': { equals: [map], equivalent: [map], simplify: [], substitute: [{}] },
} as const;

const wrong: Readonly<Record<keyof typeof takers, readonly (readonly [unknown, string])[]>> = {
  expression: [
    ['d0 mod 5', 'an affine expression, not text; affineExpr(text) reads it'],
    [undefined, 'an affine expression, not undefined'],
    [map, 'an affine expression, not an affine map'],
    [set, 'an affine expression, not an integer set'],
  ],
  map: [
    ['(d0) -> (d0)', 'an affine map, not text; affineMap(text) reads it'],
    [null, 'an affine map, not null'],
    [expression, 'an affine map, not an object of kind dim'],
    [set, 'an affine map, not an integer set'],
  ],
  set: [
    ['(d0) : (d0 >= 0)', 'an integer set, not text; integerSet(text) reads it'],
    [7, 'an integer set, not 7'],
    [map, 'an integer set, not an affine map'],
  ],
  'expression or map': [
    ['d0', 'an affine expression or an affine map, not text; affineExpr(text) or affineMap(text) reads it'],
    [set, 'an affine expression or an affine map, not an integer set'],
    [[map], 'an affine expression or an affine map, not a list'],
  ],
  'expression, map or set': [
    ['d0', 'not text; affineExpr(text) or affineMap(text) or integerSet(text) reads it'],
    [() => map, 'an affine expression or an affine map or an integer set, not a function'],
    [{}, 'an affine expression or an affine map or an integer set, not an object without a kind'],
  ],
};

const rows = Object.entries(takers).flatMap(([taken, functions]) =>
  Object.entries(functions).flatMap(([name, rest]: readonly [string, readonly unknown[]]) =>
    wrong[taken as keyof typeof takers].map(([value, message]) => [name, value, rest, message] as const),
  ),
);

describe('an entry point', () => {
  it.each(rows)('%s refuses %j', (name, value, rest, message) => {
    const call = (): unknown => (affine[name as keyof typeof affine] as AnyFunction)(value, ...rest);
    let thrown: unknown;
    try {
      call();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'affine/invalid-argument' });
    // Nothing follows, such as a hint at a parser.
    expect((thrown as Error).message.slice(-message.length)).toBe(message);
  });
  it('refuses other kinds of objects', () => {
    const token = { kind: 'token' } as unknown as affine.AffineExprData;
    expect(() => affine.adopt(token)).toThrow('expected an affine expression, not an object of kind token');
  });
  it('refuses them further inside', () => {
    const sum = {
      kind: 'add',
      lhs: { kind: 'dim', position: 0 },
      rhs: 'd1',
    } as unknown as affine.AffineExprData;
    expect(() => affine.adopt(sum)).toThrow('expected an affine expression, not text');
    const maps = [map, '(d0) -> (d0)'] as unknown as readonly affine.AffineMapData[];
    expect(() => affine.concatMaps(maps)).toThrow('expected an affine map, not text');
    expect(() => affine.compose(map, maps[1]!)).toThrow('expected an affine map, not text');
    expect(() => affine.equivalent(map, maps[1]!)).toThrow('expected an affine expression or an affine map');
  });
});

it.each<[string, () => unknown]>([
  ['affine/invalid-argument', () => affine.identityMap(2 ** 31)],
  ['affine/invalid-argument', () => affine.stridesAndOffset(expression, 2 ** 31)],
  ['affine/overflow', () => affine.gcd(Infinity, 3)],
  ['affine/not-an-integer', () => affine.gcd(4, NaN)],
])('a number that would take forever is refused with %s', (code, call) => {
  expect(call).toThrow(expect.objectContaining({ code }));
});

describe('an argument besides', () => {
  const call = (name: string, ...args: readonly unknown[]) =>
    (affine[name as keyof typeof affine] as AnyFunction)(...args);
  it.each<[string, string, ...unknown[]]>([
    ['addExact', 'affine/not-an-integer', 1, 1n],
    ['mulExact', 'affine/not-an-integer', 'a', 1],
    ['fold', 'affine/invalid-argument', expression, null],
    ['fold', 'affine/invalid-argument', expression, { dim: String }],
    ['parseMapPrefix', 'affine/not-an-integer', '(d0) -> (d0)', 1n],
    ['parseSetPrefix', 'affine/invalid-argument', 5, 0],
    ['parseExprPrefix', 'affine/invalid-argument', 'd0', 0, null],
    ['constant', 'affine/not-an-integer', 1n],
    ['dim', 'affine/position-out-of-range', Symbol('d')],
    ['makeMap', 'affine/invalid-argument', 1, 0, new Array(2)],
    ['makeSet', 'affine/invalid-argument', 1, 0, [null]],
    ['printMap', 'affine/invalid-argument', { kind: 'map' }],
    ['isIdentity', 'affine/invalid-argument', { kind: 'map', numDims: 1, numSymbols: 0, results: [null] }],
    ['dropDims', 'affine/invalid-argument', map, 3],
    ['subMap', 'affine/position-out-of-range', map, new Array(1)],
    ['substitute', 'affine/invalid-argument', map, null],
    ['equivalent', 'affine/invalid-argument', map, map, null],
    ['compileMap', 'affine/invalid-argument', map, 'code'],
    ['evaluateBigInt', 'affine/not-an-integer', map, [0]],
    ['evaluate', 'affine/not-an-integer', map, [Symbol('d')]],
    ['shiftDims', 'affine/not-an-integer', map, 1n],
    ['concatMaps', 'affine/invalid-argument', [map], null],
    ['isProjectedPermutation', 'affine/invalid-argument', map, null],
    ['splitDim', 'affine/position-out-of-range', map, NaN, 2],
    ['rowMajorPosition', 'affine/invalid-argument', new Array(2), [2, 2]],
    ['rowMajorIndices', 'affine/invalid-argument', 0, new Array(2)],
  ])('of %s is refused with %s', (name, code, ...args) => {
    expect(() => call(name, ...args)).toThrow(expect.objectContaining({ code }));
  });
});

describe('bounds', () => {
  it.each([
    ['d0 = 5', 'expected bounds by name, as in { d0: [0, 75] }, not text'],
    [null, 'not null'],
    [[[0, 5]], 'not a list'],
    [{ d0: 5 }, 'expected the bounds of d0 as [lo, hi], not 5'],
    [{ d0: [5] }, 'expected the bounds of d0 as [lo, hi], not a list'],
    [{ dims: 5 }, 'expected a list as the bounds of the dimensions, not 5'],
    [{ s1: { lo: 0 } }, 'expected the bounds of s1 as [lo, hi], not an object without a kind'],
  ])('%j are refused', (over, message) => {
    const call = () => affine.range(expression, over as unknown as affine.Domain);
    expect(call).toThrow(expect.objectContaining({ code: 'affine/invalid-argument' }));
    expect(call).toThrow(message);
  });

  it.each([
    [[0, 2 ** 53], 'affine/overflow', 'no integers of magnitude below 2^53'],
    [[-1e300, 5], 'affine/overflow', 'no integers of magnitude below 2^53'],
    [[0, NaN], 'affine/not-an-integer', 'not integers'],
    [['0', '5'], 'affine/not-an-integer', 'not integers'],
    [[Symbol('0'), 5], 'affine/not-an-integer', 'not integers'],
    [[Infinity, Infinity], 'affine/empty-domain', 'no points'],
  ])('%j are refused as %s', (d0, code, message) => {
    const call = () => affine.range(expression, { d0 } as unknown as affine.Domain);
    expect(call).toThrow(expect.objectContaining({ code }));
    expect(call).toThrow(message);
  });
});

describe('text', () => {
  it.each(['affineExpr', 'affineMap', 'integerSet'] as const)('%s reads nothing else', (name) => {
    const call = () => affine[name](map as unknown as string);
    expect(call).toThrow(expect.objectContaining({ code: 'affine/invalid-argument' }));
    expect(call).toThrow('expected text, not an affine map');
  });
  it.each(['tryParseExpr', 'tryParseMap', 'tryParseSet'] as const)('%s says so', (name) => {
    expect(affine[name](undefined as unknown as string)).toMatchObject({
      ok: false,
      error: { message: 'expected text, not undefined' },
    });
  });
});

it.each<[string, (given: never) => unknown, string]>([
  ['evaluate', (given) => affine.evaluate(map, given), 'the dimensions'],
  ['evaluate, symbols', (given) => affine.evaluate(map, [1], given), 'the symbols'],
  ['evaluateBigInt', (given) => affine.evaluateBigInt(map, given), 'the dimensions'],
  ['contains', (given) => affine.contains(set, given), 'the dimensions'],
  ['makeMap', (given) => affine.makeMap(1, 0, given), 'the results'],
  ['makeSet', (given) => affine.makeSet(1, 0, given), 'the constraints'],
  ['permutationMap', (given) => affine.permutationMap(given), 'the positions'],
  ['concatMaps', (given) => affine.concatMaps(given), 'the maps'],
  ['rowMajorPosition', (given) => affine.rowMajorPosition(given, []), 'the indices'],
  ['rowMajorIndices', (given) => affine.rowMajorIndices(affine.dim(0), given), 'the basis'],
])('%s takes a list', (_, call, what) => {
  expect(() => call(7 as never)).toThrow(`expected a list as ${what}, not 7`);
});

import { describe, expect, it } from 'vitest';
import type { IntegerOp } from '@sconv/dialects';
import { arithDialect, scalarOp } from '@sconv/dialects';
import type { Type } from '@sconv/ir';
import { bodyOf, children, createRegistry, f32, i1, i32, indexType, modelOf } from '@sconv/ir';
import { createInterpreter } from '../src/index.ts';
import type { Interpreter, RuntimeValue } from '../src/index.ts';
import { integerOperationOnNumbers } from '../src/integers.ts';
import { parse } from './run.ts';

type Definition = (a: bigint, b: bigint, width: bigint) => bigint | 'overflow' | 'division-by-zero';

const floor = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return quotient * b > a === b > 0n && quotient * b !== a ? quotient - 1n : quotient;
};

/** The signed quotient, which must fit the width. */
const quotient =
  (divide: (a: bigint, b: bigint) => bigint): Definition =>
  (a, b, width) => {
    if (b === 0n) return 'division-by-zero';
    const value = divide(a, b);
    return BigInt.asIntN(Number(width), value) === value ? value : 'overflow';
  };

const divided =
  (divide: (a: bigint, b: bigint) => bigint): Definition =>
  (a, b) =>
    b === 0n ? 'division-by-zero' : divide(a, b);

/** By operation: on signed, and on unsigned values. */
const signed: Readonly<Record<string, Definition>> = {
  addi: (a, b) => a + b,
  subi: (a, b) => a - b,
  muli: (a, b) => a * b,
  andi: (a, b) => a & b,
  ori: (a, b) => a | b,
  xori: (a, b) => a ^ b,
  divsi: quotient((a, b) => a / b),
  floordivsi: quotient(floor),
  ceildivsi: quotient((a, b) => -floor(-a, b)),
  remsi: divided((a, b) => a % b),
  maxsi: (a, b) => (a > b ? a : b),
  minsi: (a, b) => (a < b ? a : b),
  shrsi: (a, b, width) => (b >= 0n && b < width ? a >> b : 0n),
};
const unsigned: Readonly<Record<string, Definition>> = {
  divui: divided((a, b) => a / b),
  remui: divided((a, b) => a % b),
  ceildivui: divided((a, b) => (a === 0n ? 0n : (a - 1n) / b + 1n)),
  maxui: (a, b) => (a > b ? a : b),
  minui: (a, b) => (a < b ? a : b),
  shli: (a, b, width) => (b < width ? a << b : 0n),
  shrui: (a, b, width) => (b < width ? a >> b : 0n),
};
const comparisons: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  slt: (a, b) => a < b,
  sle: (a, b) => a <= b,
  sgt: (a, b) => a > b,
  sge: (a, b) => a >= b,
  ult: (a, b) => a < b,
  ule: (a, b) => a <= b,
  ugt: (a, b) => a > b,
  uge: (a, b) => a >= b,
};

/** Signed integers at and around a width's bounds. */
const boundary = (width: number): readonly bigint[] => {
  const half = 2n ** BigInt(width - 1);
  const all = [
    0n,
    1n,
    -1n,
    2n,
    -2n,
    3n,
    -7n,
    BigInt(width - 1),
    BigInt(width),
    half - 1n,
    half - 2n,
    -half,
    1n - half,
  ];
  return [...new Set(all.map((value) => BigInt.asIntN(width, value)))];
};

/** An integer as the interpreter holds it. */
const held = (value: bigint, width: number): number | bigint => {
  if (width === 1) return Number(BigInt.asUintN(1, value));
  const wrapped = BigInt.asIntN(width, value);
  return width <= 32 ? Number(wrapped) : wrapped;
};

const show = (value: RuntimeValue | string): string =>
  typeof value === 'object' ? value.kind : String(value);

const outcome = (
  interpreter: Interpreter,
  name: string,
  values: readonly RuntimeValue[],
): RuntimeValue | string => {
  const result = interpreter.run(name, values);
  return result.status === 'success'
    ? result.value[0]!
    : result.diagnostics[0]!.code.replace('interpreter/', '');
};

describe.each([1, 7, 8, 16, 31, 32, 33, 64])('integers of %d bits', (width) => {
  const type = `i${width}`;
  const pairs = boundary(width).flatMap((a) => boundary(width).map((b) => [a, b] as const));
  const operation = (name: string, text: string, result: string): string => `
    func.func @${name}(%a: ${type}, %b: ${type}) -> ${result} {
      %0 = ${text} %a, %b : ${type}
      return %0 : ${result}
    }`;
  const names = [...Object.keys(signed), ...Object.keys(unsigned)];
  const interpreter = createInterpreter(
    parse(
      [
        ...names.map((name) => operation(name, `arith.${name}`, type)),
        ...Object.keys(comparisons).map((name) => operation(name, `arith.cmpi ${name},`, 'i1')),
      ].join('\n'),
    ),
  );
  const wrong = (
    name: string,
    expected: (a: bigint, b: bigint) => bigint | boolean | string,
  ): readonly string[] =>
    pairs.flatMap(([a, b]) => {
      const wanted = expected(a, b);
      const value =
        typeof wanted === 'bigint'
          ? held(wanted, width)
          : typeof wanted === 'boolean'
            ? Number(wanted)
            : wanted;
      const actual = outcome(interpreter, name, [held(a, width), held(b, width)]);
      return Object.is(actual, value) ? [] : [`${name}(${a}, ${b}) is ${show(actual)}, not ${show(value)}`];
    });
  const bits = BigInt(width);
  const plain = (value: bigint): bigint => BigInt.asUintN(width, value);

  it.each(Object.entries(signed))('arith.%s', (name, define) => {
    expect(wrong(name, (a, b) => define(a, b, bits))).toEqual([]);
  });
  it.each(Object.entries(unsigned))('arith.%s', (name, define) => {
    expect(wrong(name, (a, b) => define(plain(a), plain(b), bits))).toEqual([]);
  });
  it.each(Object.entries(comparisons))('arith.cmpi %s', (name, define) => {
    const isUnsigned = name.startsWith('u');
    expect(wrong(name, (a, b) => (isUnsigned ? define(plain(a), plain(b)) : define(a, b)))).toEqual([]);
  });
});

describe('conversions', () => {
  const widths = [1, 7, 8, 16, 32, 33, 64];
  const converted = (name: string, from: string, to: string): Interpreter =>
    createInterpreter(
      parse(
        `func.func @f(%a: ${from}) -> ${to} { %0 = arith.${name} %a : ${from} to ${to} return %0 : ${to} }`,
      ),
    );

  it.each(widths.flatMap((from) => widths.filter((to) => to > from).map((to) => [from, to] as const)))(
    'of i%d and i%d',
    (narrow, wide) => {
      const run = (name: string, from: number, to: number, value: bigint): RuntimeValue | string =>
        outcome(converted(name, `i${from}`, `i${to}`), 'f', [held(value, from)]);
      for (const value of boundary(narrow)) {
        expect(run('extsi', narrow, wide, value)).toBe(held(value, wide));
        expect(run('extui', narrow, wide, value)).toBe(held(BigInt.asUintN(narrow, value), wide));
      }
      for (const value of boundary(wide))
        expect(run('trunci', wide, narrow, value)).toBe(held(value, narrow));
    },
  );

  it.each(widths)('of i%d and index', (width) => {
    for (const value of boundary(width)) {
      const unsignedValue = BigInt.asUintN(width, value);
      const isIndex = (each: bigint): boolean => each >= -(2n ** 53n) + 1n && each < 2n ** 53n;
      const expected = (each: bigint): number | string => (isIndex(each) ? Number(each) : 'overflow');
      const given = [held(value, width)];
      expect(outcome(converted('index_cast', `i${width}`, 'index'), 'f', given)).toBe(expected(value));
      // At 64 bits an index has the same bits.
      expect(outcome(converted('index_castui', `i${width}`, 'index'), 'f', given)).toBe(
        expected(width === 64 ? value : unsignedValue),
      );
    }
  });

  it.each(widths)('of i%d and floats', (width) => {
    for (const value of boundary(width)) {
      const given = [held(value, width)];
      const plain = BigInt.asUintN(width, value);
      expect(outcome(converted('sitofp', `i${width}`, 'f64'), 'f', given)).toBe(Number(value));
      expect(outcome(converted('uitofp', `i${width}`, 'f64'), 'f', given)).toBe(Number(plain));
    }
    const half = 2 ** (width - 1);
    const rows: readonly (readonly [string, number, number | bigint | string])[] = [
      ['fptosi', -half, held(-BigInt(half), width)],
      ['fptosi', half, 'overflow'],
      ['fptosi', -0.75, held(0n, width)],
      ['fptosi', NaN, 'overflow'],
      ['fptosi', -2 * half - 1, 'overflow'],
      ['fptoui', half, held(BigInt(half), width)],
      ['fptoui', 2 * half, 'overflow'],
      ['fptoui', -1, 'overflow'],
      ['fptoui', -0.75, held(0n, width)],
      ['fptoui', Infinity, 'overflow'],
    ];
    for (const [name, value, expected] of rows) {
      expect([name, value, outcome(converted(name, 'f64', `i${width}`), 'f', [value])]).toEqual([
        name,
        value,
        expected,
      ]);
    }
  });

  // Above the midpoint of two f32 neighbours by less than a double can represent.
  it.each([
    ['i64', 2n ** 60n + 2n ** 36n, 2 ** 60],
    ['i64', 2n ** 60n + 2n ** 36n + 1n, 2 ** 60 + 2 ** 37],
    ['i64', 2n ** 60n + 2n ** 36n - 1n, 2 ** 60],
    ['i64', -(2n ** 60n) - 2n ** 36n - 1n, -(2 ** 60) - 2 ** 37],
    ['i64', 2n ** 60n + 3n * 2n ** 36n, 2 ** 60 + 2 ** 38],
    ['i64', 2n ** 60n + 3n * 2n ** 36n - 1n, 2 ** 60 + 2 ** 37],
    ['i64', 2n ** 63n - 1n, 2 ** 63],
  ])('of %s %s to f32 is rounded once', (type, value, expected) => {
    expect(outcome(converted('sitofp', type, 'f32'), 'f', [value])).toBe(expected);
  });
});

describe('the short way on numbers', () => {
  const registry = createRegistry([arithDialect]);
  const shortWay = (name: string, type: Type) => {
    const { root } = parse(`func.func @f(%a: i32) { %0 = arith.${name} %a, %a : i32 return }`);
    const operation = bodyOf(children(root)[0]!).operations[0]!;
    return integerOperationOnNumbers(operation, modelOf(registry, scalarOp, operation) as IntegerOp, type);
  };
  it.each(['addi', 'subi', 'muli', 'maxsi', 'minsi', 'divsi', 'remsi', 'floordivsi', 'ceildivsi'])(
    'is there for %s of an index and of 32 bits',
    (name) => {
      for (const type of [i32, indexType]) {
        expect(shortWay(name, type)).toBeTypeOf('function');
      }
      for (const type of [i1, f32]) {
        expect(shortWay(name, type)).toBeUndefined();
      }
    },
  );
  it.each(['andi', 'divui', 'shli', 'maxui'])('is not there for %s', (name) => {
    expect(shortWay(name, i32)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { backendsOf, boundaryFloats, boundaryIntegers, differences } from './differential.ts';
import { emitted, failureOf, instanceOf } from './emit.ts';
import { angles, powers, valuesOfOne } from './math-values.ts';
import { expectSame, vectorProgram } from './vector-program.ts';

const names = Object.keys(valuesOfOne);

/** `@f` of each name on numbers of a type. */
const functions = (type: string, operands = '%a'): string =>
  names
    .map(
      (name) => `func.func @${name}(${operands}: ${type}) -> ${type} {
        %r = math.${name} ${operands} : ${type}
        return %r : ${type}
      }`,
    )
    .join('\n');

const bits = new DataView(new ArrayBuffer(8));

/** The distance of two numbers in units in the last place: how many numbers of f64 are between them, and one. */
const distance = (a: number, b: number): number => {
  if (Object.is(a, b) || a === b) return 0;
  const order = (value: number): bigint => {
    bits.setFloat64(0, value);
    const all = bits.getBigInt64(0);
    return all < 0n ? -(2n ** 63n) - all : all;
  };
  return Number(order(a) - order(b) < 0n ? order(b) - order(a) : order(a) - order(b));
};

/** The same of f32. */
const distanceOfF32 = (a: number, b: number): number => {
  if (Object.is(a, b) || a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  const order = (value: number): number => {
    bits.setFloat32(0, value);
    const all = bits.getInt32(0);
    return all < 0 ? -(2 ** 31) - all : all;
  };
  return Math.abs(order(a) - order(b));
};

const double = instanceOf(functions('f64'));
const single = instanceOf(functions('f32'));

describe.each([
  ['exp', -104, 89],
  ['erf', -4.2, 4.2],
  ['tanh', -10.5, 10.5],
] as const)('math.%s of f32, which has code of its own', (name, least, most) => {
  it('is the number that f64 gives, or the one beside it', () => {
    const far: unknown[] = [];
    for (let i = 0; i <= 2000; i++) {
      const x = Math.fround(least + ((most - least) * i) / 2000);
      const [actual, exact] = [single.run(name, x), double.run(name, x)].map(([y]) => y as number);
      if (distanceOfF32(actual!, Math.fround(exact!)) > 1) far.push([x, actual, exact]);
    }
    expect(far).toEqual([]);
  });
});

/** A generic with this operation, on eleven elements. */
const elementwise = (
  name: string,
  type: string,
): string => `func.func @f(%a: memref<11x${type}>, %b: memref<11x${type}>) {
  linalg.${name} ins(%a : memref<11x${type}>) outs(%b : memref<11x${type}>)
  return
}
func.func @number(%a: ${type}) -> ${type} {
  %r = math.${name} %a : ${type}
  return %r : ${type}
}`;

it.each(['exp', 'erf', 'tanh', 'log', 'rsqrt'])(
  'linalg.%s computes vectors, with the bits of numbers',
  (name) => {
    for (const type of ['f32', 'f64'] as const) {
      const text = elementwise(name, type);
      const instance = instanceOf(text);
      const numbers = Array.from({ length: 11 }, (_, i) => (i - 3) / 2);
      const data = type === 'f32' ? Float32Array.from(numbers) : Float64Array.from(numbers);
      const result = data.slice();
      instance.run('f', data, result);
      expect([...result]).toEqual([...data].map((x) => instance.run('number', x)[0]));
      // `v128.store`.
      const { bytes } = emitted(text);
      expect(bytes.some((byte, i) => byte === 0xfd && bytes[i + 1] === 0x0b)).toBe(true);
    }
  },
);

describe.each(names)('math.%s', (name) => {
  it('is within two units in the last place', () => {
    const far = valuesOfOne[name]!.flatMap(([x, expected]) => {
      const [actual] = double.run(name, x) as [number];
      return distance(actual, expected) <= 2 ? [] : [[x, actual, expected]];
    });
    expect(far).toEqual([]);
  });

  it('of f32 is the nearest number or the one beside it', () => {
    const compute = (
      { cbrt: Math.cbrt, erf: undefined, rsqrt: (x) => 1 / Math.sqrt(x), exp2: (x) => 2 ** x } as Readonly<
        Record<string, ((x: number) => number) | undefined>
      >
    )[name];
    const expected = compute ?? (Math as unknown as Record<string, (x: number) => number>)[name];
    if (expected === undefined) return;
    const far: unknown[] = [];
    for (let exponent = -149; exponent < 128; exponent += 3) {
      for (const x of [1, -1.37].map((m) => Math.fround(m * 2 ** exponent))) {
        const [actual] = single.run(name, x) as [number];
        if (distanceOfF32(actual, Math.fround(expected(x))) > 1) far.push([x, actual, expected(x)]);
      }
    }
    expect(far).toEqual([]);
  });

  it('of the numbers at the ends, as in the interpreter', () => {
    const calls = [0, -0, Infinity, -Infinity, NaN].map((x) => [x]);
    expect(differences(backendsOf(functions('f64')), name, calls)).toEqual([]);
  });
});

describe('of two numbers', () => {
  const text = ['powf', 'atan2']
    .map(
      (name) => `func.func @${name}(%a: f64, %b: f64) -> f64 {
        %r = math.${name} %a, %b : f64
        return %r : f64
      }`,
    )
    .join('\n');
  it.each([
    ['powf', powers],
    ['atan2', angles],
  ])('math.%s is within two units in the last place', (name, rows) => {
    const instance = instanceOf(text);
    const far = rows.filter(
      ([a, b, expected]) => distance(instance.run(name, a, b)[0] as number, expected) > 2,
    );
    expect(far).toEqual([]);
  });

  it.each(['powf', 'atan2'])('math.%s of numbers at the ends, as in the interpreter', (name) => {
    const ends = [0, -0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, Infinity, -Infinity, NaN];
    const calls = ends.flatMap((a) => ends.map((b) => [a, b]));
    const near = backendsOf(text);
    const far = calls.filter(([a, b]) => {
      const { wasm, interpreter } = near.outcomes(name, a!, b!);
      const [actual, expected] = [wasm[0] as number, interpreter[0] as number];
      const isSame = Object.is(actual, expected) || distance(actual, expected) <= 2;
      return !isSame || Object.is(actual, -0) !== Object.is(expected, -0);
    });
    expect(far).toEqual([]);
  });
});

describe.each(['f32', 'f64'])('arith.remf of %s', (type) => {
  it('is exact, as in the interpreter', () => {
    const [least, most] = type === 'f32' ? [2 ** -149, 2 ** 127] : [2 ** -1074, 2 ** 1023];
    const values = [0, 1, 3, 0.7, 1e-40, least, 3 * least, most, Infinity].flatMap((x) => [x, -x]);
    const numbers = [...values, NaN].map(type === 'f32' ? Math.fround : Number);
    const calls = numbers.flatMap((a) => numbers.map((b) => [a, b]));
    const text = `func.func @f(%a: ${type}, %b: ${type}) -> ${type} {
      %r = arith.remf %a, %b : ${type}
      return %r : ${type}
    }`;
    expect(differences(backendsOf(text), 'f', calls)).toEqual([]);
  });
});

describe.each(['f32', 'f64'])('instructions on %s', (type) => {
  const all = ['absf', 'ceil', 'floor', 'trunc', 'round', 'roundeven', 'sqrt'];
  const backends = backendsOf(
    all
      .map(
        (name) => `func.func @${name}(%a: ${type}) -> ${type} {
          %r = math.${name} %a : ${type}
          return %r : ${type}
        }`,
      )
      .join('\n'),
  );
  it.each(all)('math.%s', (name) => {
    const nearHalf = [0.49999997, 0.49999999999999994, -0.5, 1.5, 2.5, -2.5, 2 ** 23 + 1, 2 ** 52 + 1];
    const values = [...boundaryFloats, ...nearHalf.map(type === 'f32' ? Math.fround : Number)];
    expect(
      differences(
        backends,
        name,
        values.map((value) => [value]),
      ),
    ).toEqual([]);
  });
});

it('math.fma of f32 rounds once', () => {
  const backends = backendsOf(`func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
    %r = math.fma %a, %b, %c : f32
    return %r : f32
  }`);
  const values = [
    1,
    -1,
    1 + 2 ** -12,
    1 - 2 ** -24,
    3,
    2 ** -149,
    2 ** 100,
    -(2 ** 100),
    1e-20,
    Infinity,
    NaN,
  ].map(Math.fround);
  const calls = values.flatMap((a) => values.flatMap((b) => values.map((c) => [a, b, c])));
  expect(differences(backends, 'f', calls)).toEqual([]);
});

it('math.fma of f64 is refused', () => {
  const text = `func.func @f(%a: f64) -> f64 {
    %r = math.fma %a, %a, %a : f64
    return %r : f64
  }`;
  expect(failureOf(text)).toMatchObject({ code: 'wasm/unsupported', location: { line: 2 } });
});

describe.each(['i1', 'i8', 'i16', 'i32', 'i64', 'index'])('integers of type %s', (type) => {
  it.each(['ctlz', 'cttz', 'ctpop', 'absi'])('math.%s', (name) => {
    const text = `func.func @f(%a: ${type}) -> ${type} {
      %r = math.${name} %a : ${type}
      return %r : ${type}
    }`;
    const calls = boundaryIntegers(type).map((value) => [value]);
    expect(differences(backendsOf(text), 'f', calls, type)).toEqual([]);
  });
});

describe('on vectors', () => {
  it.each(['f32', 'f64'])('each element is what the number would be: %s', (type) => {
    const element = instanceOf(functions(type));
    const vectors = instanceOf(
      names
        .map(
          (name) => `func.func @${name}(%m: memref<7x${type}>) {
            %c0 = arith.constant 0 : index
            %v = vector.load %m[%c0] : memref<7x${type}>, vector<7x${type}>
            %r = math.${name} %v : vector<7x${type}>
            vector.store %r, %m[%c0] : memref<7x${type}>, vector<7x${type}>
            return
          }`,
        )
        .join('\n'),
    );
    const elements = type === 'f32' ? Float32Array : Float64Array;
    const given = elements.of(0.3, -0.7, 2.5, -0, 40, NaN, 1e-30);
    for (const name of names) {
      const actual = given.slice();
      vectors.run(name, actual);
      expect([name, ...actual]).toEqual([name, ...given.map((x) => element.run(name, x)[0] as number)]);
    }
  });

  it('instructions and counts', () => {
    expectSame(
      vectorProgram(
        ['5xf32', '5xf64', '7xi8'],
        `%r0 = math.absf %v0 : vector<5xf32>
         %r1 = math.floor %v1 : vector<5xf64>
         %r2 = math.copysign %v0, %v0 : vector<5xf32>
         %r3 = math.ctpop %v2 : vector<7xi8>
         %r4 = math.round %v1 : vector<5xf64>`,
        ['5xf32', '5xf64', '5xf32', '7xi8', '5xf64'],
      ),
    );
  });

  it('a function is in the module once, and only where it is used', () => {
    const bytes = (uses: number): number =>
      emitted(`func.func @f(%a: f64) -> f64 {
        ${Array.from({ length: uses }, (_, i) => `%${i} = math.sin %a : f64`).join('\n')}
        return %a : f64
      }`).bytes.length;
    expect(bytes(0)).toBeLessThan(300);
    expect(bytes(1)).toBeGreaterThan(1000);
    expect(bytes(20) - bytes(1)).toBeLessThan(300);
  });
});

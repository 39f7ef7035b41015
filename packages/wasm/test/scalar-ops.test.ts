import { describe, expect, it } from 'vitest';
import { backendsOf, boundaryFloats, boundaryIntegers, differences, pairs } from './differential.ts';
import { failureOf } from './emit.ts';

const integerTypes = ['i1', 'i8', 'i16', 'i32', 'i64', 'index'];

const integerOperations = [
  'addi', 'subi', 'muli', 'andi', 'ori', 'xori', 'shli', 'shrsi', 'shrui',
  'divsi', 'divui', 'remsi', 'remui', 'floordivsi', 'ceildivsi', 'ceildivui',
  'minsi', 'maxsi', 'minui', 'maxui',
]; // prettier-ignore

/** Functions `@name(%a, %b)` of one operation each. */
const binary = (type: string, names: readonly string[], operation: (name: string) => string, result = type) =>
  names
    .map(
      (name) => `func.func @${name}(%a: ${type}, %b: ${type}) -> ${result} {
        %r = ${operation(name)} : ${type}
        return %r : ${result}
      }`,
    )
    .join('\n');

describe.each(integerTypes)('integers of type %s', (type) => {
  const values = pairs(boundaryIntegers(type));
  const backends = backendsOf(binary(type, integerOperations, (name) => `arith.${name} %a, %b`));
  it.each(integerOperations)('arith.%s', (name) => {
    expect(differences(backends, name, values, type)).toEqual([]);
  });

  const predicates = ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'];
  const comparing = backendsOf(binary(type, predicates, (name) => `arith.cmpi ${name}, %a, %b`, 'i1'));
  it.each(predicates)('arith.cmpi %s', (name) => {
    expect(differences(comparing, name, values)).toEqual([]);
  });

  it('arith.select', () => {
    const text = `func.func @f(%c: i1, %a: ${type}, %b: ${type}) -> ${type} {
      %r = arith.select %c, %a, %b : ${type}
      return %r : ${type}
    }`;
    const calls = values.flatMap(([a, b]) => [0, 1].map((c) => [c, a, b]));
    expect(differences(backendsOf(text), 'f', calls)).toEqual([]);
  });

  it('arith.constant', () => {
    const constants = boundaryIntegers(type);
    const text = constants.map(
      (value, i) => `func.func @f${i}() -> ${type} {
        %r = arith.constant ${type === 'i1' ? Boolean(value) : value} : ${type}
        return %r : ${type}
      }`,
    );
    const backends = backendsOf(text.join('\n').replaceAll(/(true|false) : i1/g, '$1'));
    expect(constants.map((_, i) => backends.wasm.run(`f${i}`))).toEqual(constants.map((value) => [value]));
  });
});

describe('integers', () => {
  it.each([
    ['divsi', 'i1', [1, 1], 'overflow'],
    ['divsi', 'i8', [-128, -1], 'overflow'],
    ['floordivsi', 'i16', [-32_768, -1], 'overflow'],
    ['ceildivsi', 'i32', [-(2 ** 31), -1], 'overflow'],
    ['divsi', 'i64', [-(2n ** 63n), -1n], 'overflow'],
    ['remsi', 'i32', [-(2 ** 31), -1], [0]],
    ['remui', 'i8', [5, 0], 'division-by-zero'],
    ['muli', 'index', [65_536, 65_536], 'overflow'],
    ['addi', 'index', [2 ** 31 - 1, 1], 'overflow'],
    ['subi', 'index', [-(2 ** 31), 1], 'overflow'],
    ['shli', 'index', [1, 31], 'overflow'],
    ['addi', 'i8', [127, 1], [-128]],
    ['minui', 'i8', [-1, 1], [1]],
    ['shrsi', 'i8', [-128, 7], [-1]],
    ['shrui', 'i8', [-128, 7], [1]],
    ['shli', 'i32', [1, 32], [0]],
    ['minsi', 'i1', [0, 1], [1]],
  ] as const)('arith.%s of %s on %s gives %s', (name, type, values, expected) => {
    const { wasm } = backendsOf(binary(type, [name], () => `arith.${name} %a, %b`)).outcomes(name, ...values);
    expect(wasm).toEqual(expected);
  });

  it('says at which operation a check ends an execution', () => {
    const text = `func.func @f(%a: i8, %b: i8) -> i8 {
      %s = arith.addi %a, %b : i8
      %r = arith.divsi %s, %b : i8
      return %r : i8
    }`;
    const { wasm } = backendsOf(text);
    const result = wasm.call('f', -127, -1);
    expect(result.diagnostics).toMatchObject([{ code: 'wasm/overflow', location: { line: 3 } }]);
    expect(wasm.run('f', 6, 2)).toEqual([4]);
  });

  it('count only the bits of the type in an argument', () => {
    const { wasm } = backendsOf(`func.func @f(%a: i1, %b: i8, %c: i16) -> (i1, i8, i16) {
      return %a, %b, %c : i1, i8, i16
    }`);
    expect(wasm.run('f', 3, 255, 65_535)).toEqual([1, -1, -1]);
  });
});

describe.each(['f32', 'f64'])('floats of type %s', (type) => {
  const values = pairs(boundaryFloats);
  const names = ['addf', 'subf', 'mulf', 'divf', 'maximumf', 'minimumf', 'maxnumf', 'minnumf'];
  const backends = backendsOf(binary(type, names, (name) => `arith.${name} %a, %b`));
  it.each(names)('arith.%s', (name) => {
    expect(differences(backends, name, values)).toEqual([]);
  });

  const predicates = [
    'false', 'oeq', 'ogt', 'oge', 'olt', 'ole', 'one', 'ord',
    'ueq', 'ugt', 'uge', 'ult', 'ule', 'une', 'uno', 'true',
  ]; // prettier-ignore
  const comparing = backendsOf(binary(type, predicates, (name) => `arith.cmpf ${name}, %a, %b`, 'i1'));
  it.each(predicates)('arith.cmpf %s', (name) => {
    expect(differences(comparing, name, values)).toEqual([]);
  });

  it.each([
    'arith.negf',
    'math.absf',
    'math.ceil',
    'math.floor',
    'math.roundeven',
    'math.sqrt',
    'math.trunc',
  ])('%s', (name) => {
    const text = `func.func @f(%a: ${type}) -> ${type} {
      %r = ${name} %a : ${type}
      return %r : ${type}
    }`;
    const calls = boundaryFloats.map((value) => [value]);
    expect(differences(backendsOf(text), 'f', calls)).toEqual([]);
  });
});

it.each([
  ['a constant', '%r = arith.constant 1.0 : f80 return', 'arith.constant'],
  ['an operation', '%x = arith.addi %i, %i : i7 return', 'func.func'],
  ['a conversion', '%x = arith.bitcast %f : f32 to i32 return', 'arith.bitcast'],
  ['a float operation', '%i = arith.constant 1 : i32 %x = math.fpowi %f, %i : f32, i32 return', 'math.fpowi'],
])('a type that WebAssembly does not have is refused: %s', (_, body, name) => {
  const parameter = body.includes('i7') ? '%i: i7' : '%f: f32';
  const failure = failureOf(`func.func @f(${parameter}) { ${body} }`);
  expect([failure.code, failure.message]).toEqual(['wasm/unsupported', expect.stringContaining(name)]);
});

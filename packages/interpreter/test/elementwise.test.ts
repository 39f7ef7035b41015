/** An operation on tensors does to each element what it does to scalars. */
import { describe, expect, it } from 'vitest';
import { createInterpreter, elementsOf, tensor } from '../src/index.ts';
import type { RuntimeValue, TensorValue } from '../src/index.ts';
import { failure, parse } from './run.ts';

const operands = ['%a', '%b', '%c'];

/** `@scalars` and `@tensors` with one operation: its text after the operands, and its types. */
const both = (name: string, from: readonly string[], to: string, ending: string): string => {
  const one = (kind: 'scalars' | 'tensors'): string => {
    const typed = (type: string): string => (kind === 'tensors' ? `tensor<2x2x${type}>` : type);
    const parameters = from.map((type, i) => `${operands[i]!}: ${typed(type)}`).join(', ');
    const text = `${name} ${operands.slice(0, from.length).join(', ')} : ${ending.replaceAll(/<(\w+)>/g, (_, type: string) => typed(type))}`;
    return `func.func @${kind}(${parameters}) -> ${typed(to)} { %0 = ${text} return %0 : ${typed(to)} }`;
  };
  return `${one('scalars')}\n${one('tensors')}`;
};

const numbers = [
  [1.5, -2.25, 3, -0.5],
  [2, 0.75, -1, 4],
  [0.5, -8, 6, 3],
];

describe.each<[string, readonly string[], string, string]>([
  ...[
    'arith.negf',
    'math.absf',
    'math.ceil',
    'math.floor',
    'math.trunc',
    'math.roundeven',
    'math.exp',
    'math.exp2',
    'math.expm1',
    'math.log',
    'math.log2',
    'math.log10',
    'math.log1p',
    'math.sin',
    'math.cos',
    'math.tan',
    'math.tanh',
    'math.atan',
    'math.cbrt',
    'math.sqrt',
    'math.rsqrt',
  ].map((name): [string, string[], string, string] => [name, ['f32'], 'f32', '<f32>']),
  ...[
    'arith.addf',
    'arith.subf',
    'arith.mulf',
    'arith.divf',
    'arith.remf',
    'arith.maximumf',
    'arith.minimumf',
    'arith.maxnumf',
    'arith.minnumf',
    'math.atan2',
    'math.copysign',
    'math.powf',
  ].map((name): [string, string[], string, string] => [name, ['f64', 'f64'], 'f64', '<f64>']),
  ...[
    'arith.addi',
    'arith.subi',
    'arith.muli',
    'arith.divsi',
    'arith.remui',
    'arith.shli',
    'arith.xori',
    'arith.minui',
  ].flatMap((name) =>
    ['i16', 'i64'].map((type): [string, string[], string, string] => [name, [type, type], type, `<${type}>`]),
  ),
  ['math.fma', ['f32', 'f32', 'f32'], 'f32', '<f32>'],
  ['math.absi', ['i32'], 'i32', '<i32>'],
  ['arith.cmpf olt,', ['f32', 'f32'], 'i1', '<f32>'],
  ['arith.cmpi ult,', ['i8', 'i8'], 'i1', '<i8>'],
  ['arith.sitofp', ['i32'], 'f32', '<i32> to <f32>'],
  ['arith.fptosi', ['f32'], 'i64', '<f32> to <i64>'],
  ['arith.extf', ['f32'], 'f64', '<f32> to <f64>'],
  ['arith.trunci', ['i64'], 'i8', '<i64> to <i8>'],
  ['arith.index_cast', ['i32'], 'index', '<i32> to <index>'],
  ['arith.bitcast', ['f32'], 'i32', '<f32> to <i32>'],
])('%s on %j', (name, from, to, ending) => {
  const data = from.map((type, i) => {
    const values = numbers[i]!;
    if (type === 'f32') return Float32Array.from(values);
    if (type === 'f64') return Float64Array.from(values);
    const integers = values.map((value) => Math.round(value) || 5);
    if (type === 'i64') return BigInt64Array.from(integers, BigInt);
    return type === 'i32'
      ? Int32Array.from(integers)
      : type === 'i16'
        ? Int16Array.from(integers)
        : Int8Array.from(integers);
  });
  it('element by element', () => {
    const interpreter = createInterpreter(parse(both(name, from, to, ending)));
    const result = interpreter.run(
      'tensors',
      data.map((each) => tensor([2, 2], each)),
    );
    if (result.status !== 'success') throw new Error(result.diagnostics[0]?.message);
    const scalars = data[0]!.length;
    const expected = Array.from({ length: scalars }, (_, k) => {
      const one = interpreter.run(
        'scalars',
        data.map((each): RuntimeValue => each[k]!),
      );
      return one.status === 'success' ? one.value[0] : one.diagnostics[0]?.message;
    });
    const value = result.value[0] as TensorValue;
    expect(value.shape).toEqual([2, 2]);
    expect([...elementsOf(value)]).toEqual(expected);
  });
});

describe('shapes that are only known when it runs', () => {
  const text = (operation: string, parameters: string, type: string): string =>
    `func.func @f(${parameters}) -> ${type} { %0 = ${operation} return %0 : ${type} }`;
  const dynamic = 'tensor<?xf32>';
  const two = tensor([2], new Float32Array(2));
  const three = tensor([3], new Float32Array(3));
  const mask = (count: number): TensorValue =>
    tensor([count], new Uint8Array(count), { kind: 'integer', width: 1, signedness: 'signless' });
  it.each<[string, string, string, readonly RuntimeValue[]]>([
    ['two operands', 'arith.addf %a, %b : tensor<?xf32>', `%a: ${dynamic}, %b: ${dynamic}`, [two, three]],
    ['two operands, the first larger', 'arith.addf %a, %b : tensor<?xf32>', `%a: ${dynamic}, %b: ${dynamic}`, [three, two]],
    ['the third', 'math.fma %a, %b, %c : tensor<?xf32>', `%a: ${dynamic}, %b: ${dynamic}, %c: ${dynamic}`, [two, two, three]],
    ['a condition', 'arith.select %a, %b, %c : tensor<?xi1>, tensor<?xf32>', `%a: tensor<?xi1>, %b: ${dynamic}, %c: ${dynamic}`, [mask(3), two, two]],
  ])('have to be equal: %s', (_, operation, parameters, values) => {
    const { code, message } = failure(text(operation, parameters, dynamic), values);
    expect([code, message]).toEqual(['interpreter/shape-mismatch', expect.stringContaining('combines tensors of')]);
  }); // prettier-ignore
});

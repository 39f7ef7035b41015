/**
 * The node cases of the ONNX standard, of Debian's `libonnx-testdata` (`tools/setup-models.sh`): each is right, or refused
 * by name. `ONNX_TEST_DATA` is their folder where it is another one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import type { ElementArray, TensorValue } from '@sconv/interpreter';
import { importOnnx } from '@sconv/onnx';
import { describe, expect, it } from 'vitest';
import type { Constant } from '../src/constant.ts';
import { numbersOf } from '../src/constant.ts';
import type { ElementType } from '../src/element-type.ts';
import { TensorProtoSchema } from '../src/generated/onnx_pb.ts';
import { NodeProblem } from '../src/problem.ts';
import { constantOfTensor } from '../src/tensor-data.ts';

const folder = `${process.env['ONNX_TEST_DATA'] ?? '/usr/share/libonnx-testdata'}/data/node`;
const names = existsSync(folder) ? readdirSync(folder).sort() : [];

/** An input or output of a case; undefined for what is no tensor of numbers. */
const readTensor = (path: string): Constant | undefined => {
  try {
    return constantOfTensor('tensor', fromBinary(TensorProtoSchema, readFileSync(path)));
  } catch (thrown) {
    if (thrown instanceof NodeProblem) return undefined;
    throw thrown;
  }
};

/** As the interpreter holds elements: integers without sign, half floats as numbers. */
const elementsFor = (kind: string, size: number, numbers: readonly number[]): ElementArray => {
  if (kind === 'float') return size === 8 ? Float64Array.from(numbers) : Float32Array.from(numbers);
  if (size === 8) return BigInt64Array.from(numbers, BigInt);
  if (kind === 'boolean') return Uint8Array.from(numbers);
  return size === 1
    ? Int8Array.from(numbers)
    : size === 2
      ? Int16Array.from(numbers)
      : Int32Array.from(numbers);
};

/** The files hold bfloat16 as uint16: `type` is what the model says. */
const valueOf = (constant: Constant, type: ElementType): TensorValue =>
  tensor(constant.shape, elementsFor(type.kind, type.size, numbersOf({ ...constant, type })), type.type);

const tolerances: Readonly<Record<string, number>> = { float16: 2e-3, bfloat16: 1e-2 };

const isClose = (actual: number, expected: number, tolerance: number): boolean =>
  Object.is(actual, expected) ||
  actual === expected ||
  (Number.isNaN(actual) && Number.isNaN(expected)) ||
  Math.abs(actual - expected) <= tolerance * (1 + Math.abs(expected));

/** Undefined if a case is right; else why it is not. */
const outcome = (name: string): { readonly kind: 'right' | 'wrong' | 'refused'; readonly why: string } => {
  const path = `${folder}/${name}`;
  const imported = importOnnx(new Uint8Array(readFileSync(`${path}/model.onnx`)));
  if (imported.status !== 'success') {
    const [{ code, message, notes }] = imported.diagnostics as [(typeof imported.diagnostics)[number]];
    return { kind: 'refused', why: `${code} ${message} ${notes.map((note) => note.message).join('; ')}` };
  }
  const set = `${path}/test_data_set_0`;
  const read = (kind: string, count: number) =>
    Array.from({ length: count }, (_, i) => readTensor(`${set}/${kind}_${i}.pb`));
  const { module, inputs, outputs } = imported.value;
  const given = read('input', inputs.length).map(
    (constant, i) => constant && valueOf(constant, inputs[i]!.type),
  );
  const expected = read('output', outputs.length);
  const result = interpret(module, 'main', given as TensorValue[]);
  if (result.status !== 'success') return { kind: 'wrong', why: result.diagnostics[0]!.message };
  for (const [i, value] of result.value.entries()) {
    const wanted = expected[i];
    if (wanted === undefined || typeof value !== 'object' || value.kind !== 'tensor')
      return { kind: 'wrong', why: 'no tensor' };
    if (wanted.shape.join() !== value.shape.join())
      return { kind: 'wrong', why: `${value.shape.join('x')} instead of ${wanted.shape.join('x')}` };
    const { type } = outputs[i]!;
    const [actual, numbers] = [value, valueOf(wanted, type)].map((each) =>
      Array.from(elementsOf(each), Number),
    ) as [readonly number[], readonly number[]];
    const tolerance = tolerances[type.name] ?? 1e-5;
    const at = actual.findIndex((each, k) => !isClose(each, numbers[k]!, tolerance));
    if (at >= 0) return { kind: 'wrong', why: `${actual[at]} instead of ${numbers[at]} at ${at}` };
  }
  return { kind: 'right', why: '' };
};

describe.skipIf(names.length === 0)('node cases', () => {
  it('are right or refused', () => {
    const outcomes = names.map((name) => ({ name, ...outcome(name) }));
    const of = (kind: string) => outcomes.filter((each) => each.kind === kind);
    if (process.env['ONNX_REPORT'] !== undefined)
      for (const { name, kind, why } of outcomes) if (kind !== 'right') console.log(kind, name, why);
    console.log(of('right').length, of('refused').length, of('wrong').length);
    expect(of('wrong').map(({ name, why }) => `${name}: ${why}`)).toEqual([]);
  });
});

/**
 * The node cases of the ONNX standard, of Debian's `libonnx-testdata` (`tools/setup-models.sh`): each is right, or refused
 * by name. `ONNX_TEST_DATA` is their folder where it is another one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { unwrap } from '@sconv/diagnostics';
import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import type { ElementArray, TensorValue } from '@sconv/interpreter';
import { importOnnx, readOnnx } from '@sconv/onnx';
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
    return constantOfTensor('tensor', fromBinary(TensorProtoSchema, readFileSync(path)), {});
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

/** Windows are expanded with a circle number of four digits. */
const toleranceOf = (name: string, { name: type }: ElementType): number =>
  /window.*_expanded/.test(name) ? 1e-3 : (tolerances[type] ?? 1e-5);

const isClose = (actual: number, expected: number, tolerance: number): boolean =>
  Object.is(actual, expected) ||
  actual === expected ||
  (Number.isNaN(actual) && Number.isNaN(expected)) ||
  Math.abs(actual - expected) <= tolerance * (1 + Math.abs(expected));

const numbersIn = (value: TensorValue): readonly number[] => Array.from(elementsOf(value), Number);

/** What becomes of a case. Inputs that must be known at import, shapes for instance, are given to it. */
const outcome = (name: string): { readonly kind: 'right' | 'wrong' | 'refused'; readonly why: string } => {
  const path = `${folder}/${name}`;
  const file = new Uint8Array(readFileSync(`${path}/model.onnx`));
  const set = `${path}/test_data_set_0`;
  const read = (kind: string, count: number) =>
    Array.from({ length: count }, (_, i) => readTensor(`${set}/${kind}_${i}.pb`));
  const names = unwrap(readOnnx(file)).graph!.input.map((input) => input.name);
  const data = new Map(read('input', names.length).map((constant, i) => [names[i]!, constant]));
  const numbersOfInput = (name: string): readonly number[] => {
    const constant = data.get(name);
    return constant === undefined ? [] : numbersOf(constant);
  };
  const withValues = (known: readonly string[]) =>
    importOnnx(file, {
      values: Object.fromEntries(known.map((name) => [name, numbersOfInput(name)])),
    });
  let imported = importOnnx(file);
  if (
    imported.status !== 'success' &&
    imported.diagnostics.some(({ notes }) => String(notes[0]?.message).includes('must be known at import'))
  )
    imported = withValues(names.slice(1));
  if (imported.status !== 'success') imported = withValues(names);
  if (imported.status !== 'success') {
    const [{ code, message, notes }] = imported.diagnostics as [(typeof imported.diagnostics)[number]];
    const said =
      code === 'onnx/unsupported' && notes.length > 0
        ? notes.map((note) => note.message).join('; ')
        : message;
    return { kind: 'refused', why: said };
  }
  const { module, inputs, outputs } = imported.value;
  const given = inputs.map(({ name, type, shape }) => {
    const constant = data.get(name);
    return constant?.shape.join() === shape.join() ? valueOf(constant, type) : undefined;
  });
  if (given.includes(undefined)) return { kind: 'refused', why: 'the data contradict the model' };
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
    const [actual, numbers] = [numbersIn(value), numbersIn(valueOf(wanted, type))];
    const tolerance = toleranceOf(name, type);
    const at = actual.findIndex((each, k) => !isClose(each, numbers[k]!, tolerance));
    if (at >= 0) return { kind: 'wrong', why: `${actual[at]} instead of ${numbers[at]} at ${at}` };
  }
  return { kind: 'right', why: '' };
};

const isThorough = process.env['THOROUGH'] !== undefined;

describe.skipIf(names.length === 0)('node cases of the standard', () => {
  it('are right, or refused for a reason', async () => {
    const drawn = isThorough ? names : names.filter((_, i) => i % 8 === 0);
    const outcomes = drawn.map((name) => ({ name, ...outcome(name) }));
    const of = (kind: string) => outcomes.filter((each) => each.kind === kind);
    expect(of('wrong')).toEqual([]);
    expect(of('right').length).toBeGreaterThan(drawn.length / 2);
    if (!isThorough) return;
    const lines = of('refused').map(({ name, why }) => `${name.replace('test_', '')}: ${why}`);
    await expect([`${of('right').length} right`, ...lines, ''].join('\n')).toMatchFileSnapshot(
      'node-cases.txt',
    );
  });
});

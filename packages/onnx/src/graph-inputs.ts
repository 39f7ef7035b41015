/** The inputs of a graph, with the sizes that the caller binds. */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, definite, didYouMean, error, mapSuccess, success } from '@sconv/diagnostics';
import type { ValueInfoProto } from './generated/onnx_pb.ts';
import type { Constant } from './constant.ts';
import { constantOfNumbers, countOf } from './constant.ts';
import { elementTypeOfCode } from './element-type.ts';
import type { InputSizes, OnnxTensor } from './onnx-tensor.ts';
import { printSizes } from './problem.ts';

/**
 * The inputs with all sizes known. Fails with `onnx/unknown-input`, `onnx/dynamic-size`, `onnx/input-sizes` and
 * `onnx/unsupported`.
 */
export const boundInputs = (
  inputs: readonly ValueInfoProto[],
  given: InputSizes,
): Diagnosed<readonly OnnxTensor[]> => {
  const names = inputs.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) return unknownInput(unknown, names);
  return collect(inputs, (input) => boundInput(input, given[input.name]));
};

const failure = (code: string, message: string, name: string) =>
  definite(error(code, message, { kind: 'name', name, child: { kind: 'unknown' } }));

const unknownInput = (name: string, names: readonly string[]) =>
  failure(
    'onnx/unknown-input',
    `the model has no input '${name}'; there are ${names.join(', ')}${didYouMean(name, names)}`,
    name,
  );

const boundInput = (
  { name, type: described }: ValueInfoProto,
  given: readonly number[] | undefined,
): Diagnosed<OnnxTensor> => {
  const tensor = described?.tensorType;
  const type = elementTypeOfCode(tensor?.elemType ?? 0);
  if (type === undefined) return failure('onnx/unsupported', `input '${name}' is no tensor of numbers`, name);
  // Exporters write sizes that they don't know as -1, too.
  const declared = tensor?.shape?.dim.map(({ value }) =>
    value.case === 'dimValue' && value.value >= 0n ? Number(value.value) : (value.value ?? '?').toString(),
  );
  const shape = given ?? declared;
  const sizes = shape?.filter((size): size is number => typeof size === 'number');
  if (shape === undefined || sizes === undefined || sizes.length < shape.length)
    return failure(
      'onnx/dynamic-size',
      `input '${name}' has ${declared === undefined ? 'no shape' : `sizes ${printSizes(declared)}`}; ` +
        `bind them: inputs: { '${name}': [${(declared ?? ['…']).join(', ')}] } with numbers, ` +
        `or to a command, --sizes ${name}=1x3x224x224 (sconv import: --input)`,
      name,
    );
  const isContradicted =
    declared !== undefined &&
    (declared.length !== sizes.length ||
      declared.some((size, i) => typeof size === 'number' && size !== sizes[i]));
  if (isContradicted || !sizes.every((size) => Number.isSafeInteger(size) && size >= 0))
    return failure(
      'onnx/input-sizes',
      `input '${name}' has sizes ${declared === undefined ? 'unknown' : printSizes(declared)}, ` +
        `not ${printSizes(sizes)}`,
      name,
    );
  return success({ name, shape: sizes, type });
};

/** The inputs whose elements the caller knows, as constants. Fails with `onnx/unknown-input` and `onnx/input-sizes`. */
export const knownInputs = (
  inputs: readonly OnnxTensor[],
  values: Readonly<Record<string, ArrayLike<number | bigint>>>,
): Diagnosed<ReadonlyMap<string, Constant>> => {
  const names = inputs.map(({ name }) => name);
  const constants = collect(Object.entries(values), ([name, elements]) => {
    const input = inputs.find((each) => each.name === name);
    if (input === undefined) return unknownInput(name, names);
    const { type, shape } = input;
    if (elements.length !== countOf(shape)) {
      const message = `input '${name}' has sizes ${printSizes(shape)}, but ${elements.length} values`;
      return failure('onnx/input-sizes', message, name);
    }
    return success([name, constantOfNumbers(type, shape, Array.from(elements, Number))] as const);
  });
  return mapSuccess(constants, (each) => new Map(each));
};

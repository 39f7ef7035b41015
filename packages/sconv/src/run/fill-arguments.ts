/** Arguments for a function: contents of files, and small integers for the rest. */
import type {
  Artifact,
  BufferSignature,
  ElementName,
  Elements,
  FunctionSignature,
  RunValue,
} from '@sconv/backend';
import { halfBits } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, definite, error, fileLocation, success } from '@sconv/diagnostics';
import { integerData } from '@sconv/interpreter';
import type { SourceBytes } from './run-payload.ts';

/** Arguments to call a function with: arrays of the artifact, and 1 for numbers. */
export const fillArguments = (
  { name, location, parameters }: FunctionSignature,
  artifact: Pick<Artifact, 'allocate'>,
  { inputs }: { readonly inputs: readonly SourceBytes[] },
): Diagnosed<readonly RunValue[]> => {
  const count = parameters.filter(({ kind }) => kind === 'buffer').length;
  const surplus = inputs[count];
  if (surplus !== undefined) {
    const message = `@${name} takes ${count} buffers, but there are ${inputs.length} inputs`;
    return definite(error('run/inputs', message, fileLocation(surplus.name, 1, 1)));
  }
  let buffers = 0;
  return collect(parameters, (parameter): Diagnosed<RunValue> => {
    if (parameter.kind === 'scalar') return success(parameter.type === 'i64' ? 1n : 1);
    const elements = allocated(artifact, parameter);
    if (elements === undefined) {
      return definite(error('run/memory', `no room for the arguments of @${name}`, location));
    }
    const input = inputs[buffers];
    buffers += 1;
    if (input === undefined) fillWithIntegers(elements, buffers, parameter.element);
    else if (input.bytes.length === elements.byteLength) {
      new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength).set(input.bytes);
    } else {
      const message =
        `argument ${buffers - 1} of @${name} has ${elements.byteLength} bytes, the file ` +
        `${input.bytes.length}`;
      return definite(error('run/inputs', message, fileLocation(input.name, 1, 1)));
    }
    return success(elements);
  });
};

/** An array for an argument; undefined if the artifact has no room for it. */
const allocated = (
  artifact: Pick<Artifact, 'allocate'>,
  { element, length }: BufferSignature,
): Elements | undefined => {
  try {
    return artifact.allocate(element, length);
  } catch (problem) {
    if (problem instanceof RangeError) return undefined;
    throw problem;
  }
};

const fillWithIntegers = (place: Elements, seed: number, element: ElementName): void => {
  const integers = integerData(place.length, seed);
  const data = element === 'i1' ? integers.map((value) => value & 1) : integers;
  if (element === 'f16' || element === 'bf16') (place as Uint16Array).set(halfBits(element, data));
  else if (place instanceof BigInt64Array) place.set(BigInt64Array.from(data, BigInt));
  else place.set(data);
};

/** Arguments for a function: what files hold, and small integers for the rest. */
import type { Elements, FunctionSignature, RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, fileLocation, success } from '@sconv/diagnostics';
import { integerData } from '@sconv/interpreter';
import type { SourceBytes } from './run-payload.ts';

/** Fills the places of a function's buffers; the values to call it with. Numbers are 1. */
export const fillArguments = (
  { name, parameters }: FunctionSignature,
  places: readonly (Elements | undefined)[],
  { inputs }: { readonly inputs: readonly SourceBytes[] },
): Diagnosed<readonly RunValue[]> => {
  const buffers = places.filter((place) => place !== undefined);
  const elements = parameters.flatMap((parameter) =>
    parameter.kind === 'buffer' ? [parameter.element] : [],
  );
  const surplus = inputs[buffers.length];
  if (surplus !== undefined) {
    const message = `@${name} takes ${buffers.length} buffers, but there are ${inputs.length} inputs`;
    return definite(error('run/inputs', message, fileLocation(surplus.name, 1, 1)));
  }
  for (const [i, place] of buffers.entries()) {
    const input = inputs[i];
    if (input === undefined) fillWithIntegers(place, i + 1, elements[i] === 'i1');
    else if (input.bytes.length === place.byteLength) {
      new Uint8Array(place.buffer, place.byteOffset, place.byteLength).set(input.bytes);
    } else {
      const message = `argument ${i} of @${name} has ${place.byteLength} bytes, the file ${input.bytes.length}`;
      return definite(error('run/inputs', message, fileLocation(input.name, 1, 1)));
    }
  }
  return success(
    parameters.map((parameter, i) => {
      const place = places[i];
      if (place !== undefined) return place;
      return parameter.kind === 'scalar' && parameter.type === 'i64' ? 1n : 1;
    }),
  );
};

const fillWithIntegers = (place: Elements, seed: number, isBoolean: boolean): void => {
  const integers = integerData(place.length, seed);
  const data = isBoolean ? integers.map((value) => value & 1) : integers;
  if (place instanceof BigInt64Array) place.set(BigInt64Array.from(data, BigInt));
  else place.set(data);
};

/** Serializes calls of a program: the format that `program.ts` reads and writes. */
import type { BufferSignature, Elements, FunctionSignature, RunValue, ScalarSignature } from '@sconv/backend';
import { arrayTypeOf, copyElements, elementArrays } from '@sconv/backend';

type Signature = BufferSignature | ScalarSignature;

/** The size of an argument or result in bytes. */
const sizeOf = (signature: Signature): number =>
  signature.kind === 'buffer'
    ? signature.length * signature.elementBytes
    : elementArrays[signature.type].BYTES_PER_ELEMENT;

const asBytes = ({ buffer, byteOffset, byteLength }: Elements): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A number as a one-element array of its type. */
const scalarArray = ({ type }: ScalarSignature, value: number | bigint): Elements =>
  type === 'i64' ? BigInt64Array.of(BigInt(value)) : elementArrays[type].of(Number(value));

/** Encodes a call of a program's function `index`; the values must match its signature. */
export const encodeCall = (
  { parameters }: FunctionSignature,
  index: number,
  values: readonly RunValue[],
): Uint8Array => {
  const parts = [
    BigInt64Array.of(BigInt(index)),
    ...parameters.map((parameter, i): Elements => {
      const value = values[i]!;
      return parameter.kind === 'buffer' ? (value as Elements) : scalarArray(parameter, value as number);
    }),
  ].map(asBytes);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** The size of a call's output in bytes. */
export const resultBytes = ({ parameters, results }: FunctionSignature): number =>
  [...parameters.filter((each) => each.kind === 'buffer' && each.written), ...results].reduce(
    (sum, each) => sum + sizeOf(each),
    4 * Math.max(1, results.length),
  );

/** Decodes `resultBytes` bytes of output: stores into the written arguments, returns the results. */
export const decodeResults = (
  { parameters, results }: FunctionSignature,
  bytes: Uint8Array,
  values: readonly RunValue[],
): readonly RunValue[] => {
  let at = 0;
  // A copy, since `slice` of a Node buffer is a view.
  const take = (size: number): ArrayBuffer => new Uint8Array(bytes.subarray(at, (at += size))).buffer;
  parameters.forEach((parameter, i) => {
    if (parameter.kind !== 'buffer' || !parameter.written) return;
    const elements = new (arrayTypeOf(parameter))(take(sizeOf(parameter)));
    copyElements(values[i] as Elements, elements);
  });
  const places = new Int32Array(take(4 * Math.max(1, results.length)));
  return results.map((result, i) => {
    const own = take(sizeOf(result));
    if (result.kind === 'scalar') return new elementArrays[result.type](own)[0]!;
    return places[i]! < 0 ? new (arrayTypeOf(result))(own) : values[places[i]!]!;
  });
};

/** Arguments of one number, for a call whose results nobody reads. */
import { arrayTypeOf } from './elements.ts';
import type { ParameterSignature, RunValue } from './signature.ts';
import { byteLengthOf } from './signature.ts';

/** A value for each parameter: this number, or an array of it. */
export const uniformValues = (
  parameters: readonly ParameterSignature[],
  number: 0 | 1,
): readonly RunValue[] =>
  parameters.map((parameter) => {
    if (parameter.kind === 'scalar') return number;
    const elements = new (arrayTypeOf(parameter))(new ArrayBuffer(byteLengthOf(parameter)));
    if (elements instanceof BigInt64Array) elements.fill(BigInt(number));
    else elements.fill(number);
    return elements;
  });

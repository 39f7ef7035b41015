/** Where the outputs of a function are after a call. */
import type { FunctionSignature, RunValue } from '@sconv/backend';
import type { Output } from './check-result.ts';

/** The outputs of a function: its results or, without any, the buffers that it writes. */
export const outputsOf = (
  { parameters }: FunctionSignature,
  values: readonly RunValue[],
  results: readonly RunValue[],
): readonly Output[] =>
  results.length > 0
    ? results.map((value) => ({ value, argument: undefined }))
    : values.flatMap((value, argument) => {
        const parameter = parameters[argument];
        return parameter?.kind === 'buffer' && parameter.written ? [{ value, argument }] : [];
      });

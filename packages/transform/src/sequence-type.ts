/** Signatures of named sequences. */
import type { FunctionType, Operation } from '@sconv/ir';

/** The type of a named sequence; undefined for any other symbol. */
export const sequenceType = ({ name, attributes }: Operation): FunctionType | undefined => {
  const { function_type: type } = attributes;
  return name === 'transform.named_sequence' && type?.kind === 'type' && type.type.kind === 'function'
    ? type.type
    : undefined;
};

/** Looks up named sequences of a script. */
import type { Module, Operation } from '@sconv/ir';
import { children, symbolNameOf } from '@sconv/ir';

/** The named sequence with this symbol. */
export const findSequence = (script: Module, name: string): Operation | undefined =>
  children(script.root).find((operation) => isSequence(operation) && symbolNameOf(operation) === name);

/** The symbols of a script's named sequences. */
export const sequenceNames = (script: Module): readonly string[] =>
  children(script.root).flatMap((operation) => {
    const name = isSequence(operation) ? symbolNameOf(operation) : undefined;
    return name === undefined ? [] : [name];
  });

const isSequence = ({ name }: Operation): boolean => name === 'transform.named_sequence';

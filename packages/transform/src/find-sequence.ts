/** Looks up named sequences of a script. */
import type { Module, Operation } from '@sconv/ir';
import { children, symbolNameOf } from '@sconv/ir';

/** The named sequences of each script by their symbols: a run asks for one at each include. */
const sequences = new WeakMap<Operation, ReadonlyMap<string, Operation>>();

/** The named sequence with this symbol. */
export const findSequence = ({ root }: Module, name: string): Operation | undefined => {
  const known = sequences.get(root);
  if (known !== undefined) return known.get(name);
  const found = new Map<string, Operation>();
  for (const operation of children(root)) {
    const symbol = isSequence(operation) ? symbolNameOf(operation) : undefined;
    if (symbol !== undefined && !found.has(symbol)) found.set(symbol, operation);
  }
  sequences.set(root, found);
  return found.get(name);
};

/** The symbols of a script's named sequences. */
export const sequenceNames = (script: Module): readonly string[] =>
  children(script.root).flatMap((operation) => {
    const name = isSequence(operation) ? symbolNameOf(operation) : undefined;
    return name === undefined ? [] : [name];
  });

const isSequence = ({ name }: Operation): boolean => name === 'transform.named_sequence';

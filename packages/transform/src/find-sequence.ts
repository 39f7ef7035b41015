/** Looks up named sequences of a script. */
import type { Module, Operation } from '@sconv/ir';
import { children, symbolNameOf } from '@sconv/ir';

/** The named sequence with this symbol. */
export const findSequence = (script: Module, name: string): Operation | undefined =>
  children(script.root).find(
    (operation) => operation.name === 'transform.named_sequence' && symbolNameOf(operation) === name,
  );

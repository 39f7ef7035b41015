/** Named sequences of a script by their symbols. */
import type { Module, Operation } from '@sconv/ir';
import { children, symbolNameOf } from '@sconv/ir';

/** The named sequence of a script with this symbol. */
export const findSequence = (script: Module, name: string): Operation | undefined =>
  children(script.root).find(
    (operation) => operation.name === 'transform.named_sequence' && symbolNameOf(operation) === name,
  );

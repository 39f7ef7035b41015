/** Making a named structured op in the place of another. */
import type { Attributes, DraftOperation, Rewriter, Value } from '@sconv/ir';
import type { NamedOpDefinition } from './linalg-named.ts';
import { memoizedMaps } from './linalg-view.ts';

/** What a new named op has of its own. */
export interface NamedParts {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  /** In place of those of the op that it stands for; undefined for one that it does not have. */
  readonly attributes?: Readonly<Record<string, Attributes[string] | undefined>>;
}

/**
 * A named structured op at the insertion point, with the location and the attributes of the op that it stands for, and the
 * maps and the body of its name.
 */
export const createNamed = (
  rewriter: Rewriter,
  operation: DraftOperation,
  definition: NamedOpDefinition,
  { inputs, outputs, attributes = {} }: NamedParts,
): DraftOperation => {
  const state = definition.state<Rewriter>({
    operands: { inputs, outputs },
    location: operation.location,
  });
  const { operandSegmentSizes: _sizes, [memoizedMaps]: _maps, ...old } = operation.attributes;
  const kept = Object.entries({ ...old, ...attributes }).filter((entry) => entry[1] !== undefined);
  const own = { ...state.attributes, ...Object.fromEntries(kept) } as Attributes;
  const defaults = definition.defaults?.(state.operands, own);
  return rewriter.create({
    ...state,
    attributes: { ...defaults?.attributes, ...own },
    bodies: defaults?.bodies ?? [],
  });
};

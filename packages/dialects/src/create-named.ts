/** Creates a named structured op that replaces another. */
import type { Attributes, DraftOperation, Rewriter, Value } from '@sconv/ir';
import type { NamedOpDefinition } from './linalg-named.ts';
import { memoizedMaps } from './linalg-view.ts';

/** What differs in the new named op. */
export interface NamedParts {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  /** Overrides of the attributes of the replaced op; undefined drops one. */
  readonly attributes?: Readonly<Record<string, Attributes[string] | undefined>>;
}

/**
 * Creates a named structured op at the insertion point, with the location and the attributes of the op that it
 * replaces, and the maps and body of its own name.
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

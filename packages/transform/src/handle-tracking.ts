/**
 * Updates handles after an edit, by upstream's rules (`TrackingListener`): the replacement of an operation is the op
 * of the same name that defines the replacement values, found through casts. Unlike this, `Forward` records
 * provenance: everything that an operation became.
 */
import type { Note } from '@sconv/diagnostics';
import type { DraftOperation, Id, RewriteListener, Rewriter, Value } from '@sconv/ir';
import { constantLike, modelOf } from '@sconv/ir';
import { payloadSourcesOf } from './payload-source.ts';

/** Why no replacement was found for a handle. */
export interface LostPayload {
  readonly notes: readonly Note[];
}

/** What a handle refers to in place of an operation; undefined if it was erased. */
export type Successor = Id | LostPayload | undefined;

/** By replaced operation. */
export type Successors = ReadonlyMap<Id, Successor>;

/** Records, during an edit, what handles to the replaced operations refer to next. */
export class HandleTracking implements RewriteListener {
  private readonly rewriter: Rewriter;
  private readonly found = new Map<Id, Id | LostPayload>();

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
  }

  readonly replacing = (operation: DraftOperation, values: readonly Value[]): void => {
    this.found.set(operation.id, successorOf(this.rewriter, operation, values));
  };

  /** Resolved at the end of the edit, since a replacement may have been replaced itself. */
  successors(): Successors {
    const successors = new Map<Id, Successor>();
    for (const [id, first] of this.found) {
      let to = first;
      while (typeof to === 'number' && this.found.has(to)) to = this.found.get(to)!;
      const isGone = typeof to === 'number' && this.rewriter.lookup(to) === undefined;
      successors.set(id, isGone ? undefined : to);
    }
    return successors;
  }
}

const successorOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  replacement: readonly Value[],
): Id | LostPayload => {
  const { registry } = rewriter;
  const lost = (message: string): LostPayload => ({
    notes: [
      { message, location: operation.location },
      { message: 'replaced op', location: operation.location },
      ...replacement.flatMap((value, i) => {
        const definition = rewriter.definingOperation(value);
        const message = `replacement value ${i}`;
        return definition === undefined ? [] : [{ message, location: definition.location }];
      }),
    ],
  });
  for (let values = replacement; values.length > 0;) {
    const definition = commonDefinition(rewriter, values);
    if (definition === undefined) return lost('replacement values belong to different ops');
    // Replacing an op by an equal constant is a common canonicalization.
    if (definition.name === operation.name || modelOf(registry, constantLike, definition) !== undefined) {
      return definition.id;
    }
    values = payloadSourcesOf(registry, definition);
  }
  return lost('ran out of suitable replacement values');
};

/** The operation that all values are results of. */
const commonDefinition = (rewriter: Rewriter, values: readonly Value[]): DraftOperation | undefined => {
  const definitions = new Set(values.map((value) => rewriter.definingOperation(value)));
  const [only, ...others] = definitions;
  return others.length === 0 ? only : undefined;
};

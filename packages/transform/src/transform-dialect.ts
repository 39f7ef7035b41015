/** The ops of this package as a dialect; packages of passes bring theirs. */
import type { Dialect } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { cast } from './cast.ts';
import { foreach } from './foreach.ts';
import { match } from './match.ts';
import { mergeHandles } from './merge-handles.ts';
import { include, namedSequence, yieldOp } from './named-sequence.ts';
import { payloadSources } from './payload-source.ts';
import { splitHandle } from './split-handle.ts';

/** A dialect of transform ops; `extendRegistry` joins it with others of the same name. */
export const transformDialectOf = (
  operations: readonly { readonly definition: TransformOpDefinition }[],
): Dialect => ({ name: 'transform', operations: operations.map((operation) => operation.definition) });

/** Sequences, matching and lists of handles. */
export const transformDialect: Dialect = {
  ...transformDialectOf([namedSequence, yieldOp, include, match, foreach, mergeHandles, splitHandle, cast]),
  attachments: payloadSources,
};

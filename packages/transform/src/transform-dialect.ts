/** The ops of this package as a dialect; packages of passes bring theirs. */
import type { Dialect } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { alternatives } from './alternatives.ts';
import { cast } from './cast.ts';
import { foreach } from './foreach.ts';
import { match } from './match.ts';
import { mergeHandles } from './merge-handles.ts';
import { include, namedSequence, yieldOp } from './named-sequence.ts';
import { constantParam } from './param.ts';
import { payloadSources } from './payload-source.ts';
import { sequence } from './sequence.ts';
import { splitHandle } from './split-handle.ts';

/** A dialect of transform ops; `extendRegistry` joins it with others of the same name. */
export const transformDialectOf = (
  operations: readonly { readonly definition: TransformOpDefinition }[],
): Dialect => ({ name: 'transform', operations: operations.map((operation) => operation.definition) });

/** Sequences, matching and lists of handles. */
export const transformDialect: Dialect = {
  ...transformDialectOf([
    namedSequence,
    yieldOp,
    include,
    match,
    foreach,
    mergeHandles,
    splitHandle,
    cast,
    sequence,
    alternatives,
    constantParam,
  ]),
  attachments: payloadSources,
};

/** The ops of this package as a dialect; pass packages add theirs. */
import { expectList } from '@sconv/diagnostics';
import type { Dialect } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { alternatives } from './alternatives.ts';
import { applyRegisteredPass } from './apply-registered-pass.ts';
import { callOps } from './call-ops.ts';
import { cast } from './cast.ts';
import { foreach } from './foreach.ts';
import { collectMatching, foreachMatch } from './foreach-match.ts';
import { handleOps } from './handle-ops.ts';
import { matchOps } from './match-ops.ts';
import { matchStructured, matchStructuredYield } from './match-structured.ts';
import { matchStructuredOps } from './match-structured-ops.ts';
import { match } from './match.ts';
import { mergeHandles } from './merge-handles.ts';
import { include, namedSequence, yieldOp } from './named-sequence.ts';
import { constantParam } from './param.ts';
import { patternOps } from './pattern-ops.ts';
import { payloadOps } from './payload-ops.ts';
import { payloadSources } from './payload-source.ts';
import { sequence } from './sequence.ts';
import { targetOps } from './target-ops.ts';
import { testOps } from './test-ops.ts';
import { splitHandle } from './split-handle.ts';
import { tuneOps } from './tune-ops.ts';

/** A dialect of transform ops; `extendRegistry` merges it with others of the same name. */
export const transformDialectOf = (
  operations: readonly { readonly definition: TransformOpDefinition }[],
): Dialect => {
  const isTransform = (each: unknown): boolean =>
    typeof each === 'function' || (typeof each === 'object' && each !== null && 'definition' in each);
  expectList('a list of transforms', operations, isTransform);
  return { name: 'transform', operations: operations.map((operation) => operation.definition) };
};

const operations: readonly { readonly definition: TransformOpDefinition }[] = [
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
  ...handleOps,
  ...matchOps,
  collectMatching,
  foreachMatch,
  matchStructured,
  ...matchStructuredOps,
  applyRegisteredPass,
  ...payloadOps,
  ...callOps,
  ...targetOps,
  ...tuneOps,
  ...testOps.transforms,
];

/** Sequences, matching, handle lists, and ops for any payload. */
export const transformDialect: Dialect = {
  name: 'transform',
  operations: [
    ...operations.map(({ definition }) => definition),
    matchStructuredYield,
    ...patternOps,
    ...testOps.foreign,
  ],
  attachments: payloadSources,
};

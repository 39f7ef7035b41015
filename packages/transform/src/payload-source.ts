/**
 * Ops that handle tracking looks through to find replacements (upstream's `CastOpInterface` and
 * `FindPayloadReplacementOpInterface`): they only change the type or shape of a value, or insert or extract it.
 */
import type { Attachment, Operation, Registry, Value } from '@sconv/ir';
import { attach, hasTrait, modelOf, opInterface } from '@sconv/ir';

/** Where to continue the search behind an op that is no cast. */
export type PayloadSource = (operation: Operation) => readonly Value[];

const payloadSource = opInterface<PayloadSource>('payload-source');

/** Their source is the first operand. */
const views = [
  'tensor.collapse_shape',
  'tensor.expand_shape',
  'tensor.extract_slice',
  'tensor.insert_slice',
  'tensor.reshape',
];

/** As upstream for these dialects. */
export const payloadSources: readonly Attachment[] = views.map((name) =>
  attach(payloadSource, name, ({ operands }) => operands.slice(0, 1)),
);

/** Where to continue the search behind an operation; empty if it cannot be looked through. */
export const payloadSourcesOf = (registry: Registry, operation: Operation): readonly Value[] =>
  hasTrait(registry, operation, 'cast')
    ? operation.operands
    : (modelOf(registry, payloadSource, operation)?.(operation) ?? []);

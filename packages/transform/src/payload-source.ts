/**
 * The ops that a handle looks through for what its payload was replaced by (upstream's `CastOpInterface` and
 * `FindPayloadReplacementOpInterface`): they only give a value another type or shape, or take it in or out of another.
 */
import type { Attachment, Operation, Registry, Value } from '@sconv/ir';
import { attach, hasTrait, modelOf, opInterface } from '@sconv/ir';

/** Where to look on behind an op that is no cast. */
export type PayloadSource = (operation: Operation) => readonly Value[];

export const payloadSource = opInterface<PayloadSource>('payload-source');

/** Their source is the first operand. */
const views = [
  'tensor.collapse_shape',
  'tensor.expand_shape',
  'tensor.extract_slice',
  'tensor.insert_slice',
  'tensor.reshape',
];

/** As upstream has it for these dialects. */
export const payloadSources: readonly Attachment[] = views.map((name) =>
  attach(payloadSource, name, ({ operands }) => operands.slice(0, 1)),
);

/** Where to look on behind an operation; nowhere behind one that does not let a handle through. */
export const payloadSourcesOf = (registry: Registry, operation: Operation): readonly Value[] =>
  hasTrait(registry, operation, 'cast')
    ? operation.operands
    : (modelOf(registry, payloadSource, operation)?.(operation) ?? []);

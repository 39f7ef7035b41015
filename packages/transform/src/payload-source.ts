/**
 * The ops that a handle looks through for what its payload was replaced by (upstream's `CastOpInterface` and
 * `FindPayloadReplacementOpInterface`): they only give a value another type or shape, or take it in or out of another.
 */
import type { Attachment, Operation, Value } from '@sconv/ir';
import { attach, opInterface } from '@sconv/ir';

/** Where to look on; undefined for an op that does not let a handle through. */
export type PayloadSource = (operation: Operation) => readonly Value[];

export const payloadSource = opInterface<PayloadSource>('payload-source');

const casts = [
  'arith.bitcast',
  'arith.extf',
  'arith.extsi',
  'arith.extui',
  'arith.fptosi',
  'arith.fptoui',
  'arith.index_cast',
  'arith.index_castui',
  'arith.sitofp',
  'arith.truncf',
  'arith.trunci',
  'arith.uitofp',
  'builtin.unrealized_conversion_cast',
  'memref.cast',
  'memref.memory_space_cast',
  'tensor.bitcast',
  'tensor.cast',
];

/** Their source is the first operand. */
const views = [
  'tensor.collapse_shape',
  'tensor.expand_shape',
  'tensor.extract_slice',
  'tensor.insert_slice',
  'tensor.reshape',
];

/** As upstream has it for these dialects. */
export const payloadSources: readonly Attachment[] = [
  ...casts.map((name) => attach(payloadSource, name, ({ operands }) => operands)),
  ...views.map((name) => attach(payloadSource, name, ({ operands }) => operands.slice(0, 1))),
];

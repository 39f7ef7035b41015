/** How reductions of vectors, and atomic updates, combine values: kinds, each of which stands for ops of arith. */
import type { Operation, Type } from '@sconv/ir';

/** The kinds of vector reductions, in the order of upstream's enum. */
export const combiningKinds = [
  'add',
  'mul',
  'minui',
  'minsi',
  'minnumf',
  'maxui',
  'maxsi',
  'maxnumf',
  'and',
  'or',
  'xor',
  'maximumf',
  'minimumf',
] as const;
export type CombiningKind = (typeof combiningKinds)[number];

/** How an atomic update combines the old value with the new one, in the order of upstream's enum. */
export const atomicKinds = [
  'addf',
  'addi',
  'assign',
  'maximumf',
  'maxs',
  'maxu',
  'minimumf',
  'mins',
  'minu',
  'mulf',
  'muli',
  'ori',
  'andi',
  'maxnumf',
  'minnumf',
] as const;
export type AtomicKind = (typeof atomicKinds)[number];

/** The op that combines by a kind, by what it combines. */
const combiners: Readonly<Record<CombiningKind, { readonly float?: string; readonly integer?: string }>> = {
  add: { float: 'arith.addf', integer: 'arith.addi' },
  mul: { float: 'arith.mulf', integer: 'arith.muli' },
  minui: { integer: 'arith.minui' },
  minsi: { integer: 'arith.minsi' },
  minnumf: { float: 'arith.minnumf' },
  maxui: { integer: 'arith.maxui' },
  maxsi: { integer: 'arith.maxsi' },
  maxnumf: { float: 'arith.maxnumf' },
  and: { integer: 'arith.andi' },
  or: { integer: 'arith.ori' },
  xor: { integer: 'arith.xori' },
  maximumf: { float: 'arith.maximumf' },
  minimumf: { float: 'arith.minimumf' },
};

/** The name of the op of arith that combines values of a type by a kind; undefined if none does. */
export const combinerName = (kind: CombiningKind, { kind: type }: Type): string | undefined => {
  const { float, integer } = combiners[kind];
  return type === 'float' ? float : type === 'integer' || type === 'index' ? integer : undefined;
};

/** The kind by which an op combines its operands; undefined if there is none. */
export const combiningKindOf = ({ name }: Pick<Operation, 'name'>): CombiningKind | undefined =>
  combiningKinds.find((kind) => Object.values(combiners[kind]).includes(name));

/** An atomic kind as the op of arith that it stands for. */
export interface AtomicCombiner {
  readonly on: 'float' | 'integer';
  readonly name: string;
}

/** The op that an atomic kind stands for; none for `assign`, which takes the new value. */
export const atomicCombiner = (kind: AtomicKind): AtomicCombiner | undefined => {
  if (kind === 'assign') return undefined;
  // Upstream shortens what begins with the name of an op.
  const name = combiningKindOf({ name: `arith.${kind}` }) === undefined ? `arith.${kind}i` : `arith.${kind}`;
  return { on: name.endsWith('f') ? 'float' : 'integer', name };
};

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

/** The operation of arith that combines the old value with the new one; none for `assign`, which takes the new one. */
export const atomicCombiners: Readonly<Record<AtomicKind, string | undefined>> = {
  addf: 'arith.addf',
  addi: 'arith.addi',
  assign: undefined,
  maximumf: 'arith.maximumf',
  maxs: 'arith.maxsi',
  maxu: 'arith.maxui',
  minimumf: 'arith.minimumf',
  mins: 'arith.minsi',
  minu: 'arith.minui',
  mulf: 'arith.mulf',
  muli: 'arith.muli',
  ori: 'arith.ori',
  andi: 'arith.andi',
  maxnumf: 'arith.maxnumf',
  minnumf: 'arith.minnumf',
};

/** The operand types of a kind; kinds not listed take both. */
export const atomicOperands: Readonly<Partial<Record<AtomicKind, 'float' | 'integer'>>> = {
  addf: 'float',
  maximumf: 'float',
  maxnumf: 'float',
  minimumf: 'float',
  minnumf: 'float',
  mulf: 'float',
  addi: 'integer',
  andi: 'integer',
  maxs: 'integer',
  maxu: 'integer',
  mins: 'integer',
  minu: 'integer',
  muli: 'integer',
  ori: 'integer',
};

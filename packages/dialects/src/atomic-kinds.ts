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

/** The operand types of a kind; kinds not listed take both. */
export const atomicOperands: Readonly<Partial<Record<(typeof atomicKinds)[number], 'float' | 'integer'>>> = {
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

/** How an update combines the old value with the new one, in the order of upstream's enumeration. */
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

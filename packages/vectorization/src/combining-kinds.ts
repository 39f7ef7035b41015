/** Maps body operations to combining kinds of vectors. */
import type { CombiningKind } from '@sconv/dialects/vector';
import type { Operation } from '@sconv/ir';

const kinds: Readonly<Record<string, CombiningKind>> = {
  'arith.addi': 'add',
  'arith.addf': 'add',
  'arith.muli': 'mul',
  'arith.mulf': 'mul',
  'arith.andi': 'and',
  'arith.ori': 'or',
  'arith.xori': 'xor',
  'arith.maxsi': 'maxsi',
  'arith.maxui': 'maxui',
  'arith.minsi': 'minsi',
  'arith.minui': 'minui',
  'arith.maximumf': 'maximumf',
  'arith.minimumf': 'minimumf',
  'arith.maxnumf': 'maxnumf',
  'arith.minnumf': 'minnumf',
};

/** The combining kind of an operation; undefined if it has none. */
export const kindOf = ({ name }: Operation): CombiningKind | undefined => kinds[name];

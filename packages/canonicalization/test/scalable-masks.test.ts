/** Canonicalization of masks of scalable vectors. */
import { canonicalize } from '../src/index.ts';
import { testRows } from './support/table.ts';

const made = (bound: string): string => `
      %s = vector.vscale
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %n = arith.muli %s, %c4 : index
      %m = arith.muli %s, %c3 : index
      %r = vector.create_mask ${bound} : vector<[4]xi1>
      return %r : vector<[4]xi1>`;

testRows(
  'masks of scalable vectors',
  canonicalize(),
  [
    ['of all lanes', '%n', '%0 = vector.constant_mask [4] : vector<[4]xi1>'],
    ['of no lanes', '%c0', '%0 = vector.constant_mask [0] : vector<[4]xi1>'],
    [
      'of some lanes',
      '%m',
      `%c3 = arith.constant 3 : index
      %vscale = vector.vscale
      %c3_vscale = arith.muli %vscale, %c3 : index
      %0 = vector.create_mask %c3_vscale : vector<[4]xi1>`,
    ],
    [
      'of four lanes',
      '%c4',
      `%c4 = arith.constant 4 : index
      %0 = vector.create_mask %c4 : vector<[4]xi1>`,
    ],
  ].map(([name, bound, after]) => ({
    name: name!,
    arguments: '',
    results: 'vector<[4]xi1>',
    before: made(bound!),
    after: `      ${after!}\n      return %0 : vector<[4]xi1>`,
    isNotExecuted: true,
  })),
);

import { transforms as cleanups } from '@sconv/canonicalization/transforms';
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
const apply = scriptTester([...transforms, ...cleanups], {
  difference: firstDifference,
  attachments: patternSets,
});
const any = '!transform.any_op';
const patterns = (name: string): string => `
%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f {
  transform.apply_patterns.vector.${name}
} : ${any}`;
const toScf = 'transfer_to_scf full_unroll = true';

interface Place {
  readonly indices: string;
  readonly vector: string;
  readonly buffer?: string;
  readonly attributes?: string;
  readonly mask?: string;
}

const constants = ['c0', 'c1', 'c2', 'c3', 'c5']
  .map((name) => `%${name} = arith.constant ${name.slice(1)} : index`)
  .concat('%below = arith.constant -1 : index')
  .join('\n  ');

const moved = ({ indices, vector, buffer = 'memref<4x4xi32>', attributes = '', mask }: Place) => {
  const attribute = attributes === '' ? '' : ` {${attributes}}`;
  const [parameter, operand] = mask === undefined ? ['', ''] : [`, %k: ${mask}`, ', %k'];
  return {
    read: `func.func @f(%m: ${buffer}, %p: i32, %n: index${parameter}) -> ${vector} {
  ${constants}
  %v = vector.transfer_read %m[${indices}], %p${operand}${attribute} : ${buffer}, ${vector}
  return %v : ${vector}
}`,
    write: `func.func @f(%m: ${buffer}, %v: ${vector}, %n: index${parameter}) {
  ${constants}
  vector.transfer_write %v, %m[${indices}]${operand}${attribute} : ${vector}, ${buffer}
  return
}`,
  };
};

const outside: readonly (readonly [string, Place])[] = [
  ['rows from -1 on', { indices: '%below, %c0', vector: 'vector<3x2xi32>' }],
  ['rows and columns from -1 on', { indices: '%below, %below', vector: 'vector<6x6xi32>' }],
  ['rows from where is not known', { indices: '%n, %c2', vector: 'vector<3x4xi32>' }],
  ['masked rows', { indices: '%below, %c1', vector: 'vector<3x2xi32>', mask: 'vector<3x2xi1>' }],
  [
    'a column',
    {
      indices: '%below, %c1',
      vector: 'vector<6xi32>',
      attributes: 'permutation_map = affine_map<(i, j) -> (i)>',
    },
  ],
];

describe('transfers beyond the first and the last element', () => {
  it.each(outside)('are unrolled: %s', (_, place) => {
    for (const payload of Object.values(moved(place)))
      expect(apply(payload, patterns(toScf)).diagnostics).toBe('');
  });

  it.each([
    ['%c1, %c0', 'sgt'],
    ['%n, %c0', 'ugt'],
  ])('compare rows from [%s] on with the size, %s', (indices, predicate) => {
    const { text, diagnostics } = apply(
      moved({ indices, vector: 'vector<3x2xi32>', buffer: 'memref<?x4xi32>' }).read,
      patterns(toScf),
    );
    expect(diagnostics).toBe('');
    expect(text).toContain(`arith.cmpi ${predicate}`);
    expect(text).not.toContain(`arith.cmpi ${predicate === 'sgt' ? 'ugt' : 'sgt'}`);
  });

  it.each([
    // What is constant is folded.
    ['from -1 on', '%below', false],
    ['from where is not known', '%n', true],
    ['from 2 on', '%c2', false],
    ['from 5 on', '%c5', false],
  ])('are masked: %s', (_, index, isBelow) => {
    for (const payload of Object.values(
      moved({ indices: index, vector: 'vector<6xi32>', buffer: 'memref<4xi32>' }),
    )) {
      const { text, diagnostics } = apply(payload, patterns('materialize_masks'));
      expect(diagnostics).toBe('');
      expect(text).toContain('in_bounds = [true]');
      expect(text.includes('xori')).toBe(isBelow);
    }
  });
});

describe('leading unit dimensions of transfers', () => {
  it.each([
    ['-1', '%below, %c0', '', false],
    ['5', '%c5, %c0', '', false],
    ['where is not known', '%n, %c0', '', false],
    ['where it is promised to be', '%c3, %c0', 'in_bounds = [true, false]', true],
    ['3', '%c3, %c0', '', true],
  ])('at %s', (_, indices, attributes, isDropped) => {
    for (const payload of Object.values(moved({ indices, vector: 'vector<1x5xi32>', attributes }))) {
      const { text, diagnostics } = apply(payload, patterns('cast_away_vector_leading_one_dim'));
      expect(diagnostics).toBe('');
      expect(/transfer_.*vector<5xi32>/.test(text)).toBe(isDropped);
    }
  });
});

describe('masks of permuted and repeated elements', () => {
  it.each(['(k, i)', '(i, k)', '(j, i)', '(k)', '(j)'])('are those of what is written at %s', (results) => {
    const sizes = results.includes(',') ? ['2x3', results.startsWith('(i') ? '2x3' : '3x2'] : ['3', '3'];
    const place: Place = {
      indices: '%c0, %c0, %c0',
      vector: `vector<${sizes[0]!}xi32>`,
      buffer: 'memref<4x4x4xi32>',
      attributes: `in_bounds = [${results.replace(/[^,]+/g, 'true')}], permutation_map = affine_map<(i, j, k) -> ${results}>`,
      mask: `vector<${sizes[1]!}xi1>`,
    };
    expect(apply(moved(place).write, patterns('transfer_permutation_patterns')).diagnostics).toBe('');
  });

  it.each([toScf, 'transfer_permutation_patterns'])('count where one element is repeated: %s', (set) => {
    for (const repeated of ['0', '0, i']) {
      const isOne = repeated === '0';
      const place: Place = {
        indices: '%c0, %c0',
        vector: isOne ? 'vector<3xi32>' : 'vector<3x2xi32>',
        attributes: `in_bounds = [${isOne ? 'true' : 'true, true'}], permutation_map = affine_map<(i, j) -> (${repeated})>`,
        mask: isOne ? 'vector<1xi1>' : 'vector<2xi1>',
      };
      expect(apply(moved(place).read, patterns(set)).diagnostics).toBe('');
    }
  });
});

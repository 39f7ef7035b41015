import { transforms as cleanups } from '@sconv/canonicalization/transforms';
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

const apply = scriptTester([...transforms, ...cleanups], {
  difference: firstDifference,
  attachments: patternSets,
});
const any = '!transform.any_op';
const lower = `
%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f {
  transform.apply_patterns.vector.lower_gather
} : ${any}`;

/** Gathers at distances from `indices` in `%a`, of the type `base`; `before` may define it as a view of `%m`. */
const gathered = (
  base: string,
  indices: string,
  distances: readonly number[],
  { before = '', memory = base, set = 'true', element = 'index' } = {},
): string => {
  const { length } = distances;
  const [places, mask, vector] = [
    `vector<${length}x${element}>`,
    `vector<${length}xi1>`,
    `vector<${length}xi32>`,
  ];
  return `func.func @f(%${before === '' ? 'a' : 'm'}: ${memory}, %v: ${vector}) -> ${vector} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = arith.constant dense<[${distances.join(', ')}]> : ${places}
  %k = arith.constant dense<${set}> : ${mask}
  ${before}
  %0 = vector.gather %a[${indices}] [%d], %k, %v : ${base}, ${places}, ${mask}, ${vector} into ${vector}
  return %0 : ${vector}
}`;
};

describe('lower_gather', () => {
  it.each([
    ['a vector', gathered('memref<8xi32>', '%c2', [5, 0, -2])],
    ['rows', gathered('memref<4x6xi32>', '%c1, %c0', [3, 8, 17, -5])],
    ['rows of a tensor', gathered('tensor<4x6xi32>', '%c0, %c2', [3, 8, 21, -2])],
    ['rows of unknown sizes', gathered('memref<?x?xi32>', '%c1, %c2', [1, 9, -6])],
    ['planes of unknown sizes', gathered('tensor<?x?x?xi32>', '%c0, %c1, %c2', [1, 2, 40, -6])],
    ['distances in i32', gathered('tensor<4x6xi32>', '%c0, %c0', [23, 6], { element: 'i32' })],
    ['nothing, where nothing is', gathered('memref<3x0xi32>', '%c0, %c0', [1, 2], { set: 'false' })],
    [
      'rows that lie apart',
      gathered('memref<2x3xi32, strided<[6, 1], offset: 7>>', '%c1, %c1', [1, -1, 0], {
        memory: 'memref<4x6xi32>',
        before:
          '%a = memref.subview %m[1, 1] [2, 3] [1, 1] : memref<4x6xi32> to memref<2x3xi32, strided<[6, 1], offset: 7>>',
      }),
    ],
    ...['%c0', '%c2'].map((index): [string, string] => [
      `a column from ${index}`,
      gathered('memref<4xi32, strided<[3]>>', index, [1, 0], {
        memory: 'memref<4x3xi32>',
        before: '%a = memref.subview %m[0, 0] [4, 1] [1, 1] : memref<4x3xi32> to memref<4xi32, strided<[3]>>',
      }),
    ]),
  ])('reads elements of %s', (_, payload) => {
    const { text, diagnostics } = apply(payload, lower);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('vector.gather');
  });

  it('computes distances in rows that the type of the distances does not hold', () => {
    const payload = gathered('memref<8xi32, strided<[300]>>', '%c0', [7, 1], {
      memory: 'memref<8x300xi32>',
      element: 'i8',
      before:
        '%a = memref.subview %m[0, 0] [8, 1] [1, 1] : memref<8x300xi32> to memref<8xi32, strided<[300]>>',
    });
    const { text, diagnostics } = apply(payload, lower);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('vector.gather');
  });

  it('leaves a column of rows of unknown size', () => {
    const payload = gathered('memref<4xi32, strided<[?]>>', '%c0', [1, 0], {
      memory: 'memref<4x?xi32>',
      before: '%a = memref.subview %m[0, 0] [4, 1] [1, 1] : memref<4x?xi32> to memref<4xi32, strided<[?]>>',
    });
    const { text, diagnostics } = apply(payload, lower);
    expect(diagnostics).toBe('');
    expect(text).toContain('vector.gather %subview');
  });
});

import { describe, expect, it } from 'vitest';
import { affineMap, integerSet } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import type { Attribute, AttributeSpec } from '../src/index.ts';
import {
  affineMapAttribute,
  affineMapAttributeKind,
  anyAttribute,
  arrayAttribute,
  arrayOf,
  atLeast,
  atMost,
  boolAttribute,
  constrained,
  createRegistry,
  defineOp,
  denseArrayAttribute,
  documented,
  DYNAMIC,
  i1,
  i32,
  i32Attribute,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  indexAttribute,
  indexType,
  integerAttribute,
  integerSetAttribute,
  integerSetAttributeKind,
  named,
  optionalAttribute,
  parseModule,
  positive,
  printModule,
  stringAttribute,
  stringAttributeKind,
  symbolRefAttribute,
  symbolRefAttributeKind,
  typeAttribute,
  typeAttributeKind,
  unitAttribute,
  unitAttributeKind,
  withDefault,
  withImplicitDefault,
} from '../src/index.ts';

const integers = (...values: number[]): readonly Attribute[] =>
  values.map((value) => integerAttribute(value, i64));

describe.each([
  [atLeast(i64Attribute, 0), '64-bit signless integer attribute whose minimum value is 0', [0, 5], [-1]],
  [atMost(i64Attribute, 3), '64-bit signless integer attribute whose maximum value is 3', [3, -4], [4]],
  [positive(i64Attribute), '64-bit signless integer attribute whose value is positive', [1], [0, -1]],
  [
    atMost(atLeast(i64Attribute, 0), 3),
    '64-bit signless integer attribute whose minimum value is 0 whose maximum value is 3',
    [0, 3],
    [-1, 4],
  ],
])('%#', (spec, description, inside, outside) => {
  it(description, () => {
    expect(spec.description).toBe(description);
    expect(integers(...inside).map((attribute) => spec.decode(attribute))).toEqual(inside);
    expect(integers(...outside).map((attribute) => spec.decode(attribute))).toEqual(
      outside.map(() => undefined),
    );
    expect(spec.decode(integerAttribute(inside[0]!, i32))).toBeUndefined();
  });
});

it('constrained keeps the presence', () => {
  const short = constrained(
    optionalAttribute(stringAttributeKind),
    'of one letter',
    (text) => text.length === 1,
  );
  expect([short.presence, short.description]).toEqual(['optional', 'string attribute of one letter']);
  expect(['a', 'ab'].map((text) => short.decode(stringAttribute(text)))).toEqual(['a', undefined]);
});

it.each<[string, Attribute, readonly number[] | undefined]>([
  ['numbers', denseArrayAttribute([1, -2, DYNAMIC]), [1, -2, DYNAMIC]],
  ['none', denseArrayAttribute([]), []],
  ['another element type', denseArrayAttribute([1], i32), undefined],
  ['an inexact one', denseArrayAttribute([1, 2n ** 53n + 1n]), undefined],
  ['no array', stringAttribute('1'), undefined],
])('i64ArrayAttribute of %s', (_, attribute, values) => {
  expect(i64ArrayAttribute.decode(attribute)).toEqual(values);
});

/** Attributes of each kind: the description, host values, their attributes, and attributes of other kinds. */
const kinds: readonly (readonly [
  description: string,
  spec: AttributeSpec,
  values: readonly (readonly [host: unknown, attribute: Attribute, text: string])[],
  others: readonly Attribute[],
])[] = [
  ['any attribute', anyAttribute, [[stringAttribute('a'), stringAttribute('a'), '"a"']], []],
  ['32-bit signless integer attribute', i32Attribute, [[-3, integerAttribute(-3, i32), '-3']], integers(3)],
  [
    '64-bit signless integer attribute',
    i64Attribute,
    [
      [0, integerAttribute(0, i64), '0'],
      [2 ** 53 - 1, integerAttribute(2 ** 53 - 1, i64), '9007199254740991'],
    ],
    [integerAttribute(3, i32), integerAttribute(2n ** 53n + 1n, i64), unitAttribute],
  ],
  ['index attribute', indexAttribute, [[3, integerAttribute(3, indexType), '3']], integers(3)],
  [
    'bool attribute',
    boolAttribute,
    [
      [true, integerAttribute(1, i1), 'true'],
      [false, integerAttribute(0, i1), 'false'],
    ],
    [integerAttribute(1, i32), integerAttribute(1, indexType), stringAttribute('true')],
  ],
  [
    'string attribute',
    stringAttributeKind,
    [['a b', stringAttribute('a b'), '"a b"']],
    [symbolRefAttribute('a')],
  ],
  [
    'i64 dense array attribute',
    i64ArrayAttribute,
    [
      [[1, -2], denseArrayAttribute([1, -2]), '[1, -2]'],
      [[], denseArrayAttribute([]), '[]'],
    ],
    [denseArrayAttribute([1], i32), arrayAttribute(integers(1))],
  ],
  ['unit attribute', unitAttributeKind, [[true, unitAttribute, 'unit']], [stringAttribute('')]],
  ['any type attribute', typeAttributeKind, [[i32, typeAttribute(i32), 'i32']], [stringAttribute('i32')]],
  [
    'flat symbol reference attribute',
    symbolRefAttributeKind,
    [['a b', symbolRefAttribute('a b'), '@"a b"']],
    [symbolRefAttribute('a', ['b']), stringAttribute('a')],
  ],
  [
    'AffineMap attribute',
    affineMapAttributeKind,
    [[affineMap('(d0) -> (d0)'), affineMapAttribute(affineMap('(d0) -> (d0)')), 'affine_map<(d0) -> (d0)>']],
    [stringAttribute('a')],
  ],
  [
    'IntegerSet attribute',
    integerSetAttributeKind,
    [
      [
        integerSet('(d0) : (d0 >= 0)'),
        integerSetAttribute(integerSet('(d0) : (d0 >= 0)')),
        'affine_set<(d0) : (d0 >= 0)>',
      ],
    ],
    [stringAttribute('a')],
  ],
  [
    'numbers',
    arrayOf(i64Attribute, 'numbers'),
    [
      [[1, 2], arrayAttribute(integers(1, 2)), '[1, 2]'],
      [[], arrayAttribute([]), '[]'],
    ],
    [arrayAttribute([...integers(1), unitAttribute]), denseArrayAttribute([1]), stringAttribute('')],
  ],
];

describe.each(kinds)('%s', (description, spec, values, others) => {
  it('is read and written', () => {
    expect([spec.description, spec.doc]).toEqual([description, '']);
    for (const [host, attribute] of values) {
      expect(spec.encode(host)).toEqual(attribute);
      expect(spec.decode(attribute)).toEqual(host);
    }
    for (const other of others) expect(spec.decode(other)).toBeUndefined();
  });

  const known = (of: AttributeSpec) =>
    createRegistry([
      {
        name: 'x',
        operations: [
          defineOp({
            name: 'x.op',
            summary: '',
            attributes: { value: of },
            assembly: { format: '$value attr-dict' },
          }),
        ],
      },
    ]);

  it('is written in formats', () => {
    for (const [, attribute, text] of values) {
      const registry = known(spec);
      const options = { registry, implicitModule: false, verify: false };
      const { root } = unwrap(parseModule(`x.op ${text}`, options));
      expect(root.attributes['value']).toEqual(attribute);
      expect(printModule({ root, nextId: 9 }, { registry, localScope: true }).trim()).toBe(`x.op ${text}`);
    }
  });

  it('has a name, a sentence and a presence', () => {
    const other = documented(named(optionalAttribute(spec), 'odd_name'), 'It is odd.');
    expect(other).toMatchObject({ textName: 'odd_name', doc: 'It is odd.', presence: 'optional' });
    const [host, attribute] = values[0]!;
    expect(other.decode(attribute)).toEqual(host);
    expect(withDefault(spec, host)).toMatchObject({
      presence: 'default',
      default: host,
      storesDefault: true,
    });
    expect(withImplicitDefault(spec, host)).toMatchObject({ presence: 'default', default: host });
    expect(withImplicitDefault(spec, host).storesDefault).toBeUndefined();
  });
});

/**
 * Types, attributes and operations of every form, with each token dropped or changed into another: `near-texts/`
 * lists the messages with their locations, or how they are printed. mlir-opt-19 accepts the same builtin forms,
 * except for unsigned elements below 0, arrays of index and parenthesized lists of non-complex elements, which it
 * misreads.
 */
import { expect, it } from 'vitest';
import type { Diagnosed } from '@sconv/diagnostics';
import { unwrap } from '@sconv/diagnostics';
import {
  attributeEquals,
  parseAttribute,
  parseModule,
  parseType,
  printAttribute,
  printModule,
  printType,
  typeEquals,
} from '../src/index.ts';
import { nearTexts } from './near-texts.ts';
import { registry } from './test-dialect.ts';

const options = { registry, allowUnregisteredDialects: true };

const types = [
  'si8',
  'tuple<i32, tuple<f32>>',
  '(i32, f32) -> (i1, index)',
  '() -> (() -> ())',
  'complex<f32>',
  'tensor<4x?x8xf32>',
  'tensor<*xi8>',
  'tensor<0x1xf32>',
  'tensor<2xf32, #a.b<c>>',
  'tensor<4xcomplex<f64>>',
  'memref<4x?xf32, strided<[?, 1], offset: ?>>',
  'memref<2x2xi8, affine_map<(d0, d1) -> (d1, d0)>, 3>',
  'memref<*xf32, 2>',
  'vector<[4]x2xindex>',
  '!a.b<c, <d> -> "e>">',
  '!a<b[c]>',
];

const attributes = [
  '-1 : index',
  '1.5 : f32',
  '0x7F800001 : f32',
  '"x\\00\\22" : i32',
  '[1, 2.000000e+00, "a", [unit]]',
  '{a, "b c" = 1 : i64, d = true}',
  '@f::@"g h"::@k',
  '(i32) -> f32',
  'affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 mod 3)>',
  'affine_set<(d0)[s0] : (d0 >= 0, d0 - s0 == 3)>',
  'strided<[1, ?], offset: ?>',
  'array<i1: true, false>',
  'array<i64: -1, 2>',
  'array<f32: 1.0, 2.5>',
  'dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>',
  'dense<1.5> : tensor<4xf32>',
  'dense<"0x01000200"> : tensor<2xi16>',
  'dense<[true, false]> : vector<2xi1>',
  'dense<> : tensor<0xf32>',
  'dense<[(1,2), (3,4)]> : tensor<2xcomplex<i8>>',
  'sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>',
  'dense_resource<blob> : tensor<2xi32>',
  'distinct[0]<42 : i32>',
  'loc("f":1:2)',
  'loc(callsite("a" at "g":3:4))',
  'loc(fused<"x">["a"("f":1:2), unknown])',
  '#a.b<c> : i32',
];

const operations = [
  '%0:2, %1 = "a.b"() : () -> (i32, i32, f32) "a.c"(%0#1, %1) : (i32, f32) -> ()',
  '"a.b"() <{p = 1 : i64}> {q = "x", r} : () -> () loc("f":1:2)',
  '"a.b"() ({ ^bb0(%x: i32, %y: f32): "a.br"(%x)[^bb1] : (i32) -> () ^bb1: "a.end"(%y) : (f32) -> () }) : () -> ()',
  '#m = 3 : i8 !t = tensor<4xi32> "a.b"() {m = #m, t = !t} : () -> () loc(#l) #l = loc("f":1:2)',
  'module attributes {t.x} { module { } }',
  'test.func @f(%x: i32, %y: index) { test.loop { } return %x, %y : i32, index }',
  '%a = test.constant {x} 1 : i8 %b = test.add %a, %a wraps = false {y} : i8 loc("f":1:2)',
  '%a, %b, %c:2 = test.pair : index, index {x}',
  '%t:2 = "a.b"() : () -> (index, i1) %s = test.slice %t#1[0, %t#0] [2] {x} : (i1) -> f32',
  '%i = "a.b"() : () -> index %o = test.flags fast depth(3) %i, %i, %i -> index {x} with { }',
  '"a.b"() ({ test.br ^x ^x: test.br ^y ^y: "a.c"() : () -> () }) : () -> ()',
  '"a.b"() ({ ^e(%a: i1): test.br ^x(%a : i1) ^x(%b: i1): test.switch %b : i1, ^x, ^y ^y: test.yield }) : () -> ()',
  'test.func @f() { %r = test.call @f() {x} : () -> i8 return }',
  '"a.b"() ({ %a = "a.c"() : () -> i8 "a.b"() ({ %b = "a.c"(%a) : (i8) -> i1 "a.d"(%b) : (i1) -> () }, { %b = "a.c"() : () -> i8 }) : () -> () "a.e"(%a) : (i8) -> () }) : () -> ()',
  'test.region { "a.b"() : () -> () }, { } {x}',
  '%c = "a.b"() : () -> i1 %s = test.select %c, %c, %c {x} : i1',
];

// Every literal as an element of every type.
const literals = [
  '0',
  '-1',
  '1',
  '127',
  '128',
  '255',
  '256',
  '-129',
  '1.0',
  '-0.1',
  '65520.0',
  '1.0e10',
  '0x7F',
  '0xFFFF',
  '-0x1',
  'true',
  '"s"',
  '"0x"',
  '"0x0100"',
  '(1, 2)',
  '(1.0, 2.0)',
  'x',
];
const elementTypes = [
  'i1',
  'i3',
  'i8',
  'si8',
  'ui8',
  'i16',
  'i64',
  'index',
  'f16',
  'bf16',
  'f32',
  'f64',
  'f8E5M2',
  'tf32',
  'complex<i8>',
  'complex<f32>',
  '!a.b',
  'none',
];

/** How `text` is printed, or where and why it is rejected. */
const outcome = <T>(parsed: Diagnosed<T>, print: (value: T) => string): string => {
  if (parsed.status === 'success')
    return `= ${print(parsed.value)
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim()}`;
  const [{ location, message } = { location: undefined, message: '' }] = parsed.diagnostics;
  return `${location?.kind === 'file' ? location.column : '?'} ${message.replaceAll(/\s*\n\s*/g, ' ')}`;
};

it.each<[string, readonly string[], (text: string) => string]>([
  ['types', types, (text) => outcome(parseType(text, options), printType)],
  ['attributes', attributes, (text) => outcome(parseAttribute(text, options), printAttribute)],
  [
    'operations',
    operations,
    (text) => outcome(parseModule(text, options), (module) => printModule(module, { registry })),
  ],
])('%s', async (name, texts, outcomeOf) => {
  const listed = texts.map((text) => {
    const outcomes = new Map<string, string[]>();
    for (const { change, text: near } of nearTexts(text)) {
      const said = outcomeOf(near);
      outcomes.set(said, [...(outcomes.get(said) ?? []), change]);
    }
    const lines = [...outcomes].map(([said, changes]) => `  ${said}\n    ${changes.join(' | ')}\n`);
    return `${text}\n  ${outcomeOf(text)}\n${lines.join('')}`;
  });
  await expect(listed.join('\n')).toMatchFileSnapshot(`near-texts/${name}.txt`);
});

it('failures have codes', async () => {
  const codes = new Set<string>();
  const note = ({ diagnostics }: Diagnosed<unknown>): void => {
    for (const { code, message } of diagnostics)
      codes.add(`${code}: ${message.replaceAll(/'[^']*'|`[^`]*`|"[^"]*"/g, '…').replaceAll(/\d+/g, '#')}`);
  };
  for (const text of types) for (const near of nearTexts(text)) note(parseType(near.text, options));
  for (const text of attributes) for (const near of nearTexts(text)) note(parseAttribute(near.text, options));
  for (const text of operations) for (const near of nearTexts(text)) note(parseModule(near.text, options));
  for (const type of elementTypes) {
    for (const literal of literals) {
      for (const text of [
        `${literal} : ${type}`,
        `dense<${literal}> : tensor<2x${type}>`,
        `array<${type}: ${literal}>`,
      ])
        note(parseAttribute(text, options));
    }
  }
  const sorted = [...codes].sort();
  await expect(`${JSON.stringify(sorted, undefined, 2)}\n`).toMatchFileSnapshot('near-texts/codes.json');
});

it.each([
  ['attribute', (literal: string, type: string) => `${literal} : ${type}`],
  ['splat', (literal: string, type: string) => `dense<${literal}> : tensor<2x${type}>`],
  ['array', (literal: string, type: string) => `array<${type}: ${literal}>`],
])('a literal as %s', async (name, textOf) => {
  const listed = elementTypes.map((type) =>
    literals
      .map((literal) => textOf(literal, type))
      .map((text) => `${text}   ${outcome(parseAttribute(text, options), printAttribute)}\n`)
      .join(''),
  );
  await expect(listed.join('\n')).toMatchFileSnapshot(`near-texts/literal-as-${name}.txt`);
});

// Texts that print alike are equal, and no others.
it.each<[string, readonly string[], (a: string, b: string) => void]>([
  [
    'types',
    types,
    (a, b) => {
      const [left, right] = [parseType(a, options), parseType(b, options)];
      if (left.status !== 'success' || right.status !== 'success') return;
      const isSame = printType(left.value) === printType(right.value);
      expect([a, b, typeEquals(left.value, right.value)]).toEqual([a, b, isSame]);
    },
  ],
  [
    'attributes',
    attributes,
    (a, b) => {
      const [left, right] = [parseAttribute(a, options), parseAttribute(b, options)];
      if (left.status !== 'success' || right.status !== 'success') return;
      const isSame = printAttribute(left.value) === printAttribute(right.value);
      expect([a, b, attributeEquals(left.value, right.value)]).toEqual([a, b, isSame]);
    },
  ],
])('equality of %s', (_, texts, compare) => {
  for (const text of texts) {
    for (const other of texts) compare(text, other);
    for (const { text: near } of nearTexts(text)) {
      compare(text, near);
      compare(near, text);
    }
  }
});

// More than 100 elements are printed as blobs.
it.each([
  ['i1', (i: number) => i % 3 === 0 || i % 7 === 0],
  ['i8', (i: number) => i - 64],
  ['ui8', (i: number) => i * 2],
  ['i16', (i: number) => (i - 50) * 300],
  ['i64', (i: number) => (i - 50) * 2 ** 40],
  ['index', (i: number) => i - 3],
  ['f16', (i: number) => (i - 50).toFixed(1)],
  ['bf16', (i: number) => (i - 64).toFixed(1)],
  ['f32', (i: number) => (i / 4 - 10).toFixed(2)],
  ['f64', (i: number) => ((i * 2 ** 20) / 8 + 0.5).toFixed(3)],
])('elements of %s as text and as a blob are the same', (type, element) => {
  for (const count of [101, 104, 128]) {
    const elements = Array.from({ length: count }, (_, i) => String(element(i)));
    const list = unwrap(
      parseAttribute(`dense<[${elements.join(', ')}]> : tensor<${count}x${type}>`, options),
    );
    const text = printAttribute(list);
    expect(text).toMatch(/^dense<"0x/);
    expect(unwrap(parseAttribute(text, options))).toEqual(list);
  }
});

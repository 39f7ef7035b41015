import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Rewriter, Value } from '@sconv/ir';
import { anyType, attach, createRegistry, defineOp, edit, one, parseModule, variadic } from '@sconv/ir';
import { bufferOf, forwarding, mayShareMemory, payloadDialects } from '../src/index.ts';

const take = defineOp({
  name: 'own.take',
  summary: 'its second operand',
  operands: { one: one(anyType), other: one(anyType) },
  results: { result: one(anyType) },
});
const turn = defineOp({
  name: 'own.turn',
  summary: 'buffers that each may be the next one, and the last its operand',
  operands: { one: one(anyType) },
  results: { all: variadic(anyType) },
  assembly: { format: '$one `:` type($one) `->` type($all) attr-dict' },
});
/** How often `own.turn` was asked. */
let asked = 0;
const registry = createRegistry(
  [...payloadDialects, { name: 'own', operations: [take, turn] }],
  [
    attach(forwarding, take.name, ({ operands, results }) => [{ from: operands[1]!, to: results[0]! }]),
    attach(forwarding, turn.name, ({ operands, results }) => {
      asked++;
      return results.map((to, i) => ({ from: results[i + 1] ?? operands[0]!, to }));
    }),
  ],
);

/** Asks a question about the first two operands of the `linalg.copy` of a function. */
const ask = <T>(body: string, question: (rewriter: Rewriter, a: Value, b: Value) => T): T => {
  const module = unwrap(
    parseModule(
      `func.func private @keep(memref<8xf32>)
func.func private @make() -> memref<8xf32>
memref.global "private" @one : memref<8xf32> = uninitialized
memref.global "private" @two : memref<8xf32> = uninitialized
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>, %r: memref<8xf32> {llvm.noalias}, %n: index, %p: i1,
             %table: memref<8xmemref<8xf32>>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  ${body}
  return
}`,
      { registry },
    ),
  );
  const { results } = edit(module, { registry }, (rewriter) => {
    const copy = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.copy')!;
    return question(rewriter, copy.operands[0]!, copy.operands[1]!);
  });
  return results;
};

const copy = (from: string, to: string): string =>
  `linalg.copy ins(%${from} : memref<8xf32>) outs(%${to} : memref<8xf32>)`;
const loop = (
  initial: string,
  body: string,
): string => `%z = scf.for %i = %c0 to %n step %n iter_args(%o = %${initial}) -> (memref<8xf32>) {
    ${body}
    scf.yield %o : memref<8xf32>
  }`;
const view = (from: string): string =>
  `%v = memref.reinterpret_cast %${from} to offset: [0], sizes: [8], strides: [1] : memref<8xf32> to memref<8xf32>`;

const buffer = 'memref<8xf32>';
const choices = {
  select: (a: string, b: string) => `arith.select %p, %${a}, %${b} : ${buffer}`,
  if: (a: string, b: string) =>
    `scf.if %p -> ${buffer} { scf.yield %${a} : ${buffer} } else { scf.yield %${b} : ${buffer} }`,
  index_switch: (a: string, b: string) => `scf.index_switch %n -> ${buffer}
    case 1 { scf.yield %${a} : ${buffer} } default { scf.yield %${b} : ${buffer} }`,
  for: (a: string, b: string) => `scf.for %i = %c0 to %n step %n iter_args(%o = %${a}) -> ${buffer} {
    scf.yield %${b} : ${buffer}
  }`,
  while: (a: string, b: string) => `scf.while (%o = %${a}) : (${buffer}) -> ${buffer} {
    scf.condition(%p) %o : ${buffer}
  } do {
  ^bb0(%q: ${buffer}):
    scf.yield %${b} : ${buffer}
  }`,
  execute_region: (a: string, b: string) => `scf.execute_region -> ${buffer} {
    cf.cond_br %p, ^bb1(%${a} : ${buffer}), ^bb1(%${b} : ${buffer})
  ^bb1(%o: ${buffer}):
    scf.yield %o : ${buffer}
  }`,
  affine_for: (a: string, b: string) => `affine.for %i = 0 to 8 iter_args(%o = %${a}) -> ${buffer} {
    affine.yield %${b} : ${buffer}
  }`,
  alloca_scope: (a: string, b: string) => `memref.alloca_scope -> ${buffer} {
    %s = arith.select %p, %${a}, %${b} : ${buffer}
    memref.alloca_scope.return %s : ${buffer}
  }`,
};
const views = {
  cast: `%w = memref.cast %x : ${buffer} to memref<?xf32>
%v = memref.cast %w : memref<?xf32> to ${buffer}`,
  subview: `%w = memref.subview %x[0] [4] [1] : ${buffer} to memref<4xf32, strided<[1]>>
%v = memref.reinterpret_cast %w to offset: [0], sizes: [8], strides: [1] : memref<4xf32, strided<[1]>> to ${buffer}`,
  expand_shape: `%w = memref.expand_shape %x [[0, 1]] output_shape [2, 4] : ${buffer} into memref<2x4xf32>
%v = memref.collapse_shape %w [[0, 1]] : memref<2x4xf32> into ${buffer}`,
  transpose: `%v = memref.transpose %x (i) -> (i) : ${buffer} to memref<8xf32, strided<[1]>>`.replace(
    ', strided<[1]>',
    '',
  ),
  metadata: `%w, %offset, %sizes, %strides = memref.extract_strided_metadata %x : ${buffer} -> memref<f32>, index, index, index
%v = memref.reinterpret_cast %w to offset: [0], sizes: [8], strides: [1] : memref<f32> to ${buffer}`,
  realloc: `%v = memref.realloc %x : ${buffer} to ${buffer}`,
  clone: `%v = bufferization.clone %x : ${buffer} to ${buffer}`,
  tensor: `%w = bufferization.to_tensor %x restrict : ${buffer}
%v = bufferization.to_memref %w : ${buffer}`,
};
const global = (name: string, symbol: string): string =>
  `%${name} = memref.get_global @${symbol} : ${buffer}`;
const kept = 'func.call @keep(%a) : (memref<8xf32>) -> ()';
const taken = `%v = "own.take"(%y, %a) : (${buffer}, ${buffer}) -> ${buffer}`;
const made = '%m = func.call @make() : () -> memref<8xf32>';
const loaded = '%m = memref.load %table[%c0] : memref<8xmemref<8xf32>>';

it.each([
  ...Object.entries(choices).flatMap(([name, choice]): [string, string, boolean][] => [
    [`one of two by ${name}`, `%v = ${choice('a', 'x')}\n${copy('v', 'a')}`, true],
    [`the other of two by ${name}`, `%v = ${choice('a', 'x')}\n${copy('v', 'y')}`, true],
    [`none of two by ${name}`, `%v = ${choice('a', 'x')}\n${copy('v', 'b')}`, false],
  ]),
  ...Object.entries(views).map(([name, lines]): [string, string, boolean] => [
    `a buffer and its ${name}`,
    `${lines}\n${copy('v', 'x')}`,
    true,
  ]),
  ['what another dialect takes, and it', `${taken}\n${copy('v', 'a')}`, true],
  ['what another dialect takes, and what it leaves', `${taken}\n${copy('v', 'y')}`, false],
  ['an argument that has no alias', copy('x', 'r'), false],
  ['an argument that has no alias and itself', copy('r', 'r'), true],
  ['a global and itself', `${global('g', 'one')}\n${global('h', 'one')}\n${copy('g', 'h')}`, true],
  ['two globals', `${global('g', 'one')}\n${global('h', 'two')}\n${copy('g', 'h')}`, false],
  ['a global and an argument', `${global('g', 'one')}\n${copy('g', 'x')}`, true],
  ['a global and an allocation', `${global('g', 'one')}\n${kept}\n${copy('g', 'a')}`, false],
  ['what a function returns and an argument', `${made}\n${copy('m', 'x')}`, true],
  ['what a function returns and a new buffer', `${made}\n${copy('m', 'a')}`, false],
  ['what a function returns and what it was given', `${kept}\n${made}\n${copy('m', 'a')}`, true],
  [
    'what a function returns and a choice that it was given',
    `%v = arith.select %p, %b, %a : ${buffer}\n${kept.replace('%a', '%v')}\n${made}\n${copy('m', 'a')}`,
    true,
  ],
  ['what is loaded and a new buffer', `${loaded}\n${copy('m', 'a')}`, false],
  [
    'what is loaded and what is stored',
    `memref.store %a, %table[%c0] : memref<8xmemref<8xf32>>\n${loaded}\n${copy('m', 'a')}`,
    true,
  ],
  [
    'what is loaded and a buffer whose address is known',
    `%i = memref.extract_aligned_pointer_as_index %a : ${buffer} -> index\n${loaded}\n${copy('m', 'a')}`,
    true,
  ],
  ['allocations', copy('a', 'b'), false],
  ['an allocation and an argument', copy('a', 'x'), false],
  ['an allocation and what a loop carries of others', loop('b', copy('a', 'o')), false],
  ['an allocation and what a loop carries of an argument', loop('x', copy('a', 'o')), false],
  ['views of two allocations', `${view('a')}\n${copy('v', 'b')}`, false],
  ['arguments', copy('x', 'y'), true],
  ['a buffer and itself', copy('a', 'a'), true],
  ['a buffer and a view of it', `${view('a')}\n${copy('v', 'a')}`, true],
  ['an allocation and what a loop carries of it', loop('a', copy('a', 'o')), true],
  ['an allocation and what a loop carries of its view', `${view('a')}\n${loop('v', copy('a', 'o'))}`, true],
  [
    'an allocation that a function may keep, and an argument',
    `func.call @keep(%a) : (memref<8xf32>) -> ()\n${copy('a', 'x')}`,
    false,
  ],
])('whether %s may share memory', (_, body, expected) => {
  expect(ask(body, mayShareMemory)).toBe(expected);
  expect(ask(body, (rewriter, a, b) => mayShareMemory(rewriter, b, a))).toBe(expected);
});

it('a view leads to its buffer', () => {
  const isBuffer = ask(`${view('a')}\n${copy('v', 'b')}`, (rewriter, v, b) => [
    rewriter.definingOperation(bufferOf(rewriter, v))!.name,
    bufferOf(rewriter, b).id === b.id,
  ]);
  expect(isBuffer).toEqual(['memref.alloc', true]);
});

it('asks an operation once where it passes its values', () => {
  const count = 9;
  asked = 0;
  const body = `%z:${count} = own.turn %a : ${buffer} -> ${Array.from({ length: count }, () => buffer).join(', ')}
  ${copy('z#0', 'x')}`;
  expect(ask(body, mayShareMemory)).toBe(false);
  expect(asked).toBeLessThan(count);
});

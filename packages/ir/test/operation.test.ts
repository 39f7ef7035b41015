import { expect, it } from 'vitest';
import { bodyOf, findOperation, terminatorOf, walk } from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const first = (text: string) => bodyOf(parse(text).root).operations[0]!;

it('the body is the only block of the only region', () => {
  const operation = first('"a.b"() ({ "a.c"() : () -> () "a.d"() : () -> () }) : () -> ()');
  expect(bodyOf(operation)).toBe(operation.regions[0]!.blocks[0]);
  expect(terminatorOf(bodyOf(operation)).name).toBe('a.d');
});

it.each([
  ['no region', '"a.b"() : () -> ()'],
  ['no block', '"a.b"() ({}) : () -> ()'],
  ['two regions', '"a.b"() ({ ^bb0: }, { ^bb0: }) : () -> ()'],
  ['two blocks', '"a.b"() ({ "a.br"()[^bb1] : () -> () ^bb1: "a.c"() : () -> () }) : () -> ()'],
])('there is none with %s', (_, text) => {
  expect(() => bodyOf(first(text))).toThrow('a.b does not have exactly one block');
});

it('an empty block has no terminator', () => {
  expect(() => terminatorOf(bodyOf(first('"a.b"() ({ ^bb0: }) : () -> ()')))).toThrow('has no terminator');
});

it('each operation of a module is found by its id, in functions of functions too', () => {
  const module = parse(`module {
  "a.a"() ({ "a.b"() : () -> () }) : () -> ()
  module { test.func @f() { "a.c"() : () -> () test.return } module { "a.d"() : () -> () } }
}`);
  for (const operation of walk(module.root))
    expect(findOperation(module, operation.id, registry)).toBe(operation);
  expect(findOperation(module, module.nextId, registry)).toBeUndefined();
});

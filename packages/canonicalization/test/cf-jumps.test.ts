/** Canonicalization of jumps between blocks, as executed. */
import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { canonicalize } from '../src/index.ts';
import { stays, testPatterns } from './support/rows.ts';
import { registry } from './support/table.ts';

testPatterns('canonicalization', [
  [
    'a jump that is known',
    '(%x: f32, %y: f32) -> f32',
    `%c = arith.constant false
    cf.cond_br %c, ^a(%x : f32), ^b(%y : f32)
    ^a(%p: f32):
    %s = arith.addf %p, %p : f32
    return %s : f32
    ^b(%q: f32):
    %t = arith.mulf %q, %q : f32
    return %t : f32`,
    'arith.mulf',
    'arith.mulf %arg1',
  ],
  [
    'a jump that is known, the other way',
    '(%x: f32, %y: f32) -> f32',
    `%c = arith.constant true
    cf.cond_br %c, ^a(%x : f32), ^b(%y : f32)
    ^a(%p: f32):
    %s = arith.addf %p, %p : f32
    return %s : f32
    ^b(%q: f32):
    %t = arith.mulf %q, %q : f32
    return %t : f32`,
    'arith.addf',
    'arith.addf %arg0',
  ],
  [
    'what is asserted and true',
    '(%x: f32) -> f32',
    `%c = arith.constant true
    cf.assert %c, "holds"
    %r = arith.addf %x, %x : f32`,
    stays,
  ],
  [
    'equal blocks',
    '(%c: i1, %m: memref<f32>, %x: f32)',
    `cf.cond_br %c, ^a, ^b
    ^a:
    memref.store %x, %m[] : memref<f32>
    return
    ^b:
    memref.store %x, %m[] : memref<f32>
    return`,
    'memref.store',
  ],
  [
    'blocks that differ in a value',
    '(%c: i1, %m: memref<f32>, %x: f32, %y: f32)',
    `cf.cond_br %c, ^a, ^b
    ^a:
    memref.store %x, %m[] : memref<f32>
    return
    ^b:
    memref.store %y, %m[] : memref<f32>
    return`,
    stays,
  ],
]);

/** Every target adds a number to itself. */
const switched = (what: string, cases: readonly string[]): string =>
  canonical(`func.func @f(%i: i32, %x: f32, %y: f32, %z: f32) -> f32 {
    %c3 = arith.constant 3 : i32
    %c7 = arith.constant 7 : i32
    cf.switch ${what} : i32, [${cases.join(', ')}]
  ^a(%p: f32):
    %s = arith.addf %p, %p : f32
    return %s : f32
  ^b(%q: f32):
    %t = arith.mulf %q, %q : f32
    return %t : f32
  }`);

const canonical = (text: string): string =>
  printModule(unwrap(canonicalize().run(unwrap(parseModule(text, { registry })), { registry })), {
    registry,
  });

// The interpreter has no switches.
it.each([
  ['a constant', '%c7', ['default: ^a(%x : f32)', '3: ^a(%y : f32)', '7: ^b(%z : f32)'], 'arith.mulf %arg3, %arg3'],
  ['the first constant', '%c3', ['default: ^a(%x : f32)', '3: ^a(%y : f32)', '7: ^b(%z : f32)'], 'arith.addf %arg2, %arg2'],
  ['another constant', '%c7', ['default: ^b(%x : f32)', '3: ^a(%y : f32)', '8: ^b(%z : f32)'], 'arith.mulf %arg1, %arg1'],
  ['the constant of all cases', '%c7', ['default: ^a(%x : f32)', '7: ^b(%z : f32)'], 'arith.mulf %arg3, %arg3'],
  ['nothing but the default', '%i', ['default: ^b(%x : f32)'], 'arith.mulf %arg1, %arg1'],
  ['one target', '%i', ['default: ^b(%x : f32)', '3: ^b(%x : f32)'], 'arith.mulf %arg1, %arg1'],
  ['one target with two values', '%i', ['default: ^a(%x : f32)', '3: ^a(%y : f32)'], undefined],
  ['two targets', '%i', ['default: ^a(%x : f32)', '3: ^b(%x : f32)'], undefined],
] as const)('a switch of %s', (_, what, cases, expected) => {
  const text = switched(what, cases);
  expect(text.includes('cf.switch')).toBe(expected === undefined);
  if (expected !== undefined) expect(text).toContain(expected);
}); // prettier-ignore

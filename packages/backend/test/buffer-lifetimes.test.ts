import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { alloc } from '@sconv/dialects/memref';
import { createRegistry, edit, parseModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { bufferLifetimes } from '../src/index.ts';

const registry = createRegistry(payloadDialects);

const store = 'memref.store %v, %a[%c0] : memref<4xf32>';
const load = '%e = memref.load %a[%c0] : memref<4xf32>';
const before = '%m = math.absf %v : f32';
const after = '%n = math.sqrt %v : f32';
const allocated = '%a = memref.alloc() : memref<4xf32>';
const loop = 'scf.for %i = %c0 to %k step %c1';

/** The names of the first and the last operation in the lifetime of the first allocation, and whether it is known. */
const lifetimeIn = (body: string): readonly [string, string, boolean] => {
  const module = unwrap(
    parseModule(
      `func.func private @reads(%x: memref<4xf32>) {
        %c0 = arith.constant 0 : index
        %e = memref.load %x[%c0] : memref<4xf32>
        return
      }
      func.func private @keeps(memref<4xf32>)
      func.func @f(%x: memref<4xf32>, %v: f32, %k: index, %b: i1) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        ${body}
        return
      }`,
      { registry },
    ),
  );
  return edit(module, { registry }, (rewriter) => {
    const all = rewriter.walk(rewriter.root);
    const root = all.filter(({ name }) => name === 'func.func').at(-1)!;
    const made = all.find((each) => alloc.is(each))!;
    const { first, last, endsInBlock } = bufferLifetimes(rewriter)(root).ofBuffer(made.results[0]!);
    const inside = rewriter.walk(root);
    return [inside[first]!.name, inside[last]!.name, endsInBlock] as const;
  }).results;
};

it.each<[string, readonly string[], readonly [string, string, boolean]]>([
  ['not used lives where it is made', [allocated, before], ['memref.alloc', 'memref.alloc', true]],
  [
    'used lives from its first access',
    [allocated, before, store, load, after],
    ['memref.store', 'memref.load', true],
  ],
  [
    'seen through a view lives as long as that is accessed',
    [
      allocated,
      '%w = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>',
      before,
      store,
      'memref.store %v, %w[%c0] : memref<2xf32, strided<[1], offset: 1>>',
      '%e = vector.load %w[%c0] : memref<2xf32, strided<[1], offset: 1>>, vector<2xf32>',
      after,
    ],
    ['memref.store', 'vector.load', true],
  ],
  [
    'freed dies at its last access',
    [allocated, store, after, 'memref.dealloc %a : memref<4xf32>'],
    ['memref.store', 'memref.store', true],
  ],
  [
    'made before a loop and used in it lives as long as the loop',
    [allocated, before, `${loop} { ${before.replace('%m', '%p')}\n${store}\n${after} }`],
    ['scf.for', 'scf.yield', true],
  ],
  [
    'made in a loop lives in an iteration',
    [`${loop} { ${allocated}\n${before}\n${store}\n${load}\n${after} }`],
    ['memref.store', 'memref.load', true],
  ],
  [
    'made in a branch lives in that',
    [`scf.if %b { ${allocated}\n${store}\n${load} } else { ${after} }`],
    ['memref.store', 'memref.load', true],
  ],
  [
    'perhaps chosen lives as long as the choice',
    [
      allocated,
      store,
      '%s = arith.select %b, %a, %x : memref<4xf32>',
      before,
      '%e = memref.load %s[%c0] : memref<4xf32>',
      after,
    ],
    ['memref.store', 'memref.load', true],
  ],
  [
    'carried by a loop lives as long as what may be it',
    [
      allocated,
      `%r = scf.for %i = %c0 to %k step %c1 iter_args(%q = %a) -> (memref<4xf32>) { scf.yield %x : memref<4xf32> }`,
      before,
      'memref.store %v, %r[%c0] : memref<4xf32>',
      after,
    ],
    ['scf.for', 'memref.store', true],
  ],
  [
    'lent to a function lives until it returns',
    [allocated, before, 'func.call @reads(%a) : (memref<4xf32>) -> ()', after],
    ['func.call', 'func.call', true],
  ],
  [
    'passed to a function that may keep it has no known end',
    [allocated, before, 'func.call @keeps(%a) : (memref<4xf32>) -> ()', after],
    ['memref.alloc', 'func.return', false],
  ],
  [
    'that leaves its iteration has no known end',
    [
      `%r = scf.for %i = %c0 to %k step %c1 iter_args(%q = %x) -> (memref<4xf32>) { ${allocated}\n${store}\nscf.yield %a : memref<4xf32> }`,
    ],
    ['memref.alloc', 'scf.yield', false],
  ],
])('a buffer %s', (_, body, expected) => {
  expect(lifetimeIn(body.join('\n'))).toEqual(expected);
});

import { edit, printModule, verify } from '@sconv/ir';
import { expect, it } from 'vitest';
import { deallocateBuffers } from '../src/index.ts';
import { parse, registry } from './support.ts';

/** How many times a function with this body frees buffers. */
const freed = (body: string, results = ''): number => {
  const module = parse(`func.func private @callee(memref<4xf32>)
func.func private @reads(%x: memref<4xf32>, %o: memref<4xf32>) {
  memref.copy %x, %o : memref<4xf32> to memref<4xf32>
  return
}
func.func private @passes(%x: memref<4xf32>, %o: memref<4xf32>) {
  call @reads(%o, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  call @callee(%x) : (memref<4xf32>) -> ()
  return
}
func.func private @returns(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
func.func private @recurs(%x: memref<4xf32>) {
  call @recurs(%x) : (memref<4xf32>) -> ()
  return
}
func.func @f(%x: memref<4xf32>, %i: index) ${results} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  ${body}
}`);
  const after = edit(module, { registry }, (rewriter) => {
    deallocateBuffers(rewriter, rewriter.root);
  }).module;
  expect(verify(after, registry)).toEqual([]);
  return printModule(after, { registry }).split('memref.dealloc').length - 1;
};

const allocated = '%a = memref.alloc() : memref<4xf32>';

it.each([
  ['used', `${allocated}\nmemref.copy %x, %a : memref<4xf32> to memref<4xf32>\nreturn`, '', 1],
  [
    'seen through a view',
    `${allocated}\n%v = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
     %e = memref.load %v[%c0] : memref<2xf32, strided<[1], offset: 1>>\nmemref.store %e, %x[%i] : memref<4xf32>\nreturn`,
    '',
    1,
  ],
  ['allocated in a loop', `scf.for %k = %c0 to %i step %c1 {\n${allocated}\n}\nreturn`, '', 1],
  ['returned', `${allocated}\nreturn %a : memref<4xf32>`, '-> memref<4xf32>', 0],
  [
    'returned as a view',
    `${allocated}\n%v = memref.cast %a : memref<4xf32> to memref<?xf32>\nreturn %v : memref<?xf32>`,
    '-> memref<?xf32>',
    0,
  ],
  ['passed to a function', `${allocated}\nfunc.call @callee(%a) : (memref<4xf32>) -> ()\nreturn`, '', 0],
  [
    'lent to a function',
    `${allocated}\nfunc.call @reads(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()\nreturn`,
    '',
    1,
  ],
  [
    'lent on by a function',
    `${allocated}\nfunc.call @passes(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()\nreturn`,
    '',
    1,
  ],
  [
    'passed on by a function',
    `${allocated}\nfunc.call @passes(%a, %x) : (memref<4xf32>, memref<4xf32>) -> ()\nreturn`,
    '',
    0,
  ],
  [
    'given back by a function',
    `${allocated}\nfunc.call @returns(%a) : (memref<4xf32>) -> memref<4xf32>\nreturn`,
    '',
    0,
  ],
  [
    'passed to a recursive function',
    `${allocated}\nfunc.call @recurs(%a) : (memref<4xf32>) -> ()\nreturn`,
    '',
    0,
  ],
  ['freed already', `${allocated}\nmemref.dealloc %a : memref<4xf32>\nreturn`, '', 1],
  [
    'carried around a loop',
    `${allocated}\n%r = scf.for %k = %c0 to %i step %c1 iter_args(%c = %a) -> (memref<4xf32>) {
       scf.yield %c : memref<4xf32>\n}\nreturn`,
    '',
    0,
  ],
])('a buffer that is %s', (_, body, results, count) => {
  expect(freed(body, results)).toBe(count);
});

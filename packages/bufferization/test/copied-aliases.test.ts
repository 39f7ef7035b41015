/** Copies of returned buffers that callers would notice: executed before and after, or refused. */
import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { interpret, memref } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { runPipeline } from '@sconv/ir';
import { bufferResultsToOutParamsPass } from '../src/passes/buffer-results-to-out-params.ts';
import { parse, registry } from './support.ts';

const m = 'memref<2xi32>';
const table = `memref<1x${m}>`;
const functions = `memref.global "private" @g : ${m} = dense<0>
memref.global "private" @table : ${table} = uninitialized
memref.global "private" constant @fixed : ${m} = dense<7>
func.func private @same(%m: ${m}) -> ${m} {
  return %m : ${m}
}
func.func private @through(%m: ${m}) -> ${m} {
  %0 = call @same(%m) : (${m}) -> ${m}
  return %0 : ${m}
}
func.func private @get() -> ${m} {
  %0 = memref.get_global @g : ${m}
  return %0 : ${m}
}
func.func private @get_fixed() -> ${m} {
  %0 = memref.get_global @fixed : ${m}
  return %0 : ${m}
}
func.func private @set(%x: i32) {
  %0 = memref.get_global @g : ${m}
  linalg.fill ins(%x : i32) outs(%0 : ${m})
  return
}
func.func private @zero(%m: ${m}) {
  %x = arith.constant 0 : i32
  linalg.fill ins(%x : i32) outs(%m : ${m})
  return
}
func.func private @fresh() -> ${m} {
  %0 = memref.alloc() : ${m}
  call @zero(%0) : (${m}) -> ()
  return %0 : ${m}
}
func.func private @twice() -> (${m}, ${m}) {
  %0 = call @fresh() : () -> ${m}
  return %0, %0 : ${m}, ${m}
}
func.func private @kept() -> ${m} {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i32
  %0 = memref.alloc() : ${m}
  linalg.fill ins(%x : i32) outs(%0 : ${m})
  %1 = memref.get_global @table : ${table}
  memref.store %0, %1[%c0] : ${table}
  return %0 : ${m}
}
func.func private @two() -> (${m}, ${m}) {
  %0 = call @fresh() : () -> ${m}
  %1 = call @fresh() : () -> ${m}
  return %0, %1 : ${m}, ${m}
}`;

const call = (name: string, ...operands: readonly string[]): string =>
  `func.call @${name}(${operands.join(', ')}) : (${operands.map(() => m).join(', ')}) -> ${m}`;
const pair = (name: string): string => `%n:2 = func.call @${name}() : () -> (${m}, ${m})`;
const fill = (to: string): string => `linalg.fill ins(%x : i32) outs(${to} : ${m})`;
const read = (from: string): string => `%y = memref.load ${from}[%c0] : ${m}
  memref.store %y, %o[%c0] : ${m}`;
const global = `%g = memref.get_global @g : ${m}`;
const loop = (body: string): string => `%r = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %b) -> (${m}) {
    %k = arith.index_cast %i : index to i32
    ${body}
    scf.yield %n : ${m}
  }`;

const module = (body: string) =>
  parse(`${functions}
func.func @f(%a: ${m}, %b: ${m}, %o: ${m} {llvm.noalias}, %x: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  ${body}
  return
}`);

const run = (body: string) =>
  runPipeline(module(body), [unwrap(bufferResultsToOutParamsPass.definition.fromText({}))], { registry });

/** What `@f` leaves in its three buffers. */
const written = (payload: Module) => {
  const buffers = [
    [1, 2],
    [3, 4],
    [5, 6],
  ].map((values) => Int32Array.from(values));
  unwrap(interpret(payload, 'f', [...buffers.map((data) => memref([2], data)), 9, 1]));
  return buffers;
};

it.each<[name: string, body: string]>([
  ['a fill of the argument', `%n = ${call('same', '%a')}\n${fill('%a')}\n${read('%n')}`],
  [
    'a linalg.copy to the argument',
    `%n = ${call('same', '%a')}
    linalg.copy ins(%b : ${m}) outs(%a : ${m})\n${read('%n')}`,
  ],
  ['a write to an argument that may be the same', `%n = ${call('same', '%a')}\n${fill('%b')}\n${read('%n')}`],
  [
    'a write to what a callee of the callee returns',
    `%n = ${call('through', '%a')}\n${fill('%n')}\n${read('%a')}`,
  ],
  ['a write by a callee', `%n = ${call('same', '%a')}\nfunc.call @zero(%a) : (${m}) -> ()\n${read('%n')}`],
  [
    'a write ahead of the call, in the next iteration',
    loop(`${fill('%a')}\nmemref.store %k, %a[%c1] : ${m}\n${read('%p')}\n%n = ${call('same', '%a')}`),
  ],
  [
    'a write ahead of the call, after a branch back',
    `cf.br ^bb1(%b, %c0 : ${m}, index)
  ^bb1(%p: ${m}, %i: index):
    %k = arith.index_cast %i : index to i32
    memref.store %k, %a[%c0] : ${m}
    ${read('%p')}
    %n = ${call('same', '%a')}
    %j = arith.addi %i, %c1 : index
    %q = arith.cmpi ult, %j, %c2 : index
    cf.cond_br %q, ^bb1(%n, %j : ${m}, index), ^bb2
  ^bb2:`,
  ],
  ['a write to a global', `%n = ${call('get')}\n${fill('%n')}\n${global}\n${read('%g')}`],
  ['a write of a global', `%n = ${call('get')}\nfunc.call @set(%x) : (i32) -> ()\n${read('%n')}`],
  [
    'a write to what the callee stored',
    `%n = ${call('kept')}\n${fill('%n')}
    %t = memref.get_global @table : ${table}
    %s = memref.load %t[%c0] : ${table}\n${read('%s')}`,
  ],
  ['a write to the other result', `${pair('twice')}\n${fill('%n#0')}\n${read('%n#1')}`],
])('refuses copies because of %s', (_, body) => {
  expect(run(body).diagnostics.map(({ code }) => code)).toEqual(['out-params/aliased']);
});

it.each<[name: string, body: string]>([
  ['what only it returns', `%n = ${call('fresh')}\n${fill('%n')}\n${fill('%a')}\n${read('%n')}`],
  ['buffers apart', `${pair('two')}\n${fill('%n#0')}\n${read('%n#1')}`],
  ['what was written before', `${fill('%a')}\n%n = ${call('same', '%a')}\n${read('%n')}`],
  [
    'what was written before a branch',
    `scf.if %c { ${fill('%a')} }
  scf.if %c { %n = ${call('same', '%a')}\n${read('%n')} }`,
  ],
  [
    'what is written in another buffer',
    `%w = memref.alloc() : ${m}
    %n = ${call('same', '%a')}\n${fill('%w')}\nmemref.copy %n, %w : ${m} to ${m}\n${read('%w')}`,
  ],
  ['what is never written', `%n = ${call('get_fixed')}\n${fill('%a')}\n${read('%n')}`],
])('copies %s', (_, body) => {
  const before = written(module(body));
  expect(written(unwrap(run(body)))).toEqual(before);
});

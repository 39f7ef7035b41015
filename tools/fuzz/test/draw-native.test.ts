/** The native generator draws every operation that becomes native code, with its edge cases. */
import { operationsIn, parseModule } from '@sconv/ir';
import { nativeOps } from '@sconv/native';
import { defaultRegistry as registry } from 'sconv';
import { expect, it } from 'vitest';
import { drawNative } from '../src/draw-native.ts';
import { randomOf } from '../src/random.ts';

const drawn = new Map<string, number>();
const texts: string[] = [];
for (let index = 0; index < 12_000; index++) {
  const { text } = drawNative(randomOf(3, index));
  texts.push(text);
  const names = new Set(text.match(/\b[a-z]\w*\.\w+(?:\.\w+)?(?=[ ({<"]|$)/gm));
  for (const name of names) drawn.set(name, (drawn.get(name) ?? 0) + 1);
}

/** Not in texts: written in short, or added where they are left out. */
const implied = ['builtin.module', 'func.return', 'scf.forall.in_parallel', 'vector.yield'];

/**
 * Of addresses, which the tests of OpenBLAS's kernels and of half floats execute; kernels, which all convolutions are;
 * the fences between the steps of those that are unrolled.
 */
const executedElsewhere = [
  'kernel.microkernel',
  'kernel.contract',
  'kernel.pack',
  'memref.extract_aligned_pointer_as_index',
  'llvm.inttoptr',
  'llvm.call_intrinsic',
  'llvm.extractvalue',
  'llvm.fence',
];

it('each operation that becomes native code is drawn, or executed by other tests', () => {
  const compiled = [...nativeOps].flatMap(([name, by]) => (by === 'none' ? [] : [name]));
  const left = compiled.filter((name) => !drawn.has(name));
  expect(left.toSorted()).toEqual([...implied, ...executedElsewhere].toSorted());
});

it.each([
  ['no dimension', /memref<[a-z]/],
  ['sizes of 0', /memref<(?:\d+x)*0x/],
  ['sizes of 1', /memref<(?:\d+x)*1x/],
  ['unknown sizes', /memref<(?:\d+x)*\?x/],
  ['unknown offsets', /offset: \?/],
  ['steps', /memref\.subview .* \[[^\]]*[23]\] :/],
  ['identity permutations', /permutation = \[0, 1/],
  ['vectors without dimensions', /vector<[a-z]/],
])('there are programs with %s', (_, pattern) => {
  expect(texts.filter((text) => pattern.test(text)).length).toBeGreaterThan(10);
});

it('what is drawn can be read', () => {
  const module = parseModule(texts[0]!, { registry });
  expect(module.status === 'success' && operationsIn(module.value.root).length).toBeGreaterThan(2);
});

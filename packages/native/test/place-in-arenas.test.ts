import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, edit, parseModule, printModule, verify } from '@sconv/ir';
import { expect, it } from 'vitest';
import { definedFunctions, fixedFunctions, referencedBy } from '../src/called-functions.ts';
import { nativeBackend } from '../src/index.ts';
import { placeInArenas } from '../src/place-in-arenas.ts';
import { avx2, neon } from '@sconv/targets';
import { findToolchain } from '../src/toolchain.ts';

const registry = createRegistry(payloadDialects);
const hasLlvm = 'paths' in (await findToolchain());
const target = process.arch === 'arm64' ? neon : avx2;

/** 3 MiB, and a function that uses a buffer of them. */
const large = 'memref<786432xf32>';
const uses = `func.func private @use(%a: ${large}, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %e = memref.load %a[%c0] : ${large}
  memref.store %e, %x[%c0] : memref<4xf32>
  return
}`;
const use = (name: string): string => `func.call @use(${name}, %x) : (${large}, memref<4xf32>) -> ()`;
const store = (name: string): string => `memref.store %v, ${name}[%c0] : ${large}`;
const alloc = (name: string): string => `${name} = memref.alloc() : ${large}`;
const free = (name: string): string => `memref.dealloc ${name} : ${large}`;

/** What is left of a function's allocations, and the offsets of views of its arena, whose size comes first. */
const placedIn = (text: string, name: string): readonly string[] => {
  const module = unwrap(parseModule(text, { registry }));
  const after = edit(module, { registry }, (rewriter) => {
    const calls = referencedBy(rewriter.walk(rewriter.root));
    placeInArenas(rewriter, definedFunctions(rewriter), fixedFunctions(rewriter, calls));
  }).module;
  expect(verify(after, registry)).toEqual([]);
  const printed = printModule(after, { registry });
  const body = printed
    .split('func.func')
    .find((each) => each.includes(`@${name}(`) && !each.startsWith('call'))!;
  const offsets = new Map(
    [...body.matchAll(/(%\w+) = arith.constant (\d+) : index/g)].map(([, id, value]) => [id, value]),
  );
  return [
    ...body.matchAll(/memref<(\d+)xi8>[^>]*\{$|memref\.(alloc|dealloc)\b|memref\.view %\w+\[(%\w+)\]/gm),
  ].map(([, arena, kept, offset]) => arena ?? kept ?? `at ${offsets.get(offset)}`);
};

const body = (lines: readonly string[], kind = '', name = 'f'): string =>
  `func.func ${kind} @${name}(%x: memref<4xf32>, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    ${lines.join('\n')}
    return
  }`;

const first = [alloc('%a'), store('%a'), use('%a')];
const second = [alloc('%b'), store('%b'), use('%b')];

it.each<[string, string, readonly string[]]>([
  ['one after another', body([...first, ...second]), ['3145728', 'at 0', 'at 0']],
  [
    'at the same time, and frees neither',
    body([alloc('%a'), store('%a'), ...second, use('%a'), free('%a'), free('%b')]),
    ['6291456', 'at 0', 'at 3145728'],
  ],
  ['that are small alone', body(first), ['alloc']],
  [
    'and one in each part of a parallel loop',
    body([...first, ...second, `scf.forall (%i) in (4) { ${alloc('%p')}\n${store('%p')}\n${free('%p')} }`]),
    ['3145728', 'at 0', 'at 0', 'alloc', 'dealloc'],
  ],
  [
    'and one of which another may be freed in its place',
    body([
      ...first,
      ...second,
      alloc('%d'),
      store('%d'),
      alloc('%e'),
      '%t = arith.constant true',
      `%s = arith.select %t, %d, %e : ${large}`,
      free('%s'),
    ]),
    ['3145728', 'at 0', 'at 0', 'alloc', 'alloc', 'dealloc'],
  ],
  [
    'of functions that it calls',
    `${body([...first, ...second], 'private', 'g')}
     ${body([alloc('%a'), store('%a'), 'func.call @g(%x, %v) : (memref<4xf32>, f32) -> ()', use('%a'), 'func.call @g(%x, %v) : (memref<4xf32>, f32) -> ()'])}`,
    ['6291456', 'at 0', 'at 3145728', 'at 0'],
  ],
  [
    'of functions that threads call',
    `${body([...first, ...second], 'private', 'g')}
     ${body([`scf.forall (%i) in (4) { func.call @g(%x, %v) : (memref<4xf32>, f32) -> () }`])}`,
    ['alloc', 'dealloc'],
  ],
  [
    'of functions whose arguments must stay',
    `${body([...first, ...second], '', 'g')}
     ${body(['func.call @g(%x, %v) : (memref<4xf32>, f32) -> ()'])}`,
    [],
  ],
  [
    'of recursive functions',
    `${body([...first, ...second, 'func.call @g(%x, %v) : (memref<4xf32>, f32) -> ()'], 'private', 'g')}
     ${body(['func.call @g(%x, %v) : (memref<4xf32>, f32) -> ()'])}`,
    [],
  ],
])('places buffers %s', (_, text, expected) => {
  expect(placedIn(`${uses}\n${text}`, 'f')).toEqual(expected);
});

const returning = (
  size: string,
): string => `func.func @f(%v: f32) -> (memref<${size}xf32>, memref<${size}xf32>) {
  %a = memref.alloc() : memref<${size}xf32>
  %b = memref.alloc() : memref<${size}xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<${size}xf32>)
  linalg.add ins(%a, %a : memref<${size}xf32>, memref<${size}xf32>) outs(%b : memref<${size}xf32>)
  return %b, %a : memref<${size}xf32>, memref<${size}xf32>
}`;

it.skipIf(!hasLlvm)('returns copies of buffers in an arena, call after call', async () => {
  const module = unwrap(parseModule(returning('786432'), { registry }));
  const emitted = unwrap(nativeBackend.emit(module, { target, registry }));
  const bytes = 2 * 4 * 786_432;
  expect(emitted.functions[0]!.memory).toEqual({ arenaBytes: bytes, liveBytes: bytes, bufferBytes: bytes });
  const artifact = unwrap(await nativeBackend.load(emitted));
  for (const v of [3, 5]) {
    const given = artifact.run('f', v) as Float32Array[];
    expect(given.map((each) => [each[0], each.at(-1)])).toEqual([
      [2 * v, 2 * v],
      [v, v],
    ]);
  }
  artifact.dispose();
});

it.each<[string, string, string]>([
  // More than a process may have, and than an address reaches.
  ['what the system does not have', '17500000000000', 'load'],
  ['what no address reaches', '70368744177664', 'emit'],
])('fails cleanly for %s', async (_, size, where) => {
  const module = unwrap(parseModule(returning(size), { registry }));
  const emitted = nativeBackend.emit(module, { target, registry });
  if (where === 'load' && !hasLlvm) return;
  const outcome = emitted.status === 'success' ? await nativeBackend.load(emitted.value) : emitted;
  expect(emitted.status).toBe(where === 'load' ? 'success' : 'definite');
  expect(outcome.status === 'success' ? [] : outcome.diagnostics.map(({ code }) => code)).toEqual([
    'native/memory',
  ]);
});

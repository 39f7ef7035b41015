/** Structured ops on buffers as loops. */
import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference } from '@sconv/interpreter/testing';
import { createRegistry, parseModule, printModule, verify } from '@sconv/ir';
import { passes } from '../src/passes.ts';

const registry = createRegistry(payloadDialects);

/** The module after a pass, checked to verify and to compute the same. */
const made = (text: string, name = 'convert-linalg-to-affine-loops'): string => {
  const pass = passes.find(({ definition }) => definition.name === name)!;
  const module = unwrap(parseModule(text, { registry }));
  const after = unwrap(pass().run(module, { registry }));
  expect(verify(after, registry)).toEqual([]);
  expect(firstDifference(module, after)).toBeUndefined();
  return printModule(after, { registry });
};

/** Fills what an iteration allocates or views. */
const filled = (
  buffer: string,
  type: string,
): string => `func.func @f(%n: index, %m: memref<?xf32>, %bytes: memref<?xi8>, %x: f32) {
  %c1 = arith.constant 1 : index
  scf.for %i = %n to %n step %c1 {
    %b = ${buffer}
    linalg.fill ins(%x : f32) outs(%b : ${type})
  }
  return
}`;

const view = 'memref<?xf32, strided<[1], offset: ?>>';

describe('convert-linalg-to-affine-loops', () => {
  it.each([
    ['memref.alloc(%n) : memref<?xf32>', 'memref<?xf32>', 'affine.for'],
    ['memref.alloc(%i) : memref<?xf32>', 'memref<?xf32>', 'scf.for'],
    [`memref.subview %m[%i] [%n] [1] : memref<?xf32> to ${view}`, view, 'affine.for'],
    [`memref.subview %m[%n] [%i] [1] : memref<?xf32> to ${view}`, view, 'scf.for'],
    ['memref.view %bytes[%i][%n] : memref<?xi8> to memref<?xf32>', 'memref<?xf32>', 'affine.for'],
    ['memref.view %bytes[%n][%i] : memref<?xi8> to memref<?xf32>', 'memref<?xf32>', 'scf.for'],
    [
      'memref.cast %m : memref<?xf32> to memref<?xf32, strided<[1]>>',
      'memref<?xf32, strided<[1]>>',
      'scf.for',
    ],
    ['memref.alloc() : memref<4xf32>', 'memref<4xf32>', 'affine.for'],
  ])('makes valid loops of a fill of %s', (buffer, type, loop) => {
    const text = made(filled(buffer, type));
    expect(text).not.toContain('linalg.fill');
    expect(text.match(/(affine|scf)\.for/g)).toEqual(['scf.for', loop]);
  });
});

/** A generic op on buffers: `%a` is read, `%b` and maybe `%c` are written. */
const generic = (
  [a, b, c]: readonly (readonly [map: string, type: string])[],
  iterators: string,
  body: string,
): string => {
  const [dims, written] = [
    iterators.replace(/\w+/g, (_, at: number) => `d${at / 2}`),
    [b!, ...(c ? [c] : [])],
  ];
  const kinds = iterators.split(' ').map((kind) => (kind === 'p' ? '"parallel"' : '"reduction"'));
  const maps = [a!, ...written].map(([map]) => `affine_map<(${dims.replaceAll(' ', ', ')}) -> (${map})>`);
  return `func.func @f(%a: ${a![1]}, %b: ${b![1]}, %c: ${c?.[1] ?? 'index'}) {
    linalg.generic {indexing_maps = [${maps.join(', ')}], iterator_types = [${kinds.join(', ')}]}
      ins(%a : ${a![1]}) outs(${c ? '%b, %c' : '%b'} : ${written.map(([, type]) => type).join(', ')}) {
    ^bb0(%x: i32, %y: i32${c ? ', %z: i32' : ''}):
      ${body}
    }
    return
  }`;
};

const difference = '%s = arith.subi %x, %y : i32\nlinalg.yield %s : i32';

describe('a structured op becomes loops that compute the same', () => {
  it.each([
    [
      'a transposition',
      generic([['d1, d0', 'memref<3x4xi32>'], ['d0, d1', 'memref<4x3xi32>']], 'p p', difference),
      'parallel', 'affine affine', 'for for',
    ],
    [
      'a sum along the first dimension',
      generic([['d0, d1, d2', 'memref<2x3x4xi32>'], ['d2, d1', 'memref<4x3xi32>']], 'r p p', difference),
      'for parallel', 'affine affine affine', 'for for for',
    ],
    [
      'a sum between two dimensions',
      generic([['d0, d1, d2', 'memref<2x3x4xi32>'], ['d0, d2', 'memref<2x4xi32>']], 'p r p', difference),
      'parallel for parallel', 'affine affine affine', 'for for for',
    ],
    [
      'sizes that are not known',
      generic([['d0, d1', 'memref<?x?xi32>'], ['d0', 'memref<?xi32>']], 'p r', difference),
      'parallel for', 'affine affine', 'for for',
    ],
    [
      'every other element',
      generic([['d0 * 2 + 1', 'memref<8xi32>'], ['d0', 'memref<4xi32>']], 'p', difference),
      'parallel', 'affine', 'for',
    ],
    [
      'indices, and a constant element',
      generic([['d0', 'memref<3xi32>'], ['d0, d1', 'memref<3x2xi32>']], 'p p',
        `%i = linalg.index 0 : index
         %j = linalg.index 1 : index
         %d = arith.subi %i, %j : index
         %s = arith.index_cast %d : index to i32
         linalg.yield %s : i32`),
      'parallel', 'affine affine', 'for for',
    ],
    [
      'two outputs, and an element that is read only',
      generic([['d0', 'memref<3xi32>'], ['d1', 'memref<2xi32>'], ['d0, d1', 'memref<3x2xi32>']], 'r r',
        '%s = arith.addi %x, %y : i32\nlinalg.yield %s, %x : i32, i32'),
      'for for', 'affine affine', 'for for',
    ],
    [
      'a number for all elements',
      generic([['', 'i32'], ['d0', 'memref<3xi32>']], 'p', difference),
      'parallel', 'affine', 'for',
    ],
    [
      'a single element',
      generic([['', 'memref<i32>'], ['', 'memref<i32>']], '', difference).replaceAll('"reduction"', ''),
      '', '', '',
    ],
  ] as const)('%s', (_, payload, parallel, affine, plain) => {
    for (const [kind, loops] of [['parallel-', parallel], ['affine-', affine], ['', plain]] as const) {
      const text = made(payload, `convert-linalg-to-${kind}loops`);
      expect(text).not.toContain('linalg.');
      const found = [...text.matchAll(/(affine|scf)\.(for|parallel)/g)];
      expect(found.map(([, dialect, name]) => (dialect === 'scf' ? name : dialect)).join(' ')).toBe(loops);
    }
  }); // prettier-ignore

  it('but for tensors', () => {
    const text = generic(
      [
        ['d0', 'memref<3xi32>'],
        ['d0', 'memref<3xi32>'],
      ],
      'p',
      difference,
    )
      .replaceAll('memref', 'tensor')
      .replace('linalg.generic', '%r = linalg.generic')
      .replace(/\}\s+return/, '} -> tensor<3xi32>\n    return %r : tensor<3xi32>')
      .replace('%c: index)', '%c: index) -> tensor<3xi32>');
    for (const { definition } of passes) expect(made(text, definition.name)).toContain('linalg.generic');
  });
});

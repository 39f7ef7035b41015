import { edit } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import type { Keeping } from '../src/index.ts';
import { formKernels, keptPackings } from '../src/index.ts';
import { parse, registry } from './support.ts';

/** Packs elements of a column of `%w` into a buffer. */
const pack = (into: string, column: string, element = 'f32'): string => `linalg.generic
  {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(${into} : memref<4x${element}>) {
  ^bb0(%x: ${element}):
    %i = linalg.index 0 : index
    %v = memref.load %w[%i, ${column}] : memref<4x2x${element}>
    linalg.yield %v : ${element}
}`;
const alloc = (name: string, element = 'f32'): string => `${name} = memref.alloc() : memref<4x${element}>`;
const loop = (body: string): string => `scf.for %k = %c0 to %c2 step %c1 { ${body} }`;

/** Offsets and loops of the packings that can be kept, and the bytes of each source. */
const found = (body: string, keeping: Partial<Keeping> = {}, element = 'f32') => {
  const { results } = edit(
    parse(`func.func @f(%w: memref<4x2x${element}>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      ${body}
      return
    }`),
    { registry },
    (rewriter) => {
      formKernels(rewriter, rewriter.root);
      const func = rewriter.walk(rewriter.root).find(({ name }) => name === 'func.func')!;
      return keptPackings(func, registry, { elementBytes: () => 4, ...keeping });
    },
  );
  const places = results.packings.map(({ offset, loops, others }) => [offset, loops.length, others.length]);
  return [places, ...results.bytes];
};

const both = `${alloc('%p')}\n${alloc('%q')}\n${pack('%p', '%c0')}\n${pack('%q', '%c1')}`;

describe('packings of what stays', () => {
  it.each<[string, string, unknown]>([
    ['have a place', `${alloc('%p')}\n${pack('%p', '%c0')}`, [[[0, 0, 0]], [0, 16]]],
    ['have one for each iteration', loop(`${alloc('%p')}\n${pack('%p', '%k')}`), [[[0, 1, 0]], [0, 32]]],
    [
      'have one for each iteration, whose number is used several times',
      loop(`%twice = arith.addi %k, %k : index
        %same = arith.subi %twice, %k : index
        ${alloc('%p')}\n${pack('%p', '%same')}`),
      [[[0, 1, 0]], [0, 32]],
    ],
    ['have one for all others', loop(`${alloc('%p')}\n${pack('%p', '%c0')}`), [[[0, 0, 1]], [0, 16]]],
    [
      'have places behind each other',
      both,
      [
        [
          [0, 0, 0],
          [16, 0, 0],
        ],
        [0, 32],
      ],
    ],
    [
      'share theirs if they are equal',
      both.replace('%c1]', '%c0]'),
      [
        [
          [0, 0, 0],
          [0, 0, 0],
        ],
        [0, 16],
      ],
    ],
    [
      'are none if others write there',
      `${both}\nlinalg.copy ins(%p : memref<4xf32>) outs(%q : memref<4xf32>)`,
      [[[0, 0, 0]], [0, 16]],
    ],
    [
      'are none if the argument is written',
      `${alloc('%p')}\n${pack('%p', '%c0')}\n%x = arith.constant 0.0 : f32\nlinalg.fill ins(%x : f32) outs(%w : memref<4x2xf32>)`,
      [[]],
    ],
  ])('%s', (_, body, expected) => {
    expect(found(body)).toEqual(expected);
  });

  it('begin where a line does', () => {
    expect(found(both, { alignment: 64 })).toEqual([
      [
        [0, 0, 0],
        [64, 0, 0],
      ],
      [0, 80],
    ]);
  });

  it('are none if they take too much more than what they are of', () => {
    expect(found(both, { largestShare: 1 })).toEqual([
      [
        [0, 0, 0],
        [16, 0, 0],
      ],
      [0, 32],
    ]);
    expect(found(both, { largestShare: 0.9 })).toEqual([[]]);
  });

  it('are none of elements that are not kept', () => {
    expect(found(both, { elementBytes: () => undefined })).toEqual([[]]);
  });
});

/** The calls in `@outer` of a function that packs its argument, and the bytes of each source. */
const foundIn = (body: string) => {
  const { results } = edit(
    parse(`func.func @inner(%w: memref<4x2xf32>) {
        %c1 = arith.constant 1 : index
        ${alloc('%p')}
        ${pack('%p', '%c1')}
        return
      }
      func.func @outer(%w: memref<4x2xf32>, %v: memref<4x2xf32>) {
        ${body}
        return
      }`),
    { registry },
    (rewriter) => {
      formKernels(rewriter, rewriter.root);
      const [inner, outer] = rewriter.walk(rewriter.root).filter(({ name }) => name === 'func.func');
      const keeping = { elementBytes: () => 4 };
      const callees = new Map([['inner', keptPackings(inner!, registry, keeping)]]);
      return keptPackings(outer!, registry, { ...keeping, callees });
    },
  );
  const { calls, bytes, packed } = results;
  return {
    calls: calls.map(({ source, parameter, offset }) => [source, parameter, offset]),
    bytes: [...bytes],
    packed: [...packed],
  };
};

const callOn = (buffer: string): string => `func.call @inner(${buffer}) : (memref<4x2xf32>) -> ()`;

describe('what functions keep that are called', () => {
  it('has a place for each argument, one for equal calls', () => {
    expect(foundIn(`${callOn('%w')}\n${callOn('%w')}\n${callOn('%v')}`)).toEqual({
      calls: [
        [0, 0, 0],
        [0, 0, 0],
        [1, 0, 0],
      ],
      bytes: [
        [0, 16],
        [1, 16],
      ],
      packed: [0, 1],
    });
  });

  it('has none of a buffer that the caller makes', () => {
    const body = `%own = memref.alloc() : memref<4x2xf32>\n${callOn('%own')}\n${callOn('%v')}`;
    expect(foundIn(body)).toEqual({ calls: [[1, 0, 0]], bytes: [[1, 16]], packed: [1] });
  });
});

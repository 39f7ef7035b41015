import { edit, printModule, verify } from '@sconv/ir';
import { formKernels, keptPackings } from '@sconv/kernels';
import { describe, expect, it } from 'vitest';
import type { KeptArgument } from '../src/index.ts';
import { keepPackings, lowerTiles, mayKeepPackings, nativeKeeping } from '../src/index.ts';
import { parse, registry } from './support.ts';

const panel = 'memref<3x4xf32>';

/** Packs three columns of four rows of `%w`, starting at row `%i`. */
const pack = (target = '%panel'): string => `linalg.generic
  {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(${target} : ${panel}) {
  ^bb0(%out: f32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%1, %i)
    %e = memref.load %w[%row, %0] : memref<8x3xf32>
    linalg.yield %e : f32
}`;
const read = `linalg.add ins(%panel, %panel : ${panel}, ${panel}) outs(%o : ${panel})`;

/** What is kept for a function with this body, in two iterations `%i` of 4 rows and three `%k`. */
const kept = (
  body: string,
  positions = [0],
): { readonly kept: readonly KeptArgument[]; readonly text: string } => {
  const module = parse(`func.func private @g(${panel})
  func.func @f(%w: memref<8x3xf32>, %o: ${panel}, %n: index, %w2: memref<8x3xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %back = arith.constant -4 : index
    %g = memref.alloc() : memref<1xindex>
    %panel = memref.alloc() : ${panel}
    ${body}
    memref.dealloc %panel : ${panel}
    return
  }`);
  const { module: after, results } = edit(module, { registry }, (rewriter) => {
    formKernels(rewriter, rewriter.root);
    const operation = rewriter.walk(rewriter.root).findLast(({ name }) => name === 'func.func')!;
    const packings = keptPackings(operation, registry, nativeKeeping(rewriter));
    const { kept: found, finish } = keepPackings(rewriter, operation, new Set(positions), packings);
    lowerTiles(rewriter, rewriter.root, { bits: 128, registers: 16 });
    finish();
    return found;
  });
  expect(verify(after, registry)).toEqual([]);
  return { kept: results, text: printModule(after, { registry }) };
};

const loops = (body: string): string => `scf.for %k = %c0 to %c3 step %c1 {
  scf.for %i = %c0 to %c8 step %c4 {
    ${body}
  }
}`;

describe('packings that stay', () => {
  it('have a place for each iteration that they differ in', () => {
    const { kept: found, text } = kept(loops(`${pack()}\n${read}`));
    expect(found).toEqual([{ parameter: 0, bytes: 128 }]);
    expect(text).toMatch(/func\.func @f\(.*memref<128xi8>, %arg\d: i32\)/);
    expect(text).toContain('affine_map<(d0) -> ((d0 floordiv 4) * 48)>');
    expect(text).not.toMatch(/linalg\.add ins\(%alloc/);
    expect(text).toContain('memref.dealloc %alloc');
  });

  it('have places behind each other', () => {
    const twice = `${pack()}\n${read}\n${pack()}\n${read}`;
    // The second overwrites what the first has packed.
    expect(kept(loops(twice)).kept).toEqual([]);
    const other = '%other = memref.alloc() : memref<3x4xf32>';
    const both = (change: (text: string) => string): string =>
      `${other}\n${loops(`${pack()}\n${read}\n${change(pack('%other'))}\n${read.replaceAll('%panel', '%other')}`)}`;
    const reversed = both((text) => text.replace('d0 + d1)', '-d0 + d1 + 3)'));
    expect(kept(reversed).kept).toEqual([{ parameter: 0, bytes: 256 }]);
    // Equal ones share theirs.
    expect(kept(both((text) => text)).kept).toEqual([{ parameter: 0, bytes: 128 }]);
  });

  it('are read through views', () => {
    const view = `%part = memref.subview %panel[0, 0] [2, 4] [1, 1] : ${panel} to memref<2x4xf32, strided<[4, 1]>>
      %on = memref.subview %o[0, 0] [2, 4] [1, 1] : ${panel} to memref<2x4xf32, strided<[4, 1]>>`;
    const use = (op: string): string =>
      `${pack()}\n${view}\n${op} : memref<2x4xf32, strided<[4, 1]>>) outs(%on : memref<2x4xf32, strided<[4, 1]>>)`;
    expect(kept(loops(use('linalg.exp ins(%part')), [0]).kept).toEqual([{ parameter: 0, bytes: 128 }]);
    const written = loops(
      use('linalg.exp ins(%part').replace('(%part', '(%on').replace('outs(%on', 'outs(%part'),
    );
    expect(kept(written).kept).toEqual([]);
  });

  it('are those of each argument, in order', () => {
    const other = '%other = memref.alloc() : memref<3x4xf32>';
    const reads = `${read}\n${read.replaceAll('%panel', '%other')}`;
    const both = `${pack('%other').replace('%w[', '%w2[')}\n${pack()}\n${reads}`;
    const { kept: found, text } = kept(`${other}\n${loops(both)}`, [3, 0]);
    expect(found).toEqual([
      { parameter: 0, bytes: 128 },
      { parameter: 3, bytes: 128 },
    ]);
    expect(text).toMatch(/memref<128xi8>, %arg5: i32, %arg6: memref<128xi8>, %arg7: i32\)/);
    expect(kept(`${other}\n${loops(both)}`, [3]).kept).toEqual([{ parameter: 3, bytes: 128 }]);
  });

  it('of called functions are in memory of their callers, or none', () => {
    const module = parse(`func.func private @g(%w: memref<8x3xf32>, %o: ${panel}, %i: index) {
      %panel = memref.alloc() : ${panel}
      ${pack().replace('%1, %i)', '%1, %1)')}
      ${read}
      return
    }
    func.func @f(%w: memref<8x3xf32>, %v: memref<8x3xf32>, %o: ${panel}, %i: index) {
      call @g(%w, %o, %i) : (memref<8x3xf32>, ${panel}, index) -> ()
      call @g(%v, %o, %i) : (memref<8x3xf32>, ${panel}, index) -> ()
      return
    }`);
    const { module: after, results } = edit(module, { registry }, (rewriter) => {
      formKernels(rewriter, rewriter.root);
      const [g, f] = rewriter.walk(rewriter.root).filter(({ name }) => name === 'func.func');
      const keeping = nativeKeeping(rewriter);
      const found = keptPackings(g!, registry, keeping);
      const own = keepPackings(rewriter, g!, new Set([0]), found);
      const bytes = new Map(own.kept.map((each) => [each.parameter, each.bytes]));
      const callees = new Map([['g', { ...found, bytes }]]);
      const calling = keptPackings(f!, registry, { ...keeping, callees });
      const kept = keepPackings(rewriter, f!, new Set([1]), calling, new Map([['g', own]]));
      lowerTiles(rewriter, rewriter.root, { bits: 128, registers: 16 });
      own.finish();
      return kept.kept;
    });
    expect(verify(after, registry)).toEqual([]);
    expect(results).toEqual([{ parameter: 1, bytes: 64 }]);
    const text = printModule(after, { registry });
    expect(text).toMatch(/@g\(.*memref<64xi8>, %arg4: i32\)/);
    expect(text).toMatch(/@f\(.*memref<64xi8>, %arg5: i32\)/);
    const calls = /call @g\(%arg0, .*, %reinterpret_cast, %c0_i32\)[^]*call @g\(%arg1, .*, %view, %arg5\)/;
    expect(text).toMatch(calls);
  });

  it.each([
    ['of a block', 'func.func @f(%x: f32) { return }', true],
    ['whose arguments must stay', 'func.func @g(%x: f32) { return }', false],
    ['of two blocks', 'func.func @f(%x: f32) { cf.br ^bb1 ^bb1: return }', false],
    ['without a body', 'func.func private @f(f32)', false],
    ['that is a global', 'memref.global "private" @f : memref<4xf32>', false],
  ])('belong to a function %s: %s', (_, text, expected) => {
    const { results } = edit(parse(text), { registry }, (rewriter) =>
      mayKeepPackings(rewriter.walk(rewriter.root)[1]!, new Set(['g'])),
    );
    expect(results).toBe(expected);
  });

  it.each([
    ['the argument may change', loops(`${pack()}\n${read}`), []],
    ['a loop is not counted', loops(`${pack()}\n${read}`).replace('to %c8', 'to %n'), [0]],
    ['a loop does not advance', loops(`${pack()}\n${read}`).replace('step %c4', 'step %c0'), [0]],
    ['a loop counts down', loops(`${pack()}\n${read}`).replace('%c8 step %c4', '%c8 step %back'), [0]],
    ['the panel is written', loops(`${pack()}\n${read.replace('outs(%o', 'outs(%panel')}`), [0]],
    ['the panel is read before', loops(`${read}\n${pack()}`), [0]],
    ['it depends on another argument', loops(`${pack().replace('%1, %i)', '%1, %n)')}\n${read}`), [0]],
    [
      'it depends on what is read before',
      loops(`%m = memref.load %g[%c0] : memref<1xindex>\n${pack().replace('%1, %i)', '%1, %m)')}\n${read}`),
      [0],
    ],
    ['the panel is taken elsewhere', loops(`${pack()}\nfunc.call @g(%panel) : (${panel}) -> ()`), [0]],
  ])('are none where %s', (_, body, positions) => {
    expect(kept(body, positions).kept).toEqual([]);
  });
});

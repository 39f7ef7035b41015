import { unwrap } from '@sconv/diagnostics';
import { interpret, memref } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { edit, printModule, verify } from '@sconv/ir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sinkFills } from '../src/index.ts';
import { parse, registry } from './support.ts';

const sunk = (module: Module): Module => {
  const after = edit(module, { registry }, (rewriter) => {
    sinkFills(rewriter, rewriter.root);
  }).module;
  expect(verify(after, registry)).toEqual([]);
  return after;
};

/** A function of a buffer of 4 x 6 with this body. */
const withBody = (body: string, parameters = '%c: memref<4x6xf32>'): Module =>
  parse(`func.func @f(${parameters}, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  ${body}
  return
}`);

const fill = 'linalg.fill ins(%x : f32) outs(%c : memref<4x6xf32>)';
const part = 'memref<2x3xf32, strided<[6, 1], offset: ?>>';
/** Adds `%x` to each element. */
const addTo = (value: string, type: string): string => `linalg.generic
    {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    outs(${value} : ${type}) {
    ^bb0(%out: f32):
      %sum = arith.addf %out, %x : f32
      linalg.yield %sum : f32
    }`;
const view = (at: string): string =>
  `%v = memref.subview %c[${at}] [2, 3] [1, 1] : memref<4x6xf32> to ${part}`;
const loop = (variable: string, upper: string, step: string, body: string): string =>
  `scf.for ${variable} = %c0 to ${upper} step ${step} {\n${body}\n}`;
const tiles = (body = `${view('%i, %j')}\n${addTo('%v', part)}`): string =>
  loop('%i', '%c4', '%c2', loop('%j', '%c6', '%c3', body));

/** Adds to two rows. */
const row = (at: string): string => {
  const type = 'memref<2x6xf32, strided<[6, 1], offset: ?>>';
  return `%row = memref.subview %c[${at}, 0] [2, 6] [1, 1] : memref<4x6xf32> to ${type}\n${addTo('%row', type)}`;
};

const linesWith = (module: Module, word: string): readonly string[] =>
  printModule(sunk(module), { registry })
    .split('\n')
    .filter((line) => line.includes(word))
    .map((line) => line.trim());

/** The buffer after `@f`, initialized with distinct values. */
const after = (module: Module): readonly number[] => {
  const data = Float32Array.from({ length: 24 }, (_, i) => 100 + i);
  unwrap(interpret(module, 'f', [memref([4, 6], data), 0.5]));
  return [...data];
};

/** Fills columns 2 to 7 of `%m`, of 4 x 8, and adds to its rows; `between` is done after the first. */
const inner = (between: string): string => `
  %v0 = memref.subview %m[0, 2] [4, 6] [1, 1] : memref<4x8xf32> to memref<4x6xf32, strided<[8, 1], offset: 2>>
  linalg.fill ins(%x : f32) outs(%v0 : memref<4x6xf32, strided<[8, 1], offset: 2>>)
  ${between}
  ${loop(
    '%i',
    '%c4',
    '%c1',
    `%w = memref.subview %v0[%i, 0] [1, 6] [1, 1]
       : memref<4x6xf32, strided<[8, 1], offset: 2>> to memref<1x6xf32, strided<[8, 1], offset: ?>>
     ${addTo('%w', 'memref<1x6xf32, strided<[8, 1], offset: ?>>')}`,
  )}`;

describe('sinkFills', () => {
  it.each<[string, string]>([
    ['tiles', `${fill}\n${tiles()}`],
    ['tiles again and again', `${fill}\n${loop('%k', '%c3', '%c1', tiles())}`],
    [
      'each tile again and again',
      `${fill}\n${tiles(loop('%k', '%c3', '%c1', `${view('%i, %j')}\n${addTo('%v', part)}`))}`,
    ],
    [
      'tiles in two loops that repeat',
      `${fill}\n${loop('%k', '%c3', '%c1', loop('%l', '%c4', '%c2', tiles()))}`,
    ],
    ['tiles of a buffer that is worked on before', `${addTo('%c', 'memref<4x6xf32>')}\n${fill}\n${tiles()}`],
    ['tiles of a buffer that is read behind them', `${fill}\n${tiles()}\n${addTo('%c', 'memref<4x6xf32>')}`],
    [
      'tiles by a variable that starts elsewhere',
      `${fill}\n${loop('%k', '%c3', '%c2', tiles()).replace('= %c0 to %c3', '= %c1 to %c3')}`,
    ],
    [
      'parallel tiles',
      `${fill}\nscf.forall (%i, %j) = (0, 0) to (4, 6) step (2, 3) {\n${view('%i, %j')}\n${addTo('%v', part)}\n}`,
    ],
    [
      'halves one after the other',
      `${fill}
      %a = memref.subview %c[0, 0] [2, 6] [1, 1] : memref<4x6xf32> to memref<2x6xf32, strided<[6, 1]>>
      ${loop('%i', '%c2', '%c1', `%w = memref.subview %a[%i, 0] [1, 6] [1, 1] : memref<2x6xf32, strided<[6, 1]>> to memref<1x6xf32, strided<[6, 1], offset: ?>>\n${addTo('%w', 'memref<1x6xf32, strided<[6, 1], offset: ?>>')}`)}
      %b = memref.subview %c[2, 0] [2, 6] [1, 1] : memref<4x6xf32> to memref<2x6xf32, strided<[6, 1], offset: 12>>
      ${addTo('%b', 'memref<2x6xf32, strided<[6, 1], offset: 12>>')}`,
    ],
    [
      'rows of the buffer in another shape',
      `${fill}
      %flat = memref.collapse_shape %c [[0, 1]] : memref<4x6xf32> into memref<24xf32>
      ${loop('%i', '%c4', '%c1', `%at = affine.apply affine_map<(d0) -> (6 * d0)>(%i)\n%w = memref.subview %flat[%at] [6] [1] : memref<24xf32> to memref<6xf32, strided<[1], offset: ?>>\nlinalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%w : memref<6xf32, strided<[1], offset: ?>>) {\n^bb0(%out: f32):\n%sum = arith.addf %out, %x : f32\nlinalg.yield %sum : f32\n}`)}`,
    ],
    [
      'tiles that are worked on twice',
      `${fill}\n${tiles(`${view('%i, %j')}\n${addTo('%v', part)}\n${addTo('%v', part)}`)}`,
    ],
    [
      'tiles that are worked on again in the last iteration',
      `${fill}\n${loop('%k', '%c3', '%c1', tiles(`${view('%i, %j')}\n${addTo('%v', part)}\n%last = arith.cmpi eq, %k, %c2 : index\nscf.if %last {\n${addTo('%v', part)}\n}`))}`,
    ],
    [
      'tiles that are worked on again behind each row of them',
      `${fill}\n${loop('%i', '%c4', '%c2', `${loop('%j', '%c6', '%c3', `${view('%i, %j')}\n${addTo('%v', part)}`)}\n${row('%i')}`)}`,
    ],
    ['tiles, and the buffer behind the loops', `${fill}\n${tiles()}\n${addTo('%c', 'memref<4x6xf32>')}`],
  ])('fills %s where they are worked on first', (_, body) => {
    const module = withBody(body);
    const result = sunk(module);
    const outer = printModule(result, { registry })
      .split('\n')
      .filter((line) => /^ {4}linalg\.fill/.test(line));
    // Outside of loops, only a part of the buffer itself is filled.
    expect(outer.filter((line) => line.includes('outs(%arg0'))).toEqual([]);
    expect(printModule(result, { registry })).toContain('linalg.fill');
    expect(after(result)).toEqual(after(module));
  });

  it('asks for the first iteration of the loops that repeat, alone', () => {
    const module = withBody(`${fill}\n${loop('%k', '%c3', '%c1', tiles())}`);
    expect(linesWith(module, 'cmpi')).toEqual(['%0 = arith.cmpi eq, %arg2, %c0 : index']);
    expect(linesWith(withBody(`${fill}\n${loop('%k', '%c1', '%c1', tiles())}`), 'cmpi')).toEqual([]);
    expect(linesWith(module, 'scf.if')).toEqual(['scf.if %0 {']);
  });

  const unknown = 'memref<4x6xf32, strided<[?, 1]>>';
  const unknownRow = 'memref<1x6xf32, strided<[?, 1], offset: ?>>';
  it.each<[string, string, string?]>([
    ['no loops', `${fill}\n${addTo('%c', 'memref<4x6xf32>')}`],
    ['nothing behind it', fill],
    [
      'parts that are missing',
      `${fill}\n${loop('%i', '%c2', '%c2', loop('%j', '%c6', '%c3', `${view('%i, %j')}\n${addTo('%v', part)}`))}`,
    ],
    [
      'parts that overlap',
      `${fill}\n${loop('%i', '%c3', '%c1', loop('%j', '%c6', '%c3', `${view('%i, %j')}\n${addTo('%v', part)}`))}`,
    ],
    ['a reader before the parts', `${fill}\n%0 = memref.load %c[%c0, %c0] : memref<4x6xf32>\n${tiles()}`],
    [
      'a reader among the parts',
      `${fill}\n${tiles(`%0 = memref.load %c[%c0, %c0] : memref<4x6xf32>\n${view('%i, %j')}\n${addTo('%v', part)}`)}`,
    ],
    [
      'a larger part that is worked on behind each part',
      `${fill}\n${loop('%i', '%c4', '%c2', loop('%j', '%c6', '%c3', `${view('%i, %j')}\n${addTo('%v', part)}\n${row('%i')}`))}`,
    ],
    [
      'a part that is worked on before',
      `${fill}\n${loop('%i', '%c4', '%c2', `${row('%i')}\n${loop('%j', '%c3', '%c3', `${view('%i, %j')}\n${addTo('%v', part)}`)}`)}`,
    ],
    [
      'parts under a condition',
      `${fill}\n%t = arith.cmpf oeq, %x, %x : f32\n${tiles(`scf.if %t {\n${view('%i, %j')}\n${addTo('%v', part)}\n}`)}`,
    ],
    [
      'loops of unknown length',
      `${fill}\n${tiles().replace('%c4 step', '%n step')}`,
      '%c: memref<4x6xf32>, %n: index',
    ],
    [
      'parts at unknown places',
      `${fill}\n${tiles().replace('[%i, %j]', '[%n, %j]')}`,
      '%c: memref<4x6xf32>, %n: index',
    ],
    [
      'parts that are read as well',
      `${fill}\n${tiles(`${view('%i, %j')}\nlinalg.add ins(%v, %v : ${part}, ${part}) outs(%v : ${part})`)}`,
    ],
    [
      'parts, one of which has another name',
      `%t = arith.cmpf oeq, %x, %x : f32
      %d = arith.select %t, %c, %c : memref<4x6xf32>
      ${fill}\n%0 = memref.load %d[%c0, %c0] : memref<4x6xf32>\n${tiles()}`,
    ],
    [
      'parts of a buffer that a loop carries',
      `${fill}\n${tiles()}\n%z = scf.for %k = %c0 to %c2 step %c1 iter_args(%d = %c) -> (memref<4x6xf32>) {\nscf.yield %d : memref<4x6xf32>\n}`,
    ],
    ['parallel loops that repeat', `${fill}\nscf.forall (%k) in (2) {\n${tiles()}\n}`],
    [
      'a view, with another one of the buffer in use meanwhile',
      inner(addTo('%m', 'memref<4x8xf32>')),
      '%m: memref<4x8xf32>',
    ],
    [
      'a view of a part that is computed otherwise, too',
      inner(`linalg.fill ins(%x : f32) outs(%m : memref<4x8xf32>)`),
      '%m: memref<4x8xf32>',
    ],
    [
      'strides that are not known',
      `linalg.fill ins(%x : f32) outs(%c : ${unknown})
      ${loop('%i', '%c4', '%c1', `%w = memref.subview %c[%i, 0] [1, 6] [1, 1] : ${unknown} to ${unknownRow}\n${addTo('%w', unknownRow)}`)}`,
      `%c: ${unknown}`,
    ],
  ])('leaves a fill before %s', (_, body, parameters) => {
    const module = withBody(body, parameters);
    expect(printModule(sunk(module), { registry })).toBe(printModule(module, { registry }));
  });

  it('sinks the fill of a view of a buffer, whose border is filled afterwards', () => {
    const border = `%b = memref.subview %m[0, 0] [4, 2] [1, 1] : memref<4x8xf32> to memref<4x2xf32, strided<[8, 1]>>
      linalg.fill ins(%x : f32) outs(%b : memref<4x2xf32, strided<[8, 1]>>)`;
    const module = withBody(`${inner('')}\n${border}`, '%m: memref<4x8xf32>');
    const text = printModule(sunk(module), { registry });
    expect(text.indexOf('linalg.fill')).toBeGreaterThan(text.indexOf('scf.for'));
    expect(text.match(/linalg\.fill/g)).toHaveLength(2);
    const run = (each: Module): readonly number[] => {
      const data = Float32Array.from({ length: 32 }, (_, i) => i);
      unwrap(interpret(each, 'f', [memref([4, 8], data), 0.5]));
      return [...data];
    };
    expect(run(sunk(module))).toEqual(run(module));
  });

  it('keeps what is computed, for parts and loops of any kind', () => {
    const variable = fc.constantFrom('%i', '%j', '%k');
    const anyLoop = fc.record({
      variable,
      upper: fc.constantFrom('%c2', '%c3', '%c4', '%c6'),
      step: fc.constantFrom('%c1', '%c2', '%c3'),
    });
    const place = fc.constantFrom('0', '1', '%i', '%j', '%k');
    fc.assert(
      fc.property(
        fc.uniqueArray(anyLoop, { selector: (each) => each.variable, minLength: 1 }),
        fc.tuple(place, place),
        fc.constantFrom<readonly [number, number]>([2, 3], [1, 6], [4, 3], [1, 1], [4, 1]),
        fc.boolean(),
        (loops, at, [rows, columns], isTwice) => {
          const known = new Set(['0', '1', ...loops.map((each) => each.variable)]);
          const [row, column] = at.map((each) => (known.has(each) ? each : '0')) as [string, string];
          const type = `memref<${rows}x${columns}xf32, strided<[6, 1], offset: ?>>`;
          const adding = `%v = memref.subview %c[${row}, ${column}] [${rows}, ${columns}] [1, 1] : memref<4x6xf32> to ${type}
            ${addTo('%v', type)}\n${isTwice ? addTo('%v', type) : ''}`;
          const body = loops.reduce(
            (inner, each) => loop(each.variable, each.upper, each.step, inner),
            adding,
          );
          const reaches = (place: string, size: number, limit: number): boolean => {
            const found = loops.find((each) => each.variable === place);
            const last = found === undefined ? Number(place) : Number(found.upper.slice(2)) - 1;
            return last + size <= limit;
          };
          fc.pre(reaches(row, rows, 4) && reaches(column, columns, 6));
          fc.pre(row.startsWith('%') || column.startsWith('%'));
          const module = withBody(`${fill}\n${body}`);
          expect(after(sunk(module))).toEqual(after(module));
        },
      ),
    );
  });
});

/** Poolings of every element type against the interpreter: signs of zeros and NaN included. */
import type { Elements, HalfName } from '@sconv/backend';
import { halfBits } from '@sconv/backend';
import { unwrap } from '@sconv/diagnostics';
import { memref } from '@sconv/interpreter';
import { parseType } from '@sconv/ir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backendsOf } from './differential.ts';
import { disassemble } from './disassemble.ts';
import { emitted, registry } from './emit.ts';

const arrays = {
  f32: Float32Array,
  f64: Float64Array,
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  f16: Float32Array,
  bf16: Float32Array,
} as const;

type ElementName = keyof typeof arrays;

const names = Object.keys(arrays) as ElementName[];
const isFloat = (element: ElementName): boolean => !element.startsWith('i');

interface Pooling {
  readonly op: string;
  readonly element: ElementName;
  readonly input: readonly number[];
  readonly window: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly dilations: readonly [number, number];
}

const outputOf = ({ op, input, window, strides, dilations }: Pooling): readonly number[] => {
  const first = op.startsWith('pooling_nchw') ? 2 : 1;
  return input.map((size, i) => {
    const d = i - first;
    return d === 0 || d === 1
      ? Math.floor((size - (window[d] - 1) * dilations[d] - 1) / strides[d]) + 1
      : size;
  });
};

const textOf = (pooling: Pooling): string => {
  const { op, element, input, window, strides, dilations } = pooling;
  const [i, w, o] = [input, window, outputOf(pooling)].map(
    (shape) => `memref<${[...shape, element].join('x')}>`,
  );
  return `func.func @f(%i: ${i}, %w: ${w}, %o: ${o}) {
    linalg.${op} {dilations = dense<[${dilations.join(', ')}]> : vector<2xi64>, strides = dense<[${strides.join(', ')}]> : vector<2xi64>}
      ins(%i, %w : ${i}, ${w}) outs(%o : ${o})
    return
  }`;
};

/** Small numbers with every special value of the type; halves are given as numbers. */
const numbers = (element: ElementName, count: number, seed: number, special: boolean): readonly number[] =>
  Array.from({ length: count }, (_, i) => {
    const random = Math.imul(i + seed * 977, 2654435761) >>> 8;
    if (isFloat(element)) {
      const specials = [NaN, -0, 0, Infinity, -Infinity];
      // Few of them, for a NaN decides its window.
      if (special && random % 13 < specials.length) return specials[random % 13]!;
      return ((random % 31) - 15) / 4;
    }
    return special ? random << 3 : (random % 23) - 11;
  });

const onWasm = (element: ElementName, values: readonly number[]): Elements =>
  element === 'f16' || element === 'bf16'
    ? halfBits(element satisfies HalfName, values)
    : arrays[element].from(values);

/** The output on both backends, as text. */
const outcomes = (pooling: Pooling, special: boolean): readonly [string, string] => {
  const { element, input, window } = pooling;
  const { wasm, interpreter } = backendsOf(textOf(pooling));
  const elementType = unwrap(parseType(element, { registry }));
  const shapes = [input, window, outputOf(pooling)];
  const values = shapes.map((shape, i) =>
    numbers(
      element,
      shape.reduce((product, size) => product * size, 1),
      i,
      special,
    ),
  );
  const arguments_ = values.map((each) => onWasm(element, each));
  const references = shapes.map((shape, i) =>
    memref(shape, arrays[element].from(values[i]!), { elementType }),
  );
  wasm.run('f', ...arguments_);
  unwrap(interpreter.run('f', references));
  const result = onWasm(element, [...(references[2]!.allocation.data as Float64Array)]);
  const show = (elements: Elements): string =>
    [...elements]
      .map((value) => {
        // Bits of a NaN are not specified.
        if (element === 'f16' && ((value as number) & 0x7fff) > 0x7c00) return 'NaN';
        if (element === 'bf16' && ((value as number) & 0x7fff) > 0x7f80) return 'NaN';
        return Object.is(value, -0) ? '-0' : String(value);
      })
      .join(' ');
  return [show(arguments_[2]!), show(result)];
};

const ops = {
  nchw: ['pooling_nchw_max', 'pooling_nchw_sum'],
  nhwc: [
    'pooling_nhwc_max',
    'pooling_nhwc_min',
    'pooling_nhwc_sum',
    'pooling_nhwc_max_unsigned',
    'pooling_nhwc_min_unsigned',
  ],
} as const;

describe.each(names)('poolings of %s', (element) => {
  const layouts = [
    ...ops.nchw.map((op) => ({ op, input: [1, 2, 9, 39] })),
    ...ops.nhwc
      .filter((op) => !isFloat(element) || !op.endsWith('unsigned'))
      .map((op) => ({ op, input: [1, 7, 9, 21] })),
  ];

  it.each(layouts)('run in vectors: $op', ({ op, input }) => {
    const text = textOf({ op, element, input, window: [2, 3], strides: [2, 2], dilations: [1, 1] });
    const vectors = { i8: 'i8x16', i16: 'i16x8', i32: 'i32x4', f64: 'f64x2' }[element as string] ?? 'f32x4';
    expect(disassemble(emitted(text).bytes)).toContain(`${vectors}.${op.endsWith('sum') ? 'add' : 'm'}`);
  });

  it('are those of the interpreter for any shape', () => {
    const pair = (max: number) => fc.tuple(fc.integer({ min: 1, max }), fc.integer({ min: 1, max }));
    const poolings = fc
      .record({
        layout: fc.constantFrom(...layouts.map(({ op }) => op)),
        images: fc.integer({ min: 1, max: 2 }),
        channels: fc.integer({ min: 1, max: 19 }),
        rows: fc.integer({ min: 1, max: 4 }),
        columns: fc.integer({ min: 1, max: 35 }),
        window: pair(3),
        strides: pair(3),
        dilations: pair(2),
        special: fc.boolean(),
      })
      .map(({ layout, images, channels, rows, columns, special, ...rest }) => {
        const { window, strides, dilations } = rest;
        const [h, w] = [rows, columns].map(
          (size, d) => (size - 1) * strides[d]! + (window[d]! - 1) * dilations[d]! + 1,
        ) as [number, number];
        const input = layout.startsWith('pooling_nchw') ? [images, channels, h, w] : [images, h, w, channels];
        return { special, pooling: { op: layout, element, input, ...rest } };
      });
    fc.assert(
      fc.property(poolings, ({ pooling, special }) => {
        const [wasm, interpreted] = outcomes(pooling, special);
        expect(wasm).toBe(interpreted);
      }),
      { seed: 1, numRuns: 40 },
    );
  });
});

import { firstDifference } from '@sconv/interpreter/testing';
import type { Module, Value } from '@sconv/ir';
import { bodyOf, edit, operationsIn, verify } from '@sconv/ir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerTiles, vectorizeSumsOp } from '../src/index.ts';
import { lowered as loweredAsKernels, parse, registry } from './support.ts';

/** Whether tests take all that they have, as in `.ci/run`, or some of it, as in `npm test`: see CONTRIBUTING.md. */
const isThorough = process.env['THOROUGH'] !== undefined;

const unit = { bits: 128, registers: 16 };

/** The arguments of the only function, which callers pass without aliasing. */
const argumentsOf = ({ root }: Module): ReadonlySet<Value['id']> => {
  const [func] = bodyOf(root).operations;
  return new Set(bodyOf(func!).arguments.map(({ id }) => id));
};

const lowered = (module: Module, bits = unit.bits, registers = unit.registers): Module => {
  const after = edit(module, { registry }, (rewriter) => {
    lowerTiles(rewriter, rewriter.root, { bits, registers }, argumentsOf(module));
  }).module;
  expect(verify(after, registry)).toEqual([]);
  return after;
};

const names = (module: Module): ReadonlySet<string> =>
  new Set(operationsIn(module.root).map(({ name }) => name));

/** A named op on buffers of these shapes, the output last, of `element` or of `elements -> element`; and on zero points. */
const named = (op: string, attributes: string, element: string, ...shapes: readonly string[]): string => {
  const [from, to] = element.split(' -> ') as [string, string?];
  const types = shapes.map((shape, i) => `memref<${shape}x${i === shapes.length - 1 ? (to ?? from) : from}>`);
  const inputs = types.slice(0, -1);
  const zeroPoints = op.endsWith('_q') ? ['%zx', '%zf'] : [];
  const operands = [...inputs.map((_, i) => `%a${i}`), ...zeroPoints].join(', ');
  const operandTypes = [...inputs, ...zeroPoints.map(() => 'i32')].join(', ');
  return `func.func @f(${types.map((type, i) => `%a${i}: ${type}`).join(', ')}) {
    ${zeroPoints.map((name, i) => `${name} = arith.constant ${2 - 5 * i} : i32`).join('\n    ')}
    ${op} ${attributes} ins(${operands} : ${operandTypes}) outs(%a${inputs.length} : ${types.at(-1)})
    return
  }`;
};

const pairs = (strides: readonly number[], dilations: readonly number[]): string =>
  `{dilations = dense<[${dilations.join(', ')}]> : tensor<2xi64>, strides = dense<[${strides.join(', ')}]> : tensor<2xi64>}`;

it.each([
  [16, [4, 4, 4, 4]],
  // Narrower ones at the end, or one over its predecessor where those would be more.
  [14, [4, 4, 4, 2]],
  [15, [4, 4, 4, 4]],
  [7, [4, 4]],
  [6, [4, 2]],
  [3, [2, 1]],
])('a row of %i sums is of as few vectors as there can be', (columns, widths) => {
  const op = 'linalg.pooling_nchw_sum';
  const shapes = [`1x2x3x${columns + 2}`, '3x3', `1x2x1x${columns}`];
  const module = parse(named(op, pairs([1, 1], [1, 1]), 'f32', ...shapes));
  const after = lowered(module);
  const stored = operationsIn(after.root).flatMap(({ name, operands: [value] }) =>
    name === 'vector.store' && value?.type.kind === 'vector' ? value.type.shape : [],
  );
  expect(stored).toEqual(widths);
  expect(firstDifference(module, after)).toBeUndefined();
});

describe('sums of products', () => {
  const size = (most: number) => fc.integer({ min: 1, max: most });
  const depthwise = fc.record({
    layout: fc.constantFrom('nchw_chw', 'nhwc_hwc'),
    element: fc.constantFrom('f32', 'f64', 'i32', 'i8 -> i32', 'i16 -> i32', 'f16 -> f32', 'bf16 -> f32'),
    bits: fc.constantFrom(128, 256, 512),
    batch: size(2),
    channels: fc.integer({ min: 2, max: 19 }),
    output: fc.tuple(size(3), fc.integer({ min: 2, max: 37 })),
    filter: fc.tuple(size(3), size(3)),
    strides: fc.tuple(size(2), size(2)),
    dilations: fc.tuple(size(2), size(2)),
  });

  it('of depthwise convolutions are computed in vectors', () => {
    fc.assert(
      fc.property(depthwise, (each) => {
        const { batch, channels, output, filter, strides, dilations } = each;
        const image = [0, 1].map(
          (i) => (output[i]! - 1) * strides[i]! + (filter[i]! - 1) * dilations[i]! + 1,
        );
        const placed = (sizes: readonly number[]) =>
          (each.layout === 'nchw_chw' ? [channels, ...sizes] : [...sizes, channels]).join('x');
        const text = named(
          `linalg.depthwise_conv_2d_${each.layout}`,
          pairs(strides, dilations),
          each.element,
          `${batch}x${placed(image)}`,
          placed(filter),
          `${batch}x${placed(output)}`,
        );
        const module = parse(text);
        const after = lowered(module, each.bits);
        expect(firstDifference(module, after)).toBeUndefined();
        expect([...names(after)].filter((name) => name.startsWith('linalg.'))).toEqual([]);
        expect(names(after)).toContain(each.element.endsWith('i32') ? 'arith.addi' : 'vector.fma');
      }),
      { numRuns: isThorough ? 100 : 30 },
    );
  });

  it.each([
    [
      'a multiplier',
      'linalg.depthwise_conv_2d_nhwc_hwcm',
      pairs([1, 2], [1, 1]),
      '2x5x9x3',
      '2x3x3x4',
      '2x4x4x3x4',
    ],
    ['channels last', 'linalg.conv_2d_nhwc_hwcf', pairs([1, 1], [1, 2]), '1x5x8x3', '2x3x3x6', '1x4x4x6'],
    ['rows of images', 'linalg.conv_2d_nchw_fchw', pairs([1, 2], [1, 1]), '1x3x5x19', '4x3x2x3', '1x4x4x9'],
    ['a product', 'linalg.matmul', '', '5x7', '7x11', '5x11'],
    ['a vector', 'linalg.vecmat', '', '7', '7x11', '11'],
  ])('of %s are computed in vectors', (_, op, attributes, ...shapes) => {
    const module = parse(named(op, attributes, 'f32', ...shapes));
    const after = lowered(module);
    expect(firstDifference(module, after)).toBeUndefined();
    expect(names(after)).toContain('vector.fma');
  });

  // Rows, columns, and the loops over them: sums, vectors of columns and elements of rows in each step.
  it.each([
    [128, 16, '12x16', [[12, 2, 6]]],
    [512, 32, '6x64', [[24, 4, 6]]],
    [512, 32, '7x32', [[14, 2, 7]]],
    // The rows in two sizes.
    [512, 32, '11x64', [[24, 4, 6], [20, 4, 5]]], // prettier-ignore
    // The last vector overlaps the one before it, which it is beside.
    [512, 32, '6x49', [[24, 4, 6]]],
    [512, 32, '6x65', [[18, 3, 6], [12, 2, 6]]], // prettier-ignore
    [128, 16, '6x7', [[12, 2, 6]]],
    [128, 16, '12x21', [[12, 2, 6], [12, 2, 6]]], // prettier-ignore
    // Less than a vector.
    [512, 32, '6x7', [[12, 2, 6]]],
    [128, 16, '1x16', [[4, 4, 1]]],
  ])(
    'of a product share vectors between rows: %i bits, %i registers, %s',
    (bits, registers, sizes, steps) => {
      const [rows, columns] = sizes.split('x');
      const module = parse(named('linalg.matmul', '', 'f32', `${rows!}x5`, `5x${columns!}`, sizes));
      const after = lowered(module, bits, registers);
      expect(firstDifference(module, after)).toBeUndefined();
      const sums = operationsIn(after.root).filter(
        ({ name, results }) => name === 'scf.for' && results.length > 0,
      );
      const counted = sums.map((loop) =>
        ['vector.fma', 'vector.load', 'memref.load'].map(
          (name) => bodyOf(loop).operations.filter((each) => each.name === name).length,
        ),
      );
      expect(counted).toEqual(steps);
    },
  );

  it('of products in batches and of channels last share what they read', () => {
    for (const [op, attributes, ...shapes] of [
      ['linalg.batch_matmul', '', '2x7x3', '2x3x19', '2x7x19'],
      ['linalg.matmul_transpose_a', '', '3x8', '3x21', '8x21'],
      ['linalg.conv_2d_nhwc_hwcf', pairs([1, 2], [1, 1]), '1x4x11x3', '2x3x3x9', '1x3x5x9'],
    ] as const) {
      const module = parse(named(op, attributes, 'f32', ...shapes));
      const after = lowered(module, 128, 16);
      expect(firstDifference(module, after)).toBeUndefined();
      const most = Math.max(
        ...operationsIn(after.root).map(({ name, results }) => (name === 'scf.for' ? results.length : 0)),
      );
      expect(most).toBeGreaterThan(4);
    }
  });

  it.each([
    ['nhwc_max', 'f32', 'arith.maximumf'],
    ['nhwc_max', 'i8', 'arith.maxsi'],
    ['nhwc_min', 'i16', 'arith.minsi'],
    ['nhwc_max_unsigned', 'i32', 'arith.maxui'],
    ['nhwc_min_unsigned', 'i8', 'arith.minui'],
    ['nhwc_sum', 'i8 -> i32', 'arith.extsi'],
    ['nchw_max', 'i64', 'arith.maxsi'],
    ['nchw_max', 'f64', 'arith.maximumf'],
    ['nchw_sum', 'bf16 -> f32', 'arith.extf'],
  ])('of poolings are computed in vectors: %s of %s', (op, element, inner) => {
    for (const [strides, dilations] of [
      [2, 1],
      [1, 2],
    ] as const) {
      const image = [2, 8].map((size) => (size - 1) * strides + 2 * dilations + 1);
      const channels = op.startsWith('nchw') ? [7, ...image] : [...image, 19];
      const output = op.startsWith('nchw') ? [7, 2, 8] : [2, 8, 19];
      const text = named(
        `linalg.pooling_${op}`,
        pairs([strides, strides], [dilations, dilations]),
        element,
        `2x${channels.join('x')}`,
        '3x3',
        `2x${output.join('x')}`,
      );
      const module = parse(text);
      const after = lowered(module);
      expect(firstDifference(module, after)).toBeUndefined();
      expect(names(after)).toContain(inner);
      expect([...names(after)].filter((name) => name.startsWith('linalg.'))).toEqual([]);
    }
  });

  it.each([
    ['depthwise_conv_2d_nhwc_hwc_q', '1x5x7x6', '3x2x6', '1x3x6x6'],
    ['conv_2d_nhwc_hwcf_q', '1x5x7x3', '3x2x3x6', '1x3x6x6'],
  ])('with zero points are computed in vectors: %s', (op, ...shapes) => {
    const module = parse(named(`linalg.${op}`, pairs([1, 1], [1, 1]), 'i8 -> i32', ...shapes));
    const after = lowered(module);
    expect(firstDifference(module, after)).toBeUndefined();
    expect(names(after)).toContain('arith.subi');
    expect([...names(after)].filter((name) => name.startsWith('linalg.'))).toEqual([]);
  });

  it.each([
    ['what is no sum', 'linalg.add', '', 'f32', ['4x8', '4x8', '4x8'], 'it does not reduce'],
    [
      'rounded products',
      'linalg.matmul',
      '',
      'f16',
      ['4x5', '5x8', '4x8'],
      'its body has other ops than those of numbers',
    ],
    ['unknown sizes', 'linalg.matmul', '', 'f32', ['?x5', '5x8', '?x8'], 'its sizes are not known, or 0'],
    ['one lane', 'linalg.matvec', '', 'f32', ['4x5', '5', '4'], 'are not contiguous'],
    ['one column', 'linalg.matmul', '', 'f32', ['4x5', '5x1', '4x1'], 'its output has no lanes'],
    [
      'windows three apart',
      'linalg.conv_2d_nchw_fchw',
      pairs([1, 3], [1, 1]),
      'f32',
      ['1x1x1x9', '1x1x1x3', '1x1x1x3'],
      'are not contiguous',
    ],
  ])('of %s are left', (_, op, attributes, element, shapes, message) => {
    const module = parse(named(op, attributes, element, ...shapes));
    edit(module, { registry }, (rewriter) => {
      const operation = rewriter.walk(rewriter.root).find(({ name }) => name === op)!;
      const result = vectorizeSumsOp(rewriter, operation, unit, argumentsOf(module));
      expect(result.diagnostics[0]).toMatchObject({ code: 'lowering/no-sums' });
      expect(result.diagnostics[0]!.message).toContain(message);
      expect(rewriter.walk(rewriter.root)).toContain(operation);
    });
  });

  it.each([
    ['f32', 'arith.divf', true],
    ['f32', 'arith.remf', false],
    ['i32', 'arith.xori', true],
    ['i32', 'arith.divsi', false],
  ])('of %s combined by %s: %s', (type, op, isVectorized) => {
    const sum = type === 'f32' ? 'addf' : 'addi';
    const module = parse(`func.func @f(%a: memref<3x8x${type}>, %o: memref<8x${type}>) {
    %c = arith.constant ${type === 'f32' ? '3.0' : '3'} : ${type}
    linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]
    } ins(%a, %c : memref<3x8x${type}>, ${type}) outs(%o : memref<8x${type}>) {
    ^bb0(%x: ${type}, %y: ${type}, %s: ${type}):
      %q = ${op} %x, %y : ${type}
      %r = arith.${sum} %s, %q : ${type}
      linalg.yield %r : ${type}
    }
    return
  }`);
    const after = lowered(module);
    expect(firstDifference(module, after)).toBeUndefined();
    expect(names(after).has('linalg.generic')).toBe(!isVectorized);
  });

  it('of buffers that may share memory are left', () => {
    const module = parse(named('linalg.matmul', '', 'f32', '4x5', '5x8', '4x8'));
    edit(module, { registry }, (rewriter) => {
      const operation = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.matmul')!;
      const result = vectorizeSumsOp(rewriter, operation, unit);
      expect(result.diagnostics[0]!.message).toContain('its output may share memory with an input');
    });
  });
});

describe('a packing of what is padded', () => {
  const packings = fc.record({
    bits: fc.constantFrom(128, 256),
    channels: fc.integer({ min: 1, max: 3 }),
    image: fc.tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 9 })),
    taps: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
    margin: fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })),
    width: fc.integer({ min: 2, max: 9 }),
    tiles: fc.integer({ min: 1, max: 3 }),
    lanes: fc.integer({ min: 1, max: 9 }),
    stride: fc.integer({ min: 1, max: 2 }),
  });

  it('is stored in loops as it was', () => {
    fc.assert(
      fc.property(packings, (each) => {
        const { channels, image, taps, margin, width, tiles, lanes, stride } = each;
        const source = `memref<${channels}x${image.join('x')}xf32>`;
        const target = `memref<${tiles}x${channels}x${taps.join('x')}x${lanes}xf32>`;
        const window = `(d0 * ${lanes} + d2)`;
        const module = parse(`func.func @f(%in: ${source}, %out: ${target}) {
    %pad = arith.constant 7.0 : f32
    %panel = memref.alloc() : ${target}
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%panel : ${target}) {
    ^bb0(%old: f32):
      %t = linalg.index 0 : index
      %c = linalg.index 1 : index
      %kh = linalg.index 2 : index
      %kw = linalg.index 3 : index
      %w = linalg.index 4 : index
      %row = affine.apply affine_map<(d0, d1, d2) -> (${window} floordiv ${width} + d1 - ${margin[0]})>(%t, %kh, %w)
      %column = affine.apply affine_map<(d0, d1, d2) -> ((${window} mod ${width}) * ${stride} + d1 - ${margin[1]})>(%t, %kw, %w)
      %zero = arith.constant 0 : index
      %height = arith.constant ${image[0]} : index
      %columns = arith.constant ${image[1]} : index
      %0 = arith.cmpi ult, %row, %height : index
      %1 = arith.cmpi ult, %column, %columns : index
      %inside = arith.andi %0, %1 : i1
      %r = arith.select %inside, %row, %zero : index
      %q = arith.select %inside, %column, %zero : index
      %x = memref.load %in[%c, %r, %q] : ${source}
      %y = arith.select %inside, %x, %pad : f32
      linalg.yield %y : f32
    }
    memref.copy %panel, %out : ${target} to ${target}
    return
  }`);
        const after = loweredAsKernels(module, each.bits);
        expect(firstDifference(module, after)).toBeUndefined();
        expect(names(after)).not.toContain('linalg.generic');
      }),
      { numRuns: 60 },
    );
  });
});

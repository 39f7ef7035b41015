import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import { unwrap } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { edit, printModule, verify } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { computePartsInPlace } from '../src/index.ts';
import { bufferized, parse, registry } from './support.ts';

const inPlace = (module: Module): Module => {
  const after = edit(module, { registry }, (rewriter) => {
    computePartsInPlace(rewriter, rewriter.root);
  }).module;
  expect(verify(after, registry)).toEqual([]);
  return after;
};

/** A part of these sizes, each element the double of one of `%x`, by an elementwise op. */
const doubled = (name: string, input: string, type: string): string => `
  %${name}_begin = tensor.empty() : ${type}
  %${name} = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(${input}, ${input} : ${type}, ${type})
    outs(%${name}_begin : ${type}) -> ${type}`;

const insertion = (result: string, part: string, into: string, at: string, sizes: string): string => {
  const [type, whole] = [`tensor<${sizes.replaceAll(', ', 'x')}xf32>`, 'tensor<6x4xf32>'];
  return `
  %${result} = tensor.insert_slice %${part} into %${into}[${at}] [${sizes}] [1, 1] : ${type} into ${whole}`;
};

const joined = (body: string, result = '2'): Module =>
  parse(`func.func @f(%x: tensor<2x4xf32>, %y: tensor<4x4xf32>) -> tensor<6x4xf32> {${body}
  return %${result} : tensor<6x4xf32>
}`);

const begin = '\n  %whole = tensor.empty() : tensor<6x4xf32>';
const [first, second] = [doubled('a', '%x', 'tensor<2x4xf32>'), doubled('b', '%y', 'tensor<4x4xf32>')];
const alongRows = insertion('1', 'a', 'whole', '0, 0', '2, 4') + insertion('2', 'b', '1', '2, 0', '4, 4');
const onBuffers = (module: Module) => bufferized(printModule(module, { registry }));

/** What `@f` computes of distinct numbers. */
const computed = (module: Module): readonly (number | bigint)[] => {
  const numbers = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => i + count);
  const [result] = unwrap(
    interpret(module, 'f', [tensor([2, 4], numbers(8)), tensor([4, 4], numbers(16))], {
      registry,
    }),
  );
  if (typeof result !== 'object' || result.kind !== 'tensor') throw new Error('@f returns a tensor');
  return [...elementsOf(result)];
};

describe('computePartsInPlace', () => {
  it('computes parts where they end up', () => {
    const module = inPlace(joined(first + second + begin + alongRows));
    expect(printModule(module, { registry })).toMatchInlineSnapshot(`
      "module {
        func.func @f(%arg0: tensor<2x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<6x4xf32> {
          %0 = tensor.empty() : tensor<2x4xf32>
          %1 = tensor.empty() : tensor<6x4xf32>
          %extracted_slice = tensor.extract_slice %1[0, 0] [2, 4] [1, 1] : tensor<6x4xf32> to tensor<2x4xf32>
          %2 = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(%arg0, %arg0 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%extracted_slice : tensor<2x4xf32>) -> tensor<2x4xf32>
          %inserted_slice = tensor.insert_slice %2 into %1[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<6x4xf32>
          %3 = tensor.empty() : tensor<4x4xf32>
          %extracted_slice_0 = tensor.extract_slice %inserted_slice[2, 0] [4, 4] [1, 1] : tensor<6x4xf32> to tensor<4x4xf32>
          %4 = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(%arg1, %arg1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%extracted_slice_0 : tensor<4x4xf32>) -> tensor<4x4xf32>
          %inserted_slice_1 = tensor.insert_slice %4 into %inserted_slice[2, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<6x4xf32>
          return %inserted_slice_1 : tensor<6x4xf32>
        }
      }
      "
    `);
    const { copies, allocations } = onBuffers(module);
    expect({ copies, allocations }).toEqual({ copies: 0, allocations: 1 });
  });

  it.each<[string, string]>([
    ['in their order', first + second + begin + alongRows],
    ['inserted in another order than computed', second + first + begin + alongRows],
    ['into a tensor that is there first', begin + first + second + alongRows],
    [
      'one of them an argument',
      first + begin + insertion('1', 'a', 'whole', '4, 0', '2, 4') + insertion('2', 'y', '1', '0, 0', '4, 4'),
    ],
  ])('keeps what is computed: parts %s', (_, body) => {
    const before = joined(body);
    const after = inPlace(before);
    expect(computed(after)).toEqual(computed(before));
    expect(onBuffers(after).copies).toBeLessThan(onBuffers(before).copies);
  });

  const reshaped = (whole: string, place: string): Module =>
    parse(`func.func @f(%x: tensor<24xf32>, %y: tensor<4x6xf32>) -> tensor<${whole}xf32> {
  %begin = tensor.empty() : tensor<4x6xf32>
  %flat = tensor.collapse_shape %begin [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %computed = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(%x, %x : tensor<24xf32>, tensor<24xf32>)
    outs(%flat : tensor<24xf32>) -> tensor<24xf32>
  %part = tensor.expand_shape %computed [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  %whole = tensor.empty() : tensor<${whole}xf32>
  %1 = tensor.insert_slice %part into %whole[0, 0] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<${whole}xf32>
  %2 = tensor.insert_slice %y into %1[${place}] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<${whole}xf32>
  return %2 : tensor<${whole}xf32>
}`);

  it.each<[string, string, string, number]>([
    ['follows reshapes of parts that are contiguous', '8x6', '4, 0', 1],
    ['leaves parts whose rows would lie apart', '4x12', '0, 6', 2],
  ])('%s', (_, whole, place, copies) => {
    expect(onBuffers(inPlace(reshaped(whole, place))).copies).toBe(copies);
  });

  it('leaves parts that overlap, that are used otherwise, and a single one', () => {
    const overlapping =
      insertion('1', 'a', 'whole', '0, 0', '2, 4') + insertion('2', 'b', '1', '1, 0', '4, 4');
    const single = insertion('1', 'a', 'whole', '0, 0', '2, 4');
    const twice = insertion('1', 'a', 'whole', '0, 0', '2, 4') + insertion('2', 'a', '1', '2, 0', '2, 4');
    for (const module of [
      joined(first + second + begin + overlapping),
      joined(first + begin + twice),
      joined(first + begin + single, '1'),
    ])
      expect(printModule(inPlace(module), { registry })).toBe(printModule(module, { registry }));
  });
});

describe('padding of a part that is begun in an empty tensor', () => {
  const [part, whole] = ['tensor<2x4xf32>', 'tensor<4x7xf32>'];
  const padded = (
    amounts = 'low[1, 2] high[1, 1]',
    { type = whole, yields = '%zero', more = '' }: { type?: string; yields?: string; more?: string } = {},
  ): Module =>
    parse(`func.func @f(%x: ${part}, %y: tensor<4x4xf32>) -> ${type} {
  %zero = arith.constant 0.5 : f32${doubled('a', '%x', part)}${more}
  %p = tensor.pad %a ${amounts} {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield ${yields} : f32
  } : ${part} to ${type}
  return %p : ${type}
}`);

  it('computes it in the middle of the result', () => {
    const module = padded();
    const after = inPlace(module);
    expect(printModule(after, { registry })).not.toContain('tensor.pad');
    expect(computed(after)).toEqual(computed(module));
    const { copies, allocations } = onBuffers(after);
    expect([copies, allocations]).toEqual([0, 1]);
  });

  it.each([
    ['before one dimension', 'low[1, 0] high[0, 0]', 'tensor<3x4xf32>'],
    ['after one', 'low[0, 0] high[0, 3]', 'tensor<2x7xf32>'],
    ['before one and after another', 'low[2, 0] high[0, 1]', 'tensor<4x5xf32>'],
  ])('fills what is %s', (_, amounts, type) => {
    const module = padded(amounts, { type });
    const after = inPlace(module);
    expect(printModule(after, { registry })).not.toContain('tensor.pad');
    expect(computed(after)).toEqual(computed(module));
  });

  it.each<[string, Module]>([
    ['by what depends on the place', padded(undefined, { yields: '%f' })],
    ['by nothing', padded('low[0, 0] high[0, 0]', { type: part })],
    ['by less than nothing', padded('low[-1, 2] high[1, 1]', { type: 'tensor<2x7xf32>' })],
    [
      'of what is used otherwise, too',
      padded(undefined, { more: `\n  %b = linalg.exp ins(%a : ${part}) outs(%x : ${part}) -> ${part}` }),
    ],
    [
      'of an argument',
      parse(`func.func @f(%x: ${part}) -> ${whole} {
  %zero = arith.constant 0.5 : f32
  %p = tensor.pad %x low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : ${part} to ${whole}
  return %p : ${whole}
}`),
    ],
  ])('leaves padding %s', (_, module) => {
    expect(printModule(inPlace(module), { registry })).toBe(printModule(module, { registry }));
  });
});

import { createRegistry, parseModule, printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { payloadDialects } from '../src/index.ts';

const registry = createRegistry(payloadDialects);

const kernel = `"kernel.microkernel"(%a, %b, %c, %x, %p) {operand_segment_sizes = array<i32: 1, 1, 1, 1, 1>} :
  (memref<1x2x4xf32>, memref<2x3xf32>, memref<1x3x4xf32>, f32, i1) -> ()`;
const divided = kernel.replace(
  '{',
  '{lanes = "windows", tiles = [array<i64: 0, 3, 0, 1>, array<i64: 0, 3, 1, 2, 3, 1, 0, 2>, array<i64: 3, 1, 2, 1>], ',
);
const contract = `"kernel.contract"(%a, %b, %c, %x, %p) {lanes = 1 : i64, maps = [affine_map<(d0, d1, d2) -> (d1 + d2)>,
  affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], 
  tiles = array<i64: 0, 2, 0, 3, 2, 2, 0, 3>, unroll = array<i64: 1, 1, 2>, operand_segment_sizes = array<i32: 1, 1, 1, 1, 1>} :
  (memref<5xf32>, memref<3x2xf32>, memref<3x4xf32>, f32, i1) -> ()`;
const packing =
  `"kernel.pack"(%a, %c, %i, %z, %x) {bounds = array<i64: 4>, conversion = ["arith.extf", "arith.trunci"],
  map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 + d3)>, operand_segment_sizes = array<i32: 1, 1, 1, 0, 1>,
  tests = affine_map<(d0, d1, d2, d3) -> (d2 + d3)>, types = [f64, f32]} :
  (memref<1x3x4xf32>, memref<1x3x4xf32>, index, f32) -> ()`.replace('%z, ', '');

const functionOf = (op: string): string => {
  const values = [...op.matchAll(/%(\w)/g)].map(([, name]) => name!);
  const types = /\((.*)\) -> \(\)/.exec(op)![1]!.split(/, (?![^<]*>)/);
  return `func.func @f(${values.map((name, i) => `%${name}: ${types[i]!}`).join(', ')}) { ${op} return }`;
};

const complaint = (op: string): string | undefined => {
  const result = parseModule(functionOf(op), { registry });
  return result.status === 'success' ? undefined : result.diagnostics[0]!.message;
};

describe('kernels', () => {
  it.each([kernel, divided, contract, packing])('print as an op of an IRDL file: %#', (op) => {
    const result = parseModule(functionOf(op), { registry });
    const text = result.status === 'success' ? printModule(result.value, { registry }) : '';
    expect(text).toContain('operand_segment_sizes');
    expect(text).not.toContain('<{');
    const again = parseModule(text, { registry });
    expect(again.status === 'success' && printModule(again.value, { registry })).toBe(text);
  });

  it.each([
    ['memref<2x3xf32>', 'memref<3x3xf32>', 'expects panels of images x steps x windows'],
    ['memref<1x3x4xf32>', 'memref<1x3x5xf32>', 'expects panels of images x steps x windows'],
    ['memref<1x2x4xf32>', 'memref<1x2x4x2xf32>', 'expects panels of images x steps x windows'],
    ['memref<2x3xf32>', 'memref<2x3xf64>', 'expects elements of one type, or pairs of i16 and sums of i32'],
    ['f32, i1', 'f64, i1', "expects to start with 'f32', not 'f64'"],
    ['1, 1, 1, 1, 1>', '1, 1, 2, 0, 1>', 'operands that do not fit its declaration'],
  ])('are no microkernels with %s as %s', (part, other, message) => {
    expect(complaint(kernel.replace(part, other))).toContain(message);
  });

  it.each([
    ['one part missing', ', array<i64: 3, 1, 2, 1>', ''],
    ['one part twice', '3, 1, 2, 1', '3, 1, 0, 1'],
    ['parts outside', '3, 1, 2, 1', '4, 1, 2, 1'],
    ['an empty part', ', array<i64: 3, 1, 2, 1>', ', array<i64: 3, 1, 2, 1>, array<i64: 3, 0, 2, 1>'],
    ['half a part', '3, 1, 2, 1', '3, 1, 2'],
    // As many elements as the whole, and inside of it.
    ['overlaps and gaps alike', '0, 3, 0, 1>, array<i64: 0, 3, 1, 2', '0, 3, 2, 1>, array<i64: 0, 3, 1, 2'],
    ['parts of an output of unknown size', 'memref<1x3x4xf32>', 'memref<1x?x4xf32>'],
  ])('are no microkernels with tiles of %s', (_, part, other) => {
    expect(complaint(divided)).toBeUndefined();
    expect(complaint(divided.replace(part, other))).toMatch(
      /expects tiles that cover the 4 windows of . filters once$/,
    );
  });

  it('have lanes along windows, filters, or both', () => {
    const other = divided.replace('"windows"', '"steps"');
    expect(complaint(other)).toContain('one of windows, filters, both');
  });

  it.each([
    ['-> (d1 + d2)', '-> (d1, d2)', 'expects a map for each of the three operands'],
    ['affine_map<(d0, d1, d2) -> (d0, d2)>, ', '', 'expects a map for each of the three operands'],
    ['memref<5xf32>', 'memref<?xf32>', 'expects operands of static sizes'],
    ['-> (d0, d2)', '-> (d0, d2 + d0)', 'expects dimensions that an operand bounds, none of them empty'],
    ['-> (d1 + d2)', '-> (d1 floordiv 2 + d2)', 'expects indices that are linear, and within the operands'],
    ['memref<5xf32>', 'memref<4xf32>', 'expects indices that are linear, and within the operands'],
    [
      '-> (d1 + d2)',
      '-> (d1 + d1 * 9007199254740990 + d2 * 9007199254740991)',
      'expects indices that are linear, and within the operands',
    ],
    ['-> (d0, d1)', '-> (d0, d1 + d0)', 'expects dimensions that an operand bounds, none of them empty'],
    [
      '-> (d1 + d2)',
      '-> (d0 + d2)',
      'expects an output indexed by dimensions, each of which one of the operands has',
    ],
    ['lanes = 1', 'lanes = 2', 'expects lanes along a dimension of the output'],
    [
      'i64: 1, 1, 2>',
      'i64: 1, 2, 1>',
      'expects factors that divide the dimensions summed over, of up to 64 steps',
    ],
    [
      'i64: 1, 1, 2>',
      'i64: 1, 1, 3>',
      'expects factors that divide the dimensions summed over, of up to 64 steps',
    ],
    ['0, 2, 0, 3, 2, 2, 0, 3', '0, 2, 0, 3, 1, 2, 0, 3', 'expects tiles that cover each result once'],
    ['0, 2, 0, 3, 2, 2, 0, 3', '0, 4, 0, 3, 2', 'expects tiles that cover each result once'],
    ['0, 2, 0, 3, 2, 2, 0, 3', '0, 4, 0, 2', 'expects tiles that cover each result once'],
    ['memref<3x2xf32>', 'memref<3x2xf64>', 'expects elements of one type'],
    ['f32, i1', 'f64, i1', "expects to start with 'f32', not 'f64'"],
  ])('are no tiles of contractions with %s as %s', (part, other, message) => {
    expect(complaint(contract.replace(part, other))).toContain(message);
  });

  it('are no tiles of contractions whose output has a dimension twice', () => {
    const row = contract.replace('-> (d1 + d2)', '-> (d1)').replace('-> (d0, d1)', '-> (d1, d1)');
    expect(complaint(row)).toContain('expects an output indexed by dimensions');
  });

  it.each([kernel, contract])('begin with a value where they have a condition: %#', (op) => {
    const without = op
      .replace('%x, ', '')
      .replace('f32, i1', 'i1')
      .replace('1, 1, 1, 1, 1>', '1, 1, 1, 0, 1>');
    expect(complaint(without)).toContain('expects a value to start with on a condition');
  });

  it.each([
    [
      '(d0, d1, d2 + d3)',
      '(d0, d1)',
      'expects a map from the dimensions of the target and the outer indices',
    ],
    ['(d0, d1, d2, d3) -> (d2 + d3)>', '(d0, d1, d2) -> (d2)>', 'expects tests of the dimensions'],
    ['i64: 4', 'i64: 4, 4', 'expects a bound for each test'],
    ['index, f32', 'index, f64', "expects tests and padding of 'f32', or neither"],
    ['types = [f64, f32]', 'types = [f64]', 'expects a type for each step of the conversion'],
    ['arith.extf', 'arith.subi', 'expects a zero point for each subtraction, of its type'],
    ['types = [f64, f32]', 'types = [f64, f64]', "stores 'f64' in 'memref<1x3x4xf32>'"],
    ['arith.extf', 'arith.addf', 'array of steps of a conversion'],
  ])('are no packings with %s as %s', (part, other, message) => {
    expect(complaint(packing.replace(part, other))).toContain(message);
  });
});

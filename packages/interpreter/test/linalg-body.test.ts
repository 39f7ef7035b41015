import { affineMap, evaluate } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInterpreter, tensor } from '../src/index.ts';
import type { Handler } from '../src/index.ts';
import { failure, iota, parse, run } from './run.ts';
import { expression, points } from './three-loops.ts';

it('an affine.apply in the body is evaluated at every point, whichever loops it uses', () => {
  fc.assert(
    fc.property(expression, fc.boolean(), (text, asSymbols) => {
      const operands = asSymbols ? '(%k)[%i, %j]' : '(%i, %j, %k)';
      const inputs = asSymbols ? '(k)[i, j]' : '(i, j, k)';
      const source = `func.func @f(%o: tensor<3x4x5xindex>) -> tensor<3x4x5xindex> {
        %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
          outs(%o : tensor<3x4x5xindex>) {
        ^bb0(%y: index):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %k = linalg.index 2 : index
          %v = affine.apply affine_map<${inputs} -> (${text})>${operands}
          linalg.yield %v : index
        } -> tensor<3x4x5xindex>
        return %0 : tensor<3x4x5xindex>
      }`;
      const map = affineMap(`(i, j, k) -> (${text})`);
      const expected = points.map((point) => evaluate(map, point)[0]!);
      const output = tensor([3, 4, 5], new Float64Array(60), { kind: 'index' });
      expect(run(source, [output])).toEqual([[[3, 4, 5], expected]]);
    }),
    { numRuns: 100 },
  );
});

describe('what an operation of the body costs', () => {
  /** How often `math.sqrt` of this value is computed in a body over 3 x 4 x 5 points. */
  const computed = (lines: string, value: string): number => {
    let count = 0;
    const sqrt: Handler = () => () => {
      count += 1;
    };
    const text = `func.func @f(%c: tensor<3x4x5xf32>, %outside: f32, %t: tensor<5xf32>, %n: index) -> tensor<3x4x5xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
        outs(%c : tensor<3x4x5xf32>) {
      ^bb0(%s: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %k = linalg.index 2 : index
        ${lines}
        %root = math.sqrt ${value} : f32
        linalg.yield %root : f32
      } -> tensor<3x4x5xf32>
      return %0 : tensor<3x4x5xf32>
    }`;
    const handlers = { 'math.sqrt': sqrt };
    unwrap(createInterpreter(parse(text), { handlers }).run('f', [iota(3, 4, 5), 1, iota(5), 1]));
    return count;
  };
  const float = (index: string): string => `%y = arith.index_cast ${index} : index to i32\n%x = arith.sitofp %y : i32 to f32`;
  it.each([
    ['what is outside', '', '%outside', 1],
    ['a constant', '%x = arith.constant 2.0 : f32', '%x', 1],
    ['the outermost loop', float('%i'), '%x', 3],
    ['the loop in between', float('%j'), '%x', 12],
    ['the innermost loop', float('%k'), '%x', 60],
    ['a map of the outer loops', `%m = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)\n${float('%m')}`, '%x', 12],
    ['the least of a loop and a number', `%m = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]\n${float('%m')}`, '%x', 3],
    ['an element at an outer loop', '%x = tensor.extract %t[%j] : tensor<5xf32>', '%x', 12],
    ['a size', `%m = tensor.dim %t, %n : tensor<5xf32>\n${float('%m')}`.replace('%n', '%zero').replace('%m =', '%zero = arith.constant 0 : index\n%m ='), '%x', 1],
    ['an element of the operand', '', '%s', 60],
    ['a region', '%x = scf.execute_region -> f32 { scf.yield %outside : f32 }', '%x', 60],
  ])('depends on the innermost loop that it uses: %s', (_, lines, value, count) => {
    expect(computed(lines, value)).toBe(count);
  });
}); // prettier-ignore

it('an access in the body that is out of bounds names its own operation', () => {
  const text = `func.func @f(%t: tensor<2xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : tensor<3xf32>) {
    ^bb0(%y: f32):
      %i = linalg.index 0 : index
      %x = tensor.extract %t[%i] : tensor<2xf32>
      linalg.yield %x : f32
    } -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }`;
  expect(failure(text, [iota(2), iota(3)])).toMatchObject({
    code: 'interpreter/out-of-bounds',
    message: "'tensor.extract' accesses [2], which is out of bounds of the shape 2",
    location: { line: 5 },
  });
});

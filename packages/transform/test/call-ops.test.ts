/** `func.cast_and_call`. */
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, extendRegistry, parseModule, printModule, verify } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { transformDialect, transformInterpreterPass } from '../src/index.ts';

const registry = extendRegistry(createRegistry([...payloadDialects, transformDialect]), []);
const any = '!transform.any_op';
const values = '!transform.any_value';

const payload = `func.func @f(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.sqrt %0 : tensor<4xf32>
  %2 = math.absf %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @same(tensor<4xf32>) -> tensor<4xf32>
func.func private @dynamic(tensor<?xf32>) -> tensor<?xf32>
func.func private @other(tensor<5xf32>) -> tensor<5xf32>
func.func private @static(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func private @none(tensor<4xf32>)`;

const run = (call: string) => {
  const text = `module attributes {transform.with_named_sequence} {
${payload}
transform.named_sequence @__transform_main(%root: ${any} {transform.consumed}) {
  %exp = transform.structured.match ops{["math.exp"]} in %root : (${any}) -> ${any}
  %sqrt = transform.structured.match ops{["math.sqrt"]} in %root : (${any}) -> ${any}
  %abs = transform.structured.match ops{["math.absf"]} in %root : (${any}) -> ${any}
  %none = transform.structured.match ops{["math.log"]} in %root : (${any}) -> ${any}
  %in = transform.get_result %exp[0] : (${any}) -> ${values}
  %out = transform.get_result %sqrt[0] : (${any}) -> ${values}
  %last = transform.get_result %abs[0] : (${any}) -> ${values}
  %twice = transform.merge_handles %out, %out : ${values}
  ${call}
  transform.yield
}
}`;
  const module = unwrap(parseModule(text, { registry, fileName: 'f.mlir' }));
  const result = transformInterpreterPass().run(module, { registry });
  if (result.status !== 'success')
    return result.diagnostics.map(({ message, code }) => `${message} [${code}]`);
  expect(verify(result.value, registry)).toEqual([]);
  return printModule(result.value, { registry });
};
const called = (callee: string, place: string, ins = '%in', outs = '%out', body = ''): string =>
  `transform.func.cast_and_call ${callee}(${ins}) -> ${outs} ${place}${body} : (${any}, ${values}, ${values}) -> ${any}`;
const casts = ' {\n transform.type_conversion.tensor.cast_shape_dynamic_dims\n }';

describe('transform.func.cast_and_call', () => {
  it.each([
    [called('@same', 'before %sqrt'), ['%1 = call @same(%0)', 'math.absf %1']],
    [called('@same', 'after %sqrt'), ['math.sqrt', '%2 = call @same(%0)', 'math.absf %2']],
    [
      called('@dynamic', 'before %sqrt', '%in', '%out', casts),
      [
        'tensor.cast %0 : tensor<4xf32> to tensor<?xf32>',
        'call @dynamic(%cast)',
        'tensor.cast %1',
        'math.absf %cast_0',
      ],
    ],
  ])('%s', (script, parts) => {
    const text = run(script);
    let from = 0;
    for (const part of parts) {
      const at = String(text).indexOf(part, from);
      expect(at, part).toBeGreaterThanOrEqual(0);
      from = at;
    }
  });

  it.each([
    [
      'cast and call output values must be unique [cast-and-call/outputs]',
      called('@same', 'before %sqrt', '%in', '%twice'),
    ],
    [
      'Only one op can be specified as an insertion point [cast-and-call/place]',
      called('@same', 'before %none'),
    ],
    [
      "an input does not dominate insertion point 'math.exp' [cast-and-call/dominance]",
      called('@same', 'before %exp'),
    ],
    [
      "User 'math.absf' is not dominated by insertion point 'math.absf' [cast-and-call/dominance]",
      called('@same', 'after %abs'),
    ],
    ['unresolved symbol @missing [cast-and-call/function]', called('@missing', 'before %sqrt')],
    [
      'mismatch between number of function arguments 2 and number of inputs 1 [cast-and-call/arity]',
      called('@static', 'before %sqrt'),
    ],
    [
      'mismatch between number of function results 0 and number of outputs 1 [cast-and-call/arity]',
      called('@none', 'before %sqrt'),
    ],
    ['Failed to materialize conversion of a value', called('@dynamic', 'before %sqrt')],
    ['[cast-and-call/conversion]', called('@other', 'before %sqrt', '%in', '%out', casts)],
  ])('refuses: %s', (message, script) => {
    expect(String(run(script))).toContain(message);
  });
});

import { expect, it } from 'vitest';
import { mapSuccess } from '@sconv/diagnostics';
import { i64ArrayAttribute, integerAttribute, i64 } from '@sconv/ir';
import { defineTransformOp, directives, payloadSizes, producesAny, readsSizes } from '../src/index.ts';
import { scriptTester } from '../src/testing.ts';

const any = '!transform.any_op';

/** Returns the static sizes as parameters, -1 for those computed by the payload. */
const sizes = defineTransformOp({
  name: 'transform.test.sizes',
  summary: 'Gives sizes.',
  operands: { dynamic: readsSizes('sizes') },
  attributes: { fixed: i64ArrayAttribute },
  results: { sizes: producesAny('them') },
  assembly: {
    format: 'custom<DynamicIndexList>($dynamic, $fixed) attr-dict `:` functional-type(operands, results)',
    directives,
  },
  apply: ({ location }, { dynamic }, { fixed }) =>
    mapSuccess(payloadSizes(fixed, dynamic, location), (mixed) => ({
      sizes: mixed.map((size) => [integerAttribute(typeof size === 'number' ? size : -1, i64)]),
    })),
});

const run = scriptTester([sizes], { difference: () => undefined });

const payload = `func.func @f(%n: index) -> index {
  %a = arith.addi %n, %n : index
  %b = arith.muli %a, %a : index
  %c = arith.muli %a, %b : index
  return %c : index
}`;
const matched = (name: string): string =>
  `%size = transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}`;
const param = '!transform.param<i64>';

it('are those that are given, hold by parameters, or are computed by the payload', () => {
  const script = `${matched('arith.addi')}
%p = transform.param.constant 7 : i64 -> ${param}
%0:3 = transform.test.sizes [%size, 3, %p] : (${any}, ${param}) -> (${param}, ${param}, ${param})`;
  expect(run(payload, script).diagnostics).toBe('');
});

it.each([
  ['arith.muli', 'handle must be mapped to exactly one payload op [transform/size-handle]'],
  ['arith.divsi', 'handle must be mapped to exactly one payload op [transform/size-handle]'],
  ['func.func', 'payload op must have exactly 1 index result [transform/size-result]'],
])('are not those of %s', (name, message) => {
  const script = `${matched(name)}
%0 = transform.test.sizes [%size] : (${any}) -> ${param}`;
  expect(run(payload, script).diagnostics).toContain(message);
});

it.each(['transform.param.constant "a" -> !transform.any_param', 'transform.merge_handles %one, %one : '])(
  'are not of %s',
  (line) => {
    const type = line.includes('merge') ? param : '!transform.any_param';
    const script = `%one = transform.param.constant 1 : i64 -> ${param}
%p = ${line}${line.includes('merge') ? param : ''}
%0 = transform.test.sizes [%p] : (${type}) -> ${param}`;
    expect(run(payload, script).diagnostics).toContain(
      'requires exactly one parameter associated [transform/size-parameter]',
    );
  },
);

/** What functions of the facade say to untyped callers. */
import { unwrap } from '@sconv/diagnostics';
import { randomIntegers } from '@sconv/interpreter';
import { irDiff } from '@sconv/transform';
import { expect, it } from 'vitest';
import * as sconv from '../src/index.ts';

const { defaultRegistry: registry } = sconv;
const module = unwrap(sconv.parseModule('', { registry }));
const data = new Float32Array(4);

type Row = [what: string, call: (...args: never[]) => unknown, message: string, ...args: unknown[]];

it.each<Row>([
  ['render', sconv.render, 'diagnostic: expected an object, not undefined', undefined],
  ['render', sconv.render, 'diagnostic.location: expected an object', { notes: [] }],
  [
    'printOperation',
    sconv.printOperation,
    'expected an operation as what is printed, not a map',
    { kind: 'map' },
    { registry },
  ],
  ['countMultiplyAdds', sconv.countMultiplyAdds, 'expects a registry', undefined, module.root],
  [
    'countMultiplyAdds',
    sconv.countMultiplyAdds,
    'expected an operation as what is counted, not null',
    registry,
    null,
  ],
  ['planOperation', sconv.planOperation, 'expected an operation as what is planned, not undefined'],
  ['irDiff', irDiff, 'expected a module as before, not null', null, module, {}],
  ['irDiff', irDiff, 'expected the forward of an edit, not 3', module, module, 3],
  ['instantiate', sconv.instantiate, 'expected a module, as emitModule() makes it, not an object', {}],
  ['instantiate', sconv.instantiate, 'expected options of an instance, not null', { functions: [] }, null],
  ['halfBits', sconv.halfBits, 'expected f16 or bf16 as the format, not an object', Object.create(null), []],
  ['integerData', sconv.integerData, 'expected a number of elements up to 2^28, not 8589934592', 2 ** 33, 1],
  ['integerData', sconv.integerData, 'expected a number of elements up to 2^28, not -1', -1, 1],
  ['randomIntegers', randomIntegers, 'expected a seed, not 1n', 1n],
  ['tensor', sconv.tensor, 'expected a shape, a list, not null', null, data],
  ['tensor', sconv.tensor, 'expected elements, a typed array, not [1]', [1], [1]],
])('%s refuses what it cannot take: %#', (_, call, message, ...args) => {
  expect(() => (call as (...given: readonly unknown[]) => unknown)(...args)).toThrow(message);
});

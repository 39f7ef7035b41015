import { unwrap } from '@sconv/diagnostics';
import type { Implementation, OpDefinition, Operation, Trait } from '@sconv/ir';
import {
  anyType,
  attach,
  bodyOf,
  defineOp,
  extendRegistry,
  implement,
  memoryEffects,
  modelOf,
  one,
  parseModule,
} from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { emitModule } from '../src/index.ts';
import { wasmLowerings } from '../src/index.ts';
import { lowerScope, wasmLowering } from '../src/lowering-api.ts';
import { registry } from './emit.ts';

const touch = (traits: readonly Trait[], interfaces: readonly Implementation[]) =>
  defineOp({
    name: 'test.touch',
    summary: 'takes two buffers',
    operands: { a: one(anyType), b: one(anyType) },
    traits,
    interfaces,
    assembly: { format: 'operands attr-dict `:` type(operands)' },
  });

const effects = (kind: 'read' | 'write', operand: number | undefined) =>
  implement(memoryEffects, ({ operands }: Operation) => [
    { kind, ...(operand === undefined ? {} : { value: operands[operand]! }) },
  ]);

const head = 'func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {';

/** The arguments that a function may write if it does this, with `test.touch` as given. */
const written = (
  body: string,
  traits: readonly Trait[],
  interfaces: readonly Implementation[],
  others: readonly OpDefinition[] = [],
): boolean[] => {
  const operations = [touch(traits, interfaces), ...others];
  const known = extendRegistry(
    registry,
    [{ name: 'test', operations }],
    [
      attach(wasmLowering, 'test.touch', () => undefined),
      attach(wasmLowering, 'test.hold', (state, operation) => {
        lowerScope(state, bodyOf(operation));
      }),
    ],
  );
  const module = unwrap(parseModule(`${head} ${body} return }`, { registry: known }));
  const [signature] = unwrap(emitModule(module, { registry: known })).functions;
  return signature!.parameters.map((parameter) => parameter.kind === 'buffer' && parameter.written);
};

const touched = 'test.touch %a, %b : memref<4xf32>, memref<4xf32>';

describe('a function may write', () => {
  it.each<[string, readonly Trait[], readonly Implementation[], readonly boolean[]]>([
    ['everything, by an op of which nothing is known', [], [], [true, true, true]],
    ['nothing, by a pure one', ['pure'], [], [false, false, false]],
    ['nothing, by one that reads', [], [effects('read', 0)], [false, false, false]],
    ['what an op says', [], [effects('write', 1)], [false, true, false]],
    [
      'everything, by a write to memory without a name',
      [],
      [effects('write', undefined)],
      [true, true, true],
    ],
    [
      'nothing, by one that has the effects of its body and has none',
      ['recursive-effects'],
      [],
      [false, false, false],
    ],
    [
      'its own writes beside those of its body',
      ['recursive-effects'],
      [effects('write', 0)],
      [true, false, false],
    ],
  ])('%s', (_, traits, interfaces, expected) => {
    expect(written(touched, traits, interfaces)).toEqual(expected);
  });

  /** In a region of its own: `test.hold` has the effects of its body. */
  const held = (traits: readonly Trait[], interfaces: readonly Implementation[]): boolean[] => {
    const hold = defineOp({
      name: 'test.hold',
      summary: 'has a region',
      regions: ['body'],
      traits: ['recursive-effects'],
      assembly: { format: 'attr-dict-with-keyword $body' },
    });
    return written(`test.hold { ${touched} }`, ['terminator', ...traits], interfaces, [hold]);
  };

  it.each<[string, readonly Trait[], readonly Implementation[], readonly boolean[]]>([
    ['everything, of which nothing is known', [], [], [true, true, true]],
    ['what it says', [], [effects('write', 1)], [false, true, false]],
    ['nothing, which is pure', ['pure'], [], [false, false, false]],
  ])('by a terminator %s', (_, traits, interfaces, expected) => {
    expect(held(traits, interfaces)).toEqual(expected);
  });

  it('what an op in a loop says, through a view', () => {
    const loop = `%zero = arith.constant 0 : index %one = arith.constant 1 : index
      %v = memref.cast %c : memref<4xf32> to memref<?xf32>
      scf.for %i = %zero to %one step %one { test.touch %a, %v : memref<4xf32>, memref<?xf32> }`;
    expect(written(loop, [], [effects('write', 1)])).toEqual([false, false, true]);
  });

  it('what is stored to in the body of a structured op', () => {
    const body = `linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
    } ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
      ^bb0(%x: f32, %y: f32):
        %i = linalg.index 0 : index
        memref.store %x, %c[%i] : memref<4xf32>
        linalg.yield %y : f32
    }`;
    expect(written(body, [], [])).toEqual([false, true, true]);
  });
});

// What a call does is what its callee does; nothing moves across an assertion, which may end the program.
const undeclared = new Set(['func.call', 'cf.assert']);
const operations = wasmLowerings.map(({ operation }) => operation).filter((name) => !undeclared.has(name));

it.each(operations)('%s says what it does to memory', (name) => {
  const { traits } = registry.operations.get(name)!;
  expect(
    traits.has('pure') ||
      traits.has('recursive-effects') ||
      modelOf(registry, memoryEffects, { name }) !== undefined,
  ).toBe(true);
});

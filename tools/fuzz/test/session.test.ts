import { describe, expect, it } from 'vitest';
import { definite, error, silenceable, success } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { extendRegistry, i64, integerAttribute, integerType } from '@sconv/ir';
import { consumes, defineTransformOp, reads, transformDialectOf } from '@sconv/transform';
import { defaultRegistry } from 'sconv';
import { finish } from '../src/finish.ts';
import type { HandleName, Step } from '../src/script.ts';
import { rootHandle } from '../src/script.ts';
import { Session } from '../src/session.ts';

/** A transform that declares that it only reads the constants. */
const faulty = (name: string, apply: (rewriter: Rewriter, target: DraftOperation) => Diagnosed<unknown>) =>
  defineTransformOp({
    name: `transform.test.${name}`,
    summary: 'Has a fault.',
    operands: { target: reads('constants') },
    failures: { 'test/declared': { mode: 'silenceable', when: 'always' } },
    assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
    apply: ({ rewriter }, { target }) => {
      for (const operation of target) {
        const result = apply(rewriter, operation);
        if (result.status !== 'success') return result;
      }
      return success({});
    },
  });

const registry = extendRegistry(defaultRegistry, [
  transformDialectOf([
    faulty('throws', () => {
      throw new Error('a broken invariant');
    }),
    faulty('miscompiles', (rewriter, target) => {
      rewriter.setAttribute(target, 'value', integerAttribute(3, i64));
      return success(undefined);
    }),
    faulty('breaks', (rewriter, target) => {
      rewriter.setAttribute(target, 'value', integerAttribute(3, integerType(8)));
      return success(undefined);
    }),
    faulty('refuses', (_rewriter, { location }) => silenceable(error('test/declared', 'refused', location))),
    faulty('invents_a_code', (_rewriter, { location }) =>
      silenceable(error('test/other', 'refused', location)),
    ),
    faulty('is_definite', (_rewriter, { location }) => definite(error('test/declared', 'refused', location))),
    defineTransformOp({
      name: 'transform.test.takes',
      summary: 'Consumes its target.',
      operands: { target: consumes('ops') },
      assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
      apply: () => success({}),
    }),
  ]),
]);

const payload = `func.func @f(%a: tensor<4xi64>) -> tensor<4xi64> {
  %c = arith.constant 2 : i64
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<4xi64>) {
  ^bb0(%x: i64):
    %1 = arith.muli %x, %c : i64
    linalg.yield %1 : i64
  } -> tensor<4xi64>
  return %0 : tensor<4xi64>
}
`;

const start = (text = payload): Session => {
  const session = Session.start({ payload: text, dynamicSizes: [] }, registry);
  if (!(session instanceof Session)) throw new Error(session.message);
  return session;
};

const any = (name: string): HandleName => ({ name, promises: undefined });

const step = (
  transform: string,
  operands: readonly string[],
  results: readonly string[] = [],
  attributes: Step['attributes'] = {},
): Step => ({
  transform: `transform.${transform}`,
  operands: operands.map(any),
  attributes,
  results: results.map(any),
});

const match = (op: string, result: string): Step => ({
  ...step('structured.match', [], [result], { ops: [op] }),
  operands: [rootHandle],
});

/** The outcome of a step on the constant. */
const onConstant = (transform: string) => {
  const session = start();
  session.attempt(match('arith.constant', 'c'));
  return session.attempt(step(transform, ['c']));
};

describe('Session', () => {
  it('applies steps, and says what handles stand for', () => {
    const session = start();
    expect(session.attempt(match('linalg.generic', 'g'))).toEqual({ status: 'applied' });
    const tile = step('structured.tile_using_for', ['g'], ['t', 'l'], { staticSizes: [2] });
    expect(session.attempt(tile)).toEqual({ status: 'applied' });
    const { handles, dead } = session.view;
    expect(
      handles.map(({ name, operations }) => [name, operations.map((operation) => operation.name)]),
    ).toEqual([
      ['root', ['builtin.module']],
      ['t', ['linalg.generic']],
      ['l', ['scf.for']],
    ]);
    expect(dead.map(({ name }) => name)).toEqual(['g']);
    expect(finish(session)).toEqual({
      texts: [expect.stringContaining('tensor'), expect.stringContaining('memref')],
    });
  });

  it('knows that what stands below a consumed op is gone', () => {
    const session = start();
    session.attempt(match('linalg.generic', 'g'));
    session.attempt(match('arith.muli', 'm'));
    session.attempt(step('test.takes', ['g']));
    expect(session.view.handles.map(({ name }) => name)).toEqual(['root']);
    expect(session.view.dead.map(({ name }) => name)).toEqual(['g', 'm']);
  });

  it('lets the use of a consumed handle be refused', () => {
    const session = start();
    session.attempt(match('linalg.generic', 'g'));
    session.attempt(step('test.takes', ['g']));
    const again = session.attempt(step('test.takes', ['g']));
    expect(again).toEqual({ status: 'refused', codes: ['transform/invalidated-handle'] });
  });

  it('probes without leaving anything', () => {
    const session = start();
    session.attempt(match('linalg.generic', 'g'));
    const { module } = session;
    const found = session.probe(
      step('structured.split', ['g'], ['a', 'b'], { dimension: 0, staticChunkSizes: 1 }),
    );
    expect(found?.map(({ operations }) => operations.length)).toEqual([1, 1]);
    expect(session.module).toBe(module);
    expect(session.view.handles.map(({ name }) => name)).toEqual(['root', 'g']);
    expect(session.probe(step('test.refuses', ['g']))).toBeUndefined();
  });

  it('takes a refusal that is declared', () => {
    expect(onConstant('test.refuses')).toEqual({ status: 'refused', codes: ['test/declared'] });
  });

  it.each([
    ['what throws', 'test.throws', 'throw', 'a broken invariant'],
    ['another result', 'test.miscompiles', 'result', 'result 0 is'],
    ['invalid IR', 'test.breaks', 'invalid', 'arith.constant'],
    ['a code that is not declared', 'test.invents_a_code', 'undeclared', 'test/other'],
    ['a mode that is not declared', 'test.is_definite', 'undeclared', 'definite'],
  ])('finds %s', (_, transform, kind, message) => {
    const attempt = onConstant(transform);
    const fault = attempt.status === 'fault' ? attempt.fault : undefined;
    expect(fault).toMatchObject({ kind, transform: `transform.${transform}` });
    expect(fault?.message).toContain(message);
  });

  it.each([
    ['does not parse', 'func.func @f(', 'parse/'],
    ['is invalid', 'func.func @f() -> i32 { return }', 'verify/'],
    [
      'reads out of bounds',
      `func.func @f(%a: tensor<4xf32>) -> f32 {
        %c = arith.constant 9 : index
        %0 = tensor.extract %a[%c] : tensor<4xf32>
        return %0 : f32
      }`,
      'interpreter/out-of-bounds',
    ],
  ])('finds a payload that %s', (_, text, code) => {
    const fault = Session.start({ payload: text, dynamicSizes: [] });
    expect('kind' in fault ? fault.kind : 'none').toBe('payload');
    expect('message' in fault ? fault.message : '').toContain(code);
  });
});

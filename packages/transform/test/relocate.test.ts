import { describe, expect, it } from 'vitest';
import { definite, error, silenceable, success, unwrap } from '@sconv/diagnostics';
import { extendRegistry, parseModule } from '@sconv/ir';
import type { Handle } from '../src/index.ts';
import {
  collectTrace,
  defineTransformOp,
  reads,
  runSchedule,
  schedule,
  transformDialectOf,
} from '../src/index.ts';
import { main, messages, payload, registry, step } from './support.ts';

const one = '!transform.any_op';
const operands = { target: reads('ops') };
const assembly = { format: '$target attr-dict `:` type($target)' };

/** Fails at its first target, with this mode. */
const failing = (name: string, mode: 'silenceable' | 'definite') =>
  defineTransformOp({
    name: `transform.test.${name}`,
    summary: 'Fails.',
    operands,
    failures: { [`test/${name}`]: { mode, when: 'always' } },
    assembly,
    apply: (_, { target }) => {
      const failure = mode === 'silenceable' ? silenceable : definite;
      return failure(
        error(`test/${name}`, 'it fails', target[0]!.location, [
          { message: 'because', location: target[0]!.location },
        ]),
      );
    },
  });

const gently = failing('gently', 'silenceable');
const hard = failing('hard', 'definite');

/** Warns of each target. */
const doubt = defineTransformOp({
  name: 'transform.test.doubt',
  summary: 'Warns.',
  operands,
  assembly,
  apply: (_, { target }) =>
    success(
      {},
      target.map(({ location }) => ({
        ...error('test/doubt', 'it is odd', location),
        severity: 'warning' as const,
      })),
    ),
});

/** The step `what` of stages, as the expansion of an op. */
const expanding = (
  name: string,
  what: (operand: { readonly target: Handle }) => unknown,
  stages: readonly string[],
) =>
  defineTransformOp({
    name: `transform.test.${name}`,
    summary: 'Expands.',
    operands,
    assembly,
    expand: () =>
      success(
        schedule(($) => {
          const inStages = (left: readonly string[]): void => {
            const [first, ...others] = left;
            if (first === undefined) what({ target: $.root });
            else $.stage(first, () => inStages(others));
          };
          inStages(stages);
        }),
      ),
  });

const known = extendRegistry(registry, [
  transformDialectOf([
    gently,
    hard,
    doubt,
    expanding('in_no_stage', gently, []),
    expanding('in_stages', gently, ['outer', 'inner']),
    expanding('doubt_later', doubt, ['outer']),
  ]),
]);

const scriptOf = (text: string) => unwrap(parseModule(text, { registry: known, fileName: 'script.mlir' }));

const run = (body: string, trace = collectTrace()) =>
  runSchedule(scriptOf(main(body)), payload, { registry: known, trace });

describe('a failure of an op', () => {
  it.each([
    ['gently', 'silenceable'],
    ['hard', 'definite'],
  ])('that fails %s stays %s', (name, mode) => {
    const trace = collectTrace();
    run(`transform.test.${name} %all : ${one}`, trace);
    expect(trace.children.at(-1)!.status).toBe(mode);
  });

  it('stands at the op, with the payload op, the reason, and how that looks now', () => {
    expect(messages(run(`transform.test.gently %all : ${one}`))).toMatchInlineSnapshot(`
      "script.mlir:4:5: error: it fails [test/gently]
      payload.mlir:2:8: note: payload op
      payload.mlir:2:8: note: because
      payload.mlir:2:8: note: as it is now: %0 = "test.a"() {n = 0 : i64} : () -> i32"
    `);
  });

  it('in an expansion names the step, and its outermost stage, if it has one', () => {
    expect(messages(run(`transform.test.in_no_stage %all : ${one}`))).toMatchInlineSnapshot(`
      "script.mlir:4:5: error: it fails [test/gently]
      script.mlir:4:5: note: in step 'transform.test.gently'
      payload.mlir:2:8: note: payload op
      payload.mlir:2:8: note: because
      payload.mlir:2:8: note: as it is now: %0 = "test.a"() {n = 0 : i64} : () -> i32"
    `);
    expect(messages(run(`transform.test.in_stages %all : ${one}`))).toMatchInlineSnapshot(`
      "script.mlir:4:5: error: it fails [test/gently]
      script.mlir:4:5: note: in step 'transform.test.gently' of stage outer
      payload.mlir:2:8: note: payload op
      payload.mlir:2:8: note: because
      payload.mlir:2:8: note: as it is now: %0 = "test.a"() {n = 0 : i64} : () -> i32"
    `);
  });
});

it('a warning does not show what the payload op looks like', () => {
  expect(messages(run(`transform.test.doubt %all : ${one}`))).toMatchInlineSnapshot(`
    "script.mlir:4:5: warning: it is odd [test/doubt]
    payload.mlir:2:8: note: payload op
    script.mlir:4:5: warning: it is odd [test/doubt]
    payload.mlir:3:8: note: payload op"
  `);
  expect(messages(run(`transform.test.doubt_later %all : ${one}`))).toMatchInlineSnapshot(`
    "script.mlir:4:5: warning: it is odd [test/doubt]
    script.mlir:4:5: note: in step 'transform.test.doubt' of stage outer
    payload.mlir:2:8: note: payload op
    script.mlir:4:5: warning: it is odd [test/doubt]
    script.mlir:4:5: note: in step 'transform.test.doubt' of stage outer
    payload.mlir:3:8: note: payload op"
  `);
});

it('a payload op is not shown where it is not known which of several is meant', () => {
  const result = run(`transform.test.duplicate %all : ${one}
    %both = transform.structured.match attributes {n = 0 : i64} in %root : ${step}
    transform.test.gently %both : ${one}`);
  expect(messages(result)).toContain('it fails');
  expect(messages(result)).not.toContain('as it is now');
});

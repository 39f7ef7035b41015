/** A one-op dialect with transforms of it, and a runner for scripts on a payload of two such ops. */
import { render, success, silenceable, error, unwrap } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import {
  anyType,
  createRegistry,
  defineOp,
  extendRegistry,
  i64Attribute,
  one,
  parseModule,
  unitAttribute,
  variadic,
  withDefault,
} from '@sconv/ir';
import type { Module } from '@sconv/ir';
import { builtinDialect } from '@sconv/dialects/builtin';
import {
  consumes,
  defineTransformOp,
  produces,
  reads,
  runSchedule,
  schedule,
  transformDialect,
  transformDialectOf,
  withLibrary,
} from '../src/index.ts';
import type { RunOptions, RunResult, RunResultOf } from '../src/index.ts';

export const a = defineOp({
  name: 'test.a',
  summary: 'An op.',
  operands: { inputs: variadic(anyType) },
  results: { result: one(anyType) },
});

/** An op with another name but the same operands and results, and an optional body. */
export const b = defineOp({
  name: 'test.b',
  summary: 'Another op.',
  operands: { inputs: variadic(anyType) },
  results: { results: variadic(anyType) },
  regions: ['body'],
  traits: ['no-terminator'],
});

/** Replaces each target by a marked copy. */
export const mark = defineTransformOp({
  name: 'transform.test.mark',
  summary: 'Marks.',
  operands: { target: consumes('ops') },
  results: { marked: produces('copies', 'test.a') },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }) =>
    success({
      marked: target.map((op) =>
        rewriter.replaceWith(
          op,
          a.state({
            operands: { inputs: op.operands },
            extra: { ...op.attributes, marked: unitAttribute },
            resultTypes: op.results.map((result) => result.type),
          }),
        ),
      ),
    }),
});

/** Erases targets, but fails at the `at`-th. */
export const fail = defineTransformOp({
  name: 'transform.test.fail',
  summary: 'Fails.',
  operands: { target: reads('ops') },
  attributes: { at: withDefault(i64Attribute, 0) },
  failures: { 'test/fail': { mode: 'silenceable', when: 'always' } },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }, { at }) => {
    target.slice(0, at).forEach((op) => rewriter.setAttribute(op, 'touched', unitAttribute));
    return silenceable(error('test/fail', 'always fails', target[at]!.location));
  },
});

/** Consumes its targets, and fails. */
export const refuse = defineTransformOp({
  name: 'transform.test.refuse',
  summary: 'Refuses.',
  operands: { target: consumes('ops') },
  results: { refused: produces('none') },
  failures: { 'test/refuse': { mode: 'silenceable', when: 'always' } },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: (_, { target }) => silenceable(error('test/refuse', 'always refuses', target[0]!.location)),
});

/** Expands to two consecutive marks. */
const markTwice = defineTransformOp({
  name: 'transform.test.mark_twice',
  summary: 'Marks twice.',
  operands: { target: consumes('ops') },
  results: { marked: produces('copies') },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  expand: () =>
    success(
      schedule((recorder) => {
        const first = recorder.stage('first', () => mark({ target: recorder.root }).marked);
        recorder.stage('nothing', () => undefined);
        return [recorder.stage('second', () => mark({ target: first }).marked)];
      }),
    ),
});

/** Marks each target, and fails on one that has operands. */
const markThenFail = defineTransformOp({
  name: 'transform.test.mark_then_fail',
  summary: 'Marks, and fails later.',
  operands: { target: reads('ops') },
  failures: { 'test/fail': { mode: 'silenceable', when: 'the target has operands' } },
  assembly: { format: '$target attr-dict `:` type($target)' },
  expand: ({ operands }) =>
    success(
      schedule(({ root }) => {
        const { marked } = mark({ target: root });
        if (operands.length > 0) fail({ target: marked });
        return undefined;
      }),
    ),
});

/** Replaces each target by an op with another name, without updating handles. */
export const rename = defineTransformOp({
  name: 'transform.test.rename',
  summary: 'Renames.',
  operands: { target: reads('ops') },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }) => {
    for (const op of target) {
      rewriter.replaceWith(
        op,
        b.state({
          operands: { inputs: op.operands },
          resultTypes: op.results.map((result) => result.type),
          bodies: [undefined],
        }),
      );
    }
    return success({});
  },
});

/** Replaces each target by a copy. */
const remake = defineTransformOp({
  name: 'transform.test.remake',
  summary: 'Copies.',
  operands: { target: reads('ops') },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }) => {
    for (const op of target) {
      rewriter.setInsertionPointBefore(op);
      rewriter.replaceOperation(op, rewriter.clone(op).results);
    }
    return success({});
  },
});

/** Replaces each target by a copy, and erases the copy. */
const replaceAndErase = defineTransformOp({
  name: 'transform.test.replace_and_erase',
  summary: 'Erases.',
  operands: { target: reads('ops without users') },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }) => {
    for (const op of target) {
      rewriter.setInsertionPointBefore(op);
      const copy = rewriter.clone(op);
      rewriter.replaceOperation(op, copy.results);
      rewriter.eraseOperation(copy);
    }
    return success({});
  },
});

/** `remake` as the expansion of an op that consumes nothing. */
const remakeLater = defineTransformOp({
  name: 'transform.test.remake_later',
  summary: 'Copies.',
  operands: { target: reads('ops') },
  assembly: { format: '$target attr-dict `:` type($target)' },
  expand: () =>
    success(
      schedule<'test.a'>(({ root }) => {
        remake({ target: root });
        return undefined;
      }),
    ),
});

/** Declared without an implementation. */
const idle = defineTransformOp({
  name: 'transform.test.idle',
  summary: 'Nothing.',
  operands: { target: reads('ops') },
  assembly: { format: '$target attr-dict `:` type($target)' },
});

/** Erases each target, last to first. */
export const erase = defineTransformOp({
  name: 'transform.test.erase',
  summary: 'Erases.',
  operands: { target: reads('ops without users, or whose users go with them') },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }) => {
    for (const op of target.toReversed()) rewriter.eraseOperation(op);
    return success({});
  },
});

/** Replaces each target by two copies. */
const duplicate = defineTransformOp({
  name: 'transform.test.duplicate',
  summary: 'Duplicates.',
  operands: { target: reads('ops') },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }) => {
    for (const op of target) {
      rewriter.setInsertionPointBefore(op);
      const copies = [rewriter.clone(op), rewriter.clone(op)];
      rewriter.replaceOperation(op, copies[0]!.results, copies);
    }
    return success({});
  },
});

export const registry = extendRegistry(
  createRegistry([builtinDialect, { name: 'test', operations: [a, b] }, transformDialect]),
  [
    transformDialectOf([
      mark,
      fail,
      refuse,
      markTwice,
      markThenFail,
      rename,
      remake,
      remakeLater,
      replaceAndErase,
      idle,
      erase,
      duplicate,
    ]),
  ],
);

export const parse = (text: string, fileName?: string): Module =>
  unwrap(parseModule(text, { registry, ...(fileName === undefined ? {} : { fileName }) }));

/** Two ops, the second of which uses the first. */
export const payload = parse(
  `module {
  %0 = "test.a"() {n = 0 : i64} : () -> i32
  %1 = "test.a"(%0) {n = 1 : i64} : (i32) -> i32
}`,
  'payload.mlir',
);

/** A script where `%all` is both ops of the payload. */
export const main = (body: string, more = '') => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %all = transform.structured.match ops{["test.a"]} in %root : (!transform.any_op) -> !transform.any_op
    ${body}
    transform.yield
  }
  ${more}
}`;

export const runText = <const O extends Partial<RunOptions>>(
  script: string,
  options?: O,
  on: Module = payload,
): Diagnosed<RunResultOf<O>> =>
  runSchedule(parse(script, 'script.mlir'), on, { registry, ...options } as O & RunOptions);

/** Runs a script that includes sequences of a library, which its verifier does not see. */
export const runWithLibrary = (script: string, sequences: string): Diagnosed<RunResult> => {
  const library = parse(`module attributes {transform.with_named_sequence} { ${sequences} }`);
  return runSchedule(withLibrary(parse(script, 'script.mlir'), library, registry), payload, { registry });
};

/** The operations of each handle that a schedule yields. */
export const yieldedBy = (result: Diagnosed<RunResult>) =>
  unwrap(result).yielded.map((each) => (each.kind === 'operations' ? each.operations : []));

/** The attributes of each top-level op of a module. */
export const attributesOf = (module: Module) =>
  module.root.regions[0]!.blocks[0]!.operations.map((op) => Object.keys(op.attributes).join(' '));

export const messages = (result: Diagnosed<unknown>) =>
  result.diagnostics.map((diagnostic) => render(diagnostic)).join('\n');

/** The signature of a step from one handle to another. */
export const step = '(!transform.any_op) -> !transform.any_op';

import { describe, expect, it } from 'vitest';
import { success, unwrap } from '@sconv/diagnostics';
import { bodyOf, dialectType, extendRegistry, i32, integerAttribute, parseModule } from '@sconv/ir';
import type { Payload } from '../src/index.ts';
import {
  anyOp,
  anyParam,
  anyValue,
  defineTransformOp,
  emptyPayload,
  entryPoint,
  findSequence,
  idsIn,
  operationsPayload,
  opHandleType,
  paramOf,
  paramsPayload,
  payloadKindOf,
  producesParam,
  producesValues,
  reads,
  readsParam,
  readsValues,
  ScheduleRun,
  transformDialectOf,
  valuesPayload,
} from '../src/index.ts';
import { joinPayloads, singlesOf, sizeOf } from '../src/payload.ts';
import { b, main, messages, payload, registry } from './support.ts';

const param = paramOf(i32);
const seven = integerAttribute(7, i32);

describe('payloads', () => {
  it.each([
    [anyOp, 'operations'],
    [opHandleType('test.a'), 'operations'],
    [anyValue, 'values'],
    [param, 'params'],
    [anyParam, 'params'],
    [dialectType('other', 'any_value'), 'operations'],
    [i32, 'operations'],
  ])('of %j are %s', (type, kind) => {
    expect(payloadKindOf(type)).toBe(kind);
    expect(emptyPayload(type).kind).toBe(kind);
    expect(sizeOf(emptyPayload(type))).toBe(0);
  });

  it.each<[Payload, readonly number[], number]>([
    [operationsPayload([3, 1]), [3, 1], 2],
    [valuesPayload([4]), [4], 1],
    [paramsPayload([seven, seven]), [], 2],
  ])('are taken apart, and joined (%#)', (each, ids, size) => {
    expect(idsIn(each)).toEqual(ids);
    expect(sizeOf(each)).toBe(size);
    const type = { operations: anyOp, values: anyValue, params: param }[each.kind];
    expect(singlesOf(each).map(sizeOf)).toEqual(Array(size).fill(1));
    expect(joinPayloads(type, singlesOf(each))).toEqual(each);
  });
});

describe('ops on values and parameters', () => {
  const assembly = { format: '$target attr-dict `:` functional-type(operands, results)' };

  const resultsOf = defineTransformOp({
    name: 'transform.test.results_of',
    summary: 'Gives the results.',
    operands: { target: reads('ops') },
    results: { results: producesValues('the results of each') },
    assembly,
    apply: (_, { target }) => success({ results: target.flatMap(({ results }) => results) }),
  });

  const countUsers = defineTransformOp({
    name: 'transform.test.count_users',
    summary: 'Counts.',
    operands: { target: readsValues('values') },
    results: { counts: producesParam<number>('the number of users of each, and seven', i32) },
    assembly,
    apply: ({ rewriter }, { target }) => {
      const counts = target.map((value) => integerAttribute(rewriter.users(value).length, i32));
      return success({ counts: [...counts, seven] });
    },
  });

  const sum = defineTransformOp({
    name: 'transform.test.sum',
    summary: 'Adds.',
    operands: { target: readsParam<number>('numbers') },
    results: { sum: producesParam<number>('all together', i32) },
    assembly,
    apply: (_, { target }) => {
      const numbers = target.map((each) => (each.kind === 'integer' ? Number(each.value) : NaN));
      const total = numbers.reduce((all, each) => all + each, 0);
      return success({ sum: [integerAttribute(total, i32)] });
    },
  });

  /** Returns the results of its targets, and replaces or erases the targets afterwards. */
  const renamedResults = defineTransformOp({
    name: 'transform.test.renamed_results',
    summary: 'Gives the results and renames.',
    operands: { target: reads('ops') },
    results: { results: producesValues('the results of each') },
    assembly,
    apply: ({ rewriter }, { target }) => {
      const results = target.flatMap((each) => each.results);
      for (const each of target) {
        if (!rewriter.hasUses(each.results[0]!)) {
          rewriter.eraseOperation(each);
          continue;
        }
        // Twice, so that the replacement is replaced in turn.
        const state = b.state({ operands: { inputs: [] }, resultTypes: [i32] });
        rewriter.replaceWith(rewriter.replaceWith(each, state), state);
      }
      return success({ results });
    },
  });

  const extended = extendRegistry(registry, [
    transformDialectOf([resultsOf, countUsers, sum, renamedResults]),
  ]);

  /** The payload of an op's only result at the end of a script, by the op's name, and the payload module. */
  const run = (body: string) => {
    const script = unwrap(parseModule(main(body), { registry: extended }));
    const block = bodyOf(findSequence(script, entryPoint)!);
    const started = new ScheduleRun(script, payload, { registry: extended });
    started.bind(block.arguments[0]!, operationsPayload([payload.root.id]));
    const result = started.runBlock(block);
    const valueOf = (name: string) =>
      block.operations.find((operation) => operation.name === `transform.${name}`)!.results[0]!;
    const given = (name: string) => started.resolve(started.payloadOf(valueOf(name)));
    return { result, started, given };
  };
  const values = '%v = transform.test.results_of %all : (!transform.any_op) -> !transform.any_value';
  const counts = '%c = transform.test.count_users %v : (!transform.any_value) -> !transform.param<i32>';

  it('give and take them', () => {
    const { given } = run(`${values}
    ${counts}
    %s = transform.test.sum %c : (!transform.param<i32>) -> !transform.param<i32>`);
    const results = payload.root.regions[0]!.blocks[0]!.operations.map((each) => each.results[0]);
    const numbers = (...all: readonly number[]) => all.map((each) => integerAttribute(each, i32));
    expect(given('test.results_of')).toEqual({ kind: 'values', values: results });
    expect(given('test.count_users')).toEqual({ kind: 'params', attributes: numbers(1, 0, 7) });
    expect(given('test.sum')).toEqual({ kind: 'params', attributes: numbers(8) });
  });

  it('follow values to what they were replaced by', () => {
    const { given, started } = run(`${values}
    transform.test.rename %all : !transform.any_op`);
    const { operations } = started.payload.root.regions[0]!.blocks[0]!;
    expect(operations.map(({ name }) => name)).toEqual(['test.b', 'test.b']);
    const replaced = operations.map(({ results }) => results[0]);
    expect(given('test.results_of')).toEqual({ kind: 'values', values: replaced });
  });

  it('give what stands for values that the same op replaces later on, and not those that it erases', () => {
    const { given, started } = run(
      '%v = transform.test.renamed_results %all : (!transform.any_op) -> !transform.any_value',
    );
    const { operations } = started.payload.root.regions[0]!.blocks[0]!;
    expect(operations.map(({ name }) => name)).toEqual(['test.b']);
    expect(given('test.renamed_results')).toEqual({ kind: 'values', values: operations[0]!.results });
  });

  it('invalidate values together with the op that they are results of', () => {
    const { result } = run(`${values}
    %m = transform.test.mark %all : (!transform.any_op) -> !transform.any_op
    ${counts}`);
    expect(messages(result)).toContain('invalidated by this transform op that consumes its operand #0');
  });

  it('are refused where other payload is promised', () => {
    const { started } = run('');
    const result = started.bindAll(
      payload.root,
      [
        { id: 0, type: anyValue },
        { id: 1, type: anyOp },
      ],
      [valuesPayload([]), paramsPayload([seven])],
    );
    expect(messages(result)).toContain(
      'incompatible payload, expected operations, got params [transform/handle-type]',
    );
  });
});

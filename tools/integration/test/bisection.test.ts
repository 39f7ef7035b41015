/** Faults planted into schedules, at each of their steps, are found by few executions; where there is none, none is. */
import { unwrap } from '@sconv/diagnostics';
import { bisect } from '@sconv/explain';
import { randomIntegers } from '@sconv/interpreter';
import type { Module, Operation } from '@sconv/ir';
import { bodyOf, edit, extendRegistry, parseModule, printModule } from '@sconv/ir';
import { target } from '@sconv/targets';
import { entryPoint, findSequence, transformDialectOf } from '@sconv/transform';
import { targetSchedule } from 'sconv';
import { describe, expect, it } from 'vitest';
import { faults } from '../../../packages/explain/test/support/faults.ts';
import { wasmExecution } from '../../../packages/sconv/src/explain/wasm-execution.ts';
import { registry as defaults } from './support/registry.ts';
import { parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

/** The name of the sequence that the entry point runs in the end. */
const inner = 'steps';

const registry = extendRegistry(defaults, [transformDialectOf(faults)]);

/** A small convolution, and the steps that slice it for a target. */
const drawRun = (seed: number): { readonly payload: Module; readonly script: Module } => {
  const next = randomIntegers(seed);
  const draw = (from: number, to: number) => from + (next() % (to - from + 1));
  const [channels, filters, size] = [draw(1, 4), draw(3, 9), draw(1, 3)];
  const [height, width] = [draw(3, 6), draw(3, 6)];
  const input = `tensor<1x${channels}x${height + size - 1}x${width + size - 1}xf32>`;
  const weights = `tensor<${filters}x${channels}x${size}x${size}xf32>`;
  const output = `tensor<1x${filters}x${height}x${width}xf32>`;
  const payload = parse(
    `func.func @conv(%i: ${input}, %f: ${weights}, %o: ${output}) -> ${output} {
      %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : ${input}, ${weights}) outs(%o : ${output}) -> ${output}
      return %0 : ${output}
    }`,
    'payload.mlir',
  );
  const schedule = unwrap(targetSchedule(payload, target('wasm'), { edges: 'small' }, 'expanded'));
  return { payload, script: parse(schedule.toMlir(registry), 'schedule.mlir') };
};

/** The script with ops on the payload put after steps, by their position. */
const planted = (script: Module, ops: readonly (readonly [after: number, name: string])[]): Module =>
  edit(script, { registry }, (rewriter) => {
    const body = bodyOf(rewriter.find(sequenceOf(script).id));
    const [root] = body.arguments;
    const steps = [...body.operations];
    for (const [after, name] of ops) {
      rewriter.setInsertionPointAfter(steps[after]!);
      rewriter.create({ name, operands: [root!], resultTypes: [] });
    }
  }).module;

const main = `transform.named_sequence @${entryPoint}(%root: !transform.any_op) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %functions : !transform.any_op {
    ^bb0(%function: !transform.any_op):
      transform.alternatives %function : !transform.any_op {
      ^bb0(%scope: !transform.any_op):
        transform.test.spoil %scope : !transform.any_op
        transform.match.operation_name %scope ["test.none"] : !transform.any_op
      }, {
      ^bb0(%scope: !transform.any_op):
        transform.include @${inner} failures(propagate) (%scope) : (!transform.any_op) -> ()
      }
    }
    transform.yield
  }`;

/** The script with its steps in a sequence that is run for each function, after an alternative that fails. */
const nested = (script: Module): Module => {
  const text = printModule(script, { registry });
  const head = `@${entryPoint}(%arg0: !transform.any_op)`;
  expect(text).toContain(head);
  const steps = text.replace(head, `@${inner}(%arg0: !transform.any_op {transform.readonly})`);
  return unwrap(
    parseModule(
      steps.replace(/\}\s*$/, () => `${main}\n}`),
      { registry, fileName: 'schedule.mlir' },
    ),
  );
};

const sequenceOf = (script: Module): Operation =>
  findSequence(script, inner) ?? findSequence(script, entryPoint)!;

const stepsOf = (script: Module): number => bodyOf(sequenceOf(script)).operations.length - 1;

const mostExecutions = (changes: number): number => Math.ceil(Math.log2(changes + 1)) + 1;

const seeds = Array.from({ length: isThorough ? 30 : 4 }, (_, i) => i + 1);

const ways = seeds.flatMap((seed) =>
  [false, true].flatMap((isNested) => [false, true].map((isCompiled) => ({ seed, isNested, isCompiled }))),
);
/** One way after the other: all four of each seed take minutes. */
const chosen = ways.filter(({ seed }, i) => i % 4 === seed % 4);

describe.each(chosen)('$seed, nested: $isNested, compiled: $isCompiled', ({ seed, isNested, isCompiled }) => {
  const { payload, script: flat } = drawRun(seed);
  const script = isNested ? nested(flat) : flat;
  const steps = stepsOf(script);
  /** At each step where it is thorough. */
  const places = Array.from({ length: steps }, (_, i) => i).filter((i) => isThorough || i % 4 === seed % 4);
  const search = (changed: Module) =>
    unwrap(bisect(changed, payload, { registry, ...(isCompiled ? { execute: wasmExecution() } : {}) }));

  it('has no fault, with decoys as without', () => {
    for (const each of [
      script,
      planted(script, [
        [steps >> 1, 'transform.test.obscure'],
        [steps - 1, 'transform.test.reveal'],
      ]),
    ]) {
      const { fault, changes, executions } = search(each);
      expect(fault).toBeUndefined();
      expect(executions).toBeLessThanOrEqual(mostExecutions(changes));
    }
  });

  it('has the fault that was planted', () => {
    for (const after of places) {
      const { fault, changes, executions } = search(planted(script, [[after, 'transform.test.spoil']]));
      expect(fault?.node.kind === 'step' && fault.node.operation.name).toBe('transform.test.spoil');
      expect(executions).toBeLessThanOrEqual(mostExecutions(changes));
    }
  });

  it('has two, of which either is found', () => {
    const [first, second] = [places[0]!, places.at(-1)!];
    const { fault } = search(
      planted(script, [
        [first, 'transform.test.spoil'],
        [second, 'transform.test.spoil'],
      ]),
    );
    expect(fault?.node.kind === 'step' && fault.node.operation.name).toBe('transform.test.spoil');
  });
});

import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import type { HandleName, Step } from '../src/script.ts';
import { recordedSchedule, rootHandle, scriptText } from '../src/script.ts';

const any = (name: string): HandleName => ({ name, promises: undefined });
const generic = (name: string): HandleName => ({ name, promises: 'linalg.generic' });

const match: Step = {
  transform: 'transform.structured.match',
  operands: [rootHandle],
  attributes: { ops: ['linalg.generic'] },
  results: [generic('g')],
};
const tile: Step = {
  transform: 'transform.structured.tile_using_for',
  operands: [generic('g')],
  attributes: { staticSizes: [2, 0], interchange: [1, 0] },
  results: [any('t'), any('l')],
};
const merge: Step = {
  transform: 'transform.merge_handles',
  operands: [any('t'), any('l')],
  attributes: { deduplicate: true },
  results: [any('m')],
};
const inner: Step = {
  transform: 'transform.structured.gather_operand',
  operands: [generic('x')],
  attributes: { operand: 0 },
  results: [any('y')],
};
const body = { parameters: [generic('x')], steps: [inner], yields: [any('y')] };
const each: Step = {
  transform: 'transform.foreach',
  operands: [generic('g')],
  attributes: {},
  results: [any('r')],
  body,
};
const include: Step = {
  transform: 'transform.include',
  operands: [generic('g')],
  attributes: {},
  results: [any('r')],
  body: { ...body, sequence: 'step', suppress: false },
};

const normal = (text: string): string => printModule(unwrap(parseModule(text, { registry })), { registry });

describe('scriptText', () => {
  it('writes a sequence for each include, and yields what is asked for', () => {
    expect(scriptText([match, include], [any('r')])).toMatchInlineSnapshot(`
      "module attributes {transform.with_named_sequence} {
        transform.named_sequence @step(%x: !transform.op<"linalg.generic"> {transform.consumed}) -> (!transform.any_op) {
          %y = transform.structured.gather_operand %x {operand = 0 : i64} : (!transform.op<"linalg.generic">) -> !transform.any_op
          transform.yield %y : !transform.any_op
        }
        transform.named_sequence @__transform_main(%root: !transform.any_op) -> (!transform.any_op) {
          %g = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.op<"linalg.generic">
          %r = transform.include @step failures(propagate) (%g) : (!transform.op<"linalg.generic">) -> !transform.any_op
          transform.yield %r : !transform.any_op
        }
      }
      "
    `);
  });

  it.each([
    ['match, tile, merge', [match, tile, merge]],
    ['foreach', [match, each]],
  ])('says the same as the recorded schedule: %s', (_, steps) => {
    expect(normal(scriptText(steps))).toBe(recordedSchedule(steps).toMlir(registry));
  });
});

describe('recordedSchedule', () => {
  it.each([
    [false, 'propagate'],
    [true, 'suppress'],
  ])(
    'includes a sequence, whose parameters promise nothing; a failure suppressed: %j',
    (suppress, failures) => {
      const steps = [match, { ...include, body: { ...include.body!, suppress } }];
      expect(recordedSchedule(steps).toMlir(registry)).toContain(
        `transform.named_sequence @step(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.cast %arg0 : !transform.any_op to !transform.op<"linalg.generic">
    %1 = transform.structured.gather_operand %0 {operand = 0 : i64} : (!transform.op<"linalg.generic">) -> !transform.any_op
    transform.yield %1 : !transform.any_op
  }`,
      );
      expect(recordedSchedule(steps).toMlir(registry)).toContain(
        `transform.include @step failures(${failures}) (%1)`,
      );
    },
  );
});

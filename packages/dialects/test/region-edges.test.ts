import { describe, expect, it } from 'vitest';
import { errorsOf, inFunction } from './support.ts';

const parameters = '%c: i1, %x: f32, %i: index';
const set = 'affine_set<(d0) : (d0 >= 0)>';

/** `refused.mlir` has more, with upstream's messages. */
describe('values that flow out of a region', () => {
  it.each([
    ['scf.if %c -> (f32) { scf.yield %x : f32 } else { scf.yield %x : f32 }'],
    [`affine.if ${set}(%i) -> f32 { affine.yield %x : f32 } else { affine.yield %x : f32 }`],
    [
      'scf.while (%a = %x) : (f32) -> f32 { scf.condition(%c) %a : f32 } do { ^bb0(%b: f32): scf.yield %b : f32 }',
    ],
    [
      'scf.while (%a = %x) : (f32) -> index { scf.condition(%c) %i : index } do { ^bb0(%b: index): scf.yield %x : f32 }',
    ],
    ['scf.index_switch %i -> f32 case 1 { scf.yield %x : f32 } default { scf.yield %x : f32 }'],
  ])('fit: %s', (line) => {
    expect(errorsOf(inFunction(parameters, `%0 = ${line}`))).toEqual([]);
  });

  it.each([
    [
      'scf.if %c -> (f32) { scf.yield %i : index } else { scf.yield %x : f32 }',
      "edge from Region #0 to parent results: source type #0 'index' should match input type #0 'f32'",
    ],
    [
      'scf.if %c -> (f32) { scf.yield %x : f32 } else { scf.yield %x, %x : f32, f32 }',
      'edge from Region #1 to parent results: source has 2 operands, but target successor needs 1',
    ],
    [
      `affine.if ${set}(%i) -> f32 { affine.yield %x : f32 } else { affine.yield %c : i1 }`,
      "source type #0 'i1' should match input type #0 'f32'",
    ],
  ])('do not fit: %s', (line, message) => {
    expect(errorsOf(inFunction(parameters, `%0 = ${line}`)).join()).toContain(message);
  });
});

import { describe, expect, it } from 'vitest';
import { anyOp, defineTransformOp, consumes, reads, readsAll } from '../src/index.ts';
import { consumedOperands, operandGroups } from '../src/effects.ts';
import { main, mark, parse } from './support.ts';

const script = parse(main('%m = transform.test.mark %all : (!transform.any_op) -> !transform.any_op'));
const marking = script.root.regions[0]!.blocks[0]!.operations[0]!.regions[0]!.blocks[0]!.operations[1]!;

describe('operandGroups', () => {
  it('gives the operands of each group', () => {
    expect(operandGroups(mark.definition, marking)).toEqual([marking.operands]);
    expect(consumedOperands(mark.definition, marking)).toEqual(marking.operands);
  });

  it('cuts them in the order of the declaration', () => {
    const several = defineTransformOp({
      name: 'transform.test.mark',
      summary: 'Takes two, and more.',
      operands: { first: reads('one'), second: consumes('another'), rest: readsAll('more') },
    });
    const operands = [1, 2, 3, 4].map((id) => ({ id, type: anyOp }));
    const operation = { ...marking, operands };
    const [a, b, c, d] = operands;
    expect(operandGroups(several.definition, operation)).toEqual([[a], [b], [c, d]]);
    expect(consumedOperands(several.definition, operation)).toEqual([b]);
  });

  it('throws for an op that its declaration does not fit', () => {
    const other = defineTransformOp({
      name: 'transform.test.other',
      summary: 'Takes more.',
      operands: { first: consumes('one'), second: consumes('another'), rest: readsAll('more') },
    });
    expect(() => operandGroups(other.definition, marking)).toThrow(
      "operands of 'transform.test.mark' do not fit their declaration",
    );
  });
});

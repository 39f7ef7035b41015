/** The `cf` dialect: branches between a region's blocks. */
import type { Id, Operation, Region, Value } from '@sconv/ir';
import type { Context, Exec, Frame, Handlers } from './context.ts';
import { trap } from './trap.ts';

/** The target of a branch: the index of the next block. Undefined for a terminator that leaves the region. */
export const branch = (
  terminator: Operation,
  context: Context,
  region: Region,
): ((frame: Frame) => number) | undefined => {
  switch (terminator.name) {
    case 'cf.br': {
      const target = edge(terminator, context, region, terminator.successors[0], terminator.operands);
      return (frame) => {
        target.pass(frame);
        return target.block;
      };
    }
    case 'cf.cond_br': {
      const { values } = context.attribute(terminator, 'operandSegmentSizes', 'dense-array');
      const [ifTrue, ifFalse] = [Number(values[1]), Number(values[2])];
      const condition = context.number(terminator, context.operand(terminator, 0));
      const [yes, no] = [
        edge(terminator, context, region, terminator.successors[0], terminator.operands.slice(1, 1 + ifTrue)),
        edge(
          terminator,
          context,
          region,
          terminator.successors[1],
          terminator.operands.slice(1 + ifTrue, 1 + ifTrue + ifFalse),
        ),
      ];
      return (frame) => {
        const taken = frame.numbers[condition] === 0 ? no : yes;
        taken.pass(frame);
        return taken.block;
      };
    }
    default:
      if (terminator.successors.length === 0) return undefined;
      return trap(
        terminator,
        'interpreter/unsupported-op',
        'is not a branch that the interpreter can execute',
      );
  }
};

/** The index of a successor, and how the operands are passed to its arguments. */
const edge = (
  terminator: Operation,
  context: Context,
  region: Region,
  successor: Id | undefined,
  operands: readonly Value[],
): { readonly block: number; readonly pass: Exec } => {
  const block = region.blocks.findIndex(({ id }) => id === successor);
  const target = region.blocks[block] ?? context.invalid(terminator, 'branches out of its region');
  return { block, pass: context.assign(terminator, operands, target.arguments) };
};

/** The non-branch operations of `cf`. */
export const cfHandlers: Handlers = {
  'cf.assert': (operation, context) => {
    const condition = context.number(operation, context.operand(operation, 0));
    const { value } = context.attribute(operation, 'msg', 'string');
    return ({ numbers }) => {
      if (numbers[condition] === 0) trap(operation, 'interpreter/assertion', `failed: ${value}`);
    };
  },
};

/** The `cf` dialect: branches between a region's blocks. */
import type { Id, Operation, Region, Value } from '@sconv/ir';
import type { Context, Exec, Frame, Handlers } from './context.ts';
import { denseElements } from './dense-elements.ts';
import type { Scalar } from './element.ts';
import { load } from './frame.ts';
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
    case 'cf.switch':
      return switched(terminator, context, region);
    default:
      if (terminator.successors.length === 0) return undefined;
      return trap(
        terminator,
        'interpreter/unsupported-op',
        'is not a branch that the interpreter can execute',
      );
  }
};

/** The target of a `cf.switch`: that of the first case with the flag's value, else the default one. */
const switched = (terminator: Operation, context: Context, region: Region): ((frame: Frame) => number) => {
  const flag = context.operand(terminator, 0);
  const slot = context.slot(flag);
  const sizesOf = (name: string): readonly number[] =>
    context.attribute(terminator, name, 'dense-array').values.map(Number);
  let next = 1;
  const [otherwise, ...cases] = [sizesOf('operandSegmentSizes')[1]!, ...sizesOf('case_operand_segments')].map(
    (size, i) => {
      const operands = terminator.operands.slice(next, (next += size));
      return edge(terminator, context, region, terminator.successors[i], operands);
    },
  );
  const { case_values: values } = terminator.attributes;
  const wanted: readonly Scalar[] =
    values?.kind === 'dense-elements' ? [...denseElements(terminator, context.machine, values).data] : [];
  return (frame) => {
    const taken = cases[wanted.indexOf(load(frame, slot, flag.type) as Scalar)] ?? otherwise!;
    taken.pass(frame);
    return taken.block;
  };
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

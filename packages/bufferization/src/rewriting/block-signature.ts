/** Converts block arguments to buffers, with the branch operands that feed them. */
import { branchLike } from '@sconv/dialects';
import type { DraftBlock, DraftOperation, Value } from '@sconv/ir';
import { modelOf, typeEquals } from '@sconv/ir';
import type { AnalysisState } from '../analysis/analysis-state.ts';
import { isBufferType } from './buffer-types.ts';
import type { Bufferizer } from './bufferizer.ts';
import { fail } from '../failure.ts';
import type { AliasedOperand } from '../op-model.ts';
import { isTensor } from '../op-model.ts';

/** The branches to a block, with their successor operands. */
const branchesTo = (rewriter: Bufferizer['rewriter'], block: DraftBlock) =>
  block.region.blocks.flatMap(({ last }) =>
    (last?.successors ?? []).flatMap((id, i) =>
      id === block.id && last !== undefined
        ? [{ branch: last, position: i, model: modelOf(rewriter.registry, branchLike, last) }]
        : [],
    ),
  );

/** Changes the tensor arguments of a block to their buffer types. */
export const bufferizeArguments = (block: DraftBlock, b: Bufferizer): void => {
  const { rewriter } = b;
  const types = block.arguments.map((argument) =>
    isTensor(argument) ? b.types.of(argument) : argument.type,
  );
  for (const [i, type] of types.entries()) {
    if (!isTensor(block.arguments[i]!)) continue;
    const argument = rewriter.changeArgumentType(block, i, type);
    if (!b.isBridging || !rewriter.hasUses(argument)) continue;
    rewriter.setInsertionPointToStart(block);
    const users = rewriter.users(argument);
    const tensor = b.createToTensor(argument);
    rewriter.replaceUsesIf(argument, tensor, (user) => users.includes(user));
  }
  for (const { branch, position, model } of branchesTo(rewriter, block)) {
    if (model === undefined) {
      return fail(
        'bufferize/unknown-branch',
        `'${branch.name}' op cannot bufferize ops with block references that do not implement BranchOpInterface`,
        branch,
      );
    }
    const groups = model.operands(branch);
    const given = groups[position]!.map((value, i) => handed(value, types[i]!, b));
    const { operands, attributes } = model.withOperands(branch, groups.with(position, given));
    rewriter.setOperands(branch, operands);
    rewriter.setAttributes(branch, attributes);
  }
};

/** Converts a value to the type of the block argument that it is passed to. */
const handed = (value: Value, type: Value['type'], b: Bufferizer): Value => {
  if (typeEquals(value.type, type) || !isTensor(value)) return value;
  const own = b.types.of(value);
  return b.rewriter.scoped(() => {
    b.insertAfter(value);
    const buffer = b.createToMemref(value, own);
    return isBufferType(type) ? b.createCast(buffer, type) : buffer;
  });
};

/** The branch operands that an argument of a non-entry block may be. */
export const branchOperandsOf = (value: Value, state: AnalysisState): readonly AliasedOperand[] => {
  const block = state.rewriter.owningBlock(value);
  if (block === undefined || block.region.blocks[0] === block) return [];
  const position = block.arguments.findIndex(({ id }) => id === value.id);
  return branchesTo(state.rewriter, block).flatMap(({ branch, position: successor, model }) => {
    const given = model?.operands(branch)[successor]?.[position];
    const index = branch.operands.findIndex((operand) => operand === given);
    return index < 0 ? [] : [{ operand: state.operand(branch, index), relation: 'either' as const }];
  });
};

/** The block arguments that a branch operand is passed to. */
export const argumentsGivenBy = (
  branch: DraftOperation,
  index: number,
  state: AnalysisState,
): readonly Value[] => {
  const model = modelOf(state.rewriter.registry, branchLike, branch);
  const blocks = branch.block?.region.blocks ?? [];
  return (model?.operands(branch) ?? []).flatMap((group, successor) =>
    group.flatMap((value, i) => {
      const block = blocks.find(({ id }) => id === branch.successors[successor]);
      const argument = block?.arguments[i];
      return value.id === branch.operands[index]!.id && argument !== undefined ? [argument] : [];
    }),
  );
};

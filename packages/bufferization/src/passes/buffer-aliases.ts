/** The may-aliases of a buffer through casts, views, loops, branches and blocks: upstream's `BufferViewFlowAnalysis`. */
import { forall, firstInit, forOp, whileOp } from '@sconv/dialects/scf';
import type { DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { branchLike } from '@sconv/dialects';
import { effectsOf, modelOf } from '@sconv/ir';
import { isBufferType } from '../rewriting/buffer-types.ts';

/** The values that an operand is forwarded to. */
const handedOn = (
  rewriter: Rewriter,
  user: DraftOperation,
  index: number,
): readonly (Value | undefined)[] => {
  const { parent, results, regions } = user;
  const branch = modelOf(rewriter.registry, branchLike, user);
  if (branch !== undefined) {
    const { id } = user.operands[index]!;
    return branch.operands(user).flatMap((values, successor) => {
      const block = user.block?.region.blocks.find((each) => each.id === user.successors[successor]);
      return values.map((value, i) => (value.id === id ? block?.arguments[i] : undefined));
    });
  }
  if (forOp.is(user) || forall.is(user)) {
    const carried = regions[0]!.blocks[0]!.arguments;
    const position = index - firstInit(user);
    return [results[position], carried[carried.length - results.length + position]];
  }
  if (whileOp.is(user)) return [regions[0]!.blocks[0]!.arguments[index]];
  if (user.name === 'scf.condition')
    return [parent?.results[index - 1], parent?.regions[1]?.blocks[0]?.arguments[index - 1]];
  if (user.name === 'scf.yield' && parent !== undefined) {
    if (whileOp.is(parent)) return [parent.regions[0]!.blocks[0]!.arguments[index]];
    return [
      parent.results[index],
      ...(forOp.is(parent) ? [parent.regions[0]!.blocks[0]!.arguments[index + 1]] : []),
    ];
  }
  const created = new Set(
    (effectsOf(rewriter.registry, user) ?? []).flatMap(({ kind, value }) =>
      kind === 'allocate' && value !== undefined ? [value.id] : [],
    ),
  );
  return results.filter((result) => !created.has(result.id));
};

/** The values that may alias a buffer, itself first. */
export const bufferAliases = (rewriter: Rewriter, buffer: Value): readonly Value[] => {
  const found = new Map<Id, Value>([[buffer.id, buffer]]);
  // The map grows during iteration.
  for (const value of found.values()) {
    for (const user of rewriter.users(value)) {
      user.operands.forEach(({ id }, index) => {
        if (id !== value.id) return;
        for (const alias of handedOn(rewriter, user, index)) {
          if (alias !== undefined && isBufferType(alias.type)) found.set(alias.id, alias);
        }
      });
    }
  }
  return [...found.values()];
};

/** The block in which a value is defined. */
export const blockOf = (rewriter: Rewriter, value: Value): DraftBlock => {
  const block = rewriter.owningBlock(value) ?? rewriter.definingOperation(value)?.block;
  if (block === undefined) throw new Error('a value is defined in a block');
  return block;
};

/** A block and its ancestors, innermost first. */
export const blocksAround = (block: DraftBlock): readonly DraftBlock[] => {
  const blocks: DraftBlock[] = [];
  for (let at: DraftBlock | undefined = block; at !== undefined; at = at.region.operation.block)
    blocks.push(at);
  return blocks;
};

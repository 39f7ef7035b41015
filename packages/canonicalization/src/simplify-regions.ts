/**
 * Simplifies the blocks of regions: erases unreachable blocks and dead block arguments, merges a block into its
 * single predecessor, and merges identical blocks (upstream's `simplifyRegions`).
 */
import { branchLike } from '@sconv/dialects';
import type { DraftBlock, DraftOperation, DraftRegion, Id, Rewriter, Value } from '@sconv/ir';
import { isErasable, modelOf } from '@sconv/ir';
import { equalBlocks, summaryOf } from './equal-operations.ts';

export interface RegionOptions {
  /** Whether identical blocks are merged: upstream's aggressive level. */
  readonly mergeBlocks: boolean;
}

/** Simplifies all regions below `operation`. */
export const simplifyRegions = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: RegionOptions,
): void => {
  const pending: DraftOperation[] = [operation];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const region of next.regions) {
      if (region.blocks.length > 1) simplifyRegion(rewriter, region, options);
      for (const block of region.blocks) {
        for (let at = block.first; at !== undefined; at = at.next)
          if (at.regions.length > 0) pending.push(at);
      }
    }
  }
};

const simplifyRegion = (rewriter: Rewriter, region: DraftRegion, { mergeBlocks }: RegionOptions): void => {
  eraseUnreachable(rewriter, region);
  dropUnusedArguments(rewriter, region);
  joinBlocks(rewriter, region);
  if (mergeBlocks) mergeEqualBlocks(rewriter, region);
};

/** The blocks by their ids. */
const blocksById = (region: DraftRegion): ReadonlyMap<Id, DraftBlock> =>
  new Map(region.blocks.map((block) => [block.id, block]));

/** The incoming operands of each block, per branch; undefined for an unknown branch. */
type Incoming = ReadonlyMap<
  DraftBlock,
  readonly { readonly branch: DraftOperation; readonly successor: number }[]
>;

const incomingOf = (region: DraftRegion): Incoming => {
  const byId = blocksById(region);
  const incoming = new Map<DraftBlock, { branch: DraftOperation; successor: number }[]>();
  for (const { last } of region.blocks) {
    last?.successors.forEach((id, successor) => {
      const block = byId.get(id);
      if (block === undefined) return;
      const list = incoming.get(block) ?? [];
      incoming.set(block, list);
      list.push({ branch: last, successor });
    });
  }
  return incoming;
};

const eraseUnreachable = (rewriter: Rewriter, region: DraftRegion): void => {
  const byId = blocksById(region);
  const reached = new Set<DraftBlock>();
  const pending = region.blocks.slice(0, 1);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    for (const id of next.last?.successors ?? []) {
      const block = byId.get(id);
      if (block !== undefined) pending.push(block);
    }
  }
  const dead = region.blocks.filter((block) => !reached.has(block));
  // Unreachable blocks may use each other's values in any order.
  for (const block of dead) {
    for (const operation of block.operations)
      for (const each of rewriter.walk(operation)) rewriter.setOperands(each, []);
  }
  for (const block of dead) rewriter.eraseBlock(block);
};

/** The operands that a branch forwards, by successor. */
const handedOn = (rewriter: Rewriter, branch: DraftOperation): readonly (readonly Value[])[] | undefined =>
  modelOf(rewriter.registry, branchLike, branch)?.operands(branch);

/**
 * Erases dead block arguments: those only used by branches that forward them to dead arguments, and by dead
 * operations.
 */
const dropUnusedArguments = (rewriter: Rewriter, region: DraftRegion): void => {
  const incoming = incomingOf(region);
  const candidates = region.blocks
    .slice(1)
    .filter(
      (block) =>
        block.arguments.length > 0 &&
        (incoming.get(block) ?? []).every(({ branch }) => handedOn(rewriter, branch) !== undefined),
    );
  if (candidates.length === 0) return;
  const targets = new Map<Id, { readonly block: DraftBlock; readonly index: number }>();
  for (const block of candidates)
    block.arguments.forEach(({ id }, index) => targets.set(id, { block, index }));
  const live = liveArguments(rewriter, region, new Set(targets.keys()));
  for (const block of candidates) {
    const dead = block.arguments.flatMap(({ id }, index) => (live.has(id) ? [] : [index]));
    if (dead.length === 0) continue;
    for (const { branch, successor } of incoming.get(block) ?? []) {
      const groups = handedOn(rewriter, branch)!;
      setHandedOn(
        rewriter,
        branch,
        groups.map((values, i) => (i === successor ? values.filter((_, at) => !dead.includes(at)) : values)),
      );
    }
  }
  for (const block of candidates) {
    for (let index = block.arguments.length - 1; index >= 0; index--) {
      const argument = block.arguments[index]!;
      if (live.has(argument.id)) continue;
      eraseUsers(rewriter, argument);
      rewriter.eraseArgument(block, index);
    }
  }
};

const setHandedOn = (
  rewriter: Rewriter,
  branch: DraftOperation,
  groups: readonly (readonly Value[])[],
): void => {
  const { operands, attributes } = modelOf(rewriter.registry, branchLike, branch)!.withOperands(
    branch,
    groups,
  );
  rewriter.setOperands(branch, operands);
  rewriter.setAttributes(branch, attributes);
};

/** Erases the users of a dead value, transitively. */
const eraseUsers = (rewriter: Rewriter, value: Value): void => {
  for (const user of rewriter.users(value)) {
    if (rewriter.lookup(user.id) !== user) continue;
    for (const result of user.results) eraseUsers(rewriter, result);
    rewriter.eraseOperation(user);
  }
};

/** The live ones among `candidates`: found backwards from side effects. */
const liveArguments = (
  rewriter: Rewriter,
  region: DraftRegion,
  candidates: ReadonlySet<Id>,
): ReadonlySet<Id> => {
  const live = new Set<Id>();
  const needed = new Set<DraftOperation>();
  const pending: Value[] = [];
  const incoming = incomingOf(region);
  const byId = blocksById(region);
  const need = (operation: DraftOperation): void => {
    if (needed.has(operation)) return;
    needed.add(operation);
    const groups = handedOn(rewriter, operation);
    if (groups === undefined) {
      pending.push(...operation.operands);
      return;
    }
    const handed = groups.reduce((count, values) => count + values.length, 0);
    pending.push(...operation.operands.slice(0, operation.operands.length - handed));
    operation.successors.forEach((id, successor) => {
      const block = byId.get(id);
      groups[successor]?.forEach((value, index) => {
        // A forwarded value is live if the block argument is.
        const argument = block?.arguments[index];
        if (argument === undefined || !candidates.has(argument.id)) pending.push(value);
      });
    });
  };
  const start = (operation: DraftOperation): void => {
    for (const each of rewriter.walk(operation)) {
      if (!isErasable(rewriter.registry, each)) need(each);
    }
  };
  for (const block of region.blocks) for (const operation of block.operations) start(operation);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const source = rewriter.definingOperation(value);
    if (source !== undefined) {
      need(source);
      if (source.regions.length > 0) for (const inner of rewriter.walk(source)) need(inner);
      continue;
    }
    if (!candidates.has(value.id) || live.has(value.id)) continue;
    live.add(value.id);
    const block = rewriter.owningBlock(value);
    if (block === undefined) continue;
    const index = block.arguments.findIndex(({ id }) => id === value.id);
    for (const { branch, successor } of incoming.get(block) ?? []) {
      const handed = handedOn(rewriter, branch)?.[successor]?.[index];
      if (handed !== undefined) pending.push(handed);
    }
  }
  return live;
};

/** Merges a block into its predecessor, if that is unique and has no other successor. */
const joinBlocks = (rewriter: Rewriter, region: DraftRegion): void => {
  const incoming = incomingOf(region);
  const byId = blocksById(region);
  const entry = region.blocks[0];
  for (const block of [...region.blocks]) {
    if (rewriter.blockWith(block.id) !== block) continue;
    for (;;) {
      const { last } = block;
      if (last?.successors.length !== 1) break;
      const next = byId.get(last.successors[0]!);
      const groups = handedOn(rewriter, last);
      if (next === undefined || next === block || next === entry || groups === undefined) break;
      if (incoming.get(next)?.length !== 1 || groups.flat().length !== last.operands.length) break;
      const values = groups[0] ?? [];
      rewriter.eraseOperation(last);
      rewriter.scoped(() => {
        rewriter.setInsertionPointToEnd(block);
        rewriter.inlineBlock(next, values);
      });
      for (let i = next.arguments.length - 1; i >= 0; i--) rewriter.eraseArgument(next, i);
      rewriter.eraseBlock(next);
    }
  }
};

/** Merges identical blocks without arguments. */
const mergeEqualBlocks = (rewriter: Rewriter, region: DraftRegion): void => {
  const known = new Map<string, DraftBlock[]>();
  const entry = region.blocks[0];
  for (const block of [...region.blocks]) {
    if (block === entry || block.arguments.length > 0) continue;
    const key = summaryOf([block]);
    const same = known.get(key)?.find((other) => equalBlocks(rewriter.registry, other, block));
    const usedOutside = block.operations.some((operation) =>
      operation.results.some((result) => rewriter.users(result).some((user) => user.block !== block)),
    );
    if (same === undefined || usedOutside) {
      const alike = known.get(key);
      if (alike === undefined) known.set(key, [block]);
      else alike.push(block);
      continue;
    }
    for (const branch of rewriter.branchesTo(block)) {
      rewriter.setSuccessors(
        branch,
        branch.successors.map((id) => (id === block.id ? same.id : id)),
      );
    }
    rewriter.eraseBlock(block);
  }
};

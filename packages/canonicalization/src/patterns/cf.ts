/** Branches: constant conditions, and pass-through blocks. */
import { branchLike } from '@sconv/dialects';
import { select } from '@sconv/dialects/arith';
import { assert, br, condBr, switchOp } from '@sconv/dialects/cf';
import type { DraftOperation, Id, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { booleanAttribute, i1, modelOf } from '@sconv/ir';
import { constantOf, createConstant, isSame, onOp, onOps, sameValues } from '../match.ts';

/** A branch target with its operands. */
interface Target {
  readonly block: Id;
  readonly values: readonly Value[];
}

const targetsOf = (rewriter: Rewriter, branch: DraftOperation): readonly Target[] => {
  const groups = modelOf(rewriter.registry, branchLike, branch)?.operands(branch) ?? [];
  return branch.successors.map((block, i) => ({ block, values: groups[i] ?? [] }));
};

const setTargets = (rewriter: Rewriter, branch: DraftOperation, targets: readonly Target[]): void => {
  const model = modelOf(rewriter.registry, branchLike, branch);
  if (model === undefined) return;
  const { operands, attributes } = model.withOperands(
    branch,
    targets.map(({ values }) => values),
  );
  rewriter.setOperands(branch, operands);
  rewriter.setAttributes(branch, attributes);
  rewriter.setSuccessors(
    branch,
    targets.map(({ block }) => block),
  );
};

const jump = (rewriter: Rewriter, branch: DraftOperation, { block, values }: Target): void => {
  rewriter.replaceWith(branch, br.state({ operands: { destOperands: values }, successors: [block] }));
};

/** The constant that decides a branch. */
const decision = (rewriter: Rewriter, branch: DraftOperation): bigint | undefined => {
  const constant = constantOf(rewriter, branch.operands[0]);
  return constant?.kind === 'integer' ? constant.value : undefined;
};

const knownCondition = onOp(condBr, 'cond-br-of-constant', (rewriter, operation) => {
  const value = decision(rewriter, operation);
  if (value === undefined) return;
  jump(rewriter, operation, targetsOf(rewriter, operation)[value === 0n ? 1 : 0]!);
});

/** Both targets are one block: select its operands. */
const oneTarget = onOp(condBr, 'cond-br-to-one-block', (rewriter, operation) => {
  const [whenTrue, whenFalse] = targetsOf(rewriter, operation);
  if (whenTrue?.block !== whenFalse?.block || whenTrue === undefined || whenFalse === undefined) return;
  const block = rewriter.blockWith(whenTrue.block);
  const isOnly = block !== undefined && rewriter.onlyBranchTo(block) === operation;
  if (!isOnly && !sameValues(whenTrue.values, whenFalse.values)) return;
  const values = whenTrue.values.map((value, i) => {
    const other = whenFalse.values[i]!;
    return isSame(value, other)
      ? value
      : rewriter.createValue(
          select.state({
            operands: { condition: operation.operands[0]!, trueValue: value, falseValue: other },
            resultTypes: [value.type],
          }),
        );
  });
  jump(rewriter, operation, { block: whenTrue.block, values });
});

/** The branch of a block that does nothing else; its arguments have no uses elsewhere. */
const onlyBranchIn = (rewriter: Rewriter, id: Id): DraftOperation | undefined => {
  const block = rewriter.blockWith(id);
  const only = block?.first;
  if (block === undefined || only === undefined || !br.is(only)) return undefined;
  const isUsedElsewhere = block.arguments.some((argument) =>
    rewriter.users(argument).some((user) => user !== only),
  );
  return isUsedElsewhere ? undefined : only;
};

/** Where a branch arrives through the block of `only`. */
const through = (rewriter: Rewriter, { values }: Target, only: DraftOperation): Target => {
  const own = new Map(only.block!.arguments.map(({ id }, i) => [id, values[i]!]));
  const [next] = targetsOf(rewriter, only);
  return { block: next!.block, values: next!.values.map((value) => own.get(value.id) ?? value) };
};

/**
 * Where a branch arrives through blocks that only branch on, which then branch there directly: a chain is followed
 * once. Blocks on a cycle lead nowhere, so a branch that reaches one keeps its target.
 *
 * @deviation Upstream refuses blocks that branch to themselves only, and does not terminate for a longer cycle.
 */
const destinationOf = (rewriter: Rewriter, target: Target): Target => {
  // 1. The branches on the way.
  const seen = new Set<Id>();
  const way: DraftOperation[] = [];
  for (let at = target.block; ;) {
    if (seen.has(at)) return target;
    seen.add(at);
    const only = onlyBranchIn(rewriter, at);
    if (only === undefined) break;
    way.push(only);
    at = only.successors[0]!;
  }
  // 2. Their destination, from the last one backwards.
  for (let i = way.length - 2; i >= 0; i--) {
    const [next] = targetsOf(rewriter, way[i]!);
    setTargets(rewriter, way[i]!, [through(rewriter, next!, way[i + 1]!)]);
  }
  const [first] = way;
  return first === undefined ? target : through(rewriter, target, first);
};

const passThrough = onOps([br, condBr, switchOp], 'branch-through-block', (rewriter, operation) => {
  const targets = targetsOf(rewriter, operation);
  const after = targets.map((target) => destinationOf(rewriter, target));
  if (after.every((target, i) => target === targets[i])) return;
  setTargets(rewriter, operation, after);
});

/** A condition is known in a block that is only reached if it holds, or only if it does not. */
const conditionBehind = onOp(condBr, 'condition-behind-cond-br', (rewriter, operation) => {
  const [condition] = operation.operands;
  if (condition === undefined || constantOf(rewriter, condition) !== undefined) return;
  const [whenTrue, whenFalse] = operation.successors;
  if (whenTrue === whenFalse) return;
  for (const [id, value] of [
    [whenTrue, true],
    [whenFalse, false],
  ] as const) {
    const block = id === undefined ? undefined : rewriter.blockWith(id);
    if (block === undefined || block === block.region.blocks[0]) continue;
    if (rewriter.onlyBranchTo(block) !== operation) continue;
    // A condition may have users in each block of a long chain: these are found in the block.
    const users = block.operations.filter(({ operands }) => operands.some((each) => isSame(each, condition)));
    const constant =
      users.length === 0 ? undefined : createConstant(rewriter, operation, booleanAttribute(value), i1);
    if (constant === undefined) continue;
    for (const user of users) {
      const operands = user.operands.map((each) => (isSame(each, condition) ? constant : each));
      rewriter.setOperands(user, operands);
    }
  }
});

const caseValuesOf = (operation: DraftOperation): readonly bigint[] => {
  const { case_values: values } = operation.attributes;
  if (values?.kind !== 'dense-elements') return [];
  const count = operation.successors.length - 1;
  const all = values.values.map((value) => BigInt(value));
  return all.length === 1 ? Array.from({ length: count }, () => all[0]!) : all;
};

const knownSwitch = onOp(switchOp, 'switch-of-constant', (rewriter, operation) => {
  const targets = targetsOf(rewriter, operation);
  if (targets.length === 1) {
    jump(rewriter, operation, targets[0]!);
    return;
  }
  const value = decision(rewriter, operation);
  if (value === undefined) return;
  jump(rewriter, operation, targets[caseValuesOf(operation).indexOf(value) + 1]!);
});

/** All cases equal the default. */
const uselessSwitch = onOp(switchOp, 'switch-to-one-block', (rewriter, operation) => {
  const [fallback, ...cases] = targetsOf(rewriter, operation);
  if (fallback === undefined) return;
  const isSameTarget = ({ block, values }: Target): boolean =>
    block === fallback.block && sameValues(values, fallback.values);
  if (cases.every(isSameTarget)) jump(rewriter, operation, fallback);
});

const trueAssertion = onOp(assert, 'assert-of-true', (rewriter, operation) => {
  const constant = constantOf(rewriter, operation.operands[0]);
  if (constant?.kind === 'integer' && constant.value !== 0n) rewriter.eraseOperation(operation);
});

export const cfPatterns: readonly RewritePattern[] = [
  knownCondition,
  oneTarget,
  ...passThrough,
  conditionBehind,
  knownSwitch,
  uselessSwitch,
  trueAssertion,
];

/** `scf.if`: constant and nested conditions, and results that need no body. */
import { andi, select, xori } from '@sconv/dialects/arith';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import type { DraftBlock, DraftOperation, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { booleanAttribute, i1, terminatorOf } from '@sconv/ir';
import { blockOf, inlineInPlace, kept, withResults } from '../bodies.ts';
import { constantOf, createConstant, definedBy, isInBlock, isSame, onOp, stateOf } from '../match.ts';

const conditionOf = (operation: DraftOperation): Value => operation.operands[0]!;

const yieldsOf = (block: DraftBlock | undefined): readonly Value[] =>
  block === undefined ? [] : terminatorOf(block).operands;

/** The truth value of a constant; undefined for other values. */
const truth = (rewriter: Rewriter, value: Value | undefined): boolean | undefined => {
  const constant = constantOf(rewriter, value);
  return constant?.kind === 'integer' ? constant.value !== 0n : undefined;
};

/** The operand of a negation; undefined for other values. */
const negated = (rewriter: Rewriter, value: Value): Value | undefined => {
  if (value.type.kind !== 'integer' || value.type.width !== 1) return undefined;
  const inner = definedBy(rewriter, value, xori)?.operands;
  return inner !== undefined && truth(rewriter, inner[1]) === true ? inner[0] : undefined;
};

/** A new `scf.if` before `operation`, with empty bodies. */
const emptyIf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  condition: Value,
  types: readonly Value[],
): DraftOperation =>
  rewriter.create(stateOf(operation, { operands: [condition], resultTypes: types.map(({ type }) => type) }));

const knownCondition = onOp(ifOp, 'if-of-constant', (rewriter, operation) => {
  const isTrue = truth(rewriter, conditionOf(operation));
  if (isTrue === undefined) return;
  const block = blockOf(operation, isTrue ? 0 : 1);
  if (block === undefined) rewriter.eraseOperation(operation);
  else inlineInPlace(rewriter, operation, block, []);
});

/** A condition is known inside its own branches. */
const conditionInBodies = onOp(ifOp, 'condition-in-if', (rewriter, operation) => {
  const condition = conditionOf(operation);
  if (constantOf(rewriter, condition) !== undefined) return;
  for (const [region, value] of [
    [0, true],
    [1, false],
  ] as const) {
    const inside = operation.regions[region];
    const users = rewriter.users(condition).filter((user) => isInRegion(user, operation, region));
    if (inside === undefined || users.length === 0) continue;
    const constant = createConstant(rewriter, operation, booleanAttribute(value), i1);
    if (constant === undefined) continue;
    rewriter.replaceUsesIf(condition, constant, (user) => users.includes(user));
  }
});

const isInRegion = (user: DraftOperation, operation: DraftOperation, region: number): boolean => {
  for (let at: DraftOperation | undefined = user; at !== undefined; at = at.parent) {
    if (at.parent === operation) return at.block?.region === operation.regions[region];
  }
  return false;
};

const unusedResults = onOp(ifOp, 'unused-if-results', (rewriter, operation) => {
  const keep = operation.results.map((result) => rewriter.hasUses(result));
  if (keep.every((each) => each)) return;
  for (const { blocks } of operation.regions) {
    for (const block of blocks)
      rewriter.setOperands(terminatorOf(block), kept(terminatorOf(block).operands, keep));
  }
  withResults(rewriter, operation, keep);
});

/** Results defined outside become selects. */
const toSelect = onOp(ifOp, 'if-to-select', (rewriter, operation) => {
  const [then, otherwise] = [blockOf(operation, 0), blockOf(operation, 1)];
  if (then === undefined || otherwise === undefined || operation.results.length === 0) return;
  const [whenTrue, whenFalse] = [yieldsOf(then), yieldsOf(otherwise)];
  const keep = whenTrue.map(
    (value, i) =>
      !rewriter.isDefinedOutside(value, operation) || !rewriter.isDefinedOutside(whenFalse[i]!, operation),
  );
  if (keep.every((each) => each)) return;
  const selected = whenTrue.map((value, i) => {
    if (keep[i] === true) return undefined;
    const other = whenFalse[i]!;
    return isSame(value, other)
      ? value
      : rewriter.createValue(
          select.state({
            operands: { condition: conditionOf(operation), trueValue: value, falseValue: other },
            resultTypes: [value.type],
          }),
        );
  });
  for (const block of [then, otherwise])
    rewriter.setOperands(terminatorOf(block), kept(terminatorOf(block).operands, keep));
  withResults(rewriter, operation, keep, selected);
});

/** A result that equals the condition, its negation, or the same value on both sides. */
const simpleResults = onOp(ifOp, 'if-result-of-condition', (rewriter, operation) => {
  const [whenTrue, whenFalse] = [yieldsOf(blockOf(operation, 0)), yieldsOf(blockOf(operation, 1))];
  operation.results.forEach((result, i) => {
    const [value, other] = [whenTrue[i], whenFalse[i]];
    if (value === undefined || other === undefined || !rewriter.hasUses(result)) return;
    if (isSame(value, other)) {
      rewriter.replaceAllUsesWith(result, value);
      return;
    }
    if (result.type.kind !== 'integer' || result.type.width !== 1) return;
    const [a, b] = [truth(rewriter, value), truth(rewriter, other)];
    if (a === undefined || b === undefined || a === b) return;
    const condition = conditionOf(operation);
    if (a) {
      rewriter.replaceAllUsesWith(result, condition);
      return;
    }
    const one = createConstant(rewriter, operation, booleanAttribute(true), i1);
    if (one === undefined) return;
    const not = rewriter.createValue(xori.state({ operands: { lhs: condition, rhs: one } }));
    rewriter.replaceAllUsesWith(result, not);
  });
});

const emptyElse = onOp(ifOp, 'empty-else', (rewriter, operation) => {
  const otherwise = blockOf(operation, 1);
  if (operation.results.length > 0 || otherwise === undefined) return;
  if (otherwise.first === otherwise.last) rewriter.eraseBlock(otherwise);
});

/** Swaps the bodies if the condition is a negation. */
const negatedCondition = onOp(ifOp, 'if-not', (rewriter, operation) => {
  const condition = negated(rewriter, conditionOf(operation));
  const [then, otherwise] = operation.regions;
  if (condition === undefined || then === undefined || otherwise?.blocks[0] === undefined) return;
  const made = emptyIf(rewriter, operation, condition, operation.results);
  for (const region of [otherwise, then]) rewriter.moveRegion(region, rewriter.createRegion(made));
  rewriter.replaceOperation(operation, made.results, [made]);
});

/** A perfectly nested `if` merges into one with both conditions. */
const nested = onOp(ifOp, 'nested-ifs', (rewriter, operation) => {
  const [then, otherwise] = [blockOf(operation, 0), blockOf(operation, 1)];
  const inner = then?.first;
  if (then === undefined || inner === undefined || !ifOp.is(inner) || inner.next !== then.last) return;
  if (otherwise !== undefined && otherwise.first !== otherwise.last) return;
  const innerElse = blockOf(inner, 1);
  const innerThen = blockOf(inner, 0);
  if (innerThen === undefined || (innerElse !== undefined && innerElse.first !== innerElse.last)) return;
  const thenYields = [...yieldsOf(then)];
  const elseYields = yieldsOf(otherwise);
  const innerElseYields = yieldsOf(innerElse);
  const toSelect: number[] = [];
  for (const [i, value] of yieldsOf(then).entries()) {
    const position = inner.results.findIndex(({ id }) => id === value.id);
    if (position >= 0) {
      if (!isSame(innerElseYields[position], elseYields[i])) return;
      thenYields[i] = yieldsOf(innerThen)[position]!;
    } else if (rewriter.isDefinedOutside(value, operation)) toSelect.push(i);
    else return;
  }
  const [outerCondition, innerCondition] = [conditionOf(operation), conditionOf(inner)];
  if (!rewriter.isDefinedOutside(innerCondition, operation)) return;
  const both = rewriter.createValue(andi.state({ operands: { lhs: outerCondition, rhs: innerCondition } }));
  const selected = new Map(
    toSelect.map((i) => [
      i,
      rewriter.createValue(
        select.state({
          operands: {
            condition: outerCondition,
            trueValue: thenYields[i]!,
            falseValue: elseYields[i]!,
          },
          resultTypes: [thenYields[i]!.type],
        }),
      ),
    ]),
  );
  const made = emptyIf(rewriter, operation, both, operation.results);
  rewriter.setOperands(terminatorOf(then), []);
  rewriter.setOperands(terminatorOf(innerThen), thenYields);
  rewriter.moveRegion(inner.regions[0]!, rewriter.createRegion(made));
  rewriter.moveRegion(operation.regions[1]!, rewriter.createRegion(made));
  rewriter.replaceOperation(
    operation,
    made.results.map((result, i) => selected.get(i) ?? result),
    [made],
  );
});

/** Adjacent ifs on the same condition, or on a condition and its negation. */
const inARow = onOp(ifOp, 'ifs-of-one-condition', (rewriter, operation) => {
  const before = operation.previous;
  if (before === undefined || !ifOp.is(before)) return;
  const [first, second] = [conditionOf(before), conditionOf(operation)];
  const isNegated = isSame(negated(rewriter, second), first) || isSame(negated(rewriter, first), second);
  if (!isSame(first, second) && !isNegated) return;
  const bodies = [blockOf(operation, 0), blockOf(operation, 1)];
  const [then, otherwise] = isNegated ? bodies.toReversed() : bodies;
  const parts = [
    [blockOf(before, 0), then],
    [blockOf(before, 1), otherwise],
  ] as const;
  // Uses of the first's results in the second become those of the corresponding branch.
  parts.forEach(([own, next]) => {
    if (next === undefined) return;
    before.results.forEach((result, i) => {
      const value = yieldsOf(own)[i];
      if (value === undefined) return;
      rewriter.replaceUsesIf(result, value, (user) => isInBlock(user, next));
    });
  });
  const made = emptyIf(rewriter, operation, first, [...before.results, ...operation.results]);
  for (const [own, next] of parts) {
    const region = rewriter.createRegion(made);
    if (own === undefined && next === undefined) continue;
    const values = [...yieldsOf(own), ...yieldsOf(next)];
    const block = rewriter.createBlock(region);
    rewriter.scoped(() => {
      rewriter.setInsertionPointToEnd(block);
      for (const part of [own, next]) if (part !== undefined) rewriter.inlineBlock(part, []);
      for (const end of block.operations.filter((each) => yieldOp.is(each))) rewriter.eraseOperation(end);
      rewriter.setInsertionPointToEnd(block);
      rewriter.create(yieldOp.state({ operands: { results: values } }), operation.location);
    });
  }
  const { length } = before.results;
  const [ownResults, nextResults] = [[...made.results].slice(0, length), [...made.results].slice(length)];
  rewriter.replaceOperation(before, ownResults, [made]);
  rewriter.replaceOperation(operation, nextResults, [made]);
});

export const scfIfPatterns: readonly RewritePattern[] = [
  negatedCondition,
  inARow,
  nested,
  conditionInBodies,
  toSelect,
  emptyElse,
  knownCondition,
  unusedResults,
  simpleResults,
];

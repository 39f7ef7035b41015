/** Attributes that say what the analysis has decided, as upstream's tests read them. */
import type { Attribute, DraftOperation, Id, Value } from '@sconv/ir';
import { arrayAttribute, SsaNames, stringAttribute } from '@sconv/ir';
import type { OneShotState } from '../analysis/one-shot-state.ts';
import { innerFirst } from '../inner-first.ts';
import { isTensor } from '../op-model.ts';

/** Annotates what the options ask for: decisions, alias sets. */
export const annotate = (state: OneShotState, root: DraftOperation): void => {
  if (state.options.testAnalysisOnly) annotateDecisions(state, root);
  if (state.options.dumpAliasSets) annotateAliases(state, root);
};

/** Annotates each tensor operand with whether it is in place. */
const annotateDecisions = (state: OneShotState, root: DraftOperation): void => {
  for (const operation of innerFirst(root)) {
    if (!operation.operands.some(isTensor)) continue;
    const words = operation.operands.map((value, i) =>
      isTensor(value) ? String(state.isInPlace(state.operand(operation, i))) : 'none',
    );
    const attribute = arrayAttribute(words.map(stringAttribute));
    state.rewriter.setAttribute(operation, '__inplace_operands_attr__', attribute);
  }
};

/** Annotates each tensor, by name, with its may-alias set. */
const annotateAliases = (state: OneShotState, root: DraftOperation): void => {
  const { rewriter } = state;
  const names = new SsaNames(root, { registry: rewriter.registry, generic: false });
  const aliasesOf = inOrderOfJoins(state);
  const setsOf = (values: readonly Value[]): Attribute =>
    arrayAttribute(
      values
        .filter(isTensor)
        .map((value) =>
          arrayAttribute(aliasesOf(value).map(({ id }) => stringAttribute(names.valueName(id)))),
        ),
    );
  for (const operation of innerFirst(root)) {
    const { results, regions } = operation;
    if (results.some(isTensor))
      rewriter.setAttribute(operation, '__opresult_alias_set_attr__', setsOf(results));
    if (!regions.some(({ blocks }) => blocks.some((block) => block.arguments.some(isTensor)))) continue;
    const sets = regions.map(({ blocks }) => arrayAttribute(blocks.map((block) => setsOf(block.arguments))));
    rewriter.setAttribute(operation, '__bbarg_alias_set_attr__', arrayAttribute(sets));
  }
};

/** The values that may alias one, as upstream lists them: in the order in which they were found to. */
const inOrderOfJoins = ({ joins }: OneShotState): ((value: Value) => readonly Value[]) => {
  const sets = new Map<Id, readonly Value[]>();
  const setOf = (value: Value): readonly Value[] => sets.get(value.id) ?? [value];
  for (const [a, b] of joins) {
    if (setOf(a).some(({ id }) => id === b.id)) continue;
    const all = [...setOf(a), ...setOf(b)];
    for (const { id } of all) sets.set(id, all);
  }
  return setOf;
};

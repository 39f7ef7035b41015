/** The functions of a module that call one another: their order, and what is known of the arguments of the called. */
import type { WrittenByCall } from '@sconv/backend';
import { calleesFirst, isBufferValue, mayShareMemory } from '@sconv/dialects';
import { call } from '@sconv/dialects/func';
import type { DraftOperation, Id, Operation, Rewriter } from '@sconv/ir';
import { children, isPrivate, symbolNameOf } from '@sconv/ir';

/** The functions with a body, those that a function calls before it; recursive ones last. */
export const definedFunctions = (rewriter: Rewriter): readonly DraftOperation[] => {
  const defined = children(rewriter.root)
    .map((operation) => rewriter.find(operation.id))
    .filter((operation) => operation.name === 'func.func' && operation.regions[0]!.blocks.length > 0);
  const byName = new Map(defined.map((each) => [symbolNameOf(each), each]));
  const { ordered } = calleesFirst(defined, (caller) =>
    callsIn(rewriter, caller).flatMap((each) => byName.get(call.attributes(each).callee) ?? []),
  );
  const known = new Set(ordered);
  return [...ordered, ...defined.filter((each) => !known.has(each))];
};

/** The calls in a function. */
const callsIn = (rewriter: Rewriter, operation: DraftOperation): readonly DraftOperation[] =>
  rewriter.walk(operation).filter((each) => call.is(each));

/** The names in use of functions whose arguments must stay: of public ones, and of those that are not only called. */
export const fixedFunctions = (rewriter: Rewriter, used: ReadonlySet<string>): ReadonlySet<string> => {
  const all = rewriter.walk(rewriter.root);
  const named = referencedBy(all.filter((operation) => !call.is(operation)));
  const known = new Set(
    all.flatMap((operation) => (isPrivate(operation) ? [symbolNameOf(operation) ?? ''] : [])),
  );
  return new Set([...used].filter((name) => named.has(name) || !known.has(name)));
};

/**
 * The arguments that share no memory with those that their function writes: the caller's own, and those of private
 * functions by all their calls. Callers first.
 */
export const argumentsApart = (
  rewriter: Rewriter,
  functions: readonly DraftOperation[],
  used: ReadonlySet<string>,
  fixed: ReadonlySet<string>,
  writtenByCall: WrittenByCall,
): ReadonlySet<Id> => {
  const apart = new Set<Id>();
  const calls = functions.flatMap((each) => callsIn(rewriter, each));
  for (const operation of functions) {
    const name = symbolNameOf(operation) ?? '';
    const { arguments: own } = operation.regions[0]!.blocks[0]!;
    if (fixed.has(name) || (used.has(name) && !isPrivate(operation))) continue;
    const callsOf = calls.filter((each) => call.attributes(each).callee === name);
    const isApart = (at: number): boolean =>
      callsOf.every((each) => {
        const written = writtenByCall(each);
        const isRead = (i: number): boolean => written?.has(i) === false;
        return each.operands.every(
          (other, i) =>
            i === at ||
            !isBufferValue(other) ||
            (isRead(i) && isRead(at)) ||
            !mayShareMemory(rewriter, each.operands[at]!, other, apart),
        );
      });
    for (const { id } of own.filter((each, i) => isBufferValue(each) && isApart(i))) apart.add(id);
  }
  return apart;
};

/** The names of all functions that operations call, or refer to. */
export const referencedBy = (operations: readonly Operation[]): ReadonlySet<string> =>
  new Set(
    operations.flatMap(({ attributes }) =>
      Object.values(attributes).flatMap((attribute) =>
        attribute.kind === 'symbol-ref' ? [attribute.root] : [],
      ),
    ),
  );

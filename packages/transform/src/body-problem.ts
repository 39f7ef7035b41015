/** Errors in the bodies of ops that bind handles to block arguments and forward what is yielded. */
import type { Block, Operation, Type, VerifyContext, VerifyProblem } from '@sconv/ir';
import { typeEquals, walk } from '@sconv/ir';
import { consumedPositions } from './consumed-arguments.ts';
import { handleType, scriptType } from './handle-type.ts';
import { payloadKindOf } from './payload.ts';

/** Whether values of these types refer to payload of the same kind. */
export const sameKind = (a: Type, b: Type): boolean =>
  scriptType.test(a) && scriptType.test(b) && payloadKindOf(a) === payloadKindOf(b);

/** Ops that may be top-level in a script and bind its root (upstream's `PossibleTopLevelTransformOpTrait`). */
const topLevel: ReadonlySet<string> = new Set([
  'transform.sequence',
  'transform.alternatives',
  'transform.with_pdl_patterns',
]);

export const isTopLevel = ({ name }: Operation): boolean => topLevel.has(name);

/** Errors of the body arguments of such an op. */
export function* topLevelErrors(operation: Operation, { ancestors }: VerifyContext): Generator<string> {
  const [region] = operation.regions;
  const body = region?.blocks[0];
  const [root, ...others] = body?.arguments ?? [];
  const [operand] = operation.operands;
  if (region === undefined) yield 'expects at least one region';
  else if (body === undefined) yield 'expects a body';
  else if (root === undefined) yield 'expects the entry block to have at least one argument';
  else if (!handleType.test(root.type)) {
    yield 'expects the first entry block argument to be of type implementing TransformHandleTypeInterface';
  } else if (operand !== undefined && !typeEquals(operand.type, root.type)) {
    yield 'expects the type of the block argument to match the type of the operand';
  } else if (others.some(({ type }) => !scriptType.test(type))) {
    yield (
      'expects trailing entry block arguments to be of type implementing TransformHandleTypeInterface, ' +
      'TransformValueHandleTypeInterface or TransformParamTypeInterface'
    );
  } else if (ancestors.some(isTopLevel) && operation.operands.length !== others.length + 1) {
    yield 'expects operands to be provided for a nested op';
  }
}

/** The types that a block yields. */
export const yieldedTypes = (block: Block | undefined): readonly Type[] =>
  block?.operations.at(-1)?.operands.map(({ type }) => type) ?? [];

/** Whether a body yields the results of its op. */
export const yieldsResults = (block: Block | undefined, { results }: Operation): boolean => {
  const types = yieldedTypes(block);
  return types.length === results.length && types.every((type, i) => typeEquals(type, results[i]!.type));
};

/** Errors of a handle that several ops consume. */
export function* doubleConsumeErrors(
  operation: Operation,
  body: Block,
  context: VerifyContext,
): Generator<VerifyProblem> {
  const consumers = new Map<number, number>();
  for (const user of walk(operation)) {
    for (const position of context.modelOf(user, consumedPositions)?.(user, context) ?? []) {
      const id = user.operands[position]?.id;
      if (id !== undefined) consumers.set(id, (consumers.get(id) ?? 0) + 1);
    }
  }
  const twice = (values: readonly { readonly id: number }[]): number =>
    values.findIndex(({ id }) => (consumers.get(id) ?? 0) > 1);
  const argument = twice(body.arguments);
  if (argument >= 0) yield `block argument #${argument} has more than one potential consumer`;
  for (const child of body.operations) {
    if (child !== body.operations.at(-1) && context.modelOf(child, consumedPositions) === undefined)
      yield 'expected children ops to implement TransformOpInterface';
    const result = twice(child.results);
    if (result >= 0) {
      const message = `result #${result} has more than one potential consumer`;
      yield { message, bare: true, operation: child };
    }
  }
}

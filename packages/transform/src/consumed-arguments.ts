/**
 * Checks which arguments of a sequence its ops consume, against their declaration: `transform.consumed` or
 * `transform.readonly`, as upstream.
 */
import type { Block, Operation, VerifyContext } from '@sconv/ir';
import { opInterface } from '@sconv/ir';

/** The positions of the operands that a script op itself consumes, apart from its bodies. */
export const consumedPositions =
  opInterface<(operation: Operation, context: Pick<VerifyContext, 'lookupSymbol'>) => readonly number[]>(
    'consumed-positions',
  );

/** The declared effect on an argument of a sequence. */
export interface ArgumentStatus {
  readonly isConsumed: boolean;
  readonly isReadOnly: boolean;
}

/** The declared effects on each argument. */
export const argumentStatuses = ({ attributes }: Operation): readonly ArgumentStatus[] => {
  const { function_type: type, arg_attrs: list } = attributes;
  const inputs = type?.kind === 'type' && type.type.kind === 'function' ? type.type.inputs : [];
  return inputs.map((_, i) => {
    const entry = list?.kind === 'array' ? list.elements[i] : undefined;
    const said = entry?.kind === 'dictionary' ? entry.entries : {};
    return {
      isConsumed: said['transform.consumed'] !== undefined,
      isReadOnly: said['transform.readonly'] !== undefined,
    };
  });
};

/** The part of the verifier's context that is needed here. */
type Asked = Pick<VerifyContext, 'modelOf' | 'lookupSymbol'>;

/** The arguments of a block that its ops consume, directly or through a nested body's argument. */
export const consumedIn = (block: Block, context: Asked): readonly boolean[] => {
  const consumed = new Set(
    block.operations.flatMap((operation) => {
      const own = context.modelOf(operation, consumedPositions)?.(operation, context) ?? [];
      const below = operation.regions.flatMap(({ blocks }) =>
        blocks.flatMap((body) =>
          consumedIn(body, context).flatMap((isConsumed, i) => (isConsumed ? [i] : [])),
        ),
      );
      return [...own, ...below].map((position) => operation.operands[position]?.id);
    }),
  );
  return block.arguments.map(({ id }) => consumed.has(id));
};

const missing = 'must provide consumed/readonly status for arguments of external or called ops';

/** Errors of the declared effects of a sequence. */
export function* statusErrors(sequence: Operation, context: VerifyContext): Generator<string, undefined> {
  const body = sequence.regions[0]?.blocks[0];
  const consumed = body && consumedIn(body, context);
  for (const [i, { isConsumed, isReadOnly }] of argumentStatuses(sequence).entries()) {
    if (isConsumed && isReadOnly) yield `argument #${i} cannot be both readonly and consumed`;
    if (consumed === undefined && !isConsumed && !isReadOnly) yield missing;
    if (consumed?.[i] === true && isReadOnly && !isConsumed)
      yield `argument #${i} is consumed in the body but is not marked as such`;
  }
  return undefined;
}

/** The declarations that an included sequence lacks. */
export const calledErrors = (sequence: Operation): readonly string[] =>
  argumentStatuses(sequence).every(({ isConsumed, isReadOnly }) => isConsumed || isReadOnly) ? [] : [missing];

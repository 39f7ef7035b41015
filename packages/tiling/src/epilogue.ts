/** Elementwise ops as functions of one of their operands: a bias, an activation, a residual. */
import { isPermutation } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { indexDimensions } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import type { Attribute, DraftOperation, Operation, Registry, TensorType, Value } from '@sconv/ir';
import { bodyOf, effectsBelow, isStaticShape, printType, typeEquals } from '@sconv/ir';

/** Another operand of an elementwise op. */
export interface EpilogueOperand {
  readonly value: Value;
  /** The result dimension of each of its dimensions; undefined for one that is indexed by 0. */
  readonly dims: readonly (number | undefined)[];
  /** The element that it is filled with, instead of `value`. */
  readonly constant?: Attribute;
}

/** An elementwise op, and the operand that it is applied to. */
export interface Epilogue {
  readonly operation: DraftOperation;
  /** Its result has the same type. */
  readonly value: Value<TensorType>;
  /** The source of each body argument: an element of `value`, of another operand, or nothing if it is unused. */
  readonly arguments: readonly ('value' | 'unused' | EpilogueOperand)[];
}

/** An elementwise op before its `value` operand is chosen. */
export interface EpilogueView {
  /** One per body argument; undefined if unused. */
  readonly operands: readonly (EpilogueOperand | undefined)[];
  /** The operands that it can be applied to. */
  readonly values: readonly Value<TensorType>[];
}

/**
 * The candidates that an elementwise op can be applied to, and how it reads its operands. Fails with
 * `fuse-epilogue/not-elementwise` unless the op is structured, with one result of static tensor type, and all
 * iterations parallel and independent of their index; with `fuse-epilogue/no-operand` if no operand has the type of
 * the result and is read where that is written.
 */
export const epilogueViewOf = (registry: Registry, operation: Operation): Diagnosed<EpilogueView> => {
  const view = structured(registry, operation);
  const [result, ...more] = operation.results;
  const body = view?.body;
  const problem =
    view === undefined || body === undefined
      ? 'is not a structured op with a body'
      : result?.type.kind !== 'tensor' || more.length > 0 || !isStaticShape(result.type)
        ? 'does not have one tensor of static shape as its result'
        : bodyProblem(registry, operation, view);
  if (problem !== undefined) {
    const message = `expected an elementwise op, but '${operation.name}' ${problem}`;
    return silenceableError('fuse-epilogue/not-elementwise', message, operation);
  }
  const { inputs, outputs, indexingMaps } = view!;
  const order = indexingMaps.at(-1)!.results.map((expr) => (expr.kind === 'dim' ? expr.position : -1));
  const used = new Set(view!.body!.operations.flatMap(({ operands }) => operands.map(({ id }) => id)));
  const operands = [...inputs, ...outputs].map((value, i): EpilogueOperand | undefined => {
    const argument = view!.body!.arguments[i];
    if (argument === undefined || !used.has(argument.id)) return undefined;
    const dims = indexingMaps[i]!.results.map((expr) =>
      expr.kind === 'dim' ? order.indexOf(expr.position) : undefined,
    );
    return { value, dims };
  });
  const { type } = result!;
  const values = operands.flatMap((operand) =>
    operand !== undefined &&
    typeEquals(operand.value.type, type) &&
    operand.dims.every((dim, position) => dim === position)
      ? [operand.value as Value<TensorType>]
      : [],
  );
  if (values.length > 0) return success({ operands, values });
  const message = `'${operation.name}' has no operand of type ${printType(type)} that it reads where it writes`;
  return silenceableError('fuse-epilogue/no-operand', message, operation);
};

const bodyProblem = (
  registry: Registry,
  operation: Operation,
  { iteratorTypes, indexingMaps }: StructuredOp,
): string | undefined => {
  if (iteratorTypes.some((type) => type !== 'parallel')) return 'reduces';
  if (indexingMaps.length === 0 || !isPermutation(indexingMaps.at(-1)!))
    return 'does not write each element once';
  const isPlain = indexingMaps.every(({ results }) =>
    results.every((expr) => expr.kind === 'dim' || (expr.kind === 'constant' && expr.value === 0)),
  );
  if (!isPlain) return 'computes where it reads';
  if (indexDimensions(operation).length > 0) return 'computes of indices';
  return effectsBelow(registry, operation)?.length === 0 ? undefined : 'has effects';
};

/** An elementwise op as applied to one of its `values`. */
export const appliedTo = (
  operation: DraftOperation,
  { operands }: EpilogueView,
  value: Value<TensorType>,
): Epilogue => ({
  operation,
  value,
  arguments: bodyOf(operation).arguments.map((_, i) => {
    const operand = operands[i];
    if (operand === undefined) return 'unused';
    return operand.value.id === value.id && isInPlace(operand) ? 'value' : operand;
  }),
});

/** Whether an operand is read at the positions of the result. */
const isInPlace = ({ dims }: EpilogueOperand): boolean => dims.every((dim, position) => dim === position);

/** Function signatures: tensor arguments and results become buffers. */
import { toMemref, toTensor } from '@sconv/dialects/bufferization';
import type {
  Attribute,
  Attributes,
  DraftBlock,
  DraftOperation,
  Rewriter,
  TensorType,
  Type,
  Value,
} from '@sconv/ir';
import {
  arrayAttribute,
  dictionaryAttribute,
  functionType,
  functionTypeOf,
  typeAttribute,
  typeEquals,
} from '@sconv/ir';
import type { BufferizationContext, BufferizedFunction } from './bufferization-context.ts';
import { allocateCopy, bufferType, createCast, isMoreGeneral } from './buffers.ts';
import { endOf, entryBlock } from './draft-blocks.ts';
import { isTensor } from './op-model.ts';
import { boundaryType, dynamicBuffer } from './options.ts';

/** The type of a function; throws if it has none. */
export const typeOf = (operation: DraftOperation) => {
  const type = functionTypeOf(operation.attributes['function_type']);
  if (type === undefined) throw new Error('a function has a type');
  return type;
};

/** Rewrites the body of a function that keeps tensors at its boundary: conversions to and from buffers stay inside. */
export const bufferizeInside = (operation: DraftOperation, context: BufferizationContext): void => {
  const { rewriter } = context;
  const body = entryBlock(operation);
  rewriter.setInsertionPointToStart(body);
  for (const argument of body.arguments) {
    if (!isTensor(argument)) continue;
    const buffer = rewriter.create(
      toMemref.state({
        operands: { tensor: argument },
        resultTypes: [dynamicBuffer(argument.type as TensorType)],
      }),
    );
    rewriter.replaceAllUsesWith(argument, buffer.results[0]!, buffer);
  }
  const results = typeOf(operation).results;
  const end = endOf(body);
  context.bufferizeOperations(body.operations.slice(0, -1));
  rewriter.setInsertionPointBefore(end);
  const returned = end.operands.map((value, i) =>
    results[i]?.kind === 'tensor'
      ? rewriter.createValue(toTensor.state({ operands: { memref: value }, attributes: { restrict: true } }))
      : value,
  );
  rewriter.setOperands(end, returned);
};

/** Rewrites a function with its boundary. Returns what each original result became. */
export const bufferizeWithBoundary = (
  operation: DraftOperation,
  context: BufferizationContext,
): Pick<BufferizedFunction, 'inputs' | 'results'> => {
  const { rewriter } = context;
  const { functionBoundaryTypeConversion: layout } = context.module.options;
  const type = typeOf(operation);
  const inputs = type.inputs.map((input) => boundaryType(input, layout));
  const body = operation.regions[0]?.blocks[0];
  const results =
    body === undefined
      ? type.results.map((result) => boundaryType(result, layout))
      : bufferizeBody(operation, body, inputs, context);
  const kept = results.flatMap((result) => ('argument' in result ? [] : [result]));
  const change = (name: string, attribute: Attribute | undefined): void => {
    rewriter.setAttribute(operation, name, attribute);
  };
  change('function_type', typeAttribute(functionType(inputs, kept)));
  const { arg_attrs: ofArguments, res_attrs: ofResults } = operation.attributes;
  change(
    'arg_attrs',
    withoutOwnAttributes(ofArguments, () => true),
  );
  change(
    'res_attrs',
    withoutOwnAttributes(ofResults, (i) => !('argument' in results[i]!)),
  );
  return { inputs, results };
};

const bufferizeBody = (
  operation: DraftOperation,
  body: DraftBlock,
  inputs: readonly Type[],
  context: BufferizationContext,
): BufferizedFunction['results'] => {
  const { rewriter } = context;
  const original = typeOf(operation).results;
  inputs.forEach((input, i) => {
    if (isTensor(body.arguments[i]!)) rewriter.changeArgumentType(body, i, input);
  });
  const end = endOf(body);
  context.bufferizeOperations(body.operations.slice(0, -1));
  rewriter.setInsertionPointBefore(end);
  const { options } = context.module;
  const returned: Value[] = [];
  const results = original.map((type, i) => {
    const value = end.operands[i]!;
    if (type.kind !== 'tensor') {
      returned.push(value);
      return type;
    }
    const argument = body.arguments.findIndex((candidate) => candidate.id === value.id);
    const isInPlace = context.placementOf(end, i) === 'in-place';
    if (argument >= 0 && options.dropEquivalentBufferResults && isInPlace) return { argument };
    const own = context.bufferFor(end, i);
    const layout = options.functionBoundaryTypeConversion;
    const wanted = layout === 'infer-layout-map' ? own.type : boundaryType(type, layout);
    const buffer = toBoundary(rewriter, own, wanted, context.alignment);
    returned.push(buffer);
    return wanted;
  });
  rewriter.setOperands(end, returned);
  return results;
};

const toBoundary = (rewriter: Rewriter, buffer: Value, type: Type, alignment: number): Value => {
  if (type.kind !== 'memref' || typeEquals(buffer.type, type)) return buffer;
  return isMoreGeneral(type, bufferType(buffer))
    ? createCast(rewriter, buffer, type)
    : createCast(rewriter, allocateCopy(rewriter, buffer, alignment), type);
};

/** `arg_attrs` or `res_attrs` without the bufferization attributes, for the positions that are kept. */
const withoutOwnAttributes = (
  list: Attribute | undefined,
  isKept: (position: number) => boolean,
): Attribute | undefined => {
  if (list?.kind !== 'array') return list;
  const entries = list.elements
    .filter((_, i) => isKept(i))
    .map((entry): Attributes =>
      entry.kind === 'dictionary'
        ? Object.fromEntries(
            Object.entries(entry.entries).filter(([name]) => !name.startsWith('bufferization.')),
          )
        : {},
    );
  return entries.every((entry) => Object.keys(entry).length === 0)
    ? undefined
    : arrayAttribute(entries.map(dictionaryAttribute));
};

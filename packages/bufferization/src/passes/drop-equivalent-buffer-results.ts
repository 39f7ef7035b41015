/** The pass `drop-equivalent-buffer-results`: functions do not return their arguments. */
import { success } from '@sconv/diagnostics';
import { call, funcOp } from '@sconv/dialects/func';
import { cast } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import {
  arrayAttribute,
  definePass,
  functionType,
  symbolNameOf,
  tryEdit,
  typeAttribute,
  typeEquals,
} from '@sconv/ir';
import { mapSuccess } from '@sconv/diagnostics';
import { calleeOf, returnsOf, signatureOf } from '../function-facts.ts';

/** By result of a function: the argument that it is, through casts. */
const returnedArguments = (rewriter: Rewriter, operation: DraftOperation, end: DraftOperation) =>
  end.operands.map((returned) => {
    let value = returned;
    for (
      let definition = rewriter.definingOperation(value);
      definition !== undefined && cast.is(definition);
      definition = rewriter.definingOperation(value)
    ) {
      value = definition.operands[0]!;
    }
    const { id } = value;
    const position = operation.regions[0]!.blocks[0]!.arguments.findIndex((argument) => argument.id === id);
    return position < 0 ? undefined : position;
  });

const dropResults = (
  rewriter: Rewriter,
  operation: DraftOperation,
  calls: readonly DraftOperation[],
): void => {
  const [end, ...others] = returnsOf(operation);
  if (end === undefined || others.length > 0) return;
  const positions = returnedArguments(rewriter, operation, end);
  if (positions.every((position) => position === undefined)) return;
  const isKept = (_: unknown, i: number): boolean => positions[i] === undefined;
  const { inputs, results } = signatureOf(operation);
  rewriter.setOperands(end, end.operands.filter(isKept));
  const kept = results.filter(isKept);
  rewriter.setAttribute(operation, 'function_type', typeAttribute(functionType(inputs, kept)));
  const attributes = operation.attributes['res_attrs'];
  if (attributes?.kind === 'array') {
    const left = attributes.elements.filter(isKept);
    rewriter.setAttribute(operation, 'res_attrs', left.length === 0 ? undefined : arrayAttribute(left));
  }
  for (const each of calls) {
    rewriter.setInsertionPointBefore(each);
    const created = rewriter.create(
      call.state({
        operands: { operands: each.operands },
        attributes: call.attributes(each),
        resultTypes: kept,
        location: each.location,
      }),
    );
    const remaining = created.results.values();
    const values = each.results.map((result, i): Value => {
      const position = positions[i];
      if (position === undefined) return remaining.next().value!;
      const source = each.operands[position]!;
      return typeEquals(source.type, result.type)
        ? source
        : rewriter.createValue(cast.state({ operands: { source }, resultTypes: [result.type] }));
    });
    rewriter.replaceOperation(each, values, [created]);
  }
};

/** Drops function results that are arguments; callers use what they passed instead. */
export const dropEquivalentBufferResults = (rewriter: Rewriter, module: DraftOperation): void => {
  for (const operation of module.regions.flatMap(({ blocks }) =>
    blocks.flatMap((block) => block.operations),
  )) {
    if (!funcOp.is(operation)) continue;
    const name = symbolNameOf(operation);
    const calls = rewriter.walk(module).filter((each) => call.is(each) && calleeOf(each) === name);
    dropResults(rewriter, operation, calls);
  }
};

export const dropEquivalentBufferResultsPass = definePass({
  name: 'drop-equivalent-buffer-results',
  title: 'DropEquivalentBufferResults',
  summary: 'drop function results that are arguments',
  run: (module, _options, { registry }) =>
    mapSuccess(
      tryEdit(module, { registry }, (rewriter) => {
        dropEquivalentBufferResults(rewriter, rewriter.root);
        return success(undefined);
      }),
      (edit) => edit.module,
    ),
});

/** The choices that a schedule leaves open: what there is to choose from, and the schedule after choosing. */
import { definite, error, success } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import type { Attribute, DraftOperation, Module, Operation, Registry } from '@sconv/ir';
import { edit, operationsIn, printAttribute } from '@sconv/ir';
import { constantParam } from './param.ts';
import { knobOptions, tuneAlternatives, tuneKnob } from './tune-ops.ts';

/** A choice between options, or between bodies. */
export interface TuningChoice {
  readonly name: string;
  /** As text: the options of a knob, or the numbers of bodies. */
  readonly options: readonly string[];
}

/** What is chosen: the position of an option, or of a body, by the name of the choice. */
export type TuningSelection = ReadonlyMap<string, number>;

const isChoice = (operation: Operation): boolean =>
  tuneKnob.definition.is(operation) || tuneAlternatives.definition.is(operation);

const nameOf = ({ attributes: { name } }: Operation): string => (name?.kind === 'string' ? name.value : '');

/** The options of a choice; none of a knob whose options are no list. */
const optionsOf = (operation: Operation): readonly string[] =>
  tuneKnob.definition.is(operation)
    ? (knobOptions(operation) ?? []).map((each) => printAttribute(each))
    : operation.regions.map((_, i) => String(i));

/** Whether a choice is made in the schedule itself. */
const isMade = ({ attributes, operands }: Operation): boolean =>
  attributes['selected'] !== undefined ||
  attributes['selected_region_attr'] !== undefined ||
  operands.length > 0;

/**
 * The choices of a schedule, each name once, in their order; those that are made already are left out unless `all`.
 * Fails with `transform/tune-options` where choices of one name have other options, or a knob has no list of them.
 */
export const tuningChoices = (
  script: Module,
  { all = false }: { readonly all?: boolean } = {},
): Diagnosed<readonly TuningChoice[]> => {
  const choices = new Map<string, TuningChoice>();
  for (const operation of operationsIn(script.root)) {
    if (!isChoice(operation) || operation.operands.length > 0 || (!all && isMade(operation))) continue;
    const [name, options] = [nameOf(operation), optionsOf(operation)];
    const known = choices.get(name) ?? { name, options };
    const failure = (message: string) =>
      definite(error('transform/tune-options', message, operation.location));
    if (options.length === 0) return failure(`the options of "${name}" are no list: a tuner cannot choose`);
    if (known.options.join() !== options.join())
      return failure(
        `"${name}" has options ${options.join(', ')} here, and ${known.options.join(', ')} elsewhere`,
      );
    choices.set(name, known);
  }
  return success([...choices.values()]);
};

/**
 * The schedule without choices: each knob is its option as a constant, and alternatives are the operations of the
 * chosen body, so that releases of MLIR that do not know them can run it. Choices that the selection does not name are
 * those that the schedule makes. Fails with `transform/tune-unselected` where there is neither, and for a body that a
 * parameter chooses when the schedule runs.
 */
export const resolveTuning = (
  script: Module,
  registry: Registry,
  selection: TuningSelection = new Map(),
): Diagnosed<Module> => {
  for (const operation of operationsIn(script.root)) {
    if (!isChoice(operation) || chosenIn(operation, selection) !== undefined) continue;
    const message = `nothing is selected for "${nameOf(operation)}" of ${optionsOf(operation).join(', ')}`;
    return definite(error('transform/tune-unselected', message, operation.location));
  }
  return success(
    edit(script, { registry }, (rewriter) => {
      // Inside out, so that the operations of a chosen body are resolved when they are moved.
      for (const operation of rewriter.walk(rewriter.root).toReversed()) {
        if (!isChoice(operation)) continue;
        const chosen = chosenIn(operation, selection)!;
        rewriter.setInsertionPointBefore(operation);
        if (typeof chosen !== 'number') {
          const [param] = operation.results;
          const { definition } = constantParam;
          const state = definition.state({
            operands: {},
            attributes: { value: chosen },
            resultTypes: [param!.type],
            location: operation.location,
          });
          rewriter.replaceWith(operation, state);
          continue;
        }
        const body = operation.regions[chosen]!.blocks[0]!;
        const last: DraftOperation = body.operations.at(-1)!;
        operation.results.forEach((result, i) => rewriter.replaceAllUsesWith(result, last.operands[i]!));
        rewriter.eraseOperation(last);
        rewriter.inlineBlock(body, []);
        rewriter.eraseOperation(operation);
      }
    }).module,
  );
};

/** The option that is chosen, or the number of the body. */
const chosenIn = (operation: Operation, selection: TuningSelection): Attribute | number | undefined => {
  const at = selection.get(nameOf(operation));
  const { selected, selected_region_attr: region } = operation.attributes;
  if (tuneKnob.definition.is(operation))
    return (at === undefined ? undefined : knobOptions(operation)?.[at]) ?? selected;
  const body = at ?? (region?.kind === 'integer' ? Number(region.value) : undefined);
  return body !== undefined && body < operation.regions.length ? body : undefined;
};

/**
 * `transform.tune.knob` and `transform.tune.alternatives`: choices that a schedule leaves open, for a tuner or a
 * person, as upstream has them since LLVM 22. `resolveTuning` makes a schedule without any of them.
 */
import { andThen, definite, error, success } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import type { AssemblyDirective, Attribute, Operation } from '@sconv/ir';
import {
  anyAttribute,
  attributeEquals,
  documented,
  i64,
  i64Attribute,
  integerAttribute,
  optionalAttribute,
  printAttribute,
  stringAttributeKind,
} from '@sconv/ir';
import { yieldsResults } from './body-problem.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { producesAny, producesParam, readsOptionalParam } from './handle-specs.ts';
import { paramsPayload } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

const nameAttribute = documented(stringAttributeKind, 'of the choice: those of one name are made together');

const unselected = {
  'transform/tune-unselected': { mode: 'definite', when: 'nothing is selected' },
} as const;

/** The failure of a choice that nobody has made. */
const unselectedError = (operation: Operation, name: string, how: string) =>
  definite(
    error(
      'transform/tune-unselected',
      `nothing is selected for "${name}": write ${how}, or let a tuner choose`,
      operation.location,
    ),
  );

/** The options of a knob; undefined if they are no list. */
export const knobOptions = ({ attributes }: Operation): readonly Attribute[] | undefined =>
  attributes['options']?.kind === 'array' ? attributes['options'].elements : undefined;

export const tuneKnob = defineTransformOp({
  name: 'transform.tune.knob',
  summary: 'Produces the option that is selected of several, as a parameter.',
  isMatcher: true,
  attributes: {
    name: nameAttribute,
    selected: documented(optionalAttribute(anyAttribute), 'one of the options'),
    options: documented(anyAttribute, 'what there is to select from, a list for tuners'),
  },
  results: { param: producesParam('the selected option', i64) },
  failures: unselected,
  assembly: {
    format: '`<` $name `>` (`=` $selected^ `from`)? `options` `=` $options attr-dict `->` type($param)',
  },
  *verify({ operation, attributes: { selected } }) {
    const options = knobOptions(operation);
    if (options?.length === 0) yield 'expected an option at least';
    if (selected === undefined || options === undefined) return;
    if (!options.some((each) => attributeEquals(each, selected)))
      yield `selects ${printAttribute(selected)}, which is none of its options`;
  },
  interpret: (run, operation, { name, selected }) =>
    selected === undefined
      ? unselectedError(operation, name, `= VALUE from options = …`)
      : run.bindResults(operation, [paramsPayload([selected])]),
});

/** `selected_region = 0`, or `selected_region = %param`; or nothing. */
const selectedRegion: AssemblyDirective = {
  parse: (parser, { operands, attributes }, [attribute = '', param = '']) => {
    if (!parser.accept('selected_region')) return;
    parser.expect('=');
    const operand = parser.optionalOperand();
    if (operand === undefined) attributes.set(attribute, integerAttribute(parser.exactInteger(), i64));
    else operands.set(param, [operand]);
  },
  print: (printer, { operands, attributes }, [attribute = '']) => {
    const selected = attributes[attribute];
    if (selected?.kind === 'integer') printer.text(`selected_region = ${selected.value}`);
    else if (operands.length > 0) {
      printer.text('selected_region = ');
      printer.operands(operands);
    }
  },
};

export const tuneAlternatives = defineTransformOp({
  name: 'transform.tune.alternatives',
  summary: 'Executes the body that is selected of several.',
  operands: { selectedRegionParam: readsOptionalParam('the number of the selected body, from 0') },
  attributes: {
    name: nameAttribute,
    selectedRegionAttr: documented(optionalAttribute(i64Attribute), 'the same as a constant'),
  },
  results: { results: producesAny('what the selected body yields') },
  regions: ['alternatives...'],
  traits: ['single-block'],
  implicitTerminator: 'transform.yield',
  failures: {
    ...unselected,
    'transform/tune-region': { mode: 'definite', when: 'the parameter is not the number of a body' },
  },
  assembly: {
    format: `\`<\` $name \`>\` custom<SelectedRegion>($selected_region_attr, $selectedRegionParam)
      attr-dict-with-keyword (\`:\` type($selectedRegionParam)^)? (\`->\` type($results)^)? $alternatives`,
    directives: { SelectedRegion: selectedRegion },
  },
  *verify({ operation, attributes: { selectedRegionAttr: selected } }) {
    const { regions, operands } = operation;
    if (regions.length === 0) yield 'expected a body at least';
    if (selected !== undefined && operands.length > 0)
      yield 'has a constant and a parameter for the selected body: one is enough';
    if (selected !== undefined && (selected < 0 || selected >= regions.length))
      yield `selects body ${selected}, of which there are ${regions.length}`;
    for (const { blocks } of regions) {
      if ((blocks[0]?.arguments.length ?? 0) > 0) yield 'expected bodies without arguments';
      if (!yieldsResults(blocks[0], operation))
        yield 'expected bodies that yield values of the types of its results';
    }
  },
  interpret: (run, operation, { name, selectedRegionAttr }) =>
    run.nested(operation, () =>
      andThen(selectedBody(run, operation, selectedRegionAttr), (selected) => {
        if (selected === undefined) return unselectedError(operation, name, 'selected_region = NUMBER');
        const body = operation.regions[selected]!.blocks[0]!;
        return andThen(
          run.group({ role: 'alternative', name: String(selected) }, () => run.runBlock(body)),
          (yielded) => run.bindResults(operation, yielded),
        );
      }),
    ),
});

/** The number of the selected body; undefined if there is none. */
const selectedBody = (
  run: ScheduleRun,
  { operands: [param], regions, location }: Operation,
  constant: number | undefined,
): Diagnosed<number | undefined> => {
  if (param === undefined) return success(constant);
  const payload = run.payloadOf(param);
  const [value, ...more] = payload.kind === 'params' ? payload.attributes : [];
  const number = value?.kind === 'integer' && more.length === 0 ? Number(value.value) : -1;
  if (number >= 0 && number < regions.length) return success(number);
  const given = value === undefined ? 'nothing' : printAttribute(value);
  const message = `expected the number of one of ${regions.length} bodies in the parameter, not ${given}`;
  return definite(error('transform/tune-region', message, location));
};

/** Choices for tuners. */
export const tuneOps = [tuneKnob, tuneAlternatives];

/**
 * The behaviour of the ops with which upstream tests its interpreter, as in `mlir-opt`; only this command runs them.
 * Also a pass that does nothing, for the same tests.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, remark, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import type { Attribute, Dialect, DraftOperation, Operation, Value } from '@sconv/ir';
import { defineOperationPass, i32, integerAttribute, listOption, textOption, walk } from '@sconv/ir';
import type { ApplyContext, PayloadItem, TransformOpDefinition } from '@sconv/transform';
import { isTransformOp } from '@sconv/transform';
import { defaultRegistry } from '../default-registry.ts';

interface Call {
  readonly context: ApplyContext;
  /** The payload of each operand, by name. */
  readonly given: Readonly<Record<string, readonly PayloadItem[] | undefined>>;
  /** The payload of the only operand, a handle. */
  readonly targets: readonly DraftOperation[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** Computes the payload of each result, by name. */
type Behaviour = (call: Call) => Diagnosed<Readonly<Record<string, readonly PayloadItem[]>>>;

const code = 'sconv-opt/test-op';
const done: Behaviour = () => success({});
const says = (message: string) => remark(code, message, unknownLocation);
const failure = (message: string) => error(code, message, unknownLocation);

const textIn = (attribute: Attribute | undefined): string =>
  attribute?.kind === 'string' ? attribute.value : '';
const integerIn = (attribute: PayloadItem | undefined): number =>
  attribute !== undefined && 'value' in attribute && 'kind' in attribute && attribute.kind === 'integer'
    ? Number(attribute.value)
    : 0;

/** The values that `value` selects for the targets. */
const valuesOf =
  (value: (target: DraftOperation, position: number) => Value | undefined): Behaviour =>
  ({ targets, attributes }) =>
    success({ out: targets.flatMap((target) => value(target, integerIn(attributes['number'])) ?? []) });

const isOfKind = ({ targets, attributes }: Call, what: string): string | undefined => {
  const kind = textIn(attributes['op_kind']);
  const other = targets.find(({ name }) => name !== kind);
  return (
    other && `op expected the operand to be associated ${what}a payload op of kind ${kind} got ${other.name}`
  );
};

const numberOfTestOps = (target: Operation): number =>
  [...walk(target)].filter(({ name }) => name.startsWith('test.')).length;

const behaviours: Readonly<Record<string, Behaviour>> = {
  transform_op: ({ attributes: { message } }) =>
    success({}, [says(`applying transformation${message === undefined ? '' : ` "${textIn(message)}"`}`)]),
  consume_operand: done,
  consume_operand_each: done,
  consume_operand_of_op_kind_or_fail: (call) => {
    const problem = isOfKind(call, '');
    return problem === undefined ? success({}, [says('succeeded')]) : silenceable(failure(problem));
  },
  succeed_if_operand_of_op_kind: (call) => {
    if (call.targets.length !== 1)
      return definite(
        failure('SingleOpMatchOpTrait requires the operand handle to point to a single payload op'),
      );
    const problem = isOfKind(call, 'with ');
    return problem === undefined ? success({}) : silenceable(failure(problem));
  },
  emit_remark_and_erase_operand: ({ context, targets, attributes }) => {
    const remarks = targets.length === 0 ? [] : [says(textIn(attributes['remark']))];
    if (attributes['fail_after_erase'] !== undefined)
      return silenceable(...remarks, failure('silenceable error'));
    // Upstream erases ops with uses, too, and fails in verification.
    const isUsed = targets.some(({ results }) => results.some((result) => context.rewriter.hasUses(result)));
    if (isUsed) return definite(...remarks, failure('null operand found'));
    for (const target of targets) context.rewriter.eraseOperation(target);
    return success({}, remarks);
  },
  copy_payload: ({ targets }) => success({ copy: targets }),
  reverse_payload_ops: ({ targets }) => success({ result: targets.toReversed() }),
  produce_self_handle_or_forward_operand: ({ context, given, targets }) =>
    success({ res: given['operand'] === undefined ? [context.operation] : targets }),
  produce_empty_payload: () => success({ out: [] }),
  produce_param: ({ attributes }) => success({ result: [attributes['attr']!] }),
  produce_param_with_number_of_test_ops: ({ targets }) =>
    success({ result: targets.map((target) => integerAttribute(numberOfTestOps(target), i32)) }),
  add_to_param: ({ given, attributes }) => {
    const addend = integerIn(attributes['addendum']);
    const sums = (given['param'] ?? [undefined]).map((item) => integerIn(item) + addend);
    return success({ result: sums.map((sum) => integerAttribute(sum, i32)) });
  },
  produce_value_handle_to_result: valuesOf(({ results }, position) => results[position]),
  produce_value_handle_to_argument_of_parent_block: valuesOf(
    ({ block }, position) => block?.arguments[position],
  ),
};

/** An op of the default registry, with behaviour. */
const withBehaviour = (name: string, behaviour: Behaviour): TransformOpDefinition => {
  const definition = defaultRegistry.operations.get(`transform.test_${name}`);
  if (definition === undefined || !isTransformOp(definition)) throw new Error(`no op transform.test_${name}`);
  return {
    ...definition,
    transform: {
      ...definition.transform,
      behaviour: {
        apply: (context, given) => {
          const [first] = Object.values(given);
          return behaviour({
            context,
            given: given as Call['given'],
            targets: (first ?? []) as readonly DraftOperation[],
            attributes: context.operation.attributes,
          });
        },
      },
    },
  };
};

export const testTransforms: Dialect = {
  name: 'transform',
  operations: Object.entries(behaviours).map(([name, behaviour]) => withBehaviour(name, behaviour)),
};

/** Upstream's tests use it to look up a pipeline by name. */
export const testPipeline = defineOperationPass({
  name: 'test-options-pass-pipeline',
  title: 'TestOptionsPassPipeline',
  summary: 'do nothing',
  options: {
    list: listOption('taken and not looked at'),
    string: textOption('taken and not looked at', ''),
  },
  runOn: () => success(undefined),
});

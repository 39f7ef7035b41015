/** Classifies the bodies of structured operations, for `match.structured.body`. */
import { isPermutation, isProjectedPermutation } from '@sconv/affine';
import type { StructuredOp } from '@sconv/dialects/linalg';
import type { Block, DraftOperation, Registry, Value } from '@sconv/ir';
import { effectsOf, hasTrait, terminatorOf } from '@sconv/ir';
import type { Inspector } from './inspect.ts';

/** The query: exactly one is set. */
export interface BodyQuestion {
  readonly reductionPosition: number | undefined;
  readonly passthrough: boolean;
  readonly elementwise: boolean;
  readonly contraction: readonly string[] | undefined;
}

/** A structured operation in a draft. */
interface StructuredDraft {
  readonly operation: DraftOperation;
  readonly view: StructuredOp;
  readonly body: Block;
  readonly inspector: Inspector;
}

/** Why a body does not match, in upstream's words; undefined if it does. */
export const bodyProblem = (
  structured: StructuredDraft,
  { reductionPosition, passthrough, elementwise, contraction }: BodyQuestion,
): string | undefined => {
  const { view, body } = structured;
  if (reductionPosition !== undefined) return reductionProblem(structured, reductionPosition);
  if (passthrough) {
    const yielded = terminatorOf(body).operands;
    const inputs = body.arguments.slice(0, view.inputs.length);
    const isPassed = yielded.length === inputs.length && yielded.every(({ id }, i) => id === inputs[i]!.id);
    return isPassed ? undefined : 'not a passthrough';
  }
  if (elementwise) return isElementwise(structured) ? undefined : 'not elementwise';
  const problem = contractionProblem(structured, contraction ?? []);
  return problem === undefined ? undefined : `contraction: ${problem}`;
};

/** Whether a single operation combines an output's argument with something, and its result is yielded for it. */
const reductionProblem = (
  { operation, view, body, inspector }: StructuredDraft,
  position: number,
): string | undefined => {
  const none = 'could not match reduction';
  const argument = body.arguments[view.inputs.length + position];
  const first = argument && onlyUser(inspector, argument);
  if (argument === undefined || first?.operands.length !== 2) return none;
  const terminator = terminatorOf(body);
  let combiners = 0;
  let last = first;
  for (let at = first; at.id !== terminator.id;) {
    const next = at.results.length === 1 ? onlyUser(inspector, at.results[0]!) : undefined;
    if (next === undefined || at.parent !== operation) return none;
    combiners += 1;
    last = at;
    at = next;
  }
  if (combiners === 0 || terminator.operands[position]?.id !== last.results[0]!.id) return none;
  return combiners === 1 ? undefined : 'reduction combiner is not a single operation';
};

/** The user of a value with a single use. */
const onlyUser = (inspector: Inspector, value: Value): DraftOperation | undefined => {
  const [user, ...others] = inspector.users(value);
  const uses = user?.operands.filter(({ id }) => id === value.id).length;
  return others.length === 0 && uses === 1 ? user : undefined;
};

const scalarOps: ReadonlySet<string> = new Set([
  'arith.constant',
  'func.constant',
  'tensor.extract',
  'linalg.yield',
  'linalg.index',
  'affine.apply',
]);

const isElementwise = ({ view, body, inspector: { registry } }: StructuredDraft): boolean =>
  view.iteratorTypes.every((type) => type === 'parallel') &&
  view.indexingMaps.every((map) => isProjectedPermutation(map)) &&
  view.indexingMaps.slice(view.inputs.length).every((map) => isPermutation(map)) &&
  body.operations.every(
    (each) =>
      (scalarOps.has(each.name) || hasTrait(registry, each, 'elementwise')) &&
      each.results.every(({ type }) => ['integer', 'index', 'float'].includes(type.kind)),
  );

/** Whether a body reduces, with the second operation, what the first computes from both inputs, ignoring casts. */
const contractionProblem = (
  { body, inspector }: StructuredDraft,
  [elementwiseName, reductionName]: readonly string[],
): string | undefined => {
  const source = (value: Value) => sourceOf(value, inspector);
  if (body.arguments.length !== 3) return 'expected block with 3 arguments';
  const [a, b, c] = body.arguments.map(({ id }) => id);
  const { operands: yielded } = terminatorOf(body);
  if (yielded.length !== 1) return 'expected terminator with 1 operand';
  const reduction = inspector.definingOperation(source(yielded[0]!));
  if (!isBinary(reduction)) return 'expected reduction op to be binary';
  const [left, right] = reduction.operands.map(source) as [Value, Value];
  if (left.id !== c && right.id !== c)
    return 'expected reduction to take block argument #2 as one of the operands (modulo unary casts)';
  const contributed = inspector.definingOperation(left) === undefined ? right : left;
  const elementwise = inspector.definingOperation(source(contributed));
  if (!isBinary(elementwise)) return 'expected elementwise op to be binary';
  if (elementwise.name !== elementwiseName || reduction.name !== reductionName)
    return 'expected reduction/elementwise op kind not satisfied';
  const [x, y] = elementwise.operands.map((operand) => source(operand).id);
  if ((x === a && y === b) || (x === b && y === a)) return undefined;
  return 'expected elementwise op to apply to block arguments (modulo unary casts)';
};

const isBinary = (operation: DraftOperation | undefined): operation is DraftOperation =>
  operation?.results.length === 1 && operation.operands.length === 2;

/** The source of a value through side-effect-free unary operations. */
const sourceOf = (value: Value, inspector: Inspector): Value => {
  let at = value;
  for (
    let definition = inspector.definingOperation(at);
    definition?.operands.length === 1 && isPure(definition, inspector.registry);
    definition = inspector.definingOperation(at)
  ) {
    at = definition.operands[0]!;
  }
  return at;
};

const isPure = (operation: DraftOperation, registry: Registry): boolean =>
  effectsOf(registry, operation)?.length === 0;

/**
 * Padding values for the operands of a structured op such that iterations beyond the end of a dimension leave the
 * outputs unchanged.
 *
 * @deviation Upstream pads with zeros whatever the body does, which breaks maxima and products.
 */
import { elementTypeOf, isSpeculatable, neutralElement, outputAccumulation, zeroOf } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import type { Attribute, Block, DraftOperation, Operation, Rewriter, Value } from '@sconv/ir';
import { attributeEquals, constantValueOf, hasTrait } from '@sconv/ir';

const products = new Set(['arith.mulf', 'arith.muli', 'arith.andi']);
const sums = new Set(['arith.addf', 'arith.addi', 'arith.subf', 'arith.subi', 'arith.ori', 'arith.xori']);
/** Unary ops that map zero to zero. */
const conversions = new Set([
  'arith.bitcast',
  'arith.extf',
  'arith.extsi',
  'arith.extui',
  'arith.fptosi',
  'arith.fptoui',
  'arith.index_cast',
  'arith.index_castui',
  'arith.negf',
  'arith.sitofp',
  'arith.truncf',
  'arith.trunci',
  'arith.uitofp',
  'math.absf',
  'math.absi',
]);

const isZero = (attribute: Attribute | undefined): boolean =>
  (attribute?.kind === 'float' && attribute.value === 0) ||
  (attribute?.kind === 'integer' && attribute.value === 0n);

const isFinite = (attribute: Attribute | undefined): boolean =>
  attribute?.kind === 'float' && Number.isFinite(attribute.value);

/** A value that a body combines with an output, and the operation that does. */
interface Combined {
  readonly value: Value;
  readonly combiner: Operation;
}

/** What is combined with an output's block argument on its way to the terminator. */
const combinedWith = (body: Block, argument: Value): readonly Combined[] => {
  const combined: Combined[] = [];
  for (let value = argument; ;) {
    const isValue = ({ id }: Value): boolean => id === value.id;
    const user = body.operations.find(({ operands }) => operands.some(isValue));
    if (user === undefined || user === body.operations.at(-1)) return combined;
    for (const operand of user.operands)
      if (!isValue(operand)) combined.push({ value: operand, combiner: user });
    value = user.results[0]!;
  }
};

const toIntegers = new Set(['arith.fptosi', 'arith.fptoui']);

/** The inputs of a structured op with their padding values. */
class Padding {
  private readonly view: StructuredOp;
  private readonly rewriter: Rewriter;
  private readonly body: Block;
  /** By input, if not zero. */
  readonly values = new Map<number, Attribute>();

  constructor(rewriter: Rewriter, view: StructuredOp, body: Block) {
    this.rewriter = rewriter;
    this.view = view;
    this.body = body;
  }

  /** The input that a value is, if the dimension alone indexes it. */
  inputOf(value: Value, dimension: number): number | undefined {
    const input = this.body.arguments.findIndex(({ id }) => id === value.id);
    if (input < 0 || input >= this.view.inputs.length) return undefined;
    const { results } = this.view.indexingMaps[input]!;
    return results.some((result) => result.kind === 'dim' && result.position === dimension)
      ? input
      : undefined;
  }

  /** Requires that an input is padded with `value`; returns whether that is consistent. */
  require(input: number, value: Attribute): boolean {
    const known = this.values.get(input);
    this.values.set(input, value);
    return known === undefined || attributeEquals(known, value);
  }

  /** Whether a value of the body is zero beyond the end of a dimension, given the recorded padding. */
  isZeroBeyond(value: Value, dimension: number): boolean {
    const input = this.inputOf(value, dimension);
    if (input !== undefined) return isZero(this.values.get(input) ?? zeroOf(value.type));
    const definition = this.body.operations.find(({ results }) => results.some(({ id }) => id === value.id));
    if (definition === undefined) return false;
    const { name, operands } = definition;
    const isZeroHere = (operand: Value): boolean => this.isZeroBeyond(operand, dimension);
    if (products.has(name)) {
      return (
        operands.some(isZeroHere) && operands.every((operand) => this.isFiniteBeyond(operand, dimension))
      );
    }
    if (sums.has(name) || conversions.has(name)) return operands.every(isZeroHere);
    return isZero(constantValueOf(this.rewriter.registry, definition));
  }

  /** Whether a value of the body is known to be a finite number beyond the end of a dimension. */
  private isFiniteBeyond(value: Value, dimension: number): boolean {
    if (value.type.kind !== 'float') return true;
    const input = this.inputOf(value, dimension);
    if (input !== undefined) return isFinite(this.values.get(input) ?? zeroOf(value.type));
    const definition = this.rewriter.definingOperation(value);
    if (definition === undefined) return false;
    const { name, operands } = definition;
    return products.has(name) || sums.has(name) || conversions.has(name)
      ? operands.every((operand) => this.isFiniteBeyond(operand, dimension))
      : isFinite(constantValueOf(this.rewriter.registry, definition));
  }

  /**
   * Whether every operation of the body may execute on padding: it is side-effect free, and defined for all operands,
   * unlike an access out of bounds, a division by zero, or the integer that is an infinite quotient.
   */
  mayRun(): boolean {
    const { rewriter } = this;
    return this.body.operations.every(
      (operation) =>
        hasTrait(rewriter.registry, operation, 'pure') &&
        isSpeculatable(rewriter, operation) &&
        (!toIntegers.has(operation.name) || this.isElement(operation.operands[0]!)),
    );
  }

  /** Whether a value is an element of an input that is padded with zeros. */
  private isElement(value: Value): boolean {
    const input = this.body.arguments.findIndex(({ id }) => id === value.id);
    if (input < 0 || input >= this.view.inputs.length) return false;
    return isZero(this.values.get(input) ?? zeroOf(value.type));
  }
}

/**
 * Padding values for the operands of a structured op, inputs first, such that the dimensions `beyond` may be iterated
 * beyond their end; `given` values, by operand, must be used as they are. Undefined if the body may then change the
 * outputs.
 */
export const paddingValues = (
  rewriter: Rewriter,
  operation: DraftOperation,
  beyond: readonly number[],
  given: readonly (Attribute | undefined)[] = [],
): readonly (Attribute | undefined)[] | undefined => {
  const { registry } = rewriter;
  const view = structured(registry, operation);
  if (view?.body === undefined) return undefined;
  const { body, inputs, outputs, indexingMaps } = view;
  const padding = new Padding(rewriter, view, body);
  for (const [i, value] of given.entries()) if (value !== undefined) padding.values.set(i, value);
  const sumsBeyond: (readonly [Value, number])[] = [];
  for (const position of outputs.keys()) {
    const { results } = indexingMaps[inputs.length + position]!;
    const isTold = (dimension: number): boolean =>
      results.some((result) => result.kind === 'dim' && result.position === dimension);
    const lost = beyond.filter((dimension) => !isTold(dimension));
    if (lost.length === 0) continue;
    if (outputAccumulation(registry, operation, position) === undefined) return undefined;
    for (const { value, combiner } of combinedWith(body, body.arguments[inputs.length + position]!)) {
      const neutral = neutralElement(registry, combiner);
      for (const dimension of lost) {
        const input = padding.inputOf(value, dimension);
        if (sums.has(combiner.name)) sumsBeyond.push([value, dimension]);
        else if (neutral === undefined || input === undefined || !padding.require(input, neutral))
          return undefined;
      }
    }
  }
  if (!sumsBeyond.every(([value, dimension]) => padding.isZeroBeyond(value, dimension))) return undefined;
  if (beyond.length > 0 && !padding.mayRun()) return undefined;
  return [...inputs, ...outputs].map(({ type }, i) => padding.values.get(i) ?? zeroOf(elementTypeOf(type)));
};

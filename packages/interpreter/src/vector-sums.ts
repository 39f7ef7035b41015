/** Vector operations that combine elements: contractions, outer products, reductions and scans. */
import type { CombiningKind } from '@sconv/dialects/vector';
import {
  combinerName,
  contract,
  indicesOf,
  multiReduction,
  outerproduct,
  positionOf,
  productTerms,
  reduction,
  reductionTargets,
  scan,
  vectorShape,
} from '@sconv/dialects/vector';
import type { Operation, Type, Value } from '@sconv/ir';
import type { Context, Exec, Frame, Handler, Handlers } from './context.ts';
import { store } from './context.ts';
import type { ElementArray, Scalar } from './element.ts';
import { isNumberType, setElement } from './element.ts';
import type { Combine } from './scalar-function.ts';
import { combineBy } from './scalar-function.ts';
import { trap } from './trap.ts';
import { elementReader, newVector } from './vector-arrangement.ts';
import type { MaskedHandler } from './vector-memory.ts';
import { currentElements } from './versioned-elements.ts';

const elementTypeOf = (type: Type): Type => (type.kind === 'vector' ? type.elementType : type);

/** How a kind combines elements; the verifier has checked that it applies to their type. */
const combiner = ({ registry }: Context, operation: Operation, kind: CombiningKind, type: Type): Combine =>
  combineBy(registry, operation, combinerName(kind, type) ?? kind, type);

/** Converts an element to another type's representation: numbers for integers up to 32 bits, bigints beyond. */
const heldAs = (type: Type): ((value: Scalar) => Scalar) =>
  isNumberType(type) ? (value) => value : (value) => BigInt(value);

type Elements = ElementArray | readonly Scalar[];

const maskOf = (
  operation: Operation,
  context: Context,
  mask: Value | undefined,
): ((frame: Frame) => (position: number) => boolean) => {
  if (mask === undefined) return () => () => true;
  const read = context.tensor(operation, mask);
  return (frame) => {
    const elements = currentElements(read(frame).elements);
    return (position) => Number(elements[position]) !== 0;
  };
};

/**
 * Adds the products of `terms`, one by one and each rounded, to the accumulator, or to the first product if there is
 * none.
 */
const products =
  (kindOf: (operation: Operation) => CombiningKind): MaskedHandler =>
  (operation, context, mask) => {
    const result = context.result(operation);
    const { type } = result;
    const elementType = elementTypeOf(type);
    const terms = productTerms(operation);
    const combine = combiner(context, operation, kindOf(operation), elementType);
    const multiply = combiner(context, operation, 'mul', elementType);
    const [lhs, rhs] = [elementReader(operation, context, 0), elementReader(operation, context, 1)];
    const acc = operation.operands.length > 2 ? elementReader(operation, context, 2) : undefined;
    const hold = heldAs(elementType);
    const isSet = maskOf(operation, context, mask);
    const slot = context.slot(result);
    return (frame) => {
      const [a, b, from]: readonly (Elements | undefined)[] = [lhs(frame), rhs(frame), acc?.(frame)];
      const data = context.machine.allocate(operation, vectorShape(type), elementType);
      const begun = new Uint8Array(data.length);
      from?.forEach((value: Scalar, i: number) => {
        setElement(data, i, value);
        begun[i] = 1;
      });
      context.machine.tick(terms.length, operation);
      const chosen = isSet(frame);
      terms.forEach((term, i) => {
        if (!chosen(i)) return;
        const product = multiply(hold(a![term.lhs]!), hold(b![term.rhs]!));
        setElement(data, term.out, begun[term.out] === 1 ? combine(data[term.out]!, product) : product);
        begun[term.out] = 1;
      });
      store(frame, slot, type.kind === 'vector' ? newVector(type, data) : data[0]!);
    };
  };

/** Combines the elements of operand 0, in row-major order, each into its element of the result. */
const reduced =
  (kindOf: (operation: Operation) => CombiningKind): MaskedHandler =>
  (operation, context, mask) => {
    const result = context.result(operation);
    const { type } = result;
    const elementType = elementTypeOf(type);
    const combine = combiner(context, operation, kindOf(operation), elementType);
    const source = elementReader(operation, context, 0);
    const acc = operation.operands.length > 1 ? elementReader(operation, context, 1) : undefined;
    const isSet = maskOf(operation, context, mask);
    const targets = reductionTargets(operation);
    const slot = context.slot(result);
    return (frame) => {
      const elements = source(frame);
      const data = context.machine.allocate(operation, vectorShape(type), elementType);
      const begun = new Uint8Array(data.length);
      acc?.(frame).forEach((value: Scalar, i: number) => {
        setElement(data, i, value);
        begun[i] = 1;
      });
      context.machine.tick(targets.length, operation);
      const chosen = isSet(frame);
      targets.forEach((out, i) => {
        if (!chosen(i)) return;
        setElement(data, out, begun[out] === 1 ? combine(data[out]!, elements[i]!) : elements[i]!);
        begun[out] = 1;
      });
      if (begun.includes(0))
        trap(operation, 'interpreter/invalid-ir', 'reduces no element, and has nothing to begin with');
      store(frame, slot, type.kind === 'vector' ? newVector(type, data) : data[0]!);
    };
  };

const scanned: Handler = (operation, context) => {
  const { kind, reductionDim, inclusive } = scan.attributes(operation);
  const { dest, accumulated_value: last } = scan.results(operation);
  const { shape, elementType } = dest.type;
  const combine = combiner(context, operation, kind, elementType);
  const [source, initial] = [elementReader(operation, context, 0), elementReader(operation, context, 1)];
  const indices = indicesOf(shape);
  const [out, end] = [context.slot(dest), context.slot(last)];
  const row = (index: readonly number[]): number =>
    positionOf(
      index.filter((_, i) => i !== reductionDim),
      shape.filter((_, i) => i !== reductionDim),
    );
  const before = shape.slice(reductionDim + 1).reduce((all, size) => all * size, 1);
  return (frame): void => {
    const [elements, first] = [source(frame), initial(frame)];
    const data = context.machine.allocate(operation, shape, elementType);
    const ends = context.machine.allocate(operation, vectorShape(last.type), elementType);
    context.machine.tick(data.length, operation);
    indices.forEach((index, i) => {
      const next = inclusive ? i : i - before;
      const value =
        index[reductionDim] === 0
          ? inclusive
            ? elements[i]!
            : first[row(index)]!
          : combine(data[i - before]!, elements[next]!);
      setElement(data, i, value);
      setElement(ends, row(index), value);
    });
    frame.objects[out] = newVector(dest.type, data);
    frame.objects[end] = newVector(last.type, ends);
  };
};

/** The operations that may run under a mask. */
export const maskedSums: Readonly<Record<string, MaskedHandler>> = {
  'vector.contract': products((operation) => contract.attributes(operation).kind),
  'vector.outerproduct': products((operation) => outerproduct.attributes(operation).kind),
  'vector.reduction': reduced((operation) => reduction.attributes(operation).kind),
  'vector.multi_reduction': reduced((operation) => multiReduction.attributes(operation).kind),
};

const unmasked =
  (handler: MaskedHandler): Handler =>
  (operation, context): Exec | undefined =>
    handler(operation, context);

export const vectorSumHandlers: Handlers = {
  ...Object.fromEntries(Object.entries(maskedSums).map(([name, handler]) => [name, unmasked(handler)])),
  'vector.matrix_multiply': unmasked(products(() => 'add')),
  'vector.scan': scanned,
};

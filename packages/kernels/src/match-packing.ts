/**
 * Recognises packings by their map, body and buffers: a generic that gathers from one buffer into another (ST Listing
 * 8, lines 10-20 and 25-36), with or without padding around the source.
 */
import { isIdentity } from '@sconv/affine';
import type { PaddedElement } from '@sconv/dialects';
import { constantIndexOf, conversionTo, mayShareMemory, paddedElement } from '@sconv/dialects';
import type { ConversionStep, Packing } from '@sconv/dialects/kernel';
import { conversionSteps } from '@sconv/dialects/kernel';
import { genericView } from '@sconv/dialects/linalg';
import { load, stridedLayoutOf } from '@sconv/dialects/memref';
import type { Block, DraftOperation, Id, MemRefType, Operation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, constantValueOf, DYNAMIC, effectsOf, terminatorOf } from '@sconv/ir';
import { indexExpressions } from './index-expressions.ts';

/** More lanes than this are not a panel: each costs code, since lanes are unrolled. */
export const maximumLanes = 64;

/**
 * The packing that a `linalg.generic` is; undefined if it is none. Zero points and padding may be values of its body,
 * which do not depend on the element.
 */
export const matchPacking = (
  rewriter: Rewriter,
  operation: DraftOperation,
  apart: ReadonlySet<Id>,
): Packing | undefined => {
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges } = genericView(operation);
  const [target, ...others] = outputs;
  const lanes = loopRanges.at(-1) ?? DYNAMIC;
  if (inputs.length > 0 || others.length > 0 || target?.type.kind !== 'memref') return undefined;
  if (!isIdentity(indexingMaps[0]!) || iteratorTypes.some((type) => type !== 'parallel')) return undefined;
  if (lanes === DYNAMIC || lanes > maximumLanes) return undefined;
  if (stridedLayoutOf(target.type)?.strides.at(-1) !== 1) return undefined;
  // 1. The body reads an element, perhaps within a margin, converts it, and does no more.
  const body = bodyOf(operation);
  const { element: value, steps } = conversionTo(body, terminatorOf(body).operands[0]!);
  const padded = paddedElement(body, value);
  const element = padded?.element ?? definitionIn(body, value);
  const isPure = body.operations.every(
    (each) => each.id === element?.id || isIndexArithmetic(rewriter, each),
  );
  if (element === undefined || !load.is(element) || !isPure) return undefined;
  // 2. What it reads is there before, and it is not what it stores.
  const { memref: source, indices } = load.operands(element);
  const tests = padded && testsOf(rewriter, padded, source.type);
  if (!rewriter.isDefinedOutside(source, operation)) return undefined;
  if (mayShareMemory(rewriter, source, target, apart)) return undefined;
  if (padded !== undefined && (tests === undefined || !isKept(rewriter, operation, padded.padding)))
    return undefined;
  // 3. Indices and tests are affine.
  const outer: Value[] = [];
  const expressionOf = indexExpressions(rewriter, operation, outer);
  const read = [...(padded?.indices ?? indices), ...(tests ?? []).map(({ index }) => index)].map(
    expressionOf,
  );
  const known = read.filter((expr) => expr !== undefined);
  if (known.length < read.length) return undefined;
  return {
    source,
    target: target as Value<MemRefType>,
    extents: target.type.shape,
    indices: known.slice(0, indices.length),
    outer,
    conversion: stepsOn(value, steps),
    margin: padded &&
      tests && {
        tests: tests.map(({ size }, i) => ({ index: known[indices.length + i]!, size })),
        padding: padded.padding,
      },
  };
};

const definitionIn = (body: Block, { id }: Value): Operation | undefined =>
  body.operations.find(({ results }) => results.some((result) => result.id === id));

const isIndexArithmetic = (rewriter: Rewriter, operation: Operation): boolean =>
  operation.name === 'linalg.index' ||
  operation.name === 'linalg.yield' ||
  (operation.regions.length === 0 && effectsOf(rewriter.registry, operation)?.length === 0);

/** The steps that convert an element; others make zero points. */
const stepsOn = (element: Value, steps: readonly Operation[]): readonly ConversionStep[] => {
  const applied: ConversionStep[] = [];
  let current = element;
  for (const { name, operands, results } of steps) {
    const known = conversionSteps.find((each) => each === name);
    const [result] = results;
    if (operands[0]?.id !== current.id || known === undefined || result === undefined) continue;
    applied.push({ name: known, type: result.type, zeroPoint: operands[1] });
    current = result;
  }
  return applied;
};

/** The tests with sizes as numbers; undefined if some index that they clamp may leave the source all the same. */
const testsOf = (
  rewriter: Rewriter,
  { element, indices, tests }: PaddedElement,
  { shape }: MemRefType,
): readonly { readonly index: Value; readonly size: number }[] | undefined => {
  const known = tests.flatMap(({ index, size }) => {
    const limit = constantIndexOf(rewriter, size);
    return limit === undefined ? [] : [{ index, size: limit }];
  });
  // A clamped index is in bounds: its test has the size of the source.
  const isBounded = indices.every(
    (index, i) =>
      index.id === element.operands[i + 1]!.id ||
      known.some((test) => test.index.id === index.id && test.size > 0 && test.size === shape[i]),
  );
  return known.length === tests.length && isBounded ? known : undefined;
};

/** Whether a padding is known before the packing: a value from around it, or a constant. */
const isKept = (rewriter: Rewriter, operation: DraftOperation, padding: Value): boolean => {
  const definition = rewriter.definingOperation(padding);
  return (
    rewriter.isDefinedOutside(padding, operation) ||
    (definition !== undefined && constantValueOf(rewriter.registry, definition) !== undefined)
  );
};

/** Recognises the tiles of contractions that a plan has marked, by their maps and body, and reads its decisions. */
import type { AffineMap } from '@sconv/affine';
import { contractSpace } from '@sconv/dialects/kernel';
import type { ContractKernel } from '@sconv/dialects/kernel';
import { genericView, isMultiplyAdd } from '@sconv/dialects/linalg';
import { subview } from '@sconv/dialects/memref';
import { kernelAttributeName, mayShareMemory, mixedSlice } from '@sconv/dialects';
import type { Attribute, DraftOperation, Id, MemRefType, Rewriter, Value } from '@sconv/ir';
import { bodyOf, typeEquals } from '@sconv/ir';
import { fusedPositions, openPositions } from '@sconv/packing-equations';
import { contractRoles, contractStrides } from './contract-tiles.ts';

/** The contraction that a `linalg.generic` is, without what its sums start with, or why it is none. */
export const matchContract = (
  rewriter: Rewriter,
  operation: DraftOperation,
  apart: ReadonlySet<Id>,
): ContractKernel | string => {
  const { inputs, outputs, indexingMaps } = genericView(operation);
  const given = [...inputs, ...outputs].filter(isBuffer);
  const decisions = decisionsOf(operation.attributes[kernelAttributeName], indexingMaps[0]!.numDims);
  const operands =
    decisions === undefined
      ? given
      : given.map((each, i) =>
          i < 2 ? withPadding(rewriter, each, indexingMaps[i]!, decisions.lanes) : each,
        );
  const [input, filters, output] = operands;
  if (inputs.length !== 2 || input === undefined || filters === undefined || output === undefined)
    return 'its operands are not two buffers and a third';
  if (!isMultiplyAdd(bodyOf(operation))) return 'its body is not a multiplication and an addition';
  if (decisions === undefined)
    return `its '${kernelAttributeName}' names no lanes, unrolling or tiles of its dimensions`;
  const space = contractSpace(
    operands.map(({ type }) => type),
    { maps: indexingMaps, ...decisions },
  );
  if (typeof space === 'string') return `it ${space}`;
  const elements = operands.map(({ type }) => type.elementType);
  if (!elements.every((type) => typeEquals(type, elements[2]!))) return 'its elements are of several types';
  const strides = operands.map(({ type }, i) => contractStrides(type, indexingMaps[i]!));
  if (strides.some((each) => each === undefined || each.steps.some((step) => step < 0)))
    return 'its operands have no known layout';
  const isDense = [contractRoles(space)[0], 2].every(
    (i) => space.extents[space.lanes] === 1 || strides[i]!.steps[space.lanes] === 1,
  );
  if (!isDense) return 'the elements of its lanes are not contiguous';
  // Sums stay in registers until all are complete.
  if ([input, filters].some((each) => mayShareMemory(rewriter, each, output, apart)))
    return 'its output may share memory with an operand';
  const [ofInput, ofFilters, ofOutput] = indexingMaps;
  return {
    operands: [input, filters, output],
    maps: [ofInput!, ofFilters!, ofOutput!],
    space,
    start: undefined,
  };
};

const isBuffer = (value: Value): value is Value<MemRefType> => value.type.kind === 'memref';

/** The buffer that an operand begins, if it has more elements along the lanes and else as many: those are padding. */
const withPadding = (
  rewriter: Rewriter,
  operand: Value<MemRefType>,
  { results }: AffineMap,
  lanes: number,
): Value<MemRefType> => {
  const view = rewriter.definingOperation(operand);
  const at = results.findIndex((expr) => expr.kind === 'dim' && expr.position === lanes);
  if (view === undefined || at < 0 || !subview.is(view)) return operand;
  const { offsets, strides } = mixedSlice(view);
  const { source } = subview.operands(view);
  const { shape } = operand.type;
  const isFirst = offsets.every((offset) => offset === 0) && strides.every((stride) => stride === 1);
  const isLonger =
    isBuffer(source) &&
    source.type.shape.length === shape.length &&
    source.type.shape.every((size, i) => (i === at ? size >= shape[i]! : size === shape[i]));
  return isFirst && isLonger ? source : operand;
};

/** The dimensions of a plan by position, for an op over so many; of any op, as in its maps: `d0`, `d1`, … */
const positionsIn = (rank: number): Readonly<Record<string, number>> => ({
  ...Object.fromEntries(Array.from({ length: rank }, (_, position) => [`d${position}`, position])),
  ...(rank === 6 ? fusedPositions : rank === 7 ? openPositions : {}),
});

/** The decisions in the attribute, as those of a `kernel.contract`; undefined if it says something else. */
const decisionsOf = (attribute: Attribute | undefined, rank: number) => {
  const positions = positionsIn(rank);
  if (attribute?.kind !== 'dictionary') return undefined;
  const { lanes, unroll, tiles } = attribute.entries;
  const along = lanes?.kind === 'string' ? positions[lanes.value] : undefined;
  const factors =
    unroll === undefined ? [] : unroll.kind === 'dictionary' ? Object.entries(unroll.entries) : undefined;
  const parts = tiles === undefined ? [] : listOf(tiles)?.map((part) => listOf(part)?.map(numberOf));
  if (along === undefined || factors === undefined || parts === undefined) return undefined;
  const ofUnroll = new Array<number>(rank).fill(1);
  for (const [name, factor] of factors) {
    const [position, value] = [positions[name], numberOf(factor)];
    if (position === undefined || value === undefined) return undefined;
    ofUnroll[position] = value;
  }
  const flat = parts.flatMap((part) => (part?.length === 4 ? part : [undefined]));
  const known = flat.filter((value) => value !== undefined);
  if (known.length < flat.length) return undefined;
  return { lanes: along, unroll: ofUnroll, ...(tiles === undefined ? {} : { tiles: known }) };
};

const listOf = (attribute: Attribute): readonly Attribute[] | undefined =>
  attribute.kind === 'array' ? attribute.elements : undefined;

const numberOf = (attribute: Attribute): number | undefined =>
  attribute.kind === 'integer' ? Number(attribute.value) : undefined;

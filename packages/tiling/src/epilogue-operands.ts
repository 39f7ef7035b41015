/** The operands of an elementwise op at a part of its result. */
import { makeMap, dim } from '@sconv/affine';
import type { MixedSlice, Reassociation } from '@sconv/dialects';
import {
  applyComposed,
  createCollapse,
  createExpand,
  elementOf,
  extractSliceState,
  uniformConstant,
  unitStrideSlice,
} from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { Rewriter, TensorType, Value } from '@sconv/ir';
import { constantValueOf, tensorType, terminatorOf } from '@sconv/ir';
import type { EpilogueOperand } from './epilogue.ts';
import { blockOf } from './epilogue-order.ts';
import type { SiteBox, SiteStep } from './epilogue-sites.ts';

/** The source of an operand that is a copy, possibly of lower rank: the scalar of a fill, the source of a broadcast. */
export const sourceOf = (rewriter: Rewriter, operand: EpilogueOperand): EpilogueOperand => {
  const { value, dims } = operand;
  const definition = rewriter.definingOperation(value);
  if (definition === undefined || value.type.kind !== 'tensor') return operand;
  const element = elementOf(constantValueOf(rewriter.registry, definition));
  const constant = element === undefined ? undefined : uniformConstant(element, value.type.elementType);
  if (constant !== undefined) return { value, dims: [], constant };
  const view = structured(rewriter.registry, definition);
  const body = view?.body;
  if (view === undefined || body === undefined || definition.results.length !== 1) return operand;
  const [yielded] = terminatorOf(body).operands;
  const copied = body.arguments.findIndex(({ id }) => id === yielded?.id);
  const source = view.inputs[copied];
  const written = view.indexingMaps.at(-1)!.results;
  const read = view.indexingMaps[copied]?.results;
  if (source === undefined || read === undefined || !written.every(({ kind }) => kind === 'dim'))
    return operand;
  const along = read.map((expr) => {
    const position = written.findIndex(
      (each) => each.kind === 'dim' && expr.kind === 'dim' && each.position === expr.position,
    );
    return position < 0 ? undefined : dims[position];
  });
  const isCopy = read.every(
    (expr, i) => along[i] !== undefined || (expr.kind === 'constant' && expr.value === 0),
  );
  return isCopy ? sourceOf(rewriter, { value: source, dims: along }) : operand;
};

type Dims = EpilogueOperand['dims'] | undefined;

/** The part's dimensions that an operand's dimensions correspond to; undefined if it cannot be reshaped likewise. */
export const dimsAfter = (dims: Dims, step: SiteStep): Dims => {
  if (dims === undefined) return undefined;
  if (step.kind === 'slice') {
    const { box, dropped } = step;
    const kept = box.sizes.flatMap((_, dimension) => (dropped.has(dimension) ? [] : [dimension]));
    return dims.flatMap((each) =>
      each === undefined ? [undefined] : dropped.has(each) ? [] : [kept.indexOf(each)],
    );
  }
  if (step.kind === 'expand') return expandedDims(dims, step.groups).flat();
  const groups = groupsOf(dims, step.groups);
  return groups?.map(([first]) => {
    const dimension = dims[first!];
    return dimension === undefined ? undefined : step.groups.findIndex((group) => group.includes(dimension));
  });
};

/** The dimensions that each of an operand's becomes when the corresponding ones of the tensor expand. */
const expandedDims = (
  dims: EpilogueOperand['dims'],
  groups: Reassociation,
): readonly EpilogueOperand['dims'][] => dims.map((each) => (each === undefined ? [each] : groups[each]!));

/** The groups of an operand's dimensions that collapse when groups of the corresponding dimensions do. */
const groupsOf = (
  dims: EpilogueOperand['dims'],
  groups: readonly (readonly number[])[],
): readonly (readonly number[])[] | undefined => {
  const result: (readonly number[])[] = [];
  for (let position = 0; position < dims.length;) {
    const dimension = dims[position];
    const group = dimension === undefined ? undefined : groups.find((each) => each.includes(dimension));
    const size = group?.length ?? 1;
    if (group?.some((each, i) => dims[position + i] !== each) === true) return undefined;
    result.push(Array.from({ length: size }, (_, i) => position + i));
    position += size;
  }
  return result;
};

/** An operand at a part of the result. */
export const partOf = (
  rewriter: Rewriter,
  operand: EpilogueOperand,
  steps: readonly SiteStep[],
): EpilogueOperand =>
  steps.reduce(
    (each, step) => ({ value: stepOf(rewriter, each, step), dims: dimsAfter(each.dims, step)! }),
    operand,
  );

const stepOf = (rewriter: Rewriter, { value, dims }: EpilogueOperand, step: SiteStep): Value => {
  if (value.type.kind !== 'tensor') return value;
  const { shape } = value.type;
  if (step.kind === 'collapse') {
    const groups = groupsOf(dims, step.groups)!;
    if (groups.length === shape.length) return value;
    setInsertionPointBehind(rewriter, [value]);
    return createCollapse(rewriter, value as Value<TensorType>, groups);
  }
  if (step.kind === 'expand') {
    let count = 0;
    const groups = expandedDims(dims, step.groups);
    const reassociation = groups.map((group) => group.map(() => count++));
    if (count === shape.length) return value;
    const sizes = groups.flat().map((each) => (each === undefined ? 1 : step.sizes[each]!));
    setInsertionPointBehind(rewriter, [value]);
    return createExpand(rewriter, value as Value<TensorType>, sizes, reassociation);
  }
  const { box, dropped } = step;
  const offsets = dims.map((each) => (each === undefined ? 0 : box.offsets[each]!));
  const sizes = dims.map((each, i) => (each === undefined ? shape[i]! : box.sizes[each]!));
  const droppedHere = new Set(
    dims.flatMap((each, i) => (each !== undefined && dropped.has(each) ? [i] : [])),
  );
  if (droppedHere.size === 0 && offsets.every((offset, i) => offset === 0 && sizes[i] === shape[i]))
    return value;
  setInsertionPointBehind(rewriter, [
    value,
    ...offsets.flatMap((offset) => (typeof offset === 'number' ? [] : [offset.variable])),
  ]);
  return extract(rewriter, value as Value<TensorType>, sliceAt(rewriter, { offsets, sizes }), droppedHere);
};

/** Sets the insertion point after the definitions of all values, in nested blocks. */
const setInsertionPointBehind = (rewriter: Rewriter, values: readonly Value[]): void => {
  const depthOf = (value: Value): number => {
    let depth = 0;
    for (let at = blockOf(rewriter, value)?.region.operation; at !== undefined; at = at.parent) depth += 1;
    return depth;
  };
  const deepest = values.reduce((a, b) => (depthOf(b) > depthOf(a) ? b : a));
  const definition = rewriter.definingOperation(deepest);
  if (definition !== undefined) rewriter.setInsertionPointAfter(definition);
  else rewriter.setInsertionPointToStart(rewriter.owningBlock(deepest)!);
};

/** A part as a slice. */
export const sliceAt = (rewriter: Rewriter, { offsets, sizes }: SiteBox): MixedSlice =>
  unitStrideSlice({
    offsets: offsets.map((offset) => {
      if (typeof offset === 'number') return offset;
      return applyComposed(rewriter, makeMap(1, 0, [dim(0).mul(offset.factor)]), [offset.variable]);
    }),
    sizes,
  });

/** A slice of a tensor; may drop unit dimensions. */
export const extract = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  slice: MixedSlice,
  dropped: ReadonlySet<number>,
): Value<TensorType> => {
  const shape = (slice.sizes as readonly number[]).filter((_, i) => !dropped.has(i));
  const type = tensorType(shape, source.type.elementType);
  return rewriter.createValue(extractSliceState(source, slice, type)) as Value<TensorType>;
};

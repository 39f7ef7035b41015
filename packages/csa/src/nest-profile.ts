/**
 * The `traffic` model for nests of any form: an operand's lines that the body of a loop touches are touched again in
 * the next iteration, where they are the same ones, after all that the body touches (TT §5.2). Nests of Convolution
 * Slicing have a model of their own, which also counts what neighbouring tiles share.
 */
import type { Extents, LoopNode, PackedOperand, PackNode, PartStep, PlanPath } from '@sconv/plans';
import type { AccessProfile } from './edge-profile.ts';
import { filterFootprint, inputFootprint, outputFootprint } from './footprint.ts';
import { extentsOf } from './plan-of-tiling.ts';
import type { Reuse } from './reuse.ts';
import { neverBefore, reuseAt } from './reuse.ts';
import type { SlicedConvolution } from './tiling.ts';
import { elementsOfVector } from './vectors.ts';

/** The memory behaviour of a nest, and the lines that it touches. */
export interface NestProfile extends AccessProfile {
  readonly footprint: number;
}

/** A node on the way to the leaf, without what stands below it. */
type Step = Omit<LoopNode<string>, 'body'> | Omit<PackNode<string>, 'body'> | PartStep<string>;

/** Extents of windows, or of rows, columns and taps. */
type AnyExtents = Extents<string>;

/** A place in the nest: what is covered there, and how often it is reached. */
interface Place {
  readonly extents: AnyExtents;
  readonly times: number;
  /** For each packed operand, what its packed tiles cover there: outside of the packing, all of them. */
  readonly buffers: Readonly<Partial<Record<PackedOperand, AnyExtents>>>;
  /** The operands that are packed around it. */
  readonly packed: ReadonlySet<PackedOperand>;
}

/** One group of one image; `before` are the lines that earlier nests touch. */
export const nestProfile = (
  sliced: SlicedConvolution,
  { steps, leaf }: PlanPath<string>,
  before: number,
  line: number,
): NestProfile => {
  const isScalar = leaf.kind === 'scalar';
  const all: readonly Step[] = isScalar ? [...steps, ...scalarLoops(leaf.extents)] : steps;
  const places = placesOf(all, 'rows' in leaf.extents ? openExtentsOf(sliced) : extentsOf(sliced));
  const innermost = places.at(-1)!;
  const known = new Map(places.map((place) => [place, linesOf(sliced, place, line)]));
  const lines = (place: Place): Lines => known.get(place)!;
  const total = (place: Place): number => Object.values(lines(place)).reduce((sum, each) => sum + each, 0);
  const reuses: Reuse[] = [];
  all.forEach((step, i) => {
    const [outside, inside] = [places[i]!, places[i + 1]!];
    if (step.kind === 'loop' && step.count > 1) {
      const own = { inside: lines(inside), outside: lines(outside) };
      for (const stream of streamNames) {
        // What is packed in the body is written anew.
        if (isWrittenIn(outside, stream)) continue;
        const again = step.count * own.inside[stream] - own.outside[stream];
        const between = betweenTouches(all, places, i, (place) => lines(place)[stream]);
        reuses.push(reuseAt(outside.times * Math.max(0, again), total(between)));
      }
    }
    if (step.kind !== 'pack') return;
    const { raw } = packingLines(sliced, step.operand, outside.extents, line);
    const { buffer } = packingLines(sliced, step.operand, paddedExtents(step, outside.extents), line);
    // Written, over what was read last; then read for the first time, after all of it was written.
    reuses.push(reuseAt(outside.times * buffer, total(outside)));
    reuses.push({ touches: outside.times * buffer, from: buffer, to: buffer + raw });
  });
  const first = lines(places[0]!);
  // The output of later channels, and an operand that an earlier part has read, were touched before.
  reuses.push(before === 0 ? neverBefore(total(places[0]!)) : reuseAt(first.filters, before));
  if (before > 0) reuses.push(neverBefore(first.input + first.output));
  return {
    accesses: accessesOf(sliced, all, places, innermost, isScalar, line),
    reuses,
    footprint: total(places[0]!),
  };
};

/**
 * Where the code stands that runs between two touches of a line in consecutive iterations of a loop: its body, or what
 * is inside of the loops that follow and do not move the operand, for it is touched in the last iteration of these and
 * in the first. The same goes for loops over the same dimension, at whose ends the same windows overlap.
 */
const betweenTouches = (
  steps: readonly Step[],
  places: readonly Place[],
  loop: number,
  linesAt: (place: Place) => number,
): Place => {
  let at = loop + 1;
  for (let step = steps[at]; step?.kind === 'loop'; step = steps[at]) {
    const isSame = step.dimension === (steps[loop] as typeof step).dimension;
    if (!isSame && linesAt(places[at]!) !== linesAt(places[at + 1]!)) break;
    at += 1;
  }
  return places[at]!;
};

const isWrittenIn = ({ packed }: Place, stream: keyof Lines): boolean =>
  (stream === 'packedInput' && !packed.has('input')) ||
  (stream === 'packedFilters' && !packed.has('filters'));

const streamNames = ['input', 'filters', 'output', 'packedInput', 'packedFilters'] as const;

type Lines = Readonly<Record<(typeof streamNames)[number], number>>;

/** Scalar code loops over filters, then windows. */
const scalarLoops = (extents: AnyExtents): readonly Step[] =>
  ['filters', 'windows', 'rows', 'columns']
    .filter((dimension) => dimension in extents)
    .map((dimension) => ({ kind: 'loop', dimension, step: 1, count: extents[dimension]! }));

/** The whole space with rows, columns and taps apart. */
const openExtentsOf = ({ shape, ...sliced }: SlicedConvolution): AnyExtents => {
  const { windows: _, ...others } = extentsOf({ ...sliced, shape });
  const { outputHeight, outputWidth, filterHeight, filterWidth } = shape;
  return {
    ...others,
    rows: outputHeight,
    columns: outputWidth,
    tapRows: filterHeight,
    tapColumns: filterWidth,
  };
};

/** How many windows, filters and channels there are; rows and columns taken as windows one after another. */
const sizesOf = (extents: AnyExtents) => ({
  windows: extents['windows'] ?? extents['rows']! * extents['columns']!,
  filters: extents['filters']!,
  channels: extents['channels']!,
});

/**
 * A convolution of no more taps than are covered, with a tile of the extents. Of rows and columns, the tile is all that
 * there is: its rows do not go on with the next one of the output. They lie in the whole input.
 */
const tileAt = (sliced: SlicedConvolution, extents: AnyExtents): SlicedConvolution => {
  const { filterHeight, filterWidth } = sliced.shape;
  const [tapRows, tapColumns] = [extents['tapRows'] ?? filterHeight, extents['tapColumns'] ?? filterWidth];
  const sizes = sizesOf(extents);
  const rectangle =
    'rows' in extents
      ? { outputHeight: extents['rows'], outputWidth: extents['columns']!, windows: sizes.windows }
      : {
          outputHeight: sliced.shape.outputHeight,
          outputWidth: sliced.shape.outputWidth,
          windows: sliced.windows,
        };
  const { windows, ...output } = rectangle;
  return {
    ...sliced,
    windows,
    shape: { ...sliced.shape, ...output, filterHeight: tapRows, filterWidth: tapColumns },
    taps: tapRows * tapColumns,
    microkernel: sizes,
  };
};

/** The place outside of each step, and that of the leaf. Images and groups are counted by the caller. */
const placesOf = (steps: readonly Step[], whole: AnyExtents): readonly Place[] => {
  let place: Omit<Place, 'buffers'> = {
    extents: { ...whole, batch: 1, group: 1 },
    times: 1,
    packed: new Set(),
  };
  const places = [place];
  for (const step of steps) {
    if (step.kind === 'pack') place = { ...place, packed: new Set([...place.packed, step.operand]) };
    else if (step.dimension !== 'batch' && step.dimension !== 'group') {
      const [size, times] = step.kind === 'part' ? [step.size, 1] : [step.step, step.count];
      const extents = { ...place.extents, [step.dimension]: size };
      place = { ...place, extents, times: place.times * times };
    }
    places.push(place);
  }
  return places.map((each, i) => ({ ...each, buffers: buffersAt(steps, places, i) }));
};

const buffersAt = (
  steps: readonly Step[],
  places: readonly Omit<Place, 'buffers'>[],
  at: number,
): Place['buffers'] => {
  const buffers: Partial<Record<PackedOperand, AnyExtents>> = {};
  steps.forEach((step, i) => {
    if (step.kind === 'pack') buffers[step.operand] = paddedExtents(step, places[Math.max(i, at)]!.extents);
  });
  return buffers;
};

/** What packed tiles cover, with their padding. */
const paddedExtents = ({ padded }: Pick<PackNode<string>, 'padded'>, extents: AnyExtents): AnyExtents =>
  padded === undefined ? extents : { ...extents, filters: padded };

/** Lines that the code at a place touches, by what it reads and writes. */
const linesOf = (sliced: SlicedConvolution, { extents, packed, buffers }: Place, line: number): Lines => {
  const raw = (operand: PackedOperand): number =>
    packed.has(operand) ? 0 : packingLines(sliced, operand, extents, line).raw;
  const buffer = (operand: PackedOperand): number => {
    const covered = buffers[operand];
    return covered === undefined ? 0 : packingLines(sliced, operand, covered, line).buffer;
  };
  return {
    output: outputFootprint(tileAt(sliced, extents), line)(1, 1),
    input: raw('input'),
    filters: raw('filters'),
    packedInput: buffer('input'),
    packedFilters: buffer('filters'),
  };
};

interface PackingLines {
  readonly raw: number;
  readonly buffer: number;
}

/** Lines of an operand under these extents: where it lies, and packed. */
const packingLines = (
  sliced: SlicedConvolution,
  operand: PackedOperand,
  extents: AnyExtents,
  line: number,
): PackingLines => {
  const footprint = operand === 'input' ? inputFootprint : filterFootprint;
  const { raw, packed } = footprint(tileAt(sliced, extents), sizesOf(extents).channels, line);
  return { raw: raw(1), buffer: packed };
};

/** Loads and stores: those of the leaf, and two for each packed element. */
const accessesOf = (
  sliced: SlicedConvolution,
  steps: readonly Step[],
  places: readonly Place[],
  { extents, times }: Place,
  isScalar: boolean,
  line: number,
): number => {
  const { windows, filters, channels } = sizesOf(extents);
  const { taps, elementBytes } = tileAt(sliced, extents);
  if (isScalar) return times * (2 * channels * taps + 2);
  // A vector that is longer than a line accesses several.
  const perAccess = Math.max(1, Math.min(elementsOfVector(elementBytes), Math.floor(line / elementBytes)));
  const vectors = Math.ceil(windows / perAccess);
  const ofPackings = steps.map((step, i) => {
    if (step.kind !== 'pack') return 0;
    const at = places[i]!;
    const sizes = sizesOf(at.extents);
    const width = step.operand === 'input' ? sizes.windows : sizes.filters;
    return 2 * at.times * width * sizes.channels * tileAt(sliced, at.extents).taps;
  });
  return (
    times * (channels * taps * (vectors + filters) + 2 * filters * vectors) +
    ofPackings.reduce((sum, each) => sum + each, 0)
  );
};

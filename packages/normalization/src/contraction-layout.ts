/**
 * How any contraction is a matrix product or a two-dimensional convolution: which dimensions count as images, channels,
 * windows, filters and taps, several of a kind fused; which operands have to be transposed for that, or else which
 * dimensions run in loops around.
 */
import type { Contraction } from '@sconv/plans';
import type { ContractionIndices, LinearContraction } from './contraction-indices.ts';
import {
  contractionIndices,
  dependsOn,
  dimensionsIn,
  linearContraction,
  outputAt,
} from './contraction-indices.ts';
import type { ConvolutionForm, ConvolutionGeometry } from './convolution-geometry.ts';
import { convolutionForms, isProductForm } from './convolution-geometry.ts';

/** How an operand of a contraction becomes one in a form's layout. */
export interface OperandLayout {
  /** How much is read of each dimension, from its first index on. */
  readonly sizes: readonly number[];
  /** The dimensions that are kept, in the order of the layout's letters; of the others there is one index. */
  readonly order: readonly number[];
  /** For each letter, how many of `order` it fuses; 0: the operand lacks it. */
  readonly fused: readonly number[];
  /** Whether elements have to be moved: the order is another one, or what is fused does not lie together. */
  readonly isTransposed: boolean;
}

/** A contraction as a `dense` form. */
export interface ContractionLayout {
  /** Its dimensions that run in loops around, one index at a time; the rest of the layout is that of an iteration. */
  readonly outer: readonly number[];
  readonly form: ConvolutionForm;
  readonly geometry: ConvolutionGeometry;
  /** The positions of input and filters among the factors. */
  readonly factors: readonly [input: number, filters: number];
  /** Of input, filters and output. */
  readonly operands: readonly [OperandLayout, OperandLayout, OperandLayout];
  /** Elements that are transposed, and those that loops around make an iteration pack or add up again. */
  readonly moved: number;
}

/** At most so many dimensions besides groups run in loops around: with more, an iteration is too small. */
const mostOuter = 2;

/** To transpose an element takes about as long as to pack two, or three where neighbours do not stay neighbours. */
const transposing = { neighbours: 2, others: 3 };

/**
 * The layout of a contraction that moves fewest elements; undefined for one of another structure
 * (`contractionIndices`), and for one whose innermost sums are of different groups. `outer`: with exactly these
 * dimensions in loops around.
 */
export const contractionLayout = (
  contraction: Contraction,
  outer?: readonly number[],
): ContractionLayout | undefined => {
  const linear = linearContraction(contraction);
  const extents = contraction.dimensions.map(({ extent }) => extent);
  const whole = linear && contractionIndices(linear, extents);
  if (whole === undefined) return undefined;
  let best: ContractionLayout | undefined;
  for (const choice of outer === undefined ? outerChoices(whole) : [outer]) {
    const own = extents.map((extent, i) => (choice.includes(i) ? 1 : extent));
    const inner = contractionIndices(linear!, own);
    if (inner === undefined || [...inner.roles.values()].includes('group')) continue;
    if (choice.some((dimension) => isInnermost(linear!, whole, dimension))) continue;
    for (const each of layoutsOf(linear!, inner, choice))
      if (best === undefined || isBetter(each, best)) best = each;
    if (best?.moved === 0) break;
  }
  return best;
};

/** Whether sums whose indices differ in a dimension alone are neighbours: without it, no two others are. */
const isInnermost = (
  { forms }: LinearContraction,
  { extents }: ContractionIndices,
  dimension: number,
): boolean => {
  const indices = forms[outputAt]!.map(({ dims }) => dims.findIndex((factor) => factor !== 0));
  return indices.findLast((each) => (extents[each] ?? 1) > 1) === dimension;
};

/** Fewer elements moved; or as many, no more loops around, and more windows: they are the lanes of microkernels. */
const isBetter = (a: ContractionLayout, b: ContractionLayout): boolean =>
  a.moved === b.moved ? a.outer.length <= b.outer.length && windowsOf(a) > windowsOf(b) : a.moved < b.moved;

const windowsOf = ({ geometry }: ContractionLayout): number => geometry.outputHeight * geometry.outputWidth;

/** The dimensions to try in loops around, fewest first; groups always are. */
const outerChoices = ({ roles }: ContractionIndices): readonly (readonly number[])[] => {
  const groups = [...roles].flatMap(([dimension, role]) => (role === 'group' ? [dimension] : []));
  const others = [...roles.keys()].filter((dimension) => !groups.includes(dimension));
  const choices = [groups];
  let chosen: readonly (readonly number[])[] = [[]];
  for (let count = 1; count <= Math.min(mostOuter, others.length - 1); count += 1) {
    chosen = chosen.flatMap((some) =>
      others.filter((each) => each > (some.at(-1) ?? -1)).map((each) => [...some, each]),
    );
    choices.push(...chosen.map((some) => [...groups, ...some].sort((a, b) => a - b)));
  }
  return choices;
};

/** All layouts of a contraction without groups. */
const layoutsOf = (
  contraction: LinearContraction,
  inner: ContractionIndices,
  outer: readonly number[],
): readonly ContractionLayout[] => {
  const hasWindows = [0, 1].map((i) => inner.indices[i]!.some((index) => index?.kind === 'window'));
  const isProduct = !hasWindows.includes(true);
  const forms = convolutionForms.filter((form) => form.kind === 'dense' && isProductForm(form) === isProduct);
  return [0, 1].flatMap((input) => {
    const letters = isProduct || hasWindows[input] === true ? lettersOf(inner, input, isProduct) : undefined;
    if (letters === undefined) return [];
    return forms.flatMap((form) =>
      ordersOf(inner, letters).map((orders) =>
        layoutWith(contraction, inner, { outer, input, letters, orders, form }),
      ),
    );
  });
};

/** The letter of each index of each operand; undefined where it is always 0. */
type Letters = readonly (readonly (string | undefined)[])[];

/** The letters, given which factor is the input; undefined if windows have more than two dimensions. */
const lettersOf = (
  { indices, roles }: ContractionIndices,
  input: number,
  isProduct: boolean,
): Letters | undefined => {
  const pairs = indices[input]!.filter((index) => index?.kind === 'window');
  if (pairs.length > 2) return undefined;
  const ofPairs = pairs.length === 2 ? ['h', 'w'] : ['w'];
  const letterOf = (dimension: number): string => {
    const pair = pairs.findIndex((index) => dimensionsIn(index).includes(dimension));
    if (pair >= 0) return ofPairs[pair]!;
    const role = roles.get(dimension);
    if (role === 'sum') return 'c';
    if (role !== (input === 0 ? 'left' : 'right')) return 'f';
    return isProduct ? 'h' : 'n';
  };
  return indices.map((each) =>
    each.map((index) => {
      const [first] = dimensionsIn(index);
      return first === undefined ? undefined : letterOf(first);
    }),
  );
};

/** The dimensions of each letter, in an order that an operand has them in. */
type Orders = Readonly<Record<string, readonly number[]>>;

/** Every combination of the orders that dimensions of a letter have in the operands. */
const ordersOf = ({ indices }: ContractionIndices, letters: Letters): readonly Orders[] => {
  let all: readonly Orders[] = [{}];
  for (const letter of 'nchwf') {
    const orders = letters.map((own, operand) =>
      own.flatMap((name, position) => {
        const index = indices[operand]![position];
        return name === letter && index?.kind === 'dimension' ? [index.dimension] : [];
      }),
    );
    const distinct = new Map(
      orders.filter(({ length }) => length > 0).map((order) => [order.join(), order] as const),
    );
    if (distinct.size > 0)
      all = all.flatMap((some) => [...distinct.values()].map((order) => ({ ...some, [letter]: order })));
  }
  return all;
};

interface Choice {
  readonly outer: readonly number[];
  /** Which of the factors is the input. */
  readonly input: number;
  readonly letters: Letters;
  readonly orders: Orders;
  readonly form: ConvolutionForm;
}

const layoutWith = (
  contraction: LinearContraction,
  inner: ContractionIndices,
  { outer, input, letters, orders, form }: Choice,
): ContractionLayout => {
  const factors = [input, 1 - input] as const;
  const positions = [...factors, outputAt];
  const layouts = [form.input, form.filters, form.output];
  const operands = positions.map((operand, i) =>
    operandLayout(contraction, inner, operand, letters[operand]!, orders, layouts[i]!),
  ) as [OperandLayout, OperandLayout, OperandLayout];
  const size = (i: 0 | 1 | 2, letter: string): number => sizeOfLetter(operands[i], layouts[i]!, letter);
  const factorsOf = (letter: string) => {
    const found = inner.indices[input]!.find((_, position) => letters[input]![position] === letter);
    return found?.kind === 'window' ? found : { stride: 1, dilation: 1 };
  };
  const [h, w] = [factorsOf('h'), factorsOf('w')];
  const geometry: ConvolutionGeometry = {
    batch: size(0, 'n'),
    inputChannels: size(0, 'c'),
    inputHeight: size(0, 'h'),
    inputWidth: size(0, 'w'),
    filters: size(1, 'f'),
    filterHeight: size(1, 'h'),
    filterWidth: size(1, 'w'),
    outputHeight: size(2, 'h'),
    outputWidth: size(2, 'w'),
    strides: { h: h.stride, w: w.stride },
    dilations: { h: h.dilation, w: w.dilation },
    groups: 1,
  };
  const moved = operands.map((layout, i) => movedOf(contraction, positions[i]!, outer, layout));
  return { outer, form, geometry, factors, operands, moved: moved.reduce((sum, each) => sum + each, 0) };
};

/** Elements of an operand that a layout makes move; sums are both read and written. */
const movedOf = (
  contraction: LinearContraction,
  operand: number,
  outer: readonly number[],
  { sizes, order, isTransposed }: OperandLayout,
): number => {
  const isKept = order.at(-1) === Math.max(...order);
  const times = isTransposed ? transposing[isKept ? 'neighbours' : 'others'] : 0;
  const extentsOf = (isOwn: boolean): readonly number[] =>
    outer
      .filter((each) => dependsOn(contraction, operand, each) === isOwn)
      .map((each) => contraction.dimensions[each]!.extent);
  const again = product(extentsOf(false));
  const elements = product([...sizes, ...extentsOf(true)]) * (operand === outputAt ? 2 : 1);
  return elements * (again - 1 + times * again);
};

const product = (sizes: readonly number[]): number => sizes.reduce((all, each) => all * each, 1);

/** The size of a letter in a layout. */
export const sizeOfLetter = (
  { order, fused, sizes }: Pick<OperandLayout, 'order' | 'fused' | 'sizes'>,
  layout: string,
  letter: string,
): number => {
  const at = layout.indexOf(letter);
  if (at < 0) return 1;
  const from = fused.slice(0, at).reduce((sum, count) => sum + count, 0);
  return product(order.slice(from, from + fused[at]!).map((position) => sizes[position]!));
};

const operandLayout = (
  { operands }: LinearContraction,
  { extents, indices }: ContractionIndices,
  operand: number,
  letters: readonly (string | undefined)[],
  orders: Orders,
  layout: string,
): OperandLayout => {
  const own = indices[operand]!;
  const whole = operands[operand]!.sizes;
  const sizes = own.map((index, position) => {
    if (index === undefined) return 1;
    return index.kind === 'dimension' ? extents[index.dimension]! : whole[position]!;
  });
  const rank = (letter: string, position: number): number => {
    const index = own[position];
    return index?.kind === 'dimension' ? (orders[letter]?.indexOf(index.dimension) ?? 0) : 0;
  };
  const groups = Array.from(layout, (letter) =>
    letters
      .flatMap((each, position) => (each === letter ? [position] : []))
      .sort((a, b) => rank(letter, a) - rank(letter, b)),
  );
  const order = groups.flat();
  // Rows and columns of windows are fused later.
  const isFused = (i: number): boolean => {
    const [before, letter] = [letters[order[i - 1]!], letters[order[i]!]];
    return before === letter || (before === 'h' && letter === 'w');
  };
  const isTransposed = order.some((position, i) => {
    if (i === 0) return false;
    const before = order[i - 1]!;
    const liesTogether = before === position - 1 && sizes[position] === whole[position];
    return before > position || (isFused(i) && !liesTogether);
  });
  return { sizes, order, fused: groups.map(({ length }) => length), isTransposed };
};

/** Classifies structured operations as one-dimensional convolutions or poolings. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import { reductionCombiner } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { combiningKindOf } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';

/** The order of the operands' dimensions: columns only, or with images and channels. */
export type Order = 'w' | 'nwc' | 'ncw';

/** How a window is accumulated into an output element. */
export type Step =
  | { readonly kind: 'product' }
  /** The combiner of a pooling, and the cast of its input. */
  | { readonly kind: 'pool'; readonly combiner: string; readonly cast: string | undefined };

/** The parameters of a convolution before vectorization. */
export interface ConvolutionPlan {
  readonly order: Order;
  readonly isDepthwise: boolean;
  readonly step: Step;
  readonly stride: number;
  readonly dilation: number;
}

const firstOf = (operation: DraftOperation, name: string): number => {
  const attribute = operation.attributes[name];
  return attribute?.kind === 'dense-elements' ? Number(attribute.values[0] ?? 1) : 1;
};

/** The form of an operation; undefined if it has none. */
export const planConvolution = (
  rewriter: Rewriter,
  operation: DraftOperation,
  view: StructuredOp,
): ConvolutionPlan | undefined => {
  const { inputs, outputs, iteratorTypes, indexingMaps } = view;
  if (inputs.length !== 2 || outputs.length !== 1) return undefined;
  const stride = firstOf(operation, 'strides');
  const dilation = firstOf(operation, 'dilations');
  const step = stepOf(rewriter, operation);
  const iterators = iteratorTypes.map((type) => type.slice(0, 3)).join(' ');
  if (step === undefined) return undefined;
  const form = forms.find(
    ({ iterators: own, layout, isPool }) =>
      own === iterators &&
      isPool === (step.kind === 'pool') &&
      layout(stride, dilation).every((results, i) =>
        equals(mapOf(results, iteratorTypes.length), indexingMaps[i]!),
      ),
  );
  return form && { order: form.order, isDepthwise: form.isDepthwise, step, stride, dilation };
};

const mapOf = (results: readonly AffineExpr[], rank: number): AffineMap => makeMap(rank, 0, results);

interface Form {
  readonly order: Order;
  readonly isDepthwise: boolean;
  readonly isPool: boolean;
  readonly iterators: string;
  readonly layout: (stride: number, dilation: number) => readonly (readonly AffineExpr[])[];
}

const [d0, d1, d2, d3, d4] = [dim(0), dim(1), dim(2), dim(3), dim(4)];

/** The supported convolutions, with upstream's layouts. */
const forms: readonly Form[] = [
  {
    order: 'w',
    isDepthwise: false,
    isPool: false,
    iterators: 'par red',
    layout: () => [[d0.add(d1)], [d1], [d0]],
  },
  {
    order: 'nwc',
    isDepthwise: false,
    isPool: false,
    iterators: 'par par par red red',
    layout: (stride, dilation) => [
      [d0, d1.mul(stride).add(d3.mul(dilation)), d4],
      [d3, d4, d2],
      [d0, d1, d2],
    ],
  },
  {
    order: 'ncw',
    isDepthwise: false,
    isPool: false,
    iterators: 'par par par red red',
    layout: (stride, dilation) => [
      [d0, d3, d2.mul(stride).add(d4.mul(dilation))],
      [d1, d3, d4],
      [d0, d1, d2],
    ],
  },
  {
    order: 'nwc',
    isDepthwise: false,
    isPool: true,
    iterators: 'par par par red',
    layout: (stride, dilation) => [[d0, d1.mul(stride).add(d3.mul(dilation)), d2], [d3], [d0, d1, d2]],
  },
  {
    order: 'ncw',
    isDepthwise: false,
    isPool: true,
    iterators: 'par par par red',
    layout: (stride, dilation) => [[d0, d1, d2.mul(stride).add(d3.mul(dilation))], [d3], [d0, d1, d2]],
  },
  {
    order: 'nwc',
    isDepthwise: true,
    isPool: false,
    iterators: 'par par par red',
    layout: (stride, dilation) => [
      [d0, d1.mul(stride).add(d3.mul(dilation)), d2],
      [d3, d2],
      [d0, d1, d2],
    ],
  },
];

const isCast = (operation: DraftOperation | undefined): boolean =>
  operation !== undefined &&
  /^arith\.(ext|trunc|sitofp|uitofp|fptosi|fptoui|index_cast|bitcast)/.test(operation.name);

/** The combining kinds of no pooling: those that are neither sums nor extrema. */
const otherKinds: ReadonlySet<string> = new Set(['mul', 'and', 'or', 'xor']);

const stepOf = (rewriter: Rewriter, operation: DraftOperation): Step | undefined => {
  const body = operation.regions[0]?.blocks[0];
  const combiner = body && reductionCombiner(rewriter, body, body.arguments.length - 1, 0);
  const kind = combiner && combiningKindOf(combiner);
  if (body === undefined || combiner === undefined || kind === undefined) return undefined;
  const isArgument = ({ id }: Value): boolean => body.arguments.some((argument) => argument.id === id);
  const isOwn = (value: Value): boolean => {
    const cast = rewriter.definingOperation(value);
    return isArgument(value) || (isCast(cast) && isArgument(cast!.operands[0]!));
  };
  const fed = combiner.operands.filter((operand) => !isArgument(operand));
  const feeder = fed[0] && rewriter.definingOperation(fed[0]);
  if (fed.length === 0)
    return otherKinds.has(kind) ? undefined : { kind: 'pool', combiner: combiner.name, cast: undefined };
  if (feeder === undefined || fed.length > 1) return undefined;
  if (isCast(feeder) && isArgument(feeder.operands[0]!))
    return otherKinds.has(kind) ? undefined : { kind: 'pool', combiner: combiner.name, cast: feeder.name };
  const isProduct =
    (feeder.name === 'arith.muli' || feeder.name === 'arith.mulf') && feeder.operands.every(isOwn);
  return isProduct && kind === 'add' ? { kind: 'product' } : undefined;
};

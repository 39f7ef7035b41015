/**
 * Paired steps of a microkernel: two adjacent channels of 16 bits each, for instructions that multiply pairs of i16
 * and accumulate both products in i32 (x86's PMADDWD, WebAssembly's i32x4.dot_i16x8_s). The sums are the same, since
 * they wrap around.
 */
import { dim, makeMap, substitute } from '@sconv/affine';
import { eraseUnused } from '@sconv/dialects';
import type { ElementConversion } from '@sconv/dialects';
import { genericView } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { constantValueOf, integerType, tensorType } from '@sconv/ir';
import { dimensions } from '@sconv/packing-equations';
import type { PackingSource } from './pack-operand.ts';
import { createPacking, packingSource } from './pack-operand.ts';
import type { TileLayout } from './tile-maps.ts';

const halfBits = 16;

/** A packing that may store pairs. */
interface PairedOperand {
  readonly packing: DraftOperation;
  readonly source: PackingSource;
  /** The position of the channel dimension. */
  readonly channels: number;
}

/**
 * The packings of a tile's windows and filters, if both may store pairs: i32 elements that all fit in 16 bits, an
 * even number of channels, one panel, and no user but the tile.
 */
export const pairedOperands = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { windowsOrder, filtersOrder }: TileLayout,
): readonly [PairedOperand, PairedOperand] | undefined => {
  const { inputs } = genericView(operation);
  const [windows, filters] = [windowsOrder, filtersOrder].map((order, i) =>
    pairedOperand(rewriter, inputs[i]!, order),
  );
  return windows && filters && [windows, filters];
};

const pairedOperand = (
  rewriter: Rewriter,
  input: Value,
  order: readonly number[],
): PairedOperand | undefined => {
  const packing = rewriter.definingOperation(input);
  const source = packing && packingSource(rewriter, packing);
  const { shape } = input.type as TensorType;
  const channels = order.indexOf(dimensions.channel);
  if (packing === undefined || source === undefined) return undefined;
  if (shape.length !== order.length || shape[channels]! % 2 !== 0) return undefined;
  if (rewriter.users(input).length !== 1 || !fitsInHalf(rewriter, source.conversion)) return undefined;
  return { packing, source, channels };
};

/** Whether all results of a conversion to i32 fit in 16 bits. */
const fitsInHalf = (rewriter: Rewriter, { element, steps, result }: ElementConversion): boolean => {
  if (element.type.kind !== 'integer' || result.type.kind !== 'integer' || result.type.width !== 32)
    return false;
  const isOfElement = steps.find(({ operands }) => operands[0]?.id === element.id);
  const { width } = element.type;
  if (isOfElement?.name !== 'arith.extsi' && isOfElement?.name !== 'arith.extui') return false;
  const [least, most] =
    isOfElement.name === 'arith.extsi' ? [-(2 ** (width - 1)), 2 ** (width - 1) - 1] : [0, 2 ** width - 1];
  const others = steps.filter((step) => step !== isOfElement);
  const zeroPoint = zeroPointOf(rewriter, others);
  const limit = 2 ** (halfBits - 1);
  return zeroPoint !== undefined && least - zeroPoint >= -limit && most - zeroPoint < limit;
};

/** The constant that steps subtract; 0 for none, undefined if it is unknown or there are other steps. */
const zeroPointOf = (rewriter: Rewriter, steps: ElementConversion['steps']): number | undefined => {
  const subtraction = steps.at(-1);
  if (subtraction === undefined) return 0;
  if (subtraction.name !== 'arith.subi') return undefined;
  const definition = rewriter.definingOperation(subtraction.operands[1]!);
  if (definition === undefined || steps.some((step) => step !== subtraction && step.id !== definition.id))
    return undefined;
  const value = constantValueOf(rewriter.registry, definition);
  return value?.kind === 'integer' ? Number(value.value) : undefined;
};

/** Creates another packing whose last dimension is the two channels of a pair; the old one stays. */
export const packPairs = (
  rewriter: Rewriter,
  { packing, source, channels }: PairedOperand,
): DraftOperation => {
  const { shape } = packing.results[0]!.type as TensorType;
  const rank = shape.length;
  const dims = Array.from({ length: rank + source.outer.length }, (_, i) =>
    i === channels ? dim(i).mul(2).add(dim(rank)) : dim(i < rank ? i : i + 1),
  );
  rewriter.setInsertionPointBefore(packing);
  return createPacking(rewriter, {
    type: tensorType([...shape.with(channels, shape[channels]! / 2), 2], integerType(halfBits)),
    tensor: source.tensor,
    indices: source.indices.map((expr) => ({
      map: makeMap(rank + 1 + source.outer.length, 0, [substitute(expr, { dims })]),
      operands: source.outer,
    })),
    conversion: source.conversion,
    location: packing.location,
  });
};

/** Replaces a packing, now unused, by the packing of pairs derived from it. */
export const replacePacking = (
  rewriter: Rewriter,
  { packing }: PairedOperand,
  pairs: DraftOperation,
): void => {
  const [destination] = genericView(packing).outputs;
  rewriter.replaceOperation(packing, pairs.results, [pairs]);
  eraseUnused(rewriter, destination!);
};

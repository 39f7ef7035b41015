/** The microkernel's generic: recognised by its maps, body and buffers, emitted as SIMD. */
import type { AffineExpr } from '@sconv/affine';
import { constant, equals } from '@sconv/affine';
import { warning } from '@sconv/diagnostics';
import {
  areMicrokernelMaps,
  arePairedMicrokernelMaps,
  isMultiplyAdd,
  isWideningMultiplyAdd,
} from '@sconv/dialects/linalg';
import type { Access } from './loops.ts';
import { emitNest } from './loops.ts';
import type { FillBefore } from './fill-before.ts';
import { i32, typed } from './instructions.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { constantOf, elementOffset, mayAlias, scalarOf } from './lowering.ts';
import type { MicrokernelOptions } from './microkernel.ts';
import type { StructuredOp } from './structured-op.ts';
import type { TileRow } from './tile-row.ts';
import { growthOf } from './tile-row.ts';

interface MicrokernelMatch {
  readonly a: Buffer;
  readonly b: Buffer;
  readonly c: Buffer;
  readonly element: NonNullable<MicrokernelOptions['element']>;
  readonly windows: number;
  readonly filters: number;
  /** Elements between two k steps. */
  readonly panels: { readonly windows: number; readonly filters: number };
  /** Elements between two filters of the output. */
  readonly rowStride: AffineExpr;
}

/** Operands and sizes of a microkernel on f32, f64 or i32 panels, or why the operation is not one. */
const matchMicrokernel = (op: StructuredOp): MicrokernelMatch | string => {
  const operands = [...op.inputs, ...op.outputs];
  const maps = operands.map(({ map }) => map);
  const isPaired = arePairedMicrokernelMaps(maps);
  if (op.inputs.length !== 2 || !(isPaired || areMicrokernelMaps(maps)))
    return 'its indexing maps are others';
  if (!(isPaired ? isWideningMultiplyAdd(op.body) : isMultiplyAdd(op.body)))
    return 'its body is not a multiplication and an addition';
  const buffers = operands.flatMap(({ value }) => (value.kind === 'buffer' ? [value] : []));
  const [a, b, c] = buffers;
  if (a === undefined || b === undefined || c === undefined) return 'an operand is not a buffer';
  const element = isPaired ? 'i16x2' : c.storage.name;
  if (element !== 'i16x2' && element !== 'f32' && element !== 'f64' && element !== 'i32')
    return 'its elements are not all f32, all f64, or all i32';
  if (!isPaired && buffers.some(({ storage }) => storage.name !== element))
    return 'its elements are not all f32, all f64, or all i32';
  // The kernel keeps the output in registers.
  if (mayAlias(a, c) || mayAlias(b, c)) return 'the output may share memory with a panel';
  const [, filters, windows] = op.extents.map(constantOf);
  const halves = isPaired ? 2 : 1;
  const [panelA, panelB] = [strideOf(a, 1), strideOf(b, 0)].map((stride) => stride && stride / halves);
  const rowStride = c.strides[1];
  if (filters === undefined || windows === undefined || rowStride === undefined)
    return 'its tile has no static size';
  if (!isDense(a, 2, halves) || !isDense(b, 1, halves) || !isDense(c, 2))
    return 'its innermost elements are not contiguous';
  if (panelA === undefined || panelB === undefined || panelA < windows || panelB < filters) {
    return 'its panels have no static width';
  }
  return { a, b, c, element, windows, filters, panels: { windows: panelA, filters: panelB }, rowStride };
};

const strideOf = (buffer: Buffer, dimension: number): number | undefined =>
  constantOf(buffer.strides[dimension]);

/** Whether a dimension has unit stride; irrelevant for a single element. */
const isDense = (buffer: Buffer, dimension: number, halves = 1): boolean =>
  (constantOf(buffer.sizes[dimension]) === 1 || strideOf(buffer, dimension) === halves) &&
  (halves === 1 || strideOf(buffer, dimension + 1) === 1);

/** Warns if the schedule has asked for a microkernel and the operation cannot be one. */
const warnIfMarked = (state: Lowering, { operation }: StructuredOp, reason: string): void => {
  if (operation.attributes['microkernel'] === undefined) return;
  const message = `this microkernel is emitted as scalar loops: ${reason}`;
  state.warnings.push(warning('wasm/scalar-microkernel', message, operation.location));
};

/**
 * Emits the operation as microkernel calls, one per image; false if it is not a microkernel. If `fill` exists and its
 * condition holds, the sums start at its value.
 */
export const lowerMicrokernel = (
  state: Lowering,
  op: StructuredOp,
  fill: FillBefore | undefined,
): boolean => {
  const match = matchMicrokernel(op);
  if (typeof match === 'string') {
    warnIfMarked(state, op, match);
    return false;
  }
  const { f, indices } = state;
  const { a, b, c, element, windows, filters, panels, rowStride } = match;
  const zero = constant(0);
  const [image = zero] = op.dims;
  const steps = op.extents[3] ?? zero;
  const access = (buffer: Buffer, at: readonly AffineExpr[]): Access => ({
    base: buffer.base,
    offset: elementOffset(buffer, at),
  });
  const accesses = [access(a, [image, zero, zero]), access(b, [zero, zero]), access(c, [image, zero, zero])];
  const loops = op.loops.filter(({ variable }) => equals(variable.expr, image));
  const row = loops.length === 0 ? state.tileRows.get(op.operation.id) : undefined;
  const ofRow =
    row && rowOptions({ windows, filters, element }, c.storage.bytes, steps, rowStride, accesses, row, state);
  const options = {
    windows,
    filters,
    panels,
    // Equal microkernels are one function.
    ...(element === 'f32' ? {} : { element }),
    ...(ofRow === undefined ? {} : { row: ofRow }),
  };
  emitNest(f, indices, {
    loops,
    accesses,
    body: ([windowPanel, filterPanel, output]) => {
      const operands = [windowPanel!, filterPanel!, output!].map((address) => f.get(address));
      const times = ofRow === undefined ? indices.emit(steps) : i32.const(row!.trips);
      operands.push(times, indices.emit(rowStride.mul(c.storage.bytes)));
      const addTo = (): void => {
        f.call(state.microkernel(options), ...operands);
      };
      if (fill === undefined) {
        addTo();
        return;
      }
      const value = scalarOf(state, op.operation, fill.value);
      const startAt = (): void => {
        f.call(state.microkernel({ ...options, start: 'argument' }), ...operands, value);
      };
      if (fill.condition === undefined) startAt();
      else f.if(typed(scalarOf(state, op.operation, fill.condition), 'i32'), startAt, addTo);
    },
  });
  if (row !== undefined && ofRow !== undefined) row.isDone = true;
  return true;
};

/** The strides of a microkernel along a row; undefined if they are not constant or there are several register tiles. */
const rowOptions = (
  tile: Pick<MicrokernelOptions, 'windows' | 'filters' | 'element'>,
  bytes: number,
  steps: AffineExpr,
  rowStride: AffineExpr,
  accesses: readonly Access[],
  row: TileRow,
  state: Lowering,
): MicrokernelOptions['row'] => {
  const [known, rowBytes] = [constantOf(steps), constantOf(rowStride.mul(bytes))];
  const [a, b, c] = accesses.map(({ offset }) => growthOf(offset, row));
  if (known === undefined || rowBytes === undefined || rowBytes < 0) return undefined;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  return state.isOneRegisterTile(tile) ? { steps: known, rowBytes, a, b, c } : undefined;
};

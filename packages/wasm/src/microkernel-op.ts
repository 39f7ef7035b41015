/** `kernel.microkernel` as calls of SIMD functions. */
import type { AffineExpr } from '@sconv/affine';
import { constant } from '@sconv/affine';
import type { Microkernel } from '@sconv/dialects/kernel';
import { microkernelView } from '@sconv/dialects/kernel';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { Operation } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { Access, NestLoop } from './loops.ts';
import { emitNest } from './loops.ts';
import { i32, typed } from './instructions.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { bufferOf, constantOf, elementOffset, scalarOf, unsupported } from './lowering.ts';
import type { MicrokernelOptions } from './microkernel.ts';
import { storageOf } from './storage.ts';
import type { TileRow } from './tile-row.ts';
import { growthOf } from './tile-row.ts';

type Tile = Pick<MicrokernelOptions, 'windows' | 'filters'> &
  Required<Pick<MicrokernelOptions, 'element' | 'panels' | 'tiles'>>;

/** The tile and its elements, or why there is no code for it. */
const tileOf = ({
  windowPanel,
  filterPanel,
  output,
  windows,
  filters,
  halves,
  lanes,
  tiles,
}: Microkernel): Tile | string => {
  const name = halves === 2 ? 'i16x2' : storageOf(output.type.elementType)?.name;
  if (name !== 'i16x2' && name !== 'f32' && name !== 'f64' && name !== 'i32')
    return 'its elements are not all f32, all f64, or all i32';
  if (lanes !== 'windows' || tiles.some(({ beside }) => beside !== undefined))
    return 'its lanes are not along the windows';
  const [ofWindows, ofFilters] = [windowPanel, filterPanel].map(
    ({ type }) => stridedLayoutOf(type)?.strides ?? [],
  ) as [readonly number[], readonly number[]];
  const areFiltersDense = filters === 1 || ofFilters[1] === halves;
  if (!areFiltersDense) return 'its innermost elements are not contiguous';
  const [widthOfWindows = DYNAMIC, widthOfFilters = DYNAMIC] = [ofWindows[1], ofFilters[0]];
  const panels = { windows: widthOfWindows / halves, filters: widthOfFilters / halves };
  if (widthOfWindows === DYNAMIC || widthOfFilters === DYNAMIC) return 'its panels have no static width';
  if (panels.windows < windows || panels.filters < filters) return 'its panels have no static width';
  return { windows, filters, element: name, panels, tiles };
};

/** Why there is no code for a microkernel, for the pass that forms them; undefined if there is. */
export const refusedMicrokernel = (kernel: Microkernel): string | undefined => {
  const tile = tileOf(kernel);
  return typeof tile === 'string' ? tile : undefined;
};

/**
 * Emits the operation as microkernel calls, one per image. If there is a value to start with and its condition holds,
 * the sums start there.
 */
export const lowerMicrokernel = (state: Lowering, operation: Operation): void => {
  const kernel = microkernelView(operation);
  const tile = tileOf(kernel);
  if (typeof tile === 'string') return unsupported(operation, 'this microkernel', `: ${tile}`);
  const { f, indices } = state;
  const { windowPanel, filterPanel, output, start } = kernel;
  const [a, b, c] = [windowPanel, filterPanel, output].map((value) => bufferOf(state, operation, value)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const zero = constant(0);
  const [images, steps, rowStride] = [c.sizes[0]!, a.sizes[1]!, c.strides[1]!];
  const loops: readonly NestLoop[] =
    constantOf(images) === 1
      ? []
      : [{ variable: indices.of(f.local('i32'), 0, constantOf(images) ?? 2 ** 31), extent: images }];
  const image = loops[0]?.variable.expr ?? zero;
  const access = (buffer: Buffer, at: readonly AffineExpr[]): Access => ({
    base: buffer.base,
    offset: elementOffset(buffer, at),
  });
  const accesses = [access(a, [image, zero, zero]), access(b, [zero, zero]), access(c, [image, zero, zero])];
  const row = loops.length === 0 ? state.tileRows.get(operation.id) : undefined;
  const ofRow = row && rowOptions(tile, c.storage.bytes, steps, rowStride, accesses, row);
  const { windows, filters, panels, element, tiles } = tile;
  const options = {
    windows,
    filters,
    panels,
    tiles,
    // Equal microkernels are one function.
    ...(element === 'f32' ? {} : { element }),
    ...(ofRow === undefined ? {} : { row: ofRow }),
  };
  emitNest(f, indices, {
    loops,
    accesses,
    body: ([windowsAt, filtersAt, outputAt]) => {
      const operands = [windowsAt!, filtersAt!, outputAt!].map((address) => f.get(address));
      const times = ofRow === undefined ? indices.emit(steps) : i32.const(row!.trips);
      operands.push(times, indices.emit(rowStride.mul(c.storage.bytes)));
      const addTo = (): void => {
        f.call(state.microkernel(options), ...operands);
      };
      if (start === undefined) {
        addTo();
        return;
      }
      const value = scalarOf(state, operation, start.value);
      const startAt = (): void => {
        f.call(state.microkernel({ ...options, start: 'argument' }), ...operands, value);
      };
      if (start.condition === undefined) startAt();
      else f.if(typed(scalarOf(state, operation, start.condition), 'i32'), startAt, addTo);
    },
  });
  if (row !== undefined && ofRow !== undefined) row.isDone = true;
};

/** The strides of a microkernel along a row; undefined if they are not constant or there are several register tiles. */
const rowOptions = (
  { tiles }: Tile,
  bytes: number,
  steps: AffineExpr,
  rowStride: AffineExpr,
  accesses: readonly Access[],
  row: TileRow,
): MicrokernelOptions['row'] => {
  const [known, rowBytes] = [constantOf(steps), constantOf(rowStride.mul(bytes))];
  const [a, b, c] = accesses.map(({ offset }) => growthOf(offset, row));
  if (known === undefined || known < 1 || rowBytes === undefined || rowBytes < 0) return undefined;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  return tiles.length === 1 ? { steps: known, rowBytes, a, b, c } : undefined;
};

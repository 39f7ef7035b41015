/** `kernel.pack`, with padding around its source or without. */
import type { AffineExpr } from '@sconv/affine';
import { constant, substitute, symbol } from '@sconv/affine';
import type { Packing } from '@sconv/dialects/kernel';
import { packingView } from '@sconv/dialects/kernel';
import { isContiguous, stridedLayoutOf } from '@sconv/dialects/memref';
import { DYNAMIC } from '@sconv/ir';
import { maximumLanes } from '@sconv/kernels';
import type { Lowering } from './lowering.ts';
import { bufferOf, constantOf, elementOffset, indexOf, unsupported } from './lowering.ts';
import { knownConversion, packedElement } from './packed-element.ts';
import { emitPadded } from './padded-packing-op.ts';
import type { PackedSpace, PackingPlan, Unpaired } from './packing-op.ts';
import { atLane, dependsOn, emitPacking, pairStride, planPacking, unpaired } from './packing-op.ts';
import type { NestLoop } from './loops.ts';
import { storageOf } from './storage.ts';
import type { WasmLowering } from './wasm-lowering.ts';

/** What a packing's code is made from. */
interface PackPlan extends Unpaired {
  /** Bytes from the source's base to the element, or to the first half of a pair. */
  readonly offset: AffineExpr;
  /** Distance of the halves of a pair in the source, in bytes. */
  readonly apart: number | undefined;
  /** Undefined with padding. */
  readonly panels: PackingPlan | undefined;
}

/** The plan of a packing whose dimensions are `space`, of elements at `offset`, or why there is no code for it. */
const planOf = (packing: Packing, whole: PackedSpace, offset: AffineExpr): PackPlan | string => {
  const { margin, source, target, conversion } = packing;
  if (!isContiguous(target.type)) return 'its panels are not contiguous';
  const [from, to] = [source, target].map(({ type }) => storageOf(type.elementType));
  const { space, half } = unpaired(whole, to?.name);
  const apart = pairStride(offset, half);
  if (knownConversion(from, to, conversion, apart !== undefined) === undefined)
    return 'its elements are of other types';
  const first = half === undefined ? offset : atLane(offset, half, 0);
  const plan = { space, ...(half && { half }), offset: first, apart };
  if (margin === undefined) {
    const panels = planPacking(space, first);
    return panels === undefined ? 'its panels are not regular' : { ...plan, panels };
  }
  const isOfHalf = half !== undefined && margin.tests.some(({ index }) => dependsOnLast(packing, index));
  const lanes = constantOf(space.extents.at(-1));
  const isKnown = space.extents.every((extent) => constantOf(extent) !== undefined);
  if (isOfHalf || !isKnown || lanes === undefined || lanes > maximumLanes)
    return 'its panels are not regular';
  return { ...plan, panels: undefined };
};

/** Whether a test depends on the half of a pair. */
const dependsOnLast = ({ extents }: Packing, index: AffineExpr): boolean => {
  const dims = extents.map((_, i) => symbol(i));
  return dependsOn(substitute(index, { dims }), dims.at(-1)!);
};

/** Why there is no code for a packing, for the pass that forms them; undefined if there is. */
export const refusedPacking = (packing: Packing): string | undefined => {
  const { source, extents, outer, indices } = packing;
  const strides = stridedLayoutOf(source.type)?.strides;
  const bytes = storageOf(source.type.elementType)?.bytes;
  if (strides === undefined || strides.includes(DYNAMIC) || bytes === undefined)
    return 'its source has no static strides';
  const dims = extents.map((size, i) => (size === 1 ? constant(0) : symbol(i)));
  const known = [...dims, ...outer.map((_, i) => symbol(extents.length + i))];
  const offset = indices.reduce<AffineExpr>(
    (sum, index, i) => sum.add(substitute(index, { dims: known }).mul(strides[i]! * bytes)),
    constant(0),
  );
  // Sizes that are not known are no constants.
  const sizes = extents.map((size) => (size === DYNAMIC ? symbol(known.length) : constant(size)));
  const plan = planOf(packing, { dims, extents: sizes, loops: [] }, offset);
  return typeof plan === 'string' ? plan : undefined;
};

export const lowerPack: WasmLowering = (state, operation) => {
  const packing = packingView(operation);
  const [source, target] = [packing.source, packing.target].map((value) =>
    bufferOf(state, operation, value),
  ) as [ReturnType<typeof bufferOf>, ReturnType<typeof bufferOf>];
  const space = spaceOf(state, target.sizes);
  if (space.extents.some((extent) => extent.kind === 'constant' && extent.value <= 0)) return;
  const dims = [...space.dims, ...packing.outer.map((value) => indexOf(state, operation, value))];
  const at = (expr: AffineExpr): AffineExpr => substitute(expr, { dims });
  const plan = planOf(packing, space, elementOffset(source, packing.indices.map(at)));
  if (typeof plan === 'string') return unsupported(operation, 'this packing', `: ${plan}`);
  const { half, offset, apart, panels } = plan;
  const conversion = knownConversion(
    source.storage,
    target.storage,
    packing.conversion,
    apart !== undefined,
  )!;
  const element = packedElement(state, operation, conversion, apart);
  const isKept = state.keeper?.isKept(operation.id) === true;
  const isCopied =
    source.storage.bytes === 4 && source.storage.name === target.storage.name && apart === undefined;
  if (isKept && !isCopied) state.panels?.miss();
  const streamed = isKept && isCopied ? state.panels : undefined;
  const write = (): void => {
    const buffers = { source, target, element };
    if (panels !== undefined) {
      emitPacking(state, panels, { ...buffers, streamed });
      return;
    }
    streamed?.miss();
    const lane = plan.space.dims.at(-1)!;
    const first = (expr: AffineExpr): AffineExpr => (half === undefined ? expr : atLane(expr, half, 0));
    const { tests, padding } = packing.margin!;
    emitPadded(state, {
      ...buffers,
      space: plan.space,
      offset,
      tests: tests.map(({ index, size }) => ({ index: at(index), size })),
      to: atLane(first(elementOffset(target, space.dims)), lane, 0),
      padding,
      operation,
      lane,
      lanes: constantOf(plan.space.extents.at(-1))!,
    });
  };
  if (state.keeper === undefined) write();
  else state.keeper.pack(operation.id, write);
};

/** The dimensions of a target, with a loop for each that has more than one index. */
const spaceOf = ({ f, indices }: Lowering, sizes: readonly AffineExpr[]): PackedSpace => {
  const loops: NestLoop[] = [];
  const dims = sizes.map((extent) => {
    const count = constantOf(extent);
    if (count === 1) return constant(0);
    const variable = indices.of(f.local('i32'), 0, count ?? 2 ** 31);
    loops.push({ variable, extent });
    return variable.expr;
  });
  return { dims, extents: sizes, loops };
};

/** The `memref` dialect. Views are values that share memory. */
import { bitsOf, mixedIndices } from '@sconv/dialects';
import type { MemRefType, Operation, Type } from '@sconv/ir';
import { DYNAMIC, printType } from '@sconv/ir';
import { loadElement, storeElement } from './access.ts';
import type { Context, Exec, Frame, Handler, Handlers } from './context.ts';
import type { ElementArray } from './element.ts';
import { elementKind } from './element.ts';
import { checkSlice, keptDimensions, mixedValues, reassociationOf, sliceValues } from './slice.ts';
import { copyBox, gatherBox, rowMajorStrides, scatterBox } from './strided.ts';
import { checkSameCount, checkStaticShape, dim, rank } from './tensor.ts';
import { printShape, trap } from './trap.ts';
import type { Allocation, MemRefValue } from './value.ts';
import { extentOf } from './value.ts';

const memrefTypeOf = (operation: Operation, context: Context, type: Type): MemRefType =>
  type.kind === 'memref' ? type : context.invalid(operation, `gives ${printType(type)} for a memref`);

/** Offset and strides for a type with these sizes; traps unless the layout is strided and static. */
const layoutOf = (
  operation: Operation,
  { layout }: MemRefType,
  sizes: readonly number[],
): { readonly offset: number; readonly strides: readonly number[] } => {
  const contiguous = { offset: 0, strides: rowMajorStrides(sizes) };
  if (layout === undefined) return contiguous;
  if (layout.kind === 'affine-map') {
    const { numDims, numSymbols, results } = layout.map;
    const isIdentity =
      numSymbols === 0 &&
      results.length === numDims &&
      results.every((result, i) => result.kind === 'dim' && result.position === i);
    if (isIdentity) return contiguous;
  }
  if (layout.kind === 'strided' && layout.offset !== DYNAMIC && !layout.strides.includes(DYNAMIC))
    return layout;
  return trap(
    operation,
    'interpreter/unsupported-type',
    'allocates with a layout that is not static and strided',
  );
};

/** A new buffer of `type`, all poison. */
export const newBuffer = (
  operation: Operation,
  context: Context,
  type: MemRefType,
  sizes: readonly number[],
): MemRefValue => {
  const { offset, strides } = layoutOf(operation, type, sizes);
  if (sizes.some((size) => size < 0)) {
    trap(operation, 'interpreter/shape-mismatch', `has a negative size: ${printShape(sizes)}`);
  }
  const [first, last] = extentOf({ offset, sizes, strides });
  if (first < 0)
    trap(operation, 'interpreter/unsupported-type', 'allocates with a layout that begins below zero');
  const data = context.machine.allocatePoison(operation, [last + 1], type.elementType);
  const { elementType } = type;
  return { kind: 'memref', elementType, allocation: { data, freed: false }, offset, sizes, strides };
};

/** `memref.alloc` and `memref.alloca`. */
const alloc: Handler = (operation, context) => {
  const result = context.result(operation);
  const type = memrefTypeOf(operation, context, result.type);
  const dynamic = type.shape.filter((size) => size === DYNAMIC).length;
  const shape = mixedValues(
    operation,
    context,
    mixedIndices(operation.operands.slice(0, dynamic), type.shape),
  );
  const slot = context.slot(result);
  return (frame) => {
    frame.objects[slot] = newBuffer(operation, context, type, shape(frame));
  };
};

const dealloc: Handler = (operation, context) => {
  const slot = context.slot(context.operand(operation, 0));
  return (frame) => {
    const buffer = frame.objects[slot];
    if (typeof buffer !== 'object' || buffer.kind !== 'memref') {
      return context.invalid(operation, 'deallocates what is no buffer');
    }
    if (buffer.allocation.freed) {
      trap(operation, 'interpreter/double-free', 'deallocates a buffer that has been deallocated');
    }
    buffer.allocation.freed = true;
  };
};

const memrefLoad: Handler = (operation, context) => {
  const indices = context.numbers(operation, operation.operands.slice(1));
  return loadElement(operation, context, context.operand(operation, 0), indices);
};

const memrefStore: Handler = (operation, context) => {
  const [value, buffer] = [context.operand(operation, 0), context.operand(operation, 1)];
  return storeElement(
    operation,
    context,
    value,
    buffer,
    context.numbers(operation, operation.operands.slice(2)),
  );
};

/** An operation that creates a view of its first operand. */
const view = (
  operation: Operation,
  context: Context,
  change: (source: MemRefValue, frame: Frame) => Pick<MemRefValue, 'offset' | 'sizes' | 'strides'>,
): Exec => {
  const source = context.memref(operation, context.operand(operation, 0));
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const { elementType, allocation, ...buffer } = source(frame);
    const { offset, sizes, strides } = change({ elementType, allocation, ...buffer }, frame);
    frame.objects[slot] = { kind: 'memref', elementType, allocation, offset, sizes, strides };
  };
};

const subview: Handler = (operation, context) => {
  const slice = sliceValues(operation, context);
  const kept = keptDimensions(operation, context.result(operation).type);
  return view(operation, context, (source, frame) => {
    const values = slice(frame);
    checkSlice(operation, values, source.sizes);
    return {
      offset: values.offsets.reduce((sum, offset, i) => sum + offset * source.strides[i]!, source.offset),
      sizes: values.sizes.filter((_, i) => kept[i]),
      strides: values.strides.map((stride, i) => stride * source.strides[i]!).filter((_, i) => kept[i]),
    };
  });
};

/** Refuses a view that contradicts the static sizes, strides or offset of a type. */
export const checkMemRefType = (operation: Operation, value: MemRefValue, type: Type): void => {
  checkStaticShape(operation, value.sizes, type);
  if (type.kind !== 'memref' || (type.layout !== undefined && type.layout.kind !== 'strided')) return;
  const { offset, strides } = type.layout ?? { offset: 0, strides: rowMajorStrides(value.sizes) };
  const fits =
    (offset === DYNAMIC || offset === value.offset) &&
    // The stride of a dimension of size 0 or 1 is never used.
    strides.every((stride, i) => stride === DYNAMIC || value.sizes[i]! <= 1 || stride === value.strides[i]);
  if (!fits) {
    const layout = `strided<[${value.strides.join(', ')}], offset: ${value.offset}>`;
    trap(
      operation,
      'interpreter/shape-mismatch',
      `has a buffer of the layout ${layout} for ${printType(type)}`,
    );
  }
};

const cast: Handler = (operation, context) => {
  const { type } = context.result(operation);
  return view(operation, context, (source) => {
    checkMemRefType(operation, source, type);
    return source;
  });
};

/** Offset, sizes and strides refer to the allocation, not to the source view. */
const reinterpretCast: Handler = (operation, context) => {
  const slice = sliceValues(operation, context);
  return view(operation, context, ({ allocation }, frame) => {
    const { offsets, sizes, strides } = slice(frame);
    const value = { offset: offsets[0] ?? 0, sizes, strides };
    const [first, last] = extentOf(value);
    if (first < 0 || last >= allocation.data.length) {
      trap(
        operation,
        'interpreter/out-of-bounds',
        `reaches from element ${first} to ${last} of an allocation of ${allocation.data.length}`,
      );
    }
    return value;
  });
};

/** The shape is itself a buffer; source and result are contiguous. */
const reshape: Handler = (operation, context) => {
  const shape = context.memref(operation, context.operand(operation, 1));
  const { type } = context.result(operation);
  return view(operation, context, (source, frame) => {
    const {
      allocation,
      offset,
      sizes: [rank = 0],
      strides: [step = 1],
    } = shape(frame);
    const sizes = Array.from({ length: rank }, (_, i) => Number(allocation.data[offset + i * step]));
    checkSameCount(operation, source.sizes, sizes);
    checkStaticShape(operation, sizes, type);
    return { offset: source.offset, sizes, strides: rowMajorStrides(sizes) };
  });
};

const collapseShape: Handler = (operation, context) => {
  const groups = reassociationOf(operation, context);
  return view(operation, context, ({ offset, sizes, strides }) => {
    const collapsed = groups.map((group) => {
      // The innermost dimension with a meaningful stride determines the result; the outer ones must be consistent with
      // it.
      const used = group.filter((i) => sizes[i] !== 1);
      const last = used.at(-1) ?? group.at(-1);
      const stride = last === undefined ? 1 : strides[last]!;
      used.forEach((i, position) => {
        const inner = used[position + 1];
        if (inner !== undefined && strides[i] !== sizes[inner]! * strides[inner]!) {
          trap(
            operation,
            'interpreter/shape-mismatch',
            `collapses dimensions ${i} and ${inner}, which are apart`,
          );
        }
      });
      return { size: group.reduce((product, i) => product * sizes[i]!, 1), stride };
    });
    return {
      offset,
      sizes: collapsed.map(({ size }) => size),
      strides: collapsed.map(({ stride }) => stride),
    };
  });
};

const expandShape: Handler = (operation, context) => {
  const groups = reassociationOf(operation, context);
  const type = memrefTypeOf(operation, context, context.result(operation).type);
  const shape = mixedValues(operation, context, mixedIndices(operation.operands.slice(1), type.shape));
  return view(operation, context, (source, frame) => {
    const sizes = shape(frame);
    const strides = sizes.map(() => 1);
    for (const [g, group] of groups.entries()) {
      let stride = source.strides[g]!;
      for (const i of [...group].reverse()) {
        strides[i] = stride;
        stride *= sizes[i]!;
      }
      if (stride !== source.strides[g]! * source.sizes[g]!) {
        const expanded = printShape(group.map((i) => sizes[i]!));
        trap(operation, 'interpreter/shape-mismatch', `expands ${source.sizes[g]} elements to ${expanded}`);
      }
    }
    return { offset: source.offset, sizes, strides };
  });
};

const transpose: Handler = (operation, context) => {
  const { map } = context.attribute(operation, 'permutation', 'affine-map');
  const positions = map.results.map((result) => (result.kind === 'dim' ? result.position : 0));
  return view(operation, context, ({ offset, sizes, strides }) => ({
    offset,
    sizes: positions.map((position) => sizes[position]!),
    strides: positions.map((position) => strides[position]!),
  }));
};

/** Copies between buffers of equal shape; through a temporary if both view the same allocation. */
export const copyBuffer = (
  operation: Operation,
  context: Context,
  from: MemRefValue,
  to: MemRefValue,
): void => {
  if (printShape(from.sizes) !== printShape(to.sizes)) {
    trap(
      operation,
      'interpreter/shape-mismatch',
      `copies ${printShape(from.sizes)} to ${printShape(to.sizes)}`,
    );
  }
  const source = from.allocation.data;
  if (from.allocation !== to.allocation) {
    copyBox(source, from, to.allocation.data, to);
    return;
  }
  const elements = context.machine.allocate(operation, from.sizes, from.elementType);
  gatherBox(source, from, elements);
  scatterBox(elements, to.allocation.data, to);
};

const copy: Handler = (operation, context) => {
  const from = context.memref(operation, context.operand(operation, 0));
  const to = context.memref(operation, context.operand(operation, 1));
  return (frame) => copyBuffer(operation, context, from(frame), to(frame));
};

const extractStridedMetadata: Handler = (operation, context) => {
  const source = context.memref(operation, context.operand(operation, 0));
  const slot = context.slot(context.result(operation));
  const slots = context.numbers(operation, operation.results.slice(1));
  return (frame) => {
    const { kind, elementType, allocation, offset, sizes, strides } = source(frame);
    frame.objects[slot] = { kind, elementType, allocation, offset: 0, sizes: [], strides: [] };
    [offset, ...sizes, ...strides].forEach((value, i) => {
      frame.numbers[slots[i]!] = value;
    });
  };
};

const getGlobal: Handler = (operation, context) => {
  const { root } = context.attribute(operation, 'name', 'symbol-ref');
  const result = context.result(operation);
  const slot = context.slot(result);
  return (frame) => {
    const buffer = context.symbols.global(root);
    if (buffer === undefined) context.invalid(operation, `names @${root}, which is no memref.global`);
    frame.objects[slot] = buffer;
  };
};

/** Elements over a buffer's bytes; for types with the same size here as in memory. */
const byteView: Handler = (operation, context) => {
  const type = memrefTypeOf(operation, context, context.result(operation).type);
  const source = context.memref(operation, context.operand(operation, 0));
  const [shiftSlot, ...sizeSlots] = context.numbers(operation, operation.operands.slice(1));
  const slot = context.slot(context.result(operation));
  const bits = bitsOf(type.elementType);
  const Elements = elementKind(type.elementType)?.allocate(0).constructor as
    (new (buffer: ArrayBufferLike, offset: number, length: number) => ElementArray) | undefined;
  return (frame) => {
    const { allocation, sizes: bytes, offset } = source(frame);
    const shift = frame.numbers[shiftSlot!]!;
    const given = sizeSlots.values();
    const sizes = type.shape.map((size) => (size === DYNAMIC ? frame.numbers[given.next().value!]! : size));
    const length = sizes.reduce((product, size) => product * size, 1);
    const width = Math.ceil((bits ?? 0) / 8);
    const first = allocation.data.byteOffset + offset + shift;
    if (Elements === undefined || width === 0 || first % width !== 0 || !holds(Elements, width)) {
      trap(operation, 'interpreter/unsupported-type', `views bytes as ${printType(type.elementType)}`);
    }
    if (shift < 0 || shift + length * width > (bytes[0] ?? 0)) {
      trap(
        operation,
        'interpreter/out-of-bounds',
        `views ${length * width} bytes from ${shift} on of ${bytes[0] ?? 0}`,
      );
    }
    frame.objects[slot] = {
      kind: 'memref',
      elementType: type.elementType,
      allocation: sharing(allocation, new Elements(allocation.data.buffer, first, length)),
      offset: 0,
      sizes,
      strides: rowMajorStrides(sizes),
    };
  };
};

const holds = (Elements: object, width: number): boolean =>
  (Elements as { readonly BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT === width;

/** An allocation's memory as other elements; freed together with it. */
const sharing = (allocation: Allocation, data: ElementArray): Allocation => ({
  data,
  get freed() {
    return allocation.freed;
  },
  set freed(freed) {
    allocation.freed = freed;
  },
});

const allocaScope: Handler = (operation, context) =>
  context.body(operation, context.region(operation, 0), ({ operands }) =>
    context.assign(operation, operands, operation.results),
  );

const sameView: Handler = (operation, context) => view(operation, context, (source) => source);

/** The operations of `memref`. */
export const memrefHandlers: Handlers = {
  'memref.alloc': alloc,
  'memref.alloca': alloc,
  'memref.alloca_scope': allocaScope,
  'memref.assume_alignment': () => undefined,
  'memref.cast': cast,
  'memref.collapse_shape': collapseShape,
  'memref.copy': copy,
  'memref.dealloc': dealloc,
  'memref.dim': dim,
  'memref.expand_shape': expandShape,
  'memref.extract_strided_metadata': extractStridedMetadata,
  'memref.get_global': getGlobal,
  'memref.load': memrefLoad,
  'memref.memory_space_cast': sameView,
  'memref.prefetch': () => undefined,
  'memref.rank': rank,
  'memref.reinterpret_cast': reinterpretCast,
  'memref.reshape': reshape,
  'memref.store': memrefStore,
  'memref.subview': subview,
  'memref.transpose': transpose,
  'memref.view': byteView,
};

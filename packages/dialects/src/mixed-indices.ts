/**
 * Offsets, sizes and strides that mix numbers and SSA values, as upstream's `OpFoldResult` lists: the numbers are in
 * a `static_…` attribute, with `DYNAMIC` for the next operand of the group.
 */
import type {
  AssemblyDirective,
  Attribute,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  UnresolvedOperand,
  Value,
} from '@sconv/ir';
import { denseArrayAttribute, DYNAMIC, indexType } from '@sconv/ir';
import { segments } from './segments.ts';

/** An index that is static or computed at run time. */
export type MixedIndex = number | Value;

/** A mixed list, as an operation stores it. */
export interface SliceOperands {
  readonly dynamic: readonly Value[];
  /** `DYNAMIC` stands for the next value of `dynamic`. */
  readonly static: readonly number[];
}

/** Splits a mixed list into operands and attribute values. */
export const sliceOperands = (mixed: readonly MixedIndex[]): SliceOperands => ({
  dynamic: mixed.filter((index) => typeof index !== 'number'),
  static: mixed.map((index) => (typeof index === 'number' ? index : DYNAMIC)),
});

/** The inverse of `sliceOperands`. */
export const mixedIndices = (dynamic: readonly Value[], fixed: readonly number[]): readonly MixedIndex[] => {
  const mixed: MixedIndex[] = [];
  let next = 0;
  for (const size of fixed) {
    const index = size === DYNAMIC ? dynamic[next++] : size;
    if (index === undefined) throw new Error('fewer dynamic operands than dynamic positions');
    mixed.push(index);
  }
  return mixed;
};

/** Offsets, sizes and strides of an op with the operand groups `offsets`, `sizes` and `strides`. */
export interface MixedSlice {
  readonly offsets: readonly MixedIndex[];
  readonly sizes: readonly MixedIndex[];
  readonly strides: readonly MixedIndex[];
}

/** The numbers of an `array<i64: …>`; empty without the attribute. */
export const numbersOf = (attribute: Attribute | undefined): readonly number[] =>
  attribute?.kind === 'dense-array' ? attribute.values.map(Number) : [];

/**
 * Offsets, sizes and strides of `tensor.extract_slice`, `tensor.insert_slice`, `tensor.parallel_insert_slice`,
 * `memref.subview` or `memref.reinterpret_cast`. Throws if `operation` is not a valid one of these.
 */
export const mixedSlice = (operation: Operation): MixedSlice => {
  const groups = segments(operation);
  const group = (i: number, name: string): readonly MixedIndex[] =>
    mixedIndices(groups[groups.length - 3 + i] ?? [], numbersOf(operation.attributes[name]));
  return {
    offsets: group(0, 'static_offsets'),
    sizes: group(1, 'static_sizes'),
    strides: group(2, 'static_strides'),
  };
};

/** Whether slices of one tensor or buffer have no element in common, as known offsets and sizes of a dimension tell. */
export const areSlicesDisjoint = (a: MixedSlice, b: MixedSlice): boolean =>
  [...a.strides, ...b.strides].every((stride) => stride === 1) &&
  a.offsets.length === b.offsets.length &&
  a.offsets.some((from, i) => {
    const [size, to, otherSize] = [a.sizes[i], b.offsets[i], b.sizes[i]];
    if (typeof from !== 'number' || typeof to !== 'number') return false;
    return (
      (typeof size === 'number' && from + size <= to) ||
      (typeof otherSize === 'number' && to + otherSize <= from)
    );
  });

/** The offsets of a slice op, as `mixedSlice` gives them. */
export const mixedOffsets = (operation: Operation): readonly MixedIndex[] => mixedSlice(operation).offsets;
/** The sizes of a slice op, as `mixedSlice` gives them. */
export const mixedSizes = (operation: Operation): readonly MixedIndex[] => mixedSlice(operation).sizes;
/** The strides of a slice op, as `mixedSlice` gives them. */
export const mixedStrides = (operation: Operation): readonly MixedIndex[] => mixedSlice(operation).strides;

/** The operand groups and attributes of a slice op, for its `state`. */
export const sliceArguments = (
  slice: MixedSlice,
): {
  readonly operands: {
    readonly offsets: readonly Value[];
    readonly sizes: readonly Value[];
    readonly strides: readonly Value[];
  };
  readonly attributes: {
    readonly staticOffsets: readonly number[];
    readonly staticSizes: readonly number[];
    readonly staticStrides: readonly number[];
  };
} => {
  const [offsets, sizes, strides] = [slice.offsets, slice.sizes, slice.strides].map(sliceOperands) as [
    SliceOperands,
    SliceOperands,
    SliceOperands,
  ];
  return {
    operands: { offsets: offsets.dynamic, sizes: sizes.dynamic, strides: strides.dynamic },
    attributes: { staticOffsets: offsets.static, staticSizes: sizes.static, staticStrides: strides.static },
  };
};

/** Whether a list contains only numbers. */
export const allStatic = (mixed: readonly MixedIndex[]): mixed is readonly number[] =>
  mixed.every((index) => typeof index === 'number');

/** `[%a, 4, %b]`: the operands, and the numbers with `DYNAMIC` for each operand. */
export const parseIndexList = (
  parser: OpAsmParser,
  delimiter: 'square' | 'paren' = 'square',
): { readonly operands: readonly UnresolvedOperand[]; readonly static: readonly number[] } => {
  const operands: UnresolvedOperand[] = [];
  const fixed = parser.list(delimiter, () => {
    const operand = parser.optionalOperand();
    if (operand === undefined) {
      return parser.optionalExactInteger() ?? parser.fail('expected SSA value or integer');
    }
    operands.push(operand);
    return DYNAMIC;
  });
  return { operands, static: fixed };
};

/** `custom<DynamicIndexList>($dynamic, $static)`. */
export const dynamicIndexList: AssemblyDirective = {
  parse: (parser, parsed, [group = '', name = '']) => {
    const list = parseIndexList(parser);
    parsed.operands.set(group, [...list.operands]);
    parsed.operandTypes.set(
      group,
      list.operands.map(() => indexType),
    );
    parsed.attributes.set(name, denseArrayAttribute(list.static));
  },
  print: (printer, operation, [group = '', name = ''], definition) => {
    printIndexList(printer, definition.operandGroup(operation, group), operation.attributes[name]);
  },
};

/** `[%a, 4, %b]`; prints `?` for a missing operand, since invalid operations are printed too. */
export const printIndexList = (
  printer: OpAsmPrinter,
  dynamic: readonly Value[],
  fixed: Attribute | undefined,
  delimiter: 'square' | 'paren' = 'square',
): void => {
  printer.text(delimiter === 'square' ? '[' : '(');
  const values = dynamic.values();
  numbersOf(fixed).forEach((size, i) => {
    if (i > 0) printer.text(', ');
    const value = size === DYNAMIC ? values.next().value : undefined;
    if (value !== undefined) printer.operand(value);
    else printer.text(size === DYNAMIC ? '?' : String(size));
  });
  printer.text(delimiter === 'square' ? ']' : ')');
};

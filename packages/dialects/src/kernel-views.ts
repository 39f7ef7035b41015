/** Kernels as their lowerings see them. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import type { MemRefType, Operation, Type, Value } from '@sconv/ir';
import type { ContractSpace } from './kernel-contract.ts';
import { contractSpace } from './kernel-contract.ts';
import type { ConversionName, KernelLanes } from './kernel-ops.ts';
import { contract, microkernel, pack } from './kernel-ops.ts';
import type { KernelPass } from './kernel-tiles.ts';
import { passOf } from './kernel-tiles.ts';
import type { PanelProduct } from './panel-product.ts';

/** Operands and sizes of a microkernel on buffers, each operand in one panel; images and steps may be `DYNAMIC`. */
export interface Microkernel extends Omit<PanelProduct, 'widths'> {
  /** What the sums begin with instead of the output's elements. */
  readonly start: SumStart | undefined;
  readonly lanes: KernelLanes;
  /** The passes over the panels, which compute each output once. */
  readonly tiles: readonly KernelPass[];
}

/** The value that sums begin with: always, or where a condition (i1) holds. */
export interface SumStart {
  readonly value: Value;
  readonly condition: Value | undefined;
}

/** The parts of a `kernel.microkernel`. */
export const microkernelView = (operation: Operation): Microkernel => {
  const { windows, filters, output, start, condition } = microkernel.operands(operation);
  const [images, steps] = windows.type.shape as [number, number];
  const [, rows, columns] = output.type.shape as [number, number, number];
  const { lanes = 'windows', tiles = [[0, columns, 0, rows]] } = microkernel.attributes(operation);
  return {
    windowPanel: windows,
    filterPanel: filters,
    output,
    images,
    filters: rows,
    windows: columns,
    steps,
    halves: windows.type.shape.length === 4 ? 2 : 1,
    start: start && { value: start, condition },
    lanes,
    tiles: tiles.map(passOf),
  };
};

/** A tile of a contraction whose operands lie where they are. */
export interface ContractKernel {
  /** The input, the filters and the output. */
  readonly operands: readonly [Value<MemRefType>, Value<MemRefType>, Value<MemRefType>];
  readonly maps: readonly [AffineMap, AffineMap, AffineMap];
  readonly space: ContractSpace;
  /** What the sums begin with instead of the output's elements. */
  readonly start: SumStart | undefined;
}

/** The parts of a `kernel.contract`, which is valid. */
export const contractView = (operation: Operation): ContractKernel => {
  const { input, filters, output, start, condition } = contract.operands(operation);
  const attributes = contract.attributes(operation);
  const operands = [input, filters, output] as const;
  const space = contractSpace(
    operands.map(({ type }) => type),
    attributes,
  );
  if (typeof space === 'string') throw new Error(`a kernel.contract that is not valid: ${space}`);
  const [ofInput, ofFilters, ofOutput] = attributes.maps;
  return {
    operands,
    maps: [ofInput!, ofFilters!, ofOutput!],
    space,
    start: start && { value: start, condition },
  };
};

/** At each index of a buffer, stores an element of another, possibly converted. */
export interface Packing {
  readonly source: Value<MemRefType>;
  readonly target: Value<MemRefType>;
  /** The sizes of the target; outer ones may be `DYNAMIC`. */
  readonly extents: readonly number[];
  /** For each dimension of the source, an expression over the target's dimensions, followed by `outer`. */
  readonly indices: readonly AffineExpr[];
  /** Indices from around the packing. */
  readonly outer: readonly Value[];
  /** What is applied to an element before it is stored. */
  readonly conversion: readonly ConversionStep[];
  /** What lies around the source, if it is read there. */
  readonly margin: PackedMargin | undefined;
}

/** A cast to a type; or, with a zero point, its subtraction (`arith.subi`). */
export interface ConversionStep {
  readonly name: ConversionName;
  readonly type: Type;
  readonly zeroPoint: Value | undefined;
}

/** The padding around the source of a packing. */
export interface PackedMargin {
  /** An element is in the source if every index, an expression as the packing's, is in `[0, size)`. */
  readonly tests: readonly { readonly index: AffineExpr; readonly size: number }[];
  /** Of the source's element type: it is converted, too. */
  readonly padding: Value;
}

/** The parts of a `kernel.pack`. */
export const packingView = (operation: Operation): Packing => {
  const { source, target, outer, zeroPoints, padding } = pack.operands(operation);
  const { map, conversion = [], types = [], tests, bounds = [] } = pack.attributes(operation);
  const left = [...zeroPoints];
  return {
    source,
    target,
    extents: target.type.shape,
    indices: map.results,
    outer,
    conversion: conversion.map((name, i) => ({
      name,
      type: types[i]!,
      zeroPoint: name === 'arith.subi' ? left.shift() : undefined,
    })),
    margin: tests && {
      tests: tests.results.map((index, i) => ({ index, size: bounds[i]! })),
      padding: padding!,
    },
  };
};

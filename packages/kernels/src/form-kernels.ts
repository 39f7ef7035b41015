/**
 * Makes kernels of the structured ops that are some: those of a schedule, and any others with the same maps and body.
 *
 *     linalg.fill ins(%zero) outs(%tile)               "kernel.microkernel"(%windows, %filters, %tile, %zero)
 *     linalg.generic ins(%windows, %filters)      →
 *       outs(%tile) attrs = {microkernel} { … }
 *
 * What is none stays, for whoever lowers structured ops.
 */
import { makeMap } from '@sconv/affine';
import type { Diagnostic } from '@sconv/diagnostics';
import { warning } from '@sconv/diagnostics';
import { kernelAttributeName } from '@sconv/dialects';
import type { ContractKernel, Microkernel, Packing, SumStart } from '@sconv/dialects/kernel';
import {
  contract,
  kernelDialect,
  microkernel,
  microkernelView,
  numbersOfPass,
  pack,
} from '@sconv/dialects/kernel';
import { generic, genericView } from '@sconv/dialects/linalg';
import type { DraftOperation, Id, Registry, Rewriter, Value } from '@sconv/ir';
import { builder, extendRegistry } from '@sconv/ir';
import type { TileUnit } from '@sconv/targets';
import { dividedMicrokernel } from './divide-microkernel.ts';
import { matchContract } from './match-contract.ts';
import { matchMicrokernel } from './match-microkernel.ts';
import { matchPacking } from './match-packing.ts';
import { takeStart } from './take-start.ts';

/** What kernels are formed for: by what their tiles are divided, and which of them there is code for. */
export interface KernelUnit {
  /** Absent: each tile is one register tile, where no plan has divided it. */
  readonly tiles?: TileUnit | undefined;
  /** Why there is no code for a microkernel; undefined if there is. */
  readonly refusesMicrokernel?: (kernel: Microkernel) => string | undefined;
  /** The same of a tile of a contraction. */
  readonly refusesContract?: (kernel: ContractKernel) => string | undefined;
  /** The same of a packing. */
  readonly refusesPacking?: (packing: Packing) => string | undefined;
}

/** What is known besides the payload. */
export interface FormKernelsOptions {
  /** Takes every kernel by default. */
  readonly unit?: KernelUnit;
  /** Buffers that share no memory with one another, such as the arguments of functions that nobody calls. */
  readonly apart?: ReadonlySet<Id>;
}

/**
 * Replaces the structured ops on buffers at or below `root` that are kernels. Returns a warning,
 * `kernels/no-microkernel`, for each that a schedule has marked as a microkernel and that is none, and another,
 * `kernels/decision`, for each whose `sconv.kernel` does not fit its tile, which is divided as the others are.
 */
export const formKernels = (
  rewriter: Rewriter,
  root: DraftOperation,
  { unit = {}, apart = new Set() }: FormKernelsOptions = {},
): readonly Diagnostic[] =>
  rewriter.walk(root).flatMap((operation) => {
    if (microkernel.is(operation) && microkernel.attributes(operation).tiles === undefined) {
      const { kernel } = dividedMicrokernel(microkernelView(operation), operation, unit.tiles);
      createMicrokernel(rewriter, operation, kernel);
      return [];
    }
    if (!generic.is(operation) || isEmpty(operation)) return [];
    const matched = matchMicrokernel(rewriter, operation, apart);
    const divided =
      typeof matched === 'string' ? undefined : dividedMicrokernel(matched, operation, unit.tiles);
    const reason = typeof matched === 'string' ? matched : unit.refusesMicrokernel?.(divided!.kernel);
    if (divided !== undefined && reason === undefined) {
      const { kernel, problem } = divided;
      const start = takeStart(rewriter, operation, kernel.output);
      createMicrokernel(rewriter, operation, { ...kernel, start });
      return problem === undefined ? [] : [warning('kernels/decision', problem, operation.location)];
    }
    if (operation.attributes[kernelAttributeName] !== undefined) {
      const tile = matchContract(rewriter, operation, apart);
      const why = typeof tile === 'string' ? tile : unit.refusesContract?.(tile);
      if (typeof tile === 'string' || why !== undefined) return [compiledAsSums(operation, why)];
      formContract(rewriter, operation, tile);
      return [];
    }
    const packing = matchPacking(rewriter, operation, apart);
    if (packing !== undefined && unit.refusesPacking?.(packing) === undefined)
      formPacking(rewriter, operation, packing);
    if (operation.attributes['microkernel'] === undefined) return [];
    return [compiledAsSums(operation, reason)];
  });

const compiledAsSums = ({ location }: DraftOperation, reason: string | undefined): Diagnostic => {
  const message = `this microkernel is compiled as any other sum of products, which is slower: ${reason}`;
  return warning('kernels/no-microkernel', message, location);
};

/** Whether a structured op writes nothing. */
const isEmpty = (operation: DraftOperation): boolean =>
  genericView(operation).outputs.some(({ type }) => type.kind === 'memref' && type.shape.includes(0));

/** A registry that knows kernels, besides what it knows. */
export const withKernels = (registry: Registry): Registry =>
  registry.dialects.has(kernelDialect.name) ? registry : extendRegistry(registry, [kernelDialect]);

/** The operands that say what sums start with. */
const startOperands = (start: SumStart | undefined) => ({
  ...(start && { start: start.value }),
  ...(start?.condition && { condition: start.condition }),
});

const formContract = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { operands: [input, filters, output], maps, space }: ContractKernel,
): void => {
  const start = takeStart(rewriter, operation, output);
  rewriter.setInsertionPointBefore(operation);
  const { lanes, unroll, tiles } = space;
  builder(rewriter)(contract, {
    input,
    filters,
    output,
    ...startOperands(start),
    maps,
    lanes,
    ...(unroll.some((factor) => factor > 1) && { unroll }),
    ...(tiles && { tiles: tiles.flatMap(numbersOfPass) }),
  });
  rewriter.eraseOperation(operation);
};

/** Replaces an operation by a microkernel. */
const createMicrokernel = (rewriter: Rewriter, operation: DraftOperation, kernel: Microkernel): void => {
  rewriter.setInsertionPointBefore(operation);
  builder(rewriter)(microkernel, {
    windows: kernel.windowPanel,
    filters: kernel.filterPanel,
    output: kernel.output,
    ...startOperands(kernel.start),
    lanes: kernel.lanes,
    tiles: kernel.tiles.map(numbersOfPass),
  });
  rewriter.eraseOperation(operation);
};

const formPacking = (rewriter: Rewriter, operation: DraftOperation, packing: Packing): void => {
  const { source, target, indices, outer, conversion, margin } = packing;
  rewriter.setInsertionPointBefore(operation);
  /** A value of the body, which is erased, made before the packing. */
  const before = (value: Value): Value => {
    const definition = rewriter.definingOperation(value);
    if (definition === undefined || rewriter.isDefinedOutside(value, operation)) return value;
    const operands = definition.operands.map((operand) => [operand.id, before(operand)] as const);
    return rewriter.clone(definition, new Map(operands)).results[0]!;
  };
  const numDims = packing.extents.length + outer.length;
  builder(rewriter)(pack, {
    source,
    target,
    outer,
    zeroPoints: conversion.flatMap(({ zeroPoint }) => (zeroPoint === undefined ? [] : [before(zeroPoint)])),
    map: makeMap(numDims, 0, indices),
    ...(conversion.length > 0 && {
      conversion: conversion.map(({ name }) => name),
      types: conversion.map(({ type }) => type),
    }),
    ...(margin && {
      padding: before(margin.padding),
      tests: makeMap(
        numDims,
        0,
        margin.tests.map(({ index }) => index),
      ),
      bounds: margin.tests.map(({ size }) => size),
    }),
  });
  rewriter.eraseOperation(operation);
};

/** `kernel.contract` as calls of SIMD functions, one for each register tile. */
import { constant } from '@sconv/affine';
import type { ContractKernel } from '@sconv/dialects/kernel';
import { contractView } from '@sconv/dialects/kernel';
import type { Operation } from '@sconv/ir';
import type { ContractTile, Point } from '@sconv/kernels';
import { contractRoles, contractStrides, contractTiles } from '@sconv/kernels';
import { kernelRegisters } from '@sconv/targets';
import type { ContractElement, ContractForm } from './contract-function.ts';
import { addContract } from './contract-function.ts';
import type { Expr } from './instructions.ts';
import { i32, typed } from './instructions.ts';
import { arithmeticOf, registers } from './kernel-function.ts';
import type { Lowering } from './lowering.ts';
import { bufferOf, elementAddress, scalarOf, unsupported } from './lowering.ts';
import { storageOf } from './storage.ts';

/** The elements that there is code for. */
const elementOf = ({ operands: [, , output] }: ContractKernel): ContractElement | undefined => {
  const name = storageOf(output.type.elementType)?.name;
  return name === 'f32' || name === 'f64' || name === 'i32' ? name : undefined;
};

/** Why there is no code for a tile of a contraction, for the pass that forms kernels; undefined if there is. */
export const refusedContract = (kernel: ContractKernel): string | undefined =>
  elementOf(kernel) === undefined ? 'its elements are not all f32, all f64, or all i32' : undefined;

/** Bytes from the first element of an operand to the one that a point uses. */
type Distance = (point: Point) => number;

/** Emits the operation as a call for each register tile, in turn. */
export const lowerContract = (state: Lowering, operation: Operation): void => {
  const kernel = contractView(operation);
  const { operands, maps, space, start } = kernel;
  const element = elementOf(kernel);
  if (element === undefined)
    return unsupported(operation, 'this contraction', `: ${refusedContract(kernel)}`);
  const { f } = state;
  const { bytes, lanes } = arithmeticOf({ element, windows: 1, filters: 1 });
  const [vectors, broadcasts] = contractRoles(space);
  /** What is read in vectors, what is broadcast, and the output. */
  const places = ([vectors, broadcasts, 2] as const).map((position) => {
    const value = operands[position];
    const strides = contractStrides(value.type, maps[position]);
    if (strides?.steps.every((step) => step >= 0) !== true)
      return unsupported(operation, 'a contraction of operands without a known layout');
    const buffer = bufferOf(state, operation, value);
    const origin = maps[position].results.map(() => constant(0));
    const first = i32.add(elementAddress(state, buffer, origin), i32.const(bytes * strides.first));
    const distance: Distance = (point) =>
      bytes * point.reduce((sum, index, i) => sum + index * strides.steps[i]!, 0);
    return { address: f.let(first), steps: strides.steps, distance };
  });
  const [ofVectors, ofBroadcasts] = places.map(({ steps }) => steps) as [Point, Point];
  const reductions = space.reduced
    .filter((each) => space.extents[each]! > 1)
    .map((each) => ({
      extent: space.extents[each]!,
      unroll: space.unroll[each]!,
      vectors: bytes * ofVectors[each]!,
      broadcast: bytes * ofBroadcasts[each]!,
    }));
  const distances = places.map(({ distance }) => distance) as [Distance, Distance, Distance];
  const unit = { lanes, registers: kernelRegisters({ registers, fused: state.relaxed }) };
  const callTiles = (value?: Expr): void => {
    const common = { element, relaxed: state.relaxed, isStarted: value !== undefined, reductions };
    for (const tile of contractTiles(kernel, unit)) {
      const { from, ...relative } = relativePlaces(tile, distances, bytes);
      const form: ContractForm = { ...common, ...relative };
      const callee = state.sharedFunction(`contract ${JSON.stringify(form)}`, (builder) =>
        addContract(builder, form),
      );
      const addresses = places.map(({ address }, i) => i32.add(f.get(address), i32.const(from[i]!)));
      f.call(callee, ...addresses, ...(value === undefined ? [] : [value]));
    }
  };
  if (start === undefined) {
    callTiles();
    return;
  }
  const startTiles = (): void => {
    callTiles(scalarOf(state, operation, start.value));
  };
  if (start.condition === undefined) startTiles();
  else f.if(typed(scalarOf(state, operation, start.condition), 'i32'), startTiles, callTiles);
};

/** The places of a tile's elements from the lowest of each operand, and of these from the operands' first elements. */
const relativePlaces = (
  { vectors, others }: ContractTile,
  [ofVectors, ofBroadcasts, ofOutputs]: readonly [Distance, Distance, Distance],
  bytes: number,
) => {
  const at = vectors.map((vector) => ofVectors(vector.at));
  const broadcasts = others.map(ofBroadcasts);
  const outputs = others.map((row) =>
    vectors.map((each) => ofOutputs(each.at.map((index, i) => index + row[i]!))),
  );
  const from = [at, broadcasts, outputs.flat()].map((all) => Math.min(...all)) as [number, number, number];
  return {
    from,
    vectors: vectors.map(({ width, loaded }, i) => ({
      at: at[i]! - from[0],
      words: (width * bytes) / 4,
      loaded: (loaded * bytes) / 4,
    })),
    broadcasts: broadcasts.map((each) => each - from[1]),
    outputs: outputs.map((row) => row.map((each) => each - from[2])),
  };
};

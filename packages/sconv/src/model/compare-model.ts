/** A model beside another runtime: the same inputs, outputs compared, calls in turns. */
import type { Elements } from '@sconv/backend';
import { halfValues } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import type { OnnxTensor } from '@sconv/onnx';
import { readOnnx } from '@sconv/onnx';
import { inTurns } from '../bench/in-turns.ts';
import { spreadOf } from '../bench/statistics.ts';
import type { Timed } from '../run/measure.ts';
import { timedOf } from '../run/measure.ts';
import type { Numbers } from '../run/tolerance.ts';
import { largest } from '../run/tolerance.ts';
import { untilFailure } from '../run/until-failure.ts';
import type { GivenTensor, ModelPeer, ModelStart, PeerModel } from './model-peer.ts';
import { numbersOfPeer } from './model-peer.ts';

/** How far outputs may be off by default, as a share of the largest element: rounding through some hundred layers. */
export const modelTolerance = 1e-4;

/** Our side, and how it is compared. */
export interface ModelSide {
  readonly path: string;
  readonly file: Uint8Array;
  readonly inputs: readonly GivenTensor[];
  readonly outputs: readonly GivenTensor[];
  /** Computes the outputs once, from arrays to arrays of the caller's. */
  readonly call: () => Diagnosed<unknown>;
}

export interface ModelComparison extends ModelStart {
  readonly name: string;
  readonly version: string;
  readonly time: Timed;
  /** Its time over ours, the median of the rounds: above 1, ours is faster. */
  readonly ratio: number;
  /**
   * Of each output, as a share of the largest element, or of 1 where it is of probabilities: infinite for other sizes,
   * and for a number in place of none.
   */
  readonly differences: readonly { readonly output: string; readonly difference: number }[];
  readonly tolerance: number;
  readonly agrees: boolean;
}

/** Both times, in turns. */
export interface ComparedModel {
  readonly time: Timed;
  readonly comparison: ModelComparison;
}

/** Compares a model with a peer, by `samples` of each side. Fails as the peer and the calls do. */
export const compareModel = async (
  peer: ModelPeer,
  ours: ModelSide,
  {
    samples,
    tolerance = modelTolerance,
  }: { readonly samples: number; readonly tolerance?: number | undefined },
): Promise<Diagnosed<ComparedModel>> => {
  const start = await peer.start(ours.path, ours.inputs);
  if (start.status !== 'success') return start;
  const loaded = await peer.load(ours.file, ours.inputs);
  if (loaded.status !== 'success') return loaded;
  const theirs = loaded.value;
  try {
    const outputs = await theirs.call();
    if (outputs.status !== 'success') return outputs;
    const probabilities = probabilitiesOf(ours.file);
    const differences = ours.outputs.map(({ tensor, elements }) => ({
      output: tensor.name,
      difference: relativeDifference(
        numbersOf(tensor, elements),
        numbersOfPeer(outputs.value[tensor.name]!),
        probabilities.has(tensor.name) ? 1 : 0,
      ),
    }));
    return mapSuccess(await timeInTurns(ours.call, theirs, samples), ({ time, peerTime, ratio }) => ({
      time,
      comparison: {
        name: peer.name,
        version: peer.version,
        ...start.value,
        time: peerTime,
        ratio,
        differences,
        tolerance,
        agrees: differences.every(({ difference }) => difference <= tolerance),
      },
    }));
  } finally {
    await theirs.dispose();
  }
};

const timeInTurns = async (call: ModelSide['call'], theirs: PeerModel, samples: number) =>
  untilFailure(async (calling) => {
    const [own, other] = await inTurns([{ call: calling(call) }, { call: calling(theirs.call) }], {
      samples,
    });
    const rounds = own!.seconds.map((seconds, i) => other!.seconds[i]! / seconds);
    return { time: timedOf(own!.seconds), peerTime: timedOf(other!.seconds), ratio: spreadOf(rounds).median };
  });

/** Elements as numbers, with the signs and the halves of their type. */
const numbersOf = ({ type }: OnnxTensor, elements: Elements): Numbers => {
  if (type.kind === 'float' && elements instanceof Uint16Array)
    return halfValues(type.name === 'float16' ? 'f16' : 'bf16', elements);
  return type.view(elements.slice().buffer);
};

/** Ops with results from 0 to 1, which may all be close to 0, where runtimes compute them with other errors. */
const toProbabilities: ReadonlySet<string> = new Set(['Sigmoid', 'HardSigmoid', 'Softmax']);
const rearranging: ReadonlySet<string> = new Set([
  'Flatten',
  'Identity',
  'Reshape',
  'Squeeze',
  'Transpose',
  'Unsqueeze',
]);

/** The tensors of a model that are probabilities, or these in another arrangement. */
const probabilitiesOf = (file: Uint8Array): ReadonlySet<string> => {
  const found = new Set<string>();
  const read = readOnnx(file);
  const nodes = read.status === 'success' ? (read.value.graph?.node ?? []) : [];
  for (const { opType, input, output } of nodes) {
    const isFound = toProbabilities.has(opType) || (rearranging.has(opType) && found.has(input[0] ?? ''));
    if (isFound && output[0] !== undefined) found.add(output[0]);
  }
  return found;
};

/** `max|d| / max|y|`, of at least `least`; NaN agrees with NaN, and infinities with themselves. */
export const relativeDifference = (found: Numbers, expected: Numbers, least = 0): number => {
  if (found.length !== expected.length) return Infinity;
  let most = 0;
  for (let i = 0; i < expected.length; i++) {
    const [a, b] = [Number(found[i]), Number(expected[i])];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    most = Math.max(most, Number.isFinite(a - b) ? Math.abs(a - b) : Infinity);
  }
  return most === 0 ? 0 : most / Math.max(least, largest(expected));
};

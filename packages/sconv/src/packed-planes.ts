/** The depthwise convolutions and poolings of a module, computed plane by plane. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, success } from '@sconv/diagnostics';
import { structured } from '@sconv/dialects/linalg';
import type { Module, Operation, Registry } from '@sconv/ir';
import { isStaticShape, walk } from '@sconv/ir';
import { packPlanes } from '@sconv/packing/transforms';
import type { Target } from '@sconv/targets';
import { tileUsingForall } from '@sconv/tiling/transforms';
import type { Handle, RunOptions } from '@sconv/transform';
import { callSite, runSchedule, schedule, splitHandle, suppress } from '@sconv/transform';

/** Those with rows and columns innermost. */
const planeNames = [
  'linalg.depthwise_conv_2d_nchw_chw',
  'linalg.pooling_nchw_max',
  'linalg.pooling_nchw_sum',
] as const;

/** Taps from which on windows that are apart are packed: with fewer, each element is read about once. */
const leastTaps = 9;

/** Parts of the channels for each thread, at most: more of them are shared more evenly, and packed more often. */
const mostParts = 8;

/** How planes are computed. */
export interface PlaneScheduling {
  readonly target: Target;
  readonly threads?: number;
}

/** A module with those ops that gain from it computed plane by plane, which threads share along the channels. */
export const withPackedPlanes = (
  module: Module,
  { target, threads = 1 }: PlaneScheduling,
  options: Pick<RunOptions, 'registry' | 'signal'> & { readonly registry: Registry },
): Diagnosed<Module> => {
  // Native vectors are longer than most rows; they take windows that are apart where they lie.
  const flat = target.microkernel.generation !== 'wasm';
  const all = [...walk(module.root)];
  const padded = new Set(
    all.flatMap(({ name, results }) => (name === 'tensor.pad' ? results.map(({ id }) => id) : [])),
  );
  const matched = all.filter(({ name }) => planeNames.some((each) => each === name));
  const isGaining = (operation: Operation): boolean => {
    const { operands, results } = operation;
    const isKnown = operands.every(({ type }) => type.kind === 'tensor' && isStaticShape(type));
    return (
      results.length > 0 &&
      isKnown &&
      (padded.has(operands[0]!.id) || (!flat && tapsOf(options.registry, operation) >= leastTaps))
    );
  };
  const gaining = matched.map(isGaining);
  if (!gaining.includes(true)) return success(module);
  const script = schedule(($) =>
    $.at(here, () => {
      const { results } = splitHandle(
        { handle: $.match(...planeNames) },
        {},
        { resultCount: matched.length },
      );
      results.forEach((planes, i) => {
        if (!gaining[i]) return;
        const share = sharedChannels(options.registry, matched[i]!, threads);
        const part = share === undefined ? planes : tileUsingForall({ target: planes }, share).tiledOp;
        // What is not padded may be contiguous where it lies.
        suppress(part, (each: Handle) => void packPlanes({ target: each }, { flat }));
      });
      return undefined;
    }),
  );
  return mapSuccess(runSchedule(script.module, module, options), (run) => run.module);
};

/** The location of generated ops. */
const here = callSite();

const tapsOf = (registry: Registry, operation: Operation): number => {
  const { loopRanges, iteratorTypes } = structured(registry, operation)!;
  return loopRanges.reduce((taps, size, i) => (iteratorTypes[i] === 'reduction' ? taps * size : taps), 1);
};

/** Equal parts of the channels, as tile sizes: a few for each thread; undefined without. */
const sharedChannels = (registry: Registry, operation: Operation, threads: number) => {
  if (threads === 1) return undefined;
  const { indexingMaps, loopRanges } = structured(registry, operation)!;
  const channel = indexingMaps.at(-1)!.results[1]!;
  const loop = channel.kind === 'dim' ? channel.position : 0;
  const channels = loopRanges[loop]!;
  const counts = Array.from({ length: mostParts * threads }, (_, i) => i + 1).filter(
    (count) => channels % count === 0 && count >= threads,
  );
  // As many for each thread, if there are any such.
  const parts = counts.find((count) => count % threads === 0) ?? counts.at(-1);
  if (parts === undefined) return undefined;
  return { staticTileSizes: [...Array<number>(loop).fill(0), channels / parts] };
};

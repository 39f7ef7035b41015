/** `sconv run` of a program that was saved. */
import { statSync } from 'node:fs';
import type { ElementArrays, WorkerLike } from '@sconv/backend';
import { arrayTypeOf, elementSize } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess } from '@sconv/diagnostics';
import { nodeLoaders } from '../load-node.ts';
import { clocks } from '../bench/clock.ts';
import { mainFunction } from '../model/runnable-model.ts';
import { loadProgram } from '../program/load-model.ts';
import { fillArguments } from './fill-arguments.ts';
import { measure } from './measure.ts';
import type { RunOutcome, SourceBytes } from './run-payload.ts';
import { untilFailure } from './until-failure.ts';

/** What is run of a program, and how. */
export interface ProgramRun {
  readonly folder: string;
  /** Raw little-endian elements for its first inputs; the others are small integers. */
  readonly inputs: readonly SourceBytes[];
  readonly repeat: number;
  readonly threads: number;
  readonly workers: () => WorkerLike;
}

/** Whether a path is that of a folder, as programs are. */
export const isProgram = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Loads and times a program; says, too, what it was compiled for. */
export const runProgram = async ({
  folder,
  inputs,
  repeat,
  threads,
  ...options
}: ProgramRun): Promise<Diagnosed<{ readonly outcome: RunOutcome; readonly target: string }>> => {
  const begin = clocks.wall();
  const loaded = await loadProgram(folder, { loaders: nodeLoaders, threads, ...options });
  if (loaded.status !== 'success') return loaded;
  const loadSeconds = clocks.wall() - begin;
  const { artifact, program } = loaded.value;
  try {
    const signature = artifact.functions.find(({ name }) => name === mainFunction)!;
    const own = {
      allocate: (element: keyof ElementArrays, length: number) =>
        new (arrayTypeOf(elementSize(element, 8)))(
          new ArrayBuffer(length * elementSize(element, 8).elementBytes),
        ) as never,
    };
    const values = fillArguments(signature, own, { inputs });
    if (values.status !== 'success') return values;
    const call =
      threads > 1
        ? () => artifact.callAsync(mainFunction, ...values.value)
        : () => artifact.call(mainFunction, ...values.value);
    const beginCall = clocks.wall();
    const first = await call();
    const firstCallSeconds = clocks.wall() - beginCall;
    if (first.status !== 'success') return first;
    const time = await untilFailure((calling) => measure(calling(call), repeat));
    const outcome = mapSuccess(time, (seconds) => ({
      outcome: {
        functionName: mainFunction,
        loadSeconds,
        firstCallSeconds,
        plans: [],
        emulator: undefined,
        threads,
        multiplyAdds: undefined,
        microkernelMacShare: undefined,
        time: seconds,
        ...(signature.memory === undefined ? {} : { memory: signature.memory }),
        elements: signature.results.reduce(
          (sum, each) => sum + (each.kind === 'buffer' ? each.length : 1),
          0,
        ),
        isChecked: false,
        comparison: undefined,
      },
      target: program.target,
    }));
    return andThen(loaded, () => outcome);
  } finally {
    artifact.dispose();
  }
};

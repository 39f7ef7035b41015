/** Compiles, runs and profiles a model, apart from the page's own thread. The page ends the worker to cancel. */
import type { WorkerLike } from '@sconv/backend';
import type { Diagnosed, Diagnostic, Location } from '@sconv/diagnostics';
import { printLocation } from '@sconv/diagnostics';
import { readOnnx } from '@sconv/onnx';
import type { CompiledModel, NamedElements, TimedPart } from 'sconv/model';
import { compileModel, readModel, timeParts } from 'sconv/model';
import { fillInput, fillWithImage, takesImage } from './inputs.ts';
import type { Answer, Output, Part, Problem, Request } from './messages.ts';
import { openInputs } from './open-inputs.ts';
import { median, summaryOf } from './summary.ts';

/** What of a worker's global scope is used here; the types of a page have no such scope. */
interface Scope {
  postMessage(message: Answer, transfer?: readonly ArrayBuffer[]): void;
  addEventListener(type: 'message', listener: (event: { readonly data: Request }) => void): void;
}
const scope = globalThis as unknown as Scope;

const say = (answer: Answer): void => {
  scope.postMessage(answer);
};
const progress = (stage: string, done: number): void => {
  say({ kind: 'progress', stage, done });
};

scope.addEventListener('message', ({ data }) => {
  void answer(data);
});

const answer = async (request: Request): Promise<void> => {
  try {
    if ((await work(request)) === 'asks') return;
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : String(problem);
    say({
      kind: 'problems',
      problems: [{ severity: 'error', where: request.file.name, message: reason, code: 'page', notes: [] }],
    });
  }
  say({ kind: 'end' });
};

/** The model's bytes: once its sizes are known, it comes again. */
let bytes: Uint8Array | undefined;

/** `asks`: the page has to say more before the model can be run. */
const work = async ({ file, sizes, threads, seed, image }: Request): Promise<'asks' | undefined> => {
  const start = performance.now();
  bytes ??= told(
    await readModel(file, {
      fileName: file.name,
      onBytes: (read, all = 0) => {
        progress(`Reading: ${megabytes(read)} of ${megabytes(all)} MB`, 0);
      },
    }),
  );
  if (bytes === undefined) return undefined;
  if (sizes === undefined) {
    const decoded = told(readOnnx(bytes), file.name);
    if (decoded === undefined) return undefined;
    const inputs = openInputs(decoded);
    if (inputs.length > 0) {
      say({ kind: 'sizes', inputs });
      return 'asks';
    }
  }
  const options = threads === 1 ? {} : { threads, workers: createThread };
  const model = told(
    await compileModel(bytes, {
      ...options,
      fileName: file.name,
      ...(sizes === undefined ? {} : { inputs: sizes }),
      onProgress: ({ stage, done }) => {
        progress(stages[stage], done);
      },
    }),
    file.name,
  );
  if (model === undefined) return undefined;
  const load = performance.now() - start;
  const inputs = await inputsOf(model, seed, image);
  await run(model, inputs, threads, load);
  await profile(model, inputs);
  model.dispose();
  return undefined;
};

const stages = {
  read: 'Reading',
  import: 'Importing',
  plan: 'Planning',
  compile: 'Compiling',
  load: 'Loading',
  pack: 'Packing weights',
} as const;

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

const createThread = (): WorkerLike =>
  new Worker(new URL('thread-worker.js', import.meta.url), { type: 'module' });

/** Arrays of the model's memory, which calls use in place. */
const inputsOf = async (
  { inputs, compiled }: CompiledModel,
  seed: number,
  image: File | undefined,
): Promise<NamedElements> => {
  const [main] = compiled.functions;
  const arrays = await Promise.all(
    inputs.map(async ({ name, shape }, i) => {
      const parameter = main!.parameters[i]!;
      if (parameter.kind === 'scalar') throw new TypeError('the inputs of a model are tensors');
      const input = compiled.allocate(parameter.element, parameter.length);
      if (image !== undefined && input instanceof Float32Array && takesImage(shape))
        await fillWithImage(input, shape, image);
      else fillInput(input, parameter.element, seed + i);
      return [name, input] as const;
    }),
  );
  return Object.fromEntries(arrays);
};

/** Calls are timed until there are so many of them, or so many milliseconds are over. */
const [mostCalls, longest] = [20, 2000];

const run = async (
  model: CompiledModel,
  inputs: NamedElements,
  threads: number,
  load: number,
): Promise<void> => {
  const timed = async () => {
    const start = performance.now();
    const results = await model.run(inputs);
    return { results, time: performance.now() - start };
  };
  progress('First call, which packs the weights', 0.97);
  const { results, time: first } = await timed();
  progress('Timing calls', 0.98);
  const times: number[] = [];
  for (const start = performance.now(); times.length < mostCalls && performance.now() - start < longest;)
    times.push((await timed()).time);
  const outputs = model.outputs.map(({ name, shape, type }): Output => {
    const elements = results[name]!;
    const bytes = new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength).slice().buffer;
    return { name, shape, type: type.name, bytes, ...summaryOf(shape, Array.from(elements, Number)) };
  });
  scope.postMessage(
    {
      kind: 'result',
      outputs,
      threads,
      seconds: { load: load / 1000, first: first / 1000, steady: median(times) / 1000 },
      calls: times.length,
    },
    outputs.map(({ bytes }) => bytes),
  );
};

const profile = async (model: CompiledModel, inputs: NamedElements): Promise<void> => {
  const steps = { schedule: 0, bufferize: 0.4, emit: 0.6, load: 0.8 };
  const times = told(
    await timeParts(model, inputs, {
      onStep: (step) => {
        progress('Profiling, part by part', steps[step]);
      },
    }),
  );
  if (times !== undefined) say({ kind: 'profile', parts: partsOf(times) });
};

const partsOf = (times: readonly TimedPart[]): readonly Part[] => {
  const all = times.reduce((sum, { seconds }) => sum + seconds, 0);
  return times.map(({ nodes, seconds, multiplyAdds = 0 }) => ({
    nodes,
    seconds,
    gflops: multiplyAdds === 0 ? undefined : (2 * multiplyAdds) / seconds / 1e9,
    share: all === 0 ? 0 : seconds / all,
  }));
};

/** The value, if there is one; what is to be said of it goes to the page. */
const told = <T>(result: Diagnosed<T>, fileName = ''): T | undefined => {
  if (result.diagnostics.length > 0)
    say({ kind: 'problems', problems: result.diagnostics.map((each) => problemOf(each, fileName)) });
  return result.status === 'success' ? result.value : undefined;
};

const problemOf = ({ severity, location, message, code, notes }: Diagnostic, fileName: string): Problem => ({
  severity,
  where: whereOf(location, fileName),
  message,
  code,
  notes: notes.map((note) => ({ where: whereOf(note.location, fileName), message: note.message })),
});

/** The node's name, or that of the file. */
const whereOf = (location: Location, fileName: string): string => {
  if (location.kind === 'name') return location.name;
  if (location.kind === 'file') return location.file;
  return location.kind === 'unknown' ? fileName : printLocation(location);
};

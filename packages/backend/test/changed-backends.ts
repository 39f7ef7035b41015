/**
 * Mutations of the backend in `script-backend.ts`, each of which the laws in `@sconv/backend/testing` have to detect.
 */
import { mapSuccess, success, unwrap } from '@sconv/diagnostics';
import { createArtifact } from '../src/index.ts';
import type {
  Artifact,
  ArtifactCore,
  Backend,
  BoundFunction,
  ElementArrays,
  ElementName,
  Emitted,
  RunValue,
} from '../src/index.ts';
import { coreOf, scriptBackend } from './script-backend.ts';

/** Replaces loading. */
const loadingBy = (loadSync: NonNullable<Backend['loadSync']>): Backend => ({
  ...scriptBackend,
  loadSync,
  load: (emitted, options) => Promise.resolve().then(() => loadSync(emitted, options)),
});

/** Changes the loaded artifacts. */
export const loading = (change: (artifact: Artifact) => Partial<Artifact>): Backend =>
  loadingBy((emitted, options) =>
    mapSuccess(scriptBackend.loadSync(emitted, options), (artifact) => ({
      ...artifact,
      ...change(artifact),
    })),
  );

export const withCore = (change: (core: ReturnType<typeof coreOf>) => Partial<ArtifactCore>): Backend =>
  loading(() => {
    const core = coreOf();
    return createArtifact({ ...core, ...change(core) });
  });

/** Changes the emitted code. */
export const emitting = (change: (emitted: Emitted) => Emitted): Backend => ({
  ...scriptBackend,
  emit: (module, options) => mapSuccess(scriptBackend.emit(module, options), change),
});

type Values = readonly RunValue[];

/** Changes the results of calls; `run` calls with given values. */
export const calling = (
  change: (name: string, values: Values, run: (values: Values) => Values) => Values,
): Backend =>
  withCore((core) => ({
    call: (name, values) => success(change(name, values, (others) => unwrap(core.call(name, others)))),
  }));

/** Changes the values passed to calls. */
export const passing = (change: (values: Values, name: string) => Values): Backend =>
  calling((name, values, run) => run(change(values, name)));

/** Changes bound functions. */
export const binding = (
  change: (
    bind: (constants: Constants) => BoundFunction,
    constants: Constants,
    name: string,
  ) => Partial<BoundFunction>,
): Backend =>
  loading((artifact) => ({
    bind: (name, constants) => {
      const bind = (given: Constants): BoundFunction => artifact.bind(name, given);
      return { ...bind(constants), ...change(bind, constants, name) };
    },
  }));

export const isArray = (value: RunValue): value is Float32Array => value instanceof Float32Array;
export const copied = (value: RunValue): RunValue => (isArray(value) ? value.slice() : value);
export const zeros = (): Float32Array => new Float32Array(4);

export const filled = <E extends ElementName>(array: ElementArrays[E], value: number): ElementArrays[E] => {
  (array as Float32Array).fill(value);
  return array;
};

type Constants = Readonly<Record<number, RunValue>>;

export const mapped = (constants: Constants, change: (value: RunValue) => RunValue): Constants =>
  Object.fromEntries(Object.entries(constants).map(([position, value]) => [position, change(value)]));

export const once = (action: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (isDone) throw new Error('a second time');
    isDone = true;
    action();
  };
};

/** Runs `first` on the first call, `later` from then on. */
export const forgetting = (first: BoundFunction, later: BoundFunction): Partial<BoundFunction> => {
  let runs = 0;
  return { run: (...values) => (runs++ === 0 ? first : later).run(...values) };
};

/** Calls with the values in reverse order. */
export const wrong = passing((values) => values.toReversed());

/** Recognizes emitted code by identity. */
export const knowingItsOwn = (): Backend => {
  const own = new WeakSet<Emitted>();
  const note = (emitted: Emitted): Emitted => {
    own.add(emitted);
    return emitted;
  };
  const load: Backend['load'] = (emitted) => (own.has(emitted) ? scriptBackend : wrong).load(emitted);
  return { ...emitting((emitted) => note({ ...emitted })), load };
};

/** Disposes of all artifacts at once. */
export const goneTogether = (): Backend => {
  const all: Artifact[] = [];
  return loading((artifact) => {
    all.push(artifact);
    return { dispose: () => all.forEach((each) => each.dispose()) };
  });
};

/** `mix` on three arrays. */
type Mix = (x: Float32Array, y: Float32Array, o: Float32Array) => Float32Array;

/** Changes `mix`, given the original. */
export const mixing = (change: (mix: Mix) => Mix): Backend =>
  calling((name, values, run) => {
    if (name !== 'mix') return run(values);
    const mix: Mix = (...arrays) => {
      run(arrays);
      return arrays[2];
    };
    const [x, y, o] = values as Parameters<Mix>;
    return [change(mix)(x, y, o)];
  });

/** One function keeps working after `dispose`. */
export const keeping = (key: 'allocate' | 'bind' | 'call' | 'run'): Backend => {
  const other: Pick<Artifact, typeof key> = createArtifact(coreOf());
  return loading(() => ({
    [key]: (...values: never[]) => (other[key] as (...values: never[]) => unknown)(...values),
  }));
};

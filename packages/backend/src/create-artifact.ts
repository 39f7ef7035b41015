/** An artifact from what a backend does by itself: what is the same for all of them is here. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, unwrap } from '@sconv/diagnostics';
import type { Artifact, BoundFunction } from './artifact.ts';
import { checkArgument } from './check-arguments.ts';
import type { ElementArrays, ElementName, Elements } from './elements.ts';
import { copyElements } from './elements.ts';
import type { FunctionSignature, RunValue } from './signature.ts';

/** What a backend gives. */
export interface ArtifactCore {
  readonly functions: readonly FunctionSignature[];
  /** `Artifact.call`, with its checks (`checkArguments`), for a function that there is. */
  call(name: string, values: readonly RunValue[]): Diagnosed<readonly RunValue[]>;
  /** `Artifact.callAsync` with its checks, where there are threads for it: of one call at a time. */
  callAsync?(name: string, values: readonly RunValue[]): Promise<Diagnosed<readonly RunValue[]>>;
  /** `Artifact.allocate`. */
  allocate<E extends ElementName>(element: E, length: number): ElementArrays[E];
  /** Takes back an array of `allocate`. */
  release(elements: Elements): void;
  /** Gives up what the garbage collector does not; called once. */
  dispose?(): void;
}

/** The artifact of a backend's core. */
export const createArtifact = (core: ArtifactCore): Artifact => {
  const signatures = new Map(core.functions.map((signature) => [signature.name, signature]));
  let live: ArtifactCore | undefined = core;
  /** The core, while there is one. */
  const alive = (): ArtifactCore => {
    if (live === undefined) throw new Error('the artifact was disposed of; load the emitted code again');
    return live;
  };
  const find = (name: string): FunctionSignature => {
    const found = signatures.get(name);
    if (found !== undefined) return found;
    const names = [...signatures.keys()].map((each) => `'${each}'`).join(', ');
    throw new RangeError(`there is no function '${name}'; there are ${names}`);
  };
  const calls = createCallQueue(alive);
  const call: Artifact['call'] = (name, ...values) => {
    const current = alive();
    find(name);
    calls.expectNone();
    return current.call(name, values);
  };
  const callAsync: Artifact['callAsync'] = async (name, ...values) => {
    alive();
    find(name);
    return calls.add(name, () => values);
  };
  return {
    functions: core.functions,
    allocate: (element, length) => alive().allocate(element, length),
    bind: (name, constants) => {
      alive();
      return bindConstants(find(name), constants, alive, calls, (bound) => {
        if (live !== undefined) releaseAll(live, bound);
      });
    },
    call,
    run: (name, ...values) => unwrap(call(name, ...values)),
    callAsync,
    runAsync: async (name, ...values) => unwrap(await callAsync(name, ...values)),
    dispose: () => {
      const current = live;
      live = undefined;
      current?.dispose?.();
    },
  };
};

/** The promised calls of an artifact. */
interface CallQueue {
  /** Throws while there are any. */
  expectNone(): void;
  /** Makes a call when those before it are settled; `values` are asked for then. */
  add(name: string, values: () => readonly RunValue[]): Promise<Diagnosed<readonly RunValue[]>>;
}

const createCallQueue = (alive: () => ArtifactCore): CallQueue => {
  let open = 0;
  let last: Promise<unknown> = Promise.resolve();
  const make = async (
    before: Promise<unknown>,
    name: string,
    values: () => readonly RunValue[],
  ): Promise<Diagnosed<readonly RunValue[]>> => {
    try {
      await before;
      const current = alive();
      const given = values();
      const result = await (current.callAsync?.(name, given) ?? current.call(name, given));
      // What was disposed of meanwhile has no results.
      alive();
      return result;
    } finally {
      open -= 1;
    }
  };
  return {
    expectNone: () => {
      if (open > 0) throw new Error('a promised call is not settled; wait for it before the next one');
    },
    add: (name, values) => {
      open += 1;
      const result = make(last, name, values);
      last = result.catch(() => undefined);
      return result;
    },
  };
};

const bindConstants = (
  signature: FunctionSignature,
  given: Readonly<Record<number, RunValue>>,
  alive: () => ArtifactCore,
  calls: CallQueue,
  release: (constants: ReadonlyMap<number, RunValue>) => void,
): BoundFunction => {
  const { name, parameters } = signature;
  const positions = Object.keys(given).map(Number);
  for (const position of positions) checkConstant(signature, position, given[position]!);
  let constants: ReadonlyMap<number, RunValue> | undefined = keep(alive(), signature, given);
  const left = parameters.filter((_, position) => !positions.includes(position));
  /** The values of all parameters. */
  const complete = (values: readonly RunValue[]): readonly RunValue[] => {
    alive();
    const bound = constants;
    if (bound === undefined) throw new Error(`the bound '${name}' was disposed of; bind its constants again`);
    if (values.length !== left.length) {
      throw new TypeError(
        `'${name}' takes ${left.length} arguments besides those that are bound, not ${values.length}`,
      );
    }
    let next = 0;
    return parameters.map((_, position) => bound.get(position) ?? values[next++]!);
  };
  // Who wrote into a constant that is returned would change it for the next call.
  const withoutConstants = (
    result: Diagnosed<readonly RunValue[]>,
    all: readonly RunValue[],
  ): Diagnosed<readonly RunValue[]> =>
    mapSuccess(result, (values) => {
      const own = new Set(all.filter((_, position) => positions.includes(position)));
      return values.map((value) => (typeof value === 'object' && own.has(value) ? value.slice() : value));
    });
  const call: BoundFunction['call'] = (...values) => {
    const all = complete(values);
    calls.expectNone();
    return withoutConstants(alive().call(name, all), all);
  };
  const callAsync: BoundFunction['callAsync'] = async (...values) => {
    complete(values);
    let all: readonly RunValue[] = [];
    const result = await calls.add(name, () => (all = complete(values)));
    return withoutConstants(result, all);
  };
  return {
    signature: { ...signature, parameters: left },
    call,
    run: (...values) => unwrap(call(...values)),
    callAsync,
    runAsync: async (...values) => unwrap(await callAsync(...values)),
    dispose: () => {
      const bound = constants;
      constants = undefined;
      if (bound !== undefined) release(bound);
    },
  };
};

const checkConstant = ({ name, parameters }: FunctionSignature, position: number, value: RunValue): void => {
  const parameter = parameters[position];
  if (parameter === undefined) {
    throw new RangeError(`'${name}' has no argument ${position}; it takes ${parameters.length}`);
  }
  checkArgument(name, position, parameter, value);
  if (parameter.kind === 'buffer' && parameter.written) {
    throw new RangeError(`argument ${position} of '${name}' may be written, so it is no constant`);
  }
};

/** The constants by position, the arrays among them copied to memory of the artifact: all of them, or none. */
const keep = (
  core: ArtifactCore,
  { parameters }: FunctionSignature,
  given: Readonly<Record<number, RunValue>>,
): ReadonlyMap<number, RunValue> => {
  const kept = new Map<number, RunValue>();
  try {
    for (const [key, value] of Object.entries(given)) {
      const parameter = parameters[Number(key)];
      if (typeof value !== 'object' || parameter?.kind !== 'buffer') {
        kept.set(Number(key), value);
        continue;
      }
      const copy = core.allocate(parameter.element, parameter.length);
      kept.set(Number(key), copy);
      copyElements(copy, value);
    }
    return kept;
  } catch (problem) {
    releaseAll(core, kept);
    throw problem;
  }
};

const releaseAll = (core: ArtifactCore, constants: ReadonlyMap<number, RunValue>): void => {
  for (const value of constants.values()) if (typeof value === 'object') core.release(value);
};

/** Builds an artifact from a backend's core; everything common to backends is here. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, describeValue, error, mapSuccess, unwrap } from '@sconv/diagnostics';
import type { Artifact, BoundFunction } from './artifact.ts';
import { argumentCount, checkArgument, passedValue, passedValues } from './check-arguments.ts';
import type { ConstantArgument } from './constant-arguments.ts';
import type { OwnConstants, PlacedConstant } from './constant-elements.ts';
import { ownConstants, withoutOwn } from './constant-elements.ts';
import type { ElementArrays, ElementName, Elements } from './elements.ts';
import { copyElements, elementNames } from './elements.ts';
import type { FunctionSignature, RunValue } from './signature.ts';

/** What a backend provides: `call`, `callAsync`, or both. */
export interface ArtifactCore {
  readonly functions: readonly FunctionSignature[];
  /** `Emitted.constants`, which the artifact binds; none by default. */
  readonly constants?: readonly (ConstantArgument | PlacedConstant)[];
  /** Whether calls read a constant where it is, so that it need not be copied. False by default. */
  readsConstant?(constant: Pick<ConstantArgument, 'function' | 'parameter'>, elements: Elements): boolean;
  /** `Artifact.emulator`. */
  readonly emulator?: string;
  /**
   * `Artifact.call`, including its checks (`checkArguments`), for an existing function. An `i64` is given as a bigint
   * and an `i32` as a number, whatever the caller has passed. Absent if calls are only asynchronous.
   */
  call?(name: string, values: readonly RunValue[]): Diagnosed<readonly RunValue[]>;
  /** `Artifact.callAsync` including its checks, if that is more than `call`; one call at a time. */
  callAsync?(name: string, values: readonly RunValue[]): Promise<Diagnosed<readonly RunValue[]>>;
  /** `Artifact.allocate`. */
  allocate<E extends ElementName>(element: E, length: number): ElementArrays[E];
  /** Frees an array from `allocate`. */
  release(elements: Elements): void;
  /**
   * What to keep between calls of a function with these constants, which are arrays from `allocate`: values that the
   * code computes from constants alone are then computed once. A constant that is no longer needed may be replaced in
   * the map by another array of the same length, which `release` also frees. Undefined if there is nothing to keep.
   */
  keep?(name: string, constants: Map<number, RunValue>): KeptWork | undefined;
  /** Frees what the garbage collector does not; called once. */
  dispose?(): void;
}

/** State kept between calls with the same constants. */
export interface KeptWork {
  /** Runs before each call with the constants. */
  enter(): void;
  /** Runs after it, with whether it succeeded. */
  leave(succeeded: boolean): void;
  /** Runs when no further calls are possible. */
  release(): void;
}

/** The artifact of a backend's core. Throws a RangeError if there is no room for its constants. */
export const createArtifact = (core: ArtifactCore): Artifact => {
  const signatures = new Map(core.functions.map((signature) => [signature.name, signature]));
  let live: ArtifactCore | undefined = core;
  /** The core; throws after `dispose`. */
  const alive = (): ArtifactCore => {
    if (live === undefined) throw new Error('the artifact was disposed of; load the emitted code again');
    return live;
  };
  const find = (name: string): FunctionSignature => {
    const found = signatures.get(name);
    if (found !== undefined) return found;
    const names = [...signatures.keys()].map((each) => `'${each}'`).join(', ');
    throw new RangeError(`there is no function ${describeValue(name)}; there are ${names}`);
  };
  const calls = createCallQueue(alive);
  const own = ownConstants(core.functions, core.constants ?? []);
  const bind = (name: string, constants: Readonly<Record<number, RunValue>>): BoundFunction =>
    bindConstants(find(name), { given: constants, own: own.get(name) }, alive, calls, (bound) => {
      calls.afterAll(() => {
        if (live === undefined) return;
        bound.work?.release();
        releaseAll(live, bound.constants);
      });
    });
  const complete = new Map([...own.keys()].map((name) => [name, bind(name, {})]));
  const call: Artifact['call'] = (name, ...values) => {
    const current = alive();
    const signature = find(name);
    const bound = complete.get(name);
    if (bound !== undefined) return bound.call(...values);
    calls.expectNone();
    return callNow(current, signature, passedValues(signature.parameters, values));
  };
  const callAsync: Artifact['callAsync'] = async (name, ...values) => {
    alive();
    const { parameters } = find(name);
    const bound = complete.get(name);
    if (bound !== undefined) return bound.callAsync(...values);
    return calls.add(name, () => passedValues(parameters, values));
  };
  return {
    functions: core.functions.map((each) => withoutOwn(each, own.get(each.name))),
    ...(core.emulator === undefined ? {} : { emulator: core.emulator }),
    ...(core.call === undefined ? { onlyAsync: true } : {}),
    allocate: (element, length) => {
      const current = alive();
      // Untyped callers may pass anything.
      if (!elementNames.includes(element))
        throw new TypeError(
          `there is no element type ${describeValue(element)}; there are ${elementNames.join(', ')}`,
        );
      if (!Number.isSafeInteger(length) || length < 0)
        throw new RangeError(`a buffer has a whole number of elements, not ${describeValue(length)}`);
      return current.allocate(element, length);
    },
    bind: (name, constants) => {
      alive();
      return bind(name, constants);
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

/** Calls a function at once; fails with `backend/only-async` where that cannot be. */
const callNow = (
  core: ArtifactCore,
  { name, location }: FunctionSignature,
  values: readonly RunValue[],
): Diagnosed<readonly RunValue[]> =>
  core.call?.(name, values) ??
  definite(
    error(
      'backend/only-async',
      `'${name}' runs only asynchronously, where its arrays are: call it by callAsync or runAsync`,
      location,
    ),
  );

/** The asynchronous calls of an artifact. */
interface CallQueue {
  /** Throws while calls are pending. */
  expectNone(): void;
  /** Runs an action once no calls are pending, possibly at once: pending ones may use what it frees. */
  afterAll(action: () => void): void;
  /** Makes a call after those before it have settled; `values` is evaluated then. */
  add(
    name: string,
    values: () => readonly RunValue[],
    work?: KeptWork,
  ): Promise<Diagnosed<readonly RunValue[]>>;
}

const createCallQueue = (alive: () => ArtifactCore): CallQueue => {
  let open = 0;
  let last: Promise<unknown> = Promise.resolve();
  const make = async (
    before: Promise<unknown>,
    name: string,
    values: () => readonly RunValue[],
    work?: KeptWork,
  ): Promise<Diagnosed<readonly RunValue[]>> => {
    try {
      await before;
      const current = alive();
      const given = values();
      let succeeded = false;
      work?.enter();
      try {
        const result = await (current.callAsync?.(name, given) ?? current.call!(name, given));
        succeeded = result.status === 'success';
        // Rejects if disposed of in the meantime.
        alive();
        return result;
      } finally {
        work?.leave(succeeded);
      }
    } finally {
      open -= 1;
    }
  };
  return {
    expectNone: () => {
      if (open > 0) throw new Error('a promised call is not settled; wait for it before the next one');
    },
    afterAll: (action) => {
      if (open > 0) void last.then(action);
      else action();
    },
    add: (name, values, work) => {
      open += 1;
      const result = make(last, name, values, work);
      last = result.catch(() => undefined);
      return result;
    },
  };
};

/** Constants by position: a caller's, and the function's own. */
interface GivenConstants {
  readonly given: Readonly<Record<number, RunValue>>;
  readonly own: OwnConstants | undefined;
}

const bindConstants = (
  signature: FunctionSignature,
  { given, own }: GivenConstants,
  alive: () => ArtifactCore,
  calls: CallQueue,
  release: (bound: BoundConstants) => void,
): BoundFunction => {
  const { name, parameters } = signature;
  if (typeof given !== 'object' || (given as unknown) === null) {
    throw new TypeError(`constants are an object of arguments by position, not ${describeValue(given)}`);
  }
  const visible = withoutOwn(signature, own);
  for (const [position, value] of Object.entries(given)) checkConstant(visible, position, value);
  const positions = Object.keys({ ...given, ...own }).map(Number);
  let bound: BoundConstants | undefined = keep(alive(), signature, { given, own });
  const left = parameters.filter((_, position) => !positions.includes(position));
  /** The values of all parameters. */
  const complete = (values: readonly RunValue[]): readonly RunValue[] => {
    alive();
    const constants = bound?.constants;
    if (constants === undefined)
      throw new Error(`the bound '${name}' was disposed of; bind its constants again`);
    if (values.length !== left.length) {
      throw new TypeError(
        `'${name}' takes ${argumentCount(left.length)} besides those that are bound, not ${values.length}`,
      );
    }
    let next = 0;
    return parameters.map(
      (parameter, position) => constants.get(position) ?? passedValue(parameter, values[next++]!),
    );
  };
  // Writing into a returned constant would change it for the next call.
  const withoutConstants = (
    result: Diagnosed<readonly RunValue[]>,
    all: readonly RunValue[],
  ): Diagnosed<readonly RunValue[]> =>
    mapSuccess(result, (values) => {
      const isConstant = (value: RunValue): boolean => positions.some((position) => all[position] === value);
      return values.map((value) => (typeof value === 'object' && isConstant(value) ? value.slice() : value));
    });
  const call = (values: readonly RunValue[]): Diagnosed<readonly RunValue[]> => {
    const all = complete(values);
    calls.expectNone();
    const work = bound?.work;
    let succeeded = false;
    work?.enter();
    try {
      const result = callNow(alive(), signature, all);
      succeeded = result.status === 'success';
      return withoutConstants(result, all);
    } finally {
      work?.leave(succeeded);
    }
  };
  const callAsync: BoundFunction['callAsync'] = async (...values) => {
    complete(values);
    let all: readonly RunValue[] = [];
    const result = await calls.add(name, () => (all = complete(values)), bound?.work);
    return withoutConstants(result, all);
  };
  return {
    signature: { ...signature, parameters: left },
    call: (...values) => call(values),
    run: (...values) => unwrap(call(values)),
    callAsync,
    runAsync: async (...values) => unwrap(await callAsync(...values)),
    dispose: () => {
      const given = bound;
      bound = undefined;
      if (given !== undefined) release(given);
    },
  };
};

const checkConstant = ({ name, parameters }: FunctionSignature, position: string, value: RunValue): void => {
  const parameter = parameters[Number(position)];
  if (parameter === undefined) {
    throw new RangeError(`'${name}' has no argument ${position}; it takes ${parameters.length}`);
  }
  checkArgument(name, Number(position), parameter, passedValue(parameter, value));
  if (parameter.kind === 'buffer' && parameter.written) {
    throw new RangeError(
      `argument ${position} of '${name}' may be written, so it cannot be bound as a constant`,
    );
  }
};

/** Constants by position, and what is computed from them. */
interface BoundConstants {
  readonly constants: ReadonlyMap<number, RunValue>;
  readonly work: KeptWork | undefined;
}

/**
 * Copies the constants, arrays to memory of the artifact: all of them, or none. The function's own never change, so
 * that they stay where they are if calls can read them there.
 */
const keep = (
  core: ArtifactCore,
  { name, parameters }: FunctionSignature,
  { given, own }: GivenConstants,
): BoundConstants => {
  const kept = new Map<number, RunValue>();
  try {
    for (const [key, each] of Object.entries({ ...given, ...own })) {
      const isOwn = typeof each === 'function';
      const value = isOwn ? each() : each;
      const parameter = parameters[Number(key)];
      if (typeof value !== 'object' || parameter?.kind !== 'buffer') {
        kept.set(Number(key), parameter === undefined ? value : passedValue(parameter, value));
        continue;
      }
      const constant = { function: name, parameter: Number(key) };
      if (isOwn && core.readsConstant?.(constant, value) === true) {
        kept.set(Number(key), value);
        continue;
      }
      const copy = core.allocate(parameter.element, parameter.length);
      kept.set(Number(key), copy);
      copyElements(copy, value);
    }
    return { constants: kept, work: core.keep?.(name, kept) };
  } catch (problem) {
    releaseAll(core, kept);
    throw problem;
  }
};

const releaseAll = (core: ArtifactCore, constants: ReadonlyMap<number, RunValue>): void => {
  for (const value of constants.values()) if (typeof value === 'object') core.release(value);
};

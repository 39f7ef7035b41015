/** A device whose buffers nobody else can read; each of its steps takes a while, or fails where a test says so. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation, unwrap } from '@sconv/diagnostics';
import type { Backend, DeviceCore, Elements } from '../src/index.ts';
import { copyElements, createDeviceArtifact } from '../src/index.ts';
import { coreOf, scriptBackend } from './script-backend.ts';

/** What a test says: the log of steps, and which fail. */
export interface DeviceTest {
  readonly log: string[];
  /** Steps to fail, as the log names them. */
  readonly failing: Set<string>;
}

type Handle = object;

/** The device, with the laws' functions. */
export const fakeDevice = ({ log, failing }: DeviceTest): DeviceCore<Handle> => {
  const code = coreOf();
  const buffers = new WeakMap<Handle, Elements>();
  /** Handles, numbered as they are made. */
  const live = new Map<Handle, number>();
  let made = 0;
  const keep = (elements: Elements): Handle => {
    const handle = Object.freeze({});
    buffers.set(handle, elements);
    live.set(handle, made++);
    return handle;
  };
  const bufferOf = (handle: Handle): Elements => {
    if (!live.has(handle)) throw new Error('a buffer that was freed');
    return buffers.get(handle)!;
  };
  const step = async <T>(name: string, value: () => T): Promise<Diagnosed<T>> => {
    await new Promise((resolve) => setImmediate(resolve));
    log.push(name);
    return failing.has(name)
      ? definite(error('test/device', `the device refuses '${name}'`, unknownLocation))
      : success(value());
  };
  return {
    functions: code.functions,
    indexBytes: 4,
    upload: (elements) => step(`upload ${made}`, () => keep(elements.slice())),
    download: (handle, into) =>
      step(`download ${live.get(handle)}`, () => {
        copyElements(into, bufferOf(handle));
        return undefined;
      }),
    call: (name, values) =>
      step(`call ${name}`, () => {
        const given = values.map((value) => (typeof value === 'object' ? bufferOf(value) : value));
        return unwrap(code.call(name, given)).map((result) => {
          if (typeof result !== 'object') return result;
          const at = given.indexOf(result);
          return at < 0 ? keep(result.slice()) : values[at]!;
        });
      }),
    release: (handle) => {
      log.push(`release ${live.get(handle)}`);
      if (!live.delete(handle)) throw new Error('freed twice');
    },
    dispose: () => {
      log.push(`dispose of ${live.size}`);
    },
  };
};

const { name, serves, emit, loadSync } = scriptBackend;

/** The backend of the laws' functions on that device: it cannot load at once. */
export const deviceBackend = (test: DeviceTest = { log: [], failing: new Set() }): Backend => ({
  name,
  serves,
  emit,
  load: async (emitted, options) => {
    const loaded = await Promise.resolve(loadSync(emitted, options));
    return loaded.status === 'success' ? success(createDeviceArtifact(fakeDevice(test))) : loaded;
  },
});

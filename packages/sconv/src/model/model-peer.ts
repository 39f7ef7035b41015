/** Other runtimes for whole models, of a folder in which the user has installed them. */
import { fork } from 'node:child_process';
import type { Elements } from '@sconv/backend';
import { halfValues } from '@sconv/backend';
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { definite, error, mapSuccess, success } from '@sconv/diagnostics';
import type { OnnxTensor } from '@sconv/onnx';
import type { Ort, OnnxruntimeName, OrtTensor } from '../bench/onnxruntime.ts';
import { createSession, loadOnnxruntime } from '../bench/onnxruntime.ts';
import { isInstalled, packagesOf, versionOf } from '../bench/peer-packages.ts';
import { packageFile } from '../package-file.ts';
import { messageOf, reason } from '../reason.ts';
import type { Numbers } from '../run/tolerance.ts';

/** An input with its elements, as they lie in memory: signless. */
export interface GivenTensor {
  readonly tensor: OnnxTensor;
  readonly elements: Elements;
}

/** A model that a peer has loaded; its calls fail with `run/peer-failed`. */
export interface PeerModel {
  /** Computes all outputs once; returns them by name. */
  readonly call: () => Promise<Diagnosed<Readonly<Record<string, OrtTensor>>>>;
  readonly dispose: () => Promise<void>;
}

/** Seconds from the bytes of a file until it can be called, and of the first call. */
export interface ModelStart {
  readonly loadSeconds: number;
  readonly firstCallSeconds: number;
}

/** Another runtime, for one thread, at its highest level of optimization. */
export interface ModelPeer {
  readonly name: string;
  readonly version: string;
  /** Fails with `run/peer-failed` for a model that it does not run. */
  readonly load: (file: Uint8Array, inputs: readonly GivenTensor[]) => Promise<Diagnosed<PeerModel>>;
  /** Loads and calls a file in a process of its own. Fails as `load` does. */
  readonly start: (path: string, inputs: readonly GivenTensor[]) => Promise<Diagnosed<ModelStart>>;
}

/** A peer of the first of the folders that has it. Fails with `run/no-peer`. */
export const findModelPeer = (
  name: OnnxruntimeName,
  folders: readonly string[],
  location: Location,
): Diagnosed<ModelPeer> => {
  const folder = folders.find((each) => isInstalled(packagesOf(each), name));
  if (folder === undefined) {
    const message =
      `${name} is not installed in ${folders.join(' or ')}: npm install ${name}, ` +
      'or name the folder that has it, --peers-from';
    return definite(error('run/no-peer', message, location));
  }
  const packages = packagesOf(folder);
  let ort: Ort;
  let version: string;
  try {
    ort = loadOnnxruntime(packages, name);
    version = versionOf(packages, name);
  } catch (problem) {
    const message = `${name} of ${folder} does not load; npm install ${name} there installs it anew`;
    return definite({ ...error('run/no-peer', message, location), details: messageOf(problem) });
  }
  return success({
    name,
    version,
    load: async (file, inputs) => {
      const loaded = await attempt(name, location, () => loadModel(ort, name, file, inputs.map(peerInput)));
      return mapSuccess(loaded, ({ run, release }) => ({
        call: () => attempt(name, location, run),
        dispose: release,
      }));
    },
    start: (path, inputs) => startApart({ name, folder, path, inputs: inputs.map(peerInput) }, location),
  });
};

const attempt = async <T>(
  name: string,
  location: Location,
  work: () => Promise<T>,
): Promise<Diagnosed<T>> => {
  try {
    return success(await work());
  } catch (problem) {
    return failedOf(name, messageOf(problem), location);
  }
};

const failedOf = (name: string, details: string, location: Location) => {
  const message = `${name} does not run this model (--verbose: what it says)`;
  return definite({ ...error('run/peer-failed', message, location), details });
};

/** An input as its tensor takes it. */
interface PeerInput {
  readonly name: string;
  readonly type: string;
  readonly elements: ArrayBufferView;
  readonly shape: readonly number[];
}

/** The names of ONNX's element types that are other ones there. */
const typeNames: Readonly<Record<string, string>> = { float: 'float32', double: 'float64' };

const peerInput = ({ tensor: { name, type, shape }, elements }: GivenTensor): PeerInput => ({
  name,
  type: typeNames[type.name] ?? type.name,
  // A copy, with the signs that the type has.
  elements: type.view(elements.slice().buffer),
  shape,
});

const loadModel = async (ort: Ort, name: OnnxruntimeName, file: Uint8Array, inputs: readonly PeerInput[]) => {
  const session = await createSession(ort, name, file);
  const feeds = Object.fromEntries(
    inputs.map(({ name: input, type, elements, shape }) => [input, new ort.Tensor(type, elements, shape)]),
  );
  return { run: () => session.run(feeds), release: () => session.release() };
};

/** The elements of an output: of halves of floats their values. */
export const numbersOfPeer = ({ data, type }: OrtTensor): Numbers =>
  type === 'float16' && data instanceof Uint16Array ? halfValues('f16', data) : data;

/** What a process that starts a model is told, and what it answers. */
export interface PeerTask {
  readonly name: OnnxruntimeName;
  readonly folder: string;
  readonly path: string;
  readonly inputs: readonly PeerInput[];
}
export type PeerAnswer = ModelStart | { readonly problem: string };

/** In the process: loads the file and calls it, once. Rejects where it does not run. */
export const timeStart = async (
  { name, folder, inputs }: PeerTask,
  file: Uint8Array,
): Promise<ModelStart> => {
  const ort = loadOnnxruntime(packagesOf(folder), name);
  const begin = performance.now();
  const model = await loadModel(ort, name, file, inputs);
  const loaded = performance.now();
  await model.run();
  return {
    loadSeconds: (loaded - begin) / 1000,
    firstCallSeconds: (performance.now() - loaded) / 1000,
  };
};

const startApart = (task: PeerTask, location: Location): Promise<Diagnosed<ModelStart>> =>
  new Promise((resolve) => {
    // What it writes is nothing of ours.
    const child = fork(packageFile('bin/peer-start.js'), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    const end = (answer: PeerAnswer): void => {
      child.removeAllListeners();
      child.kill('SIGKILL');
      resolve('problem' in answer ? failedOf(task.name, answer.problem, location) : success(answer));
    };
    child.on('message', end);
    const fail = (problem: Error): void => {
      end({ problem: reason(problem) });
    };
    child.on('error', fail);
    child.on('exit', (code, signal) => {
      end({ problem: `its process ended with ${signal ?? `exit code ${String(code)}`}` });
    });
    // A process that has not begun cannot be sent to either, which is found later.
    child.send(task, (problem) => {
      if (problem !== null) fail(problem);
    });
  });

/** What a module imports to run the iterations of its parallel loops. */
import type { WasmModule } from './wasm-module.ts';

/** `env.fork`: the iterations 0 to below `count` of the body of this number, on this frame. */
export type Fork = (body: number, count: number, frame: number) => void;

/** The body of a parallel loop, as an export of an instance. */
export type ParallelBody = (frame: number, iteration: number) => void;

/** The bodies of an instance, by number. */
export const exportedBodies = (
  names: readonly string[],
  instance: WebAssembly.Instance,
): readonly ParallelBody[] =>
  // The module's own list says what these exports are.
  names.map((name) => instance.exports[name] as ParallelBody);

/** A `fork` that needs the instance which imports it. */
export interface ConnectedFork {
  readonly fork: Fork;
  /** The instance, which `fork` works with from now on. */
  connected(instance: WebAssembly.Instance): WebAssembly.Instance;
}

/** All iterations one after the other, on the thread of the call. */
export const forkInSequence = ({ parallel }: Pick<WasmModule, 'parallel'>): ConnectedFork => {
  let bodies: readonly ParallelBody[] = [];
  return {
    fork: (body, count, frame) => {
      const run = bodies[body]!;
      for (let iteration = 0; iteration < count; iteration++) run(frame, iteration);
    },
    connected: (instance) => {
      bodies = exportedBodies(parallel, instance);
      return instance;
    },
  };
};

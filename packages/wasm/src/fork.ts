/** The import through which a module runs the iterations of its parallel loops. */
import type { EngineInstance } from './engine-types.ts';
import type { WasmModule } from './wasm-module.ts';

/** `env.fork`: runs iterations 0 to below `count` of the body with this number, on this frame. */
export type Fork = (body: number, count: number, frame: number) => void;

/** A parallel loop body, as exported by an instance. */
export type ParallelBody = (frame: number, iteration: number) => void;

/** An instance's bodies, by number. */
export const exportedBodies = (names: readonly string[], instance: EngineInstance): readonly ParallelBody[] =>
  // The module's own list guarantees the type of these exports.
  names.map((name) => instance.exports[name] as ParallelBody);

/** A `fork` that needs the instance which imports it. */
export interface ConnectedFork {
  readonly fork: Fork;
  /** Connects the instance for `fork`; returns it. */
  connected(instance: EngineInstance): EngineInstance;
}

/** Runs all iterations in sequence, on the calling thread. */
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

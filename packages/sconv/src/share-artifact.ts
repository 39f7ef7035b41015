/** One artifact with several owners, which dispose of it independently. */
import type { Artifact, BoundFunction } from '@sconv/backend';

/**
 * The artifact once for each owner. Each of them is an artifact to its owner: `dispose` frees its bindings, rejects its
 * pending calls, and makes all other use of it throw. Code and memory, with the arrays of `allocate`, are freed when
 * the last one is disposed of.
 */
export const shareArtifact = <A extends Artifact>(artifact: A, owners: number): readonly A[] => {
  const inUse = new Set(Array(owners).keys());
  return Array.from(inUse, (owner) => {
    const bindings = new Set<BoundFunction>();
    const alive = (): A => {
      if (inUse.has(owner)) return artifact;
      throw new Error('the convolution was disposed of; compile it again');
    };
    /** The result of a promised call, unless its owner was disposed of in the meantime. */
    const whileAlive = async <T>(call: () => Promise<T>): Promise<T> => {
      alive();
      const result = await call();
      alive();
      return result;
    };
    const bound = (binding: BoundFunction): BoundFunction => {
      bindings.add(binding);
      return {
        signature: binding.signature,
        call: (...values) => (alive(), binding.call(...values)),
        run: (...values) => (alive(), binding.run(...values)),
        callAsync: (...values) => whileAlive(() => binding.callAsync(...values)),
        runAsync: (...values) => whileAlive(() => binding.runAsync(...values)),
        dispose: () => {
          bindings.delete(binding);
          binding.dispose();
        },
      };
    };
    return {
      ...artifact,
      allocate: (element, length) => alive().allocate(element, length),
      bind: (name, constants) => bound(alive().bind(name, constants)),
      call: (name, ...values) => alive().call(name, ...values),
      run: (name, ...values) => alive().run(name, ...values),
      callAsync: (name, ...values) => whileAlive(() => artifact.callAsync(name, ...values)),
      runAsync: (name, ...values) => whileAlive(() => artifact.runAsync(name, ...values)),
      dispose: () => {
        if (!inUse.delete(owner)) return;
        for (const binding of bindings) binding.dispose();
        bindings.clear();
        if (inUse.size === 0) artifact.dispose();
      },
    };
  });
};

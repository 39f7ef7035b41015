/** What artifacts hold besides memory is given up with them, also if nobody disposes of them. */

let registry: FinalizationRegistry<() => void> | undefined;

/**
 * Has `release` called after `owner` was garbage collected, unless the function that is returned was called before.
 * `release` must not refer to `owner`, not even by a scope that it shares with functions that do: make it in a
 * function of its own.
 */
export const whenDropped = (owner: object, release: () => void): (() => void) => {
  registry ??= new FinalizationRegistry((run: () => void) => {
    run();
  });
  const token = {};
  registry.register(owner, release, token);
  return () => {
    registry?.unregister(token);
  };
};

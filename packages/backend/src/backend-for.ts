/** Selects the backend for a target. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { Target } from '@sconv/targets';
import { targets } from '@sconv/targets';
import type { Backend } from './backend.ts';

/** The shipped targets that any of the backends serves. */
export const servedTargets = (backends: readonly Backend[]): readonly Target[] =>
  targets.filter((target) => backends.some((backend) => backend.serves(target)));

/** The first backend in the list that serves the target. Fails with `backend/no-backend` if none does. */
export const backendFor = (target: Target, backends: readonly Backend[]): Diagnosed<Backend> => {
  const found = backends.find((backend) => backend.serves(target));
  if (found !== undefined) return success(found);
  const served = servedTargets(backends).map(({ name }) => name);
  const known = served.length === 0 ? 'none is served' : `served are ${served.join(', ')}`;
  return definite(
    error(
      'backend/no-backend',
      `no backend generates code for target '${target.name}' (${target.machine.isa}); ${known}`,
      { kind: 'name', name: target.name, child: { kind: 'unknown' } },
    ),
  );
};

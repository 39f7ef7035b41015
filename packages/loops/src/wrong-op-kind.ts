import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';

/** The failure of a transform on an unsupported target, in upstream's words. */
export const wrongOpKind = (operation: DraftOperation): Diagnosed<never> => {
  const note = { message: 'when applied to this op', location: operation.location };
  return silenceable(
    error('loop/kind', 'transform applied to the wrong op kind', operation.location, [note]),
  );
};

/** What follows an op, in a schedule. */
import type { Handle } from '@sconv/transform';
import { getConsumersOfResult, mergeHandles } from '@sconv/transform';

/** Records the consumers of an op's result, without duplicates. */
export const recordEpilogue = (target: Handle): Handle => {
  const { consumers } = getConsumersOfResult({ target }, { resultNumber: 0 });
  return mergeHandles({ handles: [consumers] }, { deduplicate: true }).result;
};

/** What an `scf.forall` counts and what it shares. */
import { forall } from '@sconv/dialects/scf';
import type { DraftOperation, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';

/** The variables of an `scf.forall`, and the outputs that its iterations share. */
export const segmentsOf = (
  loop: DraftOperation,
): { readonly variables: readonly Value[]; readonly outputs: readonly Value[] } => {
  const { outputs } = forall.operands(loop);
  const { arguments: values } = bodyOf(loop);
  return { variables: values.slice(0, values.length - outputs.length), outputs };
};

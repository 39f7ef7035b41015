/** Induction variables and shared outputs of an `scf.forall`. */
import { forall } from '@sconv/dialects/scf';
import type { DraftOperation, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';

/** The induction variables of an `scf.forall`, and its shared outputs. */
export const segmentsOf = (
  loop: DraftOperation,
): { readonly variables: readonly Value[]; readonly outputs: readonly Value[] } => {
  const { outputs } = forall.operands(loop);
  const { arguments: values } = bodyOf(loop);
  return { variables: values.slice(0, values.length - outputs.length), outputs };
};

/** Why transforms refuse that would reorder accesses of memory. */
export const reordered =
  'accesses of one buffer would be reordered (arguments of a function may be one buffer unless they have llvm.noalias)';

/** Pattern helpers, exported for other packages. */
export {
  castTo,
  constantOf,
  definedBy,
  integerConstant,
  isSame,
  onOp,
  onOps,
  recreate,
  sameMixed,
  sameValues,
  stateOf,
  withConstants,
} from './match.ts';
export { expandMap } from './passes/lower-affine.ts';
export { maskFormat } from './patterns/vector-masks.ts';
export { transferPatterns } from './patterns/vector-transfers.ts';

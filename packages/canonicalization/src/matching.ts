/** Pattern helpers, exported for other packages. */
export {
  constantOf,
  definedBy,
  integerConstant,
  isSame,
  onOp,
  onOps,
  sameValues,
  withConstants,
} from './match.ts';
export { expandMap } from './passes/lower-affine.ts';
export { transferPatterns } from './patterns/vector-transfers.ts';

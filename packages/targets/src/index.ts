export { target, targets } from './catalogue.ts';
export {
  cacheNames,
  lineBytes,
  machineFromFigures,
  type Cache,
  type CacheHierarchy,
  type CacheName,
  type Machine,
  type MachineFigures,
  type MatrixUnit,
  type Sharing,
  type VectorUnit,
} from './machine.ts';
export {
  elementBytes,
  elementTypes,
  isElementType,
  microkernelShape,
  registerUse,
  type ElementType,
  type Generation,
  type Microkernel,
  type RegisterUse,
} from './microkernel.ts';
export { sconvDefaults } from './sconv-defaults.ts';
export { define, derive, microkernels, type Target } from './target.ts';
export {
  check,
  machineProblems,
  microkernelProblems,
  TargetError,
  targetProblems,
  type TargetProblem,
} from './validate.ts';
export { wasm, wasmRelaxed } from './wasm.ts';

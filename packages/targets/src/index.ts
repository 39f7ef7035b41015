export { avx2, zen4 } from './amd.ts';
export { neon, sme } from './arm.ts';
export { findTarget, target, targets } from './catalogue.ts';
export { mma, power10 } from './ibm.ts';
export { alderLake, avx512, cascadeLake, haswell } from './intel.ts';
export {
  kernelCycles,
  kernelFamily,
  kernelShares,
  kernelUnrolls,
  keptKernels,
  keptShare,
  type KernelClass,
  type KernelFamily,
  type KernelGrid,
  type KernelShares,
  type KernelUnroll,
} from './kernel-family.ts';
export { openblasKernel, vectorKernel, type OpenblasTile } from './kernels.ts';
export { tileCycles, type KernelSpeeds } from './kernel-speeds.ts';
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
export {
  openblasPanels,
  openblasProcessor,
  panelWidth,
  type OpenblasPanels,
  type OpenblasProcessor,
} from './openblas.ts';
export {
  divideForMatrix,
  divideTile,
  kernelRegisters,
  modelledSpeeds,
  tileUnit,
  type DivideOptions,
  type Lanes,
  type RegisterTile,
  type StepSpeeds,
  type TileDivision,
  type TilePass,
  type TileShape,
  type TileUnit,
} from './register-tiles.ts';
export { sconvDefaults } from './sconv-defaults.ts';
export { define, derive, microkernels, type Target } from './target.ts';
export { TargetError, type TargetProblem } from './target-error.ts';
export { check, machineProblems, microkernelProblems, targetProblems } from './validate.ts';
export { wasm, wasmRelaxed } from './wasm.ts';

/**
 * The facade for users: the most used names of all packages, a registry of everything, and convolutions as functions on
 * typed arrays. The packages themselves have more.
 */

// Convolutions on arrays.
export { compileConvolution, compileConvolutionAsync, compileConvolutions } from './compile-convolution.ts';
export type {
  BoundConvolution,
  CompiledConvolution,
  ConstantArrays,
  OtherArrays,
} from './compile-convolution.ts';
export { convolutionPayload } from './convolution-payload.ts';
export type { ConvolutionElement, OperandArray, ResultArray, SumArray } from './convolution-elements.ts';
export type { Activation, ConvolutionLayout, ConvolutionSpec } from './convolution-spec.ts';
export { specOfShape } from './spec-of-shape.ts';
export type { ShapeSpec } from './spec-of-shape.ts';
export { convolve } from './convolve.ts';
export type { ConvolveOptions, Tensor4 } from './convolve.ts';

// From a payload to code that runs.
export { compileModule, compileModuleSync } from './compile-module.ts';
export type { CompiledModule, CompileOptions, CompileStep } from './compile-module.ts';
export { defaultBackends } from './default-backends.ts';
export type { ScheduleChoice } from './schedule-payload.ts';
export { halfBits, halfValues } from '@sconv/backend';
export type { Artifact, Backend, BoundFunction, FunctionSignature, HalfName } from '@sconv/backend';

// The contents of the default registry, and schedules for a machine.
export { defaultRegistry } from './default-registry.ts';
export { countMultiplyAdds } from './multiply-adds.ts';
export type { MultiplyAdds } from './multiply-adds.ts';
export { explicitGemm, implicitGemm } from './gemm-schedule.ts';
export { nchwc } from './nchwc-schedule.ts';
export type { Scheduler } from './scheduler.ts';
export { convolutionsOf, targetSchedule } from './target-schedule.ts';
export type { PlannedConvolution, Planning, ScheduleForm, TargetSchedule } from './target-schedule.ts';
export { transformOps } from './transform-ops.ts';

// Failures.
export { DiagnosticError, render, unwrap } from '@sconv/diagnostics';
export type { Diagnosed, Diagnostic, Location } from '@sconv/diagnostics';

// Affine algebra.
export { affineExpr, affineMap, equivalent, evaluate, integerSet, simplify } from '@sconv/affine';
export type { AffineExpr, AffineMap, IntegerSet } from '@sconv/affine';

// The packing equations.
export {
  absoluteInputMap,
  filterPackingMap,
  footprint,
  packedFilterShape,
  packedInputShape,
} from '@sconv/packing-equations';

// Machines and plans.
export { derive, findTarget, target, targets, wasm, wasmRelaxed } from '@sconv/targets';
export type { Machine, Microkernel, Target } from '@sconv/targets';
export { convolution, explain, parseShape, planConvolution, planForTarget, printShape } from '@sconv/csa';
export type { ConvolutionPlan, ConvolutionShape, PlanOptions, SlicingPlan } from '@sconv/csa';
export { planProblems, printPlan } from '@sconv/plans';
export type { Contraction, Plan, Planned, Planner } from '@sconv/plans';

// The IR and its dialects.
export {
  children,
  createRegistry,
  defineOp,
  edit,
  extendRegistry,
  parseModule,
  printModule,
  printOperation,
  tryEdit,
  verify,
  walk,
} from '@sconv/ir';
export type { Dialect, Edit, Module, Operation, Registry, Rewriter, Value } from '@sconv/ir';
export { payloadDialects } from '@sconv/dialects';

// Transforms, as functions that a schedule records.
export {
  alternatives,
  cast,
  collectTrace,
  defineTransformOp,
  foreach,
  include,
  irDiff,
  match,
  mergeHandles,
  namedSequence,
  runSchedule,
  schedule,
  sequence,
  splitHandle,
  suppress,
  traceNodes,
  transformDialect,
  transformDialectOf,
} from '@sconv/transform';
export type {
  Handle,
  NamedSequence,
  Param,
  Recorder,
  RunOptions,
  RunResult,
  RunResultOf,
  Schedule,
  Trace,
  TracedRunResult,
  TraceNode,
  TransformOp,
} from '@sconv/transform';
export { applyCse, applyDce, applyLicm, applyPatterns } from '@sconv/canonicalization/transforms';
export { delinearize, generalize, interchange, linearize } from '@sconv/normalization/transforms';
export { split } from '@sconv/splitting/transforms';
export {
  coalesce,
  forallToFor,
  forallToParallel,
  outline,
  peel,
  promoteIfOneIteration,
  unroll,
} from '@sconv/loops/transforms';
export { gatherOperand, swapInductionVars, tileUsingFor, tileUsingForall } from '@sconv/tiling/transforms';
export { formMicrokernel, multipack, packFilters, packWindows } from '@sconv/packing/transforms';
export { planOperation, sconv, sconvSchedule, sconvStages } from '@sconv/slicing';
export { structuredSconv } from '@sconv/slicing/transforms';
export type { SconvOptions } from '@sconv/slicing';

// Execution.
export { interpret, integerData, referenceConvolution, tensor } from '@sconv/interpreter';
export type { RuntimeValue, TensorValue } from '@sconv/interpreter';
export { bufferizeModule } from '@sconv/bufferization';
export { oneShotBufferize } from '@sconv/bufferization/transforms';
export type { BufferizeOptions } from '@sconv/bufferization';
export { emitModule, instantiate, instantiateAsync, supportsRelaxedSimd } from '@sconv/wasm';
export type { WasmInstance, WasmModule } from '@sconv/wasm';

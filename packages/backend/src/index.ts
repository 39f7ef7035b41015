export type { Artifact, BoundFunction, Callable } from './artifact.ts';
export type { Backend, EmitOptions, Emitted, LoadOptions, LoadSignal, WorkerLike } from './backend.ts';
export { backendFor, servedTargets } from './backend-for.ts';
export { bufferLifetimes } from './buffer-lifetimes.ts';
export type { BufferLifetime, FunctionLifetimes, LifetimesOf } from './buffer-lifetimes.ts';
export { checkArguments } from './check-arguments.ts';
export { constantsAsArguments } from './constant-arguments.ts';
export type { ConstantArgument } from './constant-arguments.ts';
export { createArtifact } from './create-artifact.ts';
export type { ArtifactCore, KeptWork } from './create-artifact.ts';
export { createDeviceArtifact } from './create-device-artifact.ts';
export type { DeviceCore, DeviceValue } from './create-device-artifact.ts';
export {
  arrayTypeOf,
  copyElements,
  elementArrays,
  elementNameOf,
  elementSize,
  isArrayOf,
} from './elements.ts';
export type {
  ElementArrays,
  ElementName,
  Elements,
  ElementsConstructor,
  ElementSize,
  OwnArray,
  OwnElementArrays,
} from './elements.ts';
export { halfBits, halfValues } from './half-floats.ts';
export type { HalfName } from './half-floats.ts';
export { alignedBytes, bufferAlignment, mostPlacedBySize, placeBuffers, useOf } from './place-buffers.ts';
export type { BufferPlaces, Lifetime, MemoryUse } from './place-buffers.ts';
export { isPublicFunction, publicFunctions } from './public-functions.ts';
export { writtenByCalls } from './written-values.ts';
export type { WrittenByCall } from './written-values.ts';
export type { BufferLayout, PublicFunction, ScalarLayout, ValueLayout } from './public-functions.ts';
export { byteLengthOf } from './signature.ts';
export type { CodeLoader, SavedCode, SavedFiles, SaveOptions } from './saved-code.ts';
export type {
  BufferSignature,
  FunctionSignature,
  ParameterSignature,
  RunValue,
  ScalarSignature,
} from './signature.ts';
export { whenDropped } from './when-dropped.ts';

/** What loaded code needs, and nothing of the IR: `@sconv/backend/runtime`, for programs that compile nothing. */
export { checkArguments } from './check-arguments.ts';
export { ownConstants } from './constant-elements.ts';
export { createArtifact } from './create-artifact.ts';
export { arrayTypeOf, copyElements, elementArrays, elementSize, isArrayOf } from './elements.ts';
export { halfBits, halfValues } from './half-floats.ts';
export { alignedBytes } from './place-buffers.ts';
export { byteLengthOf } from './signature.ts';
export { uniformValues } from './uniform-values.ts';
export { whenDropped } from './when-dropped.ts';

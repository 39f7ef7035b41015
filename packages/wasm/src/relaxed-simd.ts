/** Whether the engine runs what is emitted with relaxed SIMD. */

/** A module of one function that multiplies and adds vectors with `f32x4.relaxed_madd`. */
const relaxedModule = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  // Its type: three v128 to one.
  ...[1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b],
  ...[3, 2, 1, 0],
  // Its code: the three arguments, and the instruction.
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b],
);

/** Whether the engine accepts relaxed SIMD. */
export const supportsRelaxedSimd = (): boolean => WebAssembly.validate(relaxedModule);

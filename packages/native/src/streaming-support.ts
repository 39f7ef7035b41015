/** What code for Arm's SME needs besides its functions. */

/** Tells how many bytes a vector has in streaming mode. */
export const streamingSymbol = 'sconv_streaming_bytes';

/** For the header of a library: what its caller has to see to. */
export const streamingDeclaration = (bytes: number): string =>
  `/*
 * Bytes of a vector in streaming mode: the functions are right only where there are ${bytes}.
 */
int64_t ${streamingSymbol}(void);`;

/**
 * C that is compiled with the stubs: the length of a vector, and the ABI's routine that saves the ZA of a caller. The one here does
 * nothing, for the callers of these functions keep nothing in ZA; compiler-rt's replaces it where that is linked.
 */
export const streamingSupport = `__attribute__((visibility("default"))) int64_t ${streamingSymbol}(void) {
  int64_t bytes;
  __asm__("rdsvl %0, #1" : "=r"(bytes));
  return bytes;
}
__attribute__((weak)) void __arm_tpidr2_save(void) {}
`;

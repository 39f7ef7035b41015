/** Support code for Arm's SME. */

/** Returns the number of bytes per vector in streaming mode. */
export const streamingSymbol = 'sconv_streaming_bytes';

/** For the header of a library: the caller's obligations. */
export const streamingDeclaration = (bytes: number): string =>
  `/*
 * Bytes of a vector in streaming mode: the functions are right only where there are ${bytes}.
 */
int64_t ${streamingSymbol}(void);`;

/**
 * C compiled with the stubs: the vector length, and the ABI's routine that saves a caller's ZA. This one does
 * nothing, since the callers of these functions keep nothing in ZA; compiler-rt's replaces it if linked.
 */
export const streamingSupport = `__attribute__((visibility("default"))) int64_t ${streamingSymbol}(void) {
  int64_t bytes;
  __asm__("rdsvl %0, #1" : "=r"(bytes));
  return bytes;
}
__attribute__((weak)) void __arm_tpidr2_save(void) {}
`;

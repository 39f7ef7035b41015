/** The option of commands that run LLVM's tools and emulators. */

/** For commander: the name, and what it does. */
export const verboseOption = ['--verbose', 'also write what failing tools say'] as const;

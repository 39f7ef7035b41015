export { printAuthorScheme } from './author-notation.ts';
export { parseScheme } from './parse-scheme.ts';
export type { ParseOptions } from './parse-scheme.ts';
export { printScheme } from './print-scheme.ts';
export type {
  LambdaSpecifier,
  PackedSpecifier,
  Remaining,
  Scheme,
  SequenceSpecifier,
  Specifier,
  Tiled,
  Vectorized,
} from './scheme.ts';

export { canonicalize } from './passes/canonicalize.ts';
export { cse, eliminateCommonSubexpressions } from './passes/cse.ts';
export { canonicalizationPatterns } from './patterns.ts';
export { passes } from './passes.ts';
export { simplifyRegions } from './simplify-regions.ts';

export type {
  Assembly,
  AssemblyDirective,
  Delimiter,
  OpAsmParser,
  OpAsmPrinter,
  ParsedArgument,
  ParsedOperation,
  PartialOperation,
  RegionBuilder,
  UnresolvedOperand,
} from './assembly.ts';
export * from './attribute.ts';
export * from './define-op.ts';
export * from './op-spec.ts';
export * from './operation.ts';
export * from './registry.ts';
export * from './type.ts';
export * from './type-relation.ts';
export { DraftBlock, DraftOperation, DraftRegion } from './draft.ts';
export { composeForward, follow, noForward } from './forward.ts';
export type { Forward } from './forward.ts';
export { edit, Rewriter, tryEdit } from './rewriter.ts';
export type { Edit } from './rewriter.ts';
export { parseAttribute, parseModule, parseType } from './parser.ts';
export type { ParseOptions } from './parser.ts';
export { printModule, printOperation } from './printer.ts';
export type { PrintOptions } from './printer.ts';
export { printAttribute } from './attribute-printer.ts';
export { printType } from './type-printer.ts';
export { verify } from './verifier.ts';
export type { VerifyOptions } from './verifier.ts';
export type { TextOptions } from './token-parser.ts';
export { runPipeline } from './pass.ts';
export type { Pass, PassContext, PassRun, PipelineOptions } from './pass.ts';
export { printAfterPasses, timingReport } from './instrumentation.ts';
export type { PrintAfterOptions } from './instrumentation.ts';

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

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
export {
  affineMapAttribute,
  arrayAttribute,
  attributeEquals,
  attributesEqual,
  booleanAttribute,
  denseArrayAttribute,
  denseElementsAttribute,
  dialectAttribute,
  dictionaryAttribute,
  floatAttribute,
  functionTypeOf,
  integerAttribute,
  integerSetAttribute,
  noAttributes,
  stridedLayoutAttribute,
  stringAttribute,
  symbolRefAttribute,
  typeAttribute,
  unitAttribute,
} from './attribute.ts';
export type {
  AffineMapAttribute,
  ArrayAttribute,
  Attribute,
  Attributes,
  DenseArrayAttribute,
  DenseElementsAttribute,
  DenseResourceAttribute,
  DialectAttribute,
  DictionaryAttribute,
  FloatAttribute,
  IntegerAttribute,
  IntegerSetAttribute,
  LocationAttribute,
  OpaqueAttribute,
  StridedLayoutAttribute,
  StringAttribute,
  SymbolRefAttribute,
  TypeAttribute,
  UnitAttribute,
} from './attribute.ts';
export { constantLike, constantValueOf, materializeConstant } from './constant-like.ts';
export type { ConstantLike } from './constant-like.ts';
export { defineOp, snakeCase } from './define-op.ts';
export type {
  AttributeInput,
  AttributeOutput,
  BodyBuilder,
  DeclaredOperation,
  FoldedInPlace,
  Folder,
  InferResultTypes,
  VerifyProblem,
  NamedAttributeSpec,
  NamedValues,
  NoSpecs,
  OpDefaults,
  OpDefinition,
  OperationState,
  OpSpec,
  ResultNamer,
  TypedOpDefinition,
  VerifyContext,
} from './define-op.ts';
export { floatFromBits, floatToBits, floatWidth, largestFloat, roundToFloat } from './float-format.ts';
export { failingInexact } from './exact-arithmetic.ts';
export { exactNumber, integerOf } from './integer-format.ts';
export { bytesOfElement, bytesOfElements, denseResource, resourceProblem } from './dense-resource.ts';
export type { Resource } from './resource.ts';
export { decodeText, encodeText, hasLoneSurrogate } from './text-bytes.ts';
export {
  affineMapAttributeKind,
  anyAttribute,
  anyTensor,
  anyType,
  arrayOf,
  atLeast,
  atMost,
  attributeKind,
  boolAttribute,
  boolean,
  constrained,
  documented,
  i32Attribute,
  i64ArrayAttribute,
  i64Attribute,
  index,
  indexAttribute,
  integerSetAttributeKind,
  named,
  one,
  optional,
  optionalAttribute,
  positive,
  stringAttributeKind,
  symbolRefAttributeKind,
  typeAttributeKind,
  typeConstraint,
  unitAttributeKind,
  variadic,
  variadicOfEqualSize,
  withDefault,
  withImplicitDefault,
  withSyntax,
} from './op-spec.ts';
export type {
  AnyAttributeSpec,
  Arity,
  AttributeSpec,
  AttributeSyntax,
  Presence,
  Trait,
  TypeConstraint,
  ValueSpec,
} from './op-spec.ts';
export { expectModule, expectOperation, expectRegistry, isRegistry, moduleProblem } from './check-module.ts';
export {
  bodyOf,
  children,
  isPrivate,
  operationsIn,
  symbolNameOf,
  terminatorOf,
  walk,
  walkPostOrder,
} from './operation.ts';
export type { Block, Id, Module, Operation, Region, Value } from './operation.ts';
export { attach, implement, opInterface } from './op-interface.ts';
export type { Attachment, Implementation, OpInterface } from './op-interface.ts';
export { followDefinitions } from './follow-definitions.ts';
export { effectsBelow, effectsOf, isErasable, memoryEffects } from './memory-effects.ts';
export type { MemoryEffect } from './memory-effects.ts';
export { createRegistry, definitionOf, extendRegistry, hasTrait, modelOf } from './registry.ts';
export type { Dialect, Registry } from './registry.ts';
export { DYNAMIC } from './dynamic.ts';
export {
  bf16,
  dialectType,
  elementCount,
  f16,
  f32,
  f64,
  functionType,
  i1,
  i32,
  i64,
  indexType,
  integerType,
  isShaped,
  isStaticShape,
  memrefType,
  noneType,
  tensorType,
  typeEquals,
  vectorType,
} from './type.ts';
export type {
  ComplexType,
  DialectType,
  FloatType,
  FunctionType,
  IndexType,
  IntegerType,
  MemRefType,
  NoneType,
  ShapedType,
  TensorType,
  TupleType,
  Type,
  UnrankedMemRefType,
  UnrankedTensorType,
  VectorType,
} from './type.ts';
export { allTypesMatch, typesMatchWith } from './type-relation.ts';
export type { TypeRelation } from './type-relation.ts';
export { groupSizes, valuesBetween } from './value-groups.ts';
export { DraftBlock, DraftOperation, DraftRegion } from './draft.ts';
export { ancestorInBlock, closestParent, precedes } from './ancestors.ts';
export { composeForward, follow, forwardFromJson, forwardToJson, noForward } from './forward.ts';
export type { Forward, ForwardJson, IdRange, Move } from './forward.ts';
export { bare } from './bare.ts';
export { builder } from './builder.ts';
export type { Builder, BuildOptions, Built, OperandInput } from './builder.ts';
export { buildModule } from './build-module.ts';
export type { BuildModuleOptions } from './build-module.ts';
export { Structure } from './dominance.ts';
export { edit, findOperation, tryEdit } from './edit.ts';
export type { Edit, EditOptions } from './edit.ts';
export { Rewriter } from './rewriter.ts';
export type { RewriteListener } from './rewrite-listener.ts';
export { foldOperation } from './fold.ts';
export type { Folded } from './fold.ts';
export { applyPatternsGreedily } from './greedy.ts';
export type { GreedyOptions, GreedyResult, RewritePattern } from './greedy.ts';
export { parseAttribute, parseModule, parseType } from './parser.ts';
export type { ParseOptions } from './parser.ts';
export { parseSource } from './parse-source.ts';
export type { ParsedSource } from './parse-source.ts';
export type { SourceMap, SourceName, SourceOperation } from './source-map.ts';
export { tokenize } from './source-tokens.ts';
export type { SourceToken } from './source-tokens.ts';
export type { TokenKind } from './lexer.ts';
export { printModule, printModuleWithRanges, printOperation, tryPrintModule } from './printer.ts';
export type { PrintedModule, PrintOptions } from './printer.ts';
export type { NameRanges, OperationRange, PrintedRanges, TextRange } from './print-ranges.ts';
export { printAttribute } from './attribute-printer.ts';
export { printType } from './type-printer.ts';
export { verify } from './verifier.ts';
export type { VerifyOptions } from './verifier.ts';
export type { TextOptions } from './token-parser.ts';
export { nestPass, runPipeline } from './pass.ts';
export type { Pass, PassContext, PassRun, PipelineOptions } from './pass.ts';
export { createIrPrinter, createTiming } from './instrumentation.ts';
export type { IrDump, IrPrinter, IrPrinting, Timing } from './instrumentation.ts';
export {
  choiceOption,
  countOption,
  defineOperationPass,
  definePass,
  flagOption,
  integerOption,
  listOption,
  parsePassOptions,
  textOption,
} from './define-pass.ts';
export type {
  OperationPassSpec,
  PassConstructor,
  PassDefinition,
  PassOption,
  PassOptions,
  PassSpec,
  PassValues,
} from './define-pass.ts';
export { SsaNames } from './ssa-names.ts';

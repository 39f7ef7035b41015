/** Ops that change, check or show whatever their target is. */
import type { Operation } from '@sconv/ir';
import {
  arrayOf,
  i64Attribute,
  optionalAttribute,
  stringAttributeKind,
  unitAttributeKind,
  withDefault,
} from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  produces,
  reads,
  readsEither,
  readsOptional,
  readsOptionalParam,
  readsParam,
} from './define-transform-op.ts';
import { typed, typedTo } from './forms.ts';
import {
  conversionDescriptor,
  descriptorErrors,
  patternDescriptor,
  typeConverter,
} from './pattern-descriptor.ts';

export const annotate = defineTransformOp({
  name: 'transform.annotate',
  summary: 'Gives the target an attribute: a parameter, or a unit attribute.',
  operands: { target: reads('any operations'), param: readsOptionalParam('what the attribute is') },
  attributes: { name: stringAttributeKind },
  assembly: { format: '$target $name attr-dict (`=` $param^)? `:` type($target) (`,` type($param)^)?' },
});

export const applyCse = defineTransformOp({
  name: 'transform.apply_cse',
  summary: 'Eliminates common subexpressions in the target.',
  operands: { target: reads('where to look') },
  assembly: typedTo,
});

export const applyDce = defineTransformOp({
  name: 'transform.apply_dce',
  summary: 'Erases what is not used in the target.',
  operands: { target: reads('where to look') },
  assembly: typedTo,
});

export const applyLicm = defineTransformOp({
  name: 'transform.apply_licm',
  summary: 'Moves what does not depend on the iteration out of loops.',
  operands: { target: reads('loops') },
  assembly: typedTo,
});

const operationsIn = ({ regions }: Operation, region: number): readonly Operation[] =>
  regions[region]?.blocks.flatMap(({ operations }) => operations) ?? [];

export const applyPatterns = defineTransformOp({
  name: 'transform.apply_patterns',
  summary: 'Applies the patterns that its body names in the target until none applies.',
  operands: { target: reads('where to look') },
  attributes: {
    applyCse: unitAttributeKind,
    maxIterations: withDefault(i64Attribute, -1),
    maxNumRewrites: withDefault(i64Attribute, -1),
  },
  regions: ['patterns'],
  traits: ['graph-region', 'single-block', 'no-terminator'],
  assembly: { format: '`to` $target $patterns attr-dict `:` type($target)' },
  verify: ({ operation }, context) =>
    descriptorErrors(
      operationsIn(operation, 0),
      patternDescriptor,
      'children ops to implement PatternDescriptorOpInterface',
      context,
    ),
});

const names = optionalAttribute(arrayOf(stringAttributeKind, 'string array attribute'));

export const applyConversionPatterns = defineTransformOp({
  name: 'transform.apply_conversion_patterns',
  summary: 'Converts the target by the patterns that its body names.',
  operands: { target: consumes('where to look') },
  attributes: {
    legalOps: names,
    illegalOps: names,
    legalDialects: names,
    illegalDialects: names,
    partialConversion: unitAttributeKind,
    preserveHandles: unitAttributeKind,
  },
  regions: ['patterns', 'defaultTypeConverterRegion...'],
  traits: ['graph-region', 'single-block', 'no-terminator'],
  assembly: {
    format:
      '`to` $target $patterns (`with` `type_converter` $defaultTypeConverterRegion^)? attr-dict `:` type($target)',
  },
  *verify({ operation }, context) {
    if (operation.regions.length > 2) yield 'expected 1 or 2 regions';
    yield* descriptorErrors(
      operationsIn(operation, 0),
      conversionDescriptor,
      'pattern children ops to implement ConversionPatternDescriptorOpInterface',
      context,
    );
    if (operation.regions.length < 2) return;
    const converters = operationsIn(operation, 1);
    if (converters.length !== 1) yield 'expected exactly one op in default type converter region';
    else if (context.modelOf(converters[0]!, typeConverter) === undefined) {
      yield 'expected default converter child op to implement TypeConverterBuilderOpInterface';
    }
  },
});

export const applyRegisteredPass = defineTransformOp({
  name: 'transform.apply_registered_pass',
  summary: 'Runs a pass on the target.',
  operands: { target: consumes('what the pass runs on') },
  attributes: { passName: stringAttributeKind, options: withDefault(stringAttributeKind, '') },
  results: { result: produces('the target afterwards') },
  assembly: { format: '$pass_name `to` $target attr-dict `:` functional-type(operands, results)' },
});

export const print = defineTransformOp({
  name: 'transform.print',
  summary: 'Writes the target, or the whole payload.',
  isMatcher: true,
  operands: { target: readsOptional('what to write') },
  attributes: {
    name: optionalAttribute(stringAttributeKind),
    assumeVerified: unitAttributeKind,
    useLocalScope: unitAttributeKind,
    skipRegions: unitAttributeKind,
  },
  assembly: { format: '$target attr-dict (`:` type($target)^)?' },
});

export const verify = defineTransformOp({
  name: 'transform.verify',
  summary: 'Verifies the target.',
  operands: { target: reads('any operations') },
  assembly: typed(),
});

export const emitRemarkAt = defineTransformOp({
  name: 'transform.debug.emit_remark_at',
  summary: 'Says something at what a handle stands for.',
  isMatcher: true,
  operands: { at: readsEither('operations or values') },
  attributes: { message: stringAttributeKind },
  assembly: { format: '$at `,` $message attr-dict `:` type($at)' },
});

export const emitParamAsRemark = defineTransformOp({
  name: 'transform.debug.emit_param_as_remark',
  summary: 'Says what a parameter holds.',
  isMatcher: true,
  operands: { param: readsParam('what to say'), anchor: readsOptional('where') },
  attributes: { message: optionalAttribute(stringAttributeKind) },
  assembly: {
    format: '$param (`,` $message^)? (`at` $anchor^)? attr-dict `:` type($param) (`,` type($anchor)^)?',
  },
});

export const payloadOps = [
  annotate,
  applyCse,
  applyDce,
  applyLicm,
  applyPatterns,
  applyConversionPatterns,
  applyRegisteredPass,
  print,
  verify,
  emitRemarkAt,
  emitParamAsRemark,
];

/** Ops that change, check or print any target. */
import type { Location, Note } from '@sconv/diagnostics';
import { definite, error, silenceable, success } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import {
  children,
  hasTrait,
  optionalAttribute,
  printAttribute,
  printModule,
  printOperation,
  stringAttributeKind,
  unitAttribute,
  unitAttributeKind,
  verify as verifyModule,
  walk,
} from '@sconv/ir';
import { stringsAttribute } from './attribute-kinds.ts';
import { defineTransformOp } from './define-transform-op.ts';
import {
  consumes,
  reads,
  readsEither,
  readsOptional,
  readsOptionalParam,
  readsParam,
} from './handle-specs.ts';
import { typed } from './forms.ts';
import { inspectValues, noteAt } from './inspect.ts';
import { conversionDescriptor, descriptorErrors, typeConverter } from './pattern-descriptor.ts';
import { payloadKindOf } from './payload.ts';
import type { LocatedValue } from './resolve-payload.ts';
import { placeOf } from './resolve-payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** `transform.annotate`: annotates the target with an attribute: a parameter, or a unit attribute. */
export const annotate = defineTransformOp({
  name: 'transform.annotate',
  summary: 'Annotates the target with an attribute: a parameter, or a unit attribute.',
  operands: { target: reads('any operations'), param: readsOptionalParam('the value of the attribute') },
  attributes: { name: stringAttributeKind },
  failures: {
    'transform/annotate-lengths': {
      mode: 'silenceable',
      when: 'the parameter holds neither one value nor one per target',
    },
  },
  assembly: { format: '$target $name attr-dict (`=` $param^)? `:` type($target) (`,` type($param)^)?' },
  apply: ({ rewriter, location }, { target, param }, { name }) => {
    if (param !== undefined && param.length !== 1 && param.length !== target.length) {
      const message = `parameter and target have different payload lengths (${param.length} vs ${target.length})`;
      return silenceable(error('transform/annotate-lengths', message, target[0]?.location ?? location));
    }
    target.forEach((operation, i) => {
      const value = param === undefined ? unitAttribute : param[param.length === 1 ? 0 : i]!;
      rewriter.setAttribute(operation, name, value);
    });
    return success({});
  },
});

const operationsIn = ({ regions }: Operation, region: number): readonly Operation[] =>
  regions[region]!.blocks.flatMap(({ operations }) => operations);

const names = optionalAttribute(stringsAttribute);

export const applyConversionPatterns = defineTransformOp({
  name: 'transform.apply_conversion_patterns',
  summary: 'Converts the target with the patterns in its body.',
  operands: { target: consumes('where to look') },
  keepsPayload: ({ attributes }) => attributes['preserve_handles'] !== undefined,
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

/** `transform.print`: prints the target, or the whole payload. */
export const print = defineTransformOp({
  name: 'transform.print',
  summary: 'Prints the target, or the whole payload.',
  isMatcher: true,
  operands: { target: readsOptional('the ops to print') },
  attributes: {
    name: optionalAttribute(stringAttributeKind),
    assumeVerified: unitAttributeKind,
    useLocalScope: unitAttributeKind,
    skipRegions: unitAttributeKind,
  },
  assembly: { format: '$target attr-dict (`:` type($target)^)?' },
  interpret: (run, operation, { name, useLocalScope: localScope, skipRegions }) => {
    const { registry, print: write } = run.context;
    const options = { registry, localScope, skipRegions };
    const heading = ['[[[ IR printer:', ...(name === undefined ? [] : [name])].join(' ');
    const [target] = operation.operands;
    const text =
      target === undefined
        ? `${heading} top-level ]]]\n${printModule(run.payload, options)}`
        : [
            `${heading} ]]]\n`,
            ...run
              .operations(run.idsOf(target))
              .map((each) => `${printOperation(each, options, scopeOf(run.payload, each, localScope))}\n`),
          ].join('');
    if (write === undefined) run.remark('transform/printed', text, operation.location);
    else write(text);
    return success(undefined);
  },
});

/** The op from which the values of an operation are numbered when it is printed. */
const scopeOf = (payload: Module, operation: Operation, localScope: boolean): Operation =>
  localScope ? operation : payload.root;

/** The operations around `inner`, innermost first. */
const operationsAround = (outer: Operation, inner: Operation): readonly Operation[] => {
  if (outer === inner) return [];
  const next = children(outer).find((child) => child === inner || [...walk(child)].includes(inner));
  return next === undefined ? [outer] : [...operationsAround(next, inner), outer];
};

/** `transform.verify`: verifies the target. */
export const verify = defineTransformOp({
  name: 'transform.verify',
  summary: 'Verifies the target.',
  operands: { target: reads('any operations') },
  failures: { 'transform/not-verified': { mode: 'definite', when: 'the target is not valid' } },
  assembly: typed(),
  interpret: (run, operation) => {
    const { registry } = run.context;
    for (const target of run.operations(run.idsOf(operation.operands[0]!))) {
      // An op that is not isolated depends on its surroundings.
      const root = hasTrait(registry, target, 'isolated-from-above') ? target : run.payload.root;
      const errors = verifyModule({ ...run.payload, root }, registry, {
        allowUnregisteredDialects: true,
        around: operationsAround(run.payload.root, root),
      });
      if (errors.length === 0) continue;
      const failed = error('transform/not-verified', 'failed to verify payload op', operation.location, [
        noteAt('payload op', target),
      ]);
      return definite(...errors, failed);
    }
    return success(undefined);
  },
});

/** `transform.debug.emit_remark_at`: emits a remark at the payload of a handle. */
export const emitRemarkAt = defineTransformOp({
  name: 'transform.debug.emit_remark_at',
  summary: 'Emits a remark at the payload of a handle.',
  isMatcher: true,
  operands: { at: readsEither('operations or values') },
  attributes: { message: stringAttributeKind },
  assembly: { format: '$at `,` $message attr-dict `:` type($at)' },
  interpret: (run, operation, { message }) => {
    const [at] = operation.operands;
    for (const { location } of run.operations(run.idsOf(at!))) remarkAt(run, message, location);
    if (payloadKindOf(at!.type) === 'values') {
      inspectValues(run, at!, (values) => {
        for (const located of values) {
          const { location } = located.operation;
          remarkAt(run, message, location, [
            { message: `value handle points to ${describe(located)}`, location },
          ]);
        }
      });
    }
    return success(undefined);
  },
});

const remarkAt = (
  run: ScheduleRun,
  message: string,
  location: Location,
  notes: readonly Note[] = [],
): void => {
  run.remark('transform/remark', message, location, notes);
};

/** Describes where a value is defined. */
const describe = ({ value, operation }: LocatedValue): string => {
  const place = placeOf(value.id, operation);
  return place.startsWith('result') ? `an op ${place}` : `a ${place.replace(' of block', ' in block')}`;
};

/** `transform.debug.emit_param_as_remark`: emits a remark with the value of a parameter. */
export const emitParamAsRemark = defineTransformOp({
  name: 'transform.debug.emit_param_as_remark',
  summary: 'Emits a remark with the value of a parameter.',
  isMatcher: true,
  operands: { param: readsParam('the parameter to print'), anchor: readsOptional('where to emit it') },
  attributes: { message: optionalAttribute(stringAttributeKind) },
  assembly: {
    format: '$param (`,` $message^)? (`at` $anchor^)? attr-dict `:` type($param) (`,` type($anchor)^)?',
  },
  interpret: (run, operation, { message }) => {
    const [param, anchor] = operation.operands;
    const payload = run.payloadOf(param!);
    const values = payload.kind === 'params' ? payload.attributes.map((each) => printAttribute(each)) : [];
    const text = [...(message === undefined ? [] : [message]), values.join(', ')].join(' ');
    const places = anchor === undefined ? [operation] : run.operations(run.idsOf(anchor));
    for (const { location } of places) remarkAt(run, text, location);
    return success(undefined);
  },
});

export const payloadOps = [annotate, applyConversionPatterns, print, verify, emitRemarkAt, emitParamAsRemark];

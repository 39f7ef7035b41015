/** Matcher ops: they succeed or fail, and leave the payload unchanged. */
import { andThen, definite, error, success } from '@sconv/diagnostics';
import { enumAttribute } from '@sconv/dialects';
import type { IntegerAttribute, Operation } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { stringsAttribute } from './attribute-kinds.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { reads, readsParam } from './handle-specs.ts';
import { typed } from './forms.ts';
import { noteAt } from './inspect.ts';
import { sizeOf } from './payload.ts';
import { definitionIn } from './script.ts';
import { noMatch, singleOperation, singleOperationFailures } from './single-payload.ts';

export const matchOperationEmpty = defineTransformOp({
  name: 'transform.match.operation_empty',
  summary: 'Succeeds if a handle is empty.',
  isMatcher: true,
  operands: { operandHandle: reads('none or one operation') },
  failures: {
    'transform/match-several': { mode: 'definite', when: 'the handle refers to several operations' },
    'transform/match-failed': { mode: 'silenceable', when: 'the handle refers to an operation' },
  },
  assembly: typed('operandHandle'),
  interpret: (run, operation) => {
    const size = sizeOf(run.payloadOf(operation.operands[0]!));
    if (size === 0) return success(undefined);
    if (size === 1) return noMatch(operation, 'operation is not empty');
    const message =
      'AtMostOneOpMatcherOpTrait requires the operand handle to point to at most one payload op';
    return definite(error('transform/match-several', message, operation.location));
  },
});

export const matchOperationName = defineTransformOp({
  name: 'transform.match.operation_name',
  summary: 'Succeeds if an operation has one of the names.',
  isMatcher: true,
  operands: { operandHandle: reads('one operation') },
  attributes: { opNames: stringsAttribute },
  failures: singleOperationFailures,
  assembly: { format: '$operandHandle $op_names attr-dict `:` type($operandHandle)' },
  interpret: (run, operation, { opNames }) =>
    andThen(singleOperation(run, operation), ({ name }) =>
      opNames.includes(name) ? success(undefined) : noMatch(operation, `wrong operation name: '${name}'`),
    ),
});

/** In the order of upstream's enum. */
const predicates = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const;

export const matchParamCmpi = defineTransformOp({
  name: 'transform.match.param.cmpi',
  summary: 'Succeeds if a comparison holds between the values of two parameters, pairwise.',
  isMatcher: true,
  operands: {
    param: readsParam('the values to compare'),
    reference: readsParam('the values to compare with'),
  },
  attributes: { predicate: enumAttribute(predicates, 32) },
  traits: ['same-operands-type'],
  failures: {
    'transform/match-failed': {
      mode: 'silenceable',
      when: 'the comparison does not hold, or the parameters hold different numbers of values',
    },
    'transform/match-integers': {
      mode: 'definite',
      when: 'the values are not integers of the same type',
    },
  },
  assembly: { format: '$predicate $param `,` $reference attr-dict `:` type($param)' },
  interpret: (run, operation, { predicate }) => {
    const [params = [], references = []] = operation.operands.map((operand) => {
      const payload = run.payloadOf(operand);
      return payload.kind === 'params' ? payload.attributes : [];
    });
    if (params.length !== references.length) {
      const lengths = `${params.length} vs ${references.length}`;
      return noMatch(operation, `parameters have different payload lengths (${lengths})`);
    }
    const [words, holds] = comparisons[predicate];
    for (const [i, param] of params.entries()) {
      const reference = references[i]!;
      if (param.kind !== 'integer' || reference.kind !== 'integer')
        return noIntegers(operation, 'non-integer parameter value not expected');
      if (!typeEquals(param.type, reference.type))
        return noIntegers(operation, `mismatching integer attribute types in parameter #${i}`);
      if (holds(param.value, reference.value)) continue;
      const message = `expected parameter to be ${words} ${reference.value}, got ${param.value}`;
      const definition = definitionIn(run.script, operation.operands[0]!) ?? operation;
      const note = noteAt(`value # ${i} associated with the parameter defined here`, definition);
      return noMatch(operation, message, [note]);
    }
    return success(undefined);
  },
});

type Comparison = (a: IntegerAttribute['value'], b: IntegerAttribute['value']) => boolean;

const comparisons: Readonly<Record<(typeof predicates)[number], readonly [string, Comparison]>> = {
  eq: ['equal to', (a, b) => a === b],
  ne: ['not equal to', (a, b) => a !== b],
  lt: ['less than', (a, b) => a < b],
  le: ['less than or equal to', (a, b) => a <= b],
  gt: ['greater than', (a, b) => a > b],
  ge: ['greater than or equal to', (a, b) => a >= b],
};

const noIntegers = ({ location }: Operation, message: string) =>
  definite(error('transform/match-integers', message, location));

export const matchOps = [matchOperationEmpty, matchOperationName, matchParamCmpi];

/** Upstream's transform op that pads structured ops. */
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import { constantIndexOf, elementTypeOf } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { Attribute, DraftOperation, Rewriter, Type } from '@sconv/ir';
import {
  anyAttribute,
  arrayOf,
  i64ArrayAttribute,
  parseAttribute,
  printAttribute,
  printType,
  stringAttributeKind,
  typeEquals,
  withDefault,
  withImplicitDefault,
} from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  directives,
  integersAttribute,
  payloadSizes,
  permutationErrors,
  permutationsAttribute,
  produces,
  readsSizes,
} from '@sconv/transform';
import type { PadOptions } from '../pad-op.ts';
import { padOp } from '../pad-op.ts';

/** The choices for copying back. */
const copyOps = ['bufferization.materialize_in_destination', 'linalg.copy', 'none'] as const;

const typeOf = (attribute: Attribute): Type | undefined => ('type' in attribute ? attribute.type : undefined);

/** A padding value of an element type: the attribute itself, or parsed from a string attribute. */
const paddingValue = (
  rewriter: Rewriter,
  operation: DraftOperation,
  value: Attribute,
  type: Type,
  location: Location,
): Diagnosed<Attribute> => {
  const notes = [{ message: 'when applied to this op', location: operation.location }];
  const name = `'transform.structured.pad' op`;
  if (value.kind === 'string') {
    const text = `${value.value} : ${printType(type)}`;
    const parsed = parseAttribute(text, { registry: rewriter.registry });
    if (parsed.status === 'success' && typeEquals(typeOf(parsed.value) ?? { kind: 'none' }, type))
      return parsed;
    const message = `${name} expects a padding that parses to '${printType(type)}', got ${printAttribute(value)}`;
    return definite(error('pad/value-text', message, location, notes));
  }
  if (typeEquals(typeOf(value) ?? { kind: 'none' }, type)) return success(value);
  const message = `${name} expects a padding value of type '${printType(type)}', got ${printAttribute(value)}`;
  return definite(error('pad/value-type', message, location, notes));
};

/**
 * `transform.structured.pad`: pads the operands of the target to upper bounds of their sizes, or to multiples of
 * given sizes.
 */
export const pad = defineTransformOp({
  name: 'transform.structured.pad',
  summary: 'Pads the operands of the target to upper bounds of their sizes, or to multiples of given sizes.',
  operands: {
    target: consumes('structured ops'),
    padToMultipleOf: readsSizes('multiples held by parameters'),
  },
  attributes: {
    paddingValues: withDefault(arrayOf(anyAttribute, 'array attribute'), []),
    paddingDimensions: withDefault(integersAttribute, []),
    staticPadToMultipleOf: withImplicitDefault(i64ArrayAttribute, []),
    packPaddings: withDefault(integersAttribute, []),
    transposePaddings: withDefault(permutationsAttribute, []),
    copyBackOp: withDefault(stringAttributeKind, 'bufferization.materialize_in_destination'),
  },
  results: {
    padded: produces('the ops'),
    pad: produces('the paddings'),
    copy: produces('the ops that copy back'),
  },
  failures: {
    'pad/target': { mode: 'silenceable', when: 'a target is not structured' },
    'pad/multiple': { mode: 'silenceable', when: 'a multiple is not constant, or not positive' },
    'pad/copy': { mode: 'silenceable', when: '`copy_back_op` is not one of the three ops' },
    'pad/value-type': { mode: 'definite', when: 'a padding value does not have the element type' },
    'pad/value-text': {
      mode: 'definite',
      when: 'a padding value given as text does not parse as the element type',
    },
    'pad/not-structured': { mode: 'silenceable', when: 'a target does not work on tensors' },
    'pad/bound': { mode: 'silenceable', when: 'a padded size has no known upper bound' },
    'pad/no-value': { mode: 'silenceable', when: 'an operand has no padding value' },
    'pad/shape': { mode: 'silenceable', when: 'the shapes of the padded operands do not match' },
    'pad/value': { mode: 'silenceable', when: 'the padding values would change the results' },
  },
  apply: ({ rewriter, location }, { target, padToMultipleOf }, attributes) => {
    const { paddingDimensions, staticPadToMultipleOf, packPaddings } = attributes;
    const copyBack = copyOps.find((name) => name === attributes.copyBackOp);
    if (copyBack === undefined) {
      const message = `expected one of ${copyOps.join(', ')} to copy back, got ${attributes.copyBackOp}`;
      return silenceable(error('pad/copy', message, location));
    }
    const padded = andThen(payloadSizes(staticPadToMultipleOf, padToMultipleOf, location), (sizes) => {
      const multiples = sizes.map((size) =>
        typeof size === 'number' ? size : (constantIndexOf(rewriter, size) ?? 0),
      );
      if (multiples.some((multiple) => multiple < 1)) {
        return silenceable(
          error('pad/multiple', 'expected multiples that are constant and positive', location),
        );
      }
      return collect(target, (operation) => {
        if (structured(rewriter.registry, operation) === undefined) {
          const notes = [{ message: 'target op', location: operation.location }];
          return silenceable(error('pad/target', 'expected LinalgOp target', location, notes));
        }
        const types = operation.operands.map(({ type }) => elementTypeOf(type));
        const given = attributes.paddingValues.slice(0, types.length);
        return andThen(
          collect(given.entries(), ([i, value]) =>
            paddingValue(rewriter, operation, value, types[i]!, location),
          ),
          (values) => {
            const options: PadOptions = {
              dimensions: paddingDimensions,
              multiples,
              nofold: packPaddings.map((flag) => flag !== 0),
              copyBack,
              ...(attributes.paddingValues.length === 0 ? {} : { values }),
            };
            return padOp(rewriter, operation, options);
          },
        );
      });
    });
    return mapSuccess(padded, (results) => ({
      padded: results.map((result) => result.padded),
      pad: results.flatMap(({ pads }) => pads),
      copy: results.flatMap(({ copies }) => copies),
    }));
  },
  assembly: {
    format:
      '$target (`pad_to_multiple_of` custom<DynamicIndexList>($padToMultipleOf, ' +
      '$static_pad_to_multiple_of)^)? attr-dict `:` functional-type(operands, results)',
    directives,
  },
  *verify({ attributes }) {
    const { packPaddings, paddingDimensions, staticPadToMultipleOf, transposePaddings } = attributes;
    if (packPaddings.some((flag) => flag !== 0 && flag !== 1))
      yield `expects pack_paddings to contain booleans (0/1), found [${packPaddings.join(', ')}]`;
    else if (paddingDimensions.some((dimension) => dimension < 0))
      yield `expects padding_dimensions to contain positive integers, found [${paddingDimensions.join(', ')}]`;
    else if (staticPadToMultipleOf.length > 0 && staticPadToMultipleOf.length !== paddingDimensions.length)
      yield 'expects as many multiples as padding_dimensions';
    else
      for (const transposition of transposePaddings)
        yield* permutationErrors('transpose_paddings', transposition, (text) => `[${text}]`);
  },
});

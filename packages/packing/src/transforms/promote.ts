/** `transform.structured.promote`. */
import { collect, mapSuccess, wrongOpKind } from '@sconv/diagnostics';
import { structured } from '@sconv/dialects/linalg';
import { anyAttribute, i64Attribute, optionalAttribute, unitAttributeKind, withDefault } from '@sconv/ir';
import {
  boolsAttribute,
  consumes,
  defineTransformOp,
  integersAttribute,
  mappingAttribute,
  notImplemented,
  produces,
  semiFunctional,
} from '@sconv/transform';
import type { PromoteOptions } from '../promote-op.ts';
import { promoteOp } from '../promote-op.ts';

/** `transform.structured.promote`: promotes the subviews that are operands of the target to buffers of their own. */
export const promote = defineTransformOp({
  name: 'transform.structured.promote',
  summary: 'Promotes the subviews that are operands of the target to buffers of their own.',
  operands: { target: consumes('structured ops on buffers') },
  attributes: {
    operandsToPromote: withDefault(integersAttribute, []),
    useFullTileBuffers: withDefault(boolsAttribute, []),
    useFullTilesByDefault: unitAttributeKind,
    useAlloca: unitAttributeKind,
    memorySpace: optionalAttribute(anyAttribute),
    mapping: optionalAttribute(mappingAttribute),
    alignment: optionalAttribute(i64Attribute),
  },
  results: { transformed: produces('the ops on the promoted buffers') },
  failures: {
    'promote/target': { mode: 'silenceable', when: 'a target is not structured' },
    'promote/no-view': {
      mode: 'definite',
      when: 'none of the operands to promote is a `memref.subview`, or an output is not a buffer',
    },
    'promote/element': { mode: 'silenceable', when: 'the elements are not numbers' },
    'promote/partial': {
      mode: 'silenceable',
      when: 'an operand would be full along a dimension where another is not known to be',
    },
    'promote/value': {
      mode: 'silenceable',
      when: 'the zeros beyond a partial tile would change the results',
    },
  },
  apply: ({ rewriter, location }, { target }, attributes) => {
    const { mapping, operandsToPromote, useFullTileBuffers, useFullTilesByDefault } = attributes;
    const { useAlloca, memorySpace, alignment } = attributes;
    if (mapping !== undefined) return notImplemented("'mapping'", location);
    const options: PromoteOptions = {
      ...(operandsToPromote.length === 0 ? {} : { operands: operandsToPromote }),
      fullTiles: useFullTileBuffers,
      fullTilesByDefault: useFullTilesByDefault,
      useAlloca,
      memorySpace,
      alignment,
    };
    const promoted = collect(target, (operation) => {
      if (structured(rewriter.registry, operation) !== undefined)
        return promoteOp(rewriter, operation, options);
      return wrongOpKind('promote/target', operation);
    });
    return mapSuccess(promoted, (transformed) => ({ transformed }));
  },
  assembly: semiFunctional('target', 'transformed'),
});

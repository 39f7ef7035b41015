/** The pass `affine-simplify-structures`. */
import { simplify } from '@sconv/affine';
import { apply, forOp, ifOp } from '@sconv/dialects/affine';
import { mapSuccess } from '@sconv/diagnostics';
import type { Attribute, DraftOperation, Rewriter } from '@sconv/ir';
import {
  affineMapAttribute,
  applyPatternsGreedily,
  attributeEquals,
  defineOperationPass,
  integerSetAttribute,
} from '@sconv/ir';
import { affineStructurePatterns } from '../patterns/affine.ts';

/** Simplifies the maps and sets of all operations, then the loops, conditions and `affine.apply` ops that use them. */
export const affineSimplifyStructures = defineOperationPass({
  name: 'affine-simplify-structures',
  title: 'SimplifyAffineStructures',
  summary: 'simplify affine maps and sets',
  runOn: (rewriter, operation) => {
    const affine = new Set<number>();
    for (const each of rewriter.walk(operation)) {
      simplifyAttributes(rewriter, each);
      if (forOp.is(each) || ifOp.is(each) || apply.is(each)) affine.add(each.id);
    }
    return mapSuccess(
      applyPatternsGreedily(rewriter, [operation], affineStructurePatterns, {
        only: ({ id }) => affine.has(id),
      }),
      () => undefined,
    );
  },
});

const simplifyAttributes = (rewriter: Rewriter, operation: DraftOperation): void => {
  for (const [name, attribute] of Object.entries(operation.attributes)) {
    const simple = simplified(attribute);
    if (!attributeEquals(simple, attribute)) rewriter.setAttribute(operation, name, simple);
  }
};

const simplified = (attribute: Attribute): Attribute => {
  if (attribute.kind === 'affine-map') return affineMapAttribute(simplify(attribute.map));
  return attribute.kind === 'integer-set' ? integerSetAttribute(simplify(attribute.set)) : attribute;
};

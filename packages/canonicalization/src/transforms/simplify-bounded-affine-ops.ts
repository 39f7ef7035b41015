/** `transform.affine.simplify_bounded_affine_ops`. */
import type { Bounds } from '@sconv/affine';
import { dim } from '@sconv/affine';
import type { Failed } from '@sconv/diagnostics';
import { definite, error, success, unwrap } from '@sconv/diagnostics';
import { max, min } from '@sconv/dialects/affine';
import type { DraftOperation, Id } from '@sconv/ir';
import { applyPatternsGreedily, i64ArrayAttribute } from '@sconv/ir';
import { consumes, defineTransformOp, readsAll } from '@sconv/transform';
import type { KnownBounds } from '../passes/scf-for-loop-canonicalization.ts';
import { decidedExtremes } from '../passes/scf-for-loop-canonicalization.ts';
import { affinePatterns } from '../patterns/affine.ts';

/**
 * `transform.affine.simplify_bounded_affine_ops`: simplifies affine minima and maxima with known bounds of values.
 */
export const simplifyBoundedAffineOps = defineTransformOp({
  name: 'transform.affine.simplify_bounded_affine_ops',
  summary: 'Simplifies affine minima and maxima with known bounds of values.',
  operands: {
    target: consumes('`affine.min` and `affine.max` ops'),
    boundedValues: readsAll('the ops that define the values'),
  },
  attributes: { lowerBounds: i64ArrayAttribute, upperBounds: i64ArrayAttribute },
  failures: {
    'transform/bounded-value': {
      mode: 'definite',
      when: 'an op that defines a value does not have exactly one result, of type index',
    },
    'transform/not-extreme': { mode: 'definite', when: 'a target is not an `affine.min` or `affine.max`' },
    'transform/bounded-target': { mode: 'definite', when: 'a target defines one of the bounded values' },
  },
  assembly: {
    format:
      '$target `with` `[` ($boundedValues^ `:` type($boundedValues))? `]` `within` $lower_bounds ' +
      '`and` $upper_bounds attr-dict `:` type($target)',
  },
  *verify({ operands: { boundedValues }, attributes: { lowerBounds, upperBounds } }) {
    const { length: count } = boundedValues;
    for (const [name, bounds] of [
      ['lower', lowerBounds],
      ['upper', upperBounds],
    ] as const) {
      if (bounds.length !== count) {
        yield `incorrect number of ${name} bounds, expected ${count} but found ${bounds.length}`;
        return;
      }
    }
  },
  apply: ({ rewriter }, { target, boundedValues }, { lowerBounds, upperBounds }) => {
    // 1. The known bounds of values: lower inclusive, upper exclusive.
    const known = new Map<Id, Bounds>();
    for (const [i, operations] of boundedValues.entries()) {
      for (const each of operations) {
        const [value, ...others] = each.results;
        if (value?.type.kind !== 'index' || others.length > 0) {
          const message =
            'expected bounded value handle to point to one or multiple single-result index-typed ops';
          return refused('transform/bounded-value', message, each, 'multiple/non-index result');
        }
        const [lower, upper] = known.get(value.id) ?? [-Infinity, Infinity];
        known.set(value.id, [Math.max(lower, lowerBounds[i]!), Math.min(upper, upperBounds[i]!)]);
      }
    }
    // 2. The targets to simplify.
    for (const each of target) {
      if (!min.is(each) && !max.is(each))
        return refused('transform/not-extreme', 'target must be affine.min or affine.max', each, 'target op');
      if (known.has(each.results[0]!.id)) {
        const message = 'target op result must not be constrainted';
        return refused('transform/bounded-target', message, each, 'target/constrained op');
      }
    }
    // 3. Rewrite the targets, and what they become.
    const targets = new Set(target.map(({ id }) => id));
    const before = new Set(rewriter.walk(rewriter.root).map(({ id }) => id));
    const bounded: KnownBounds = (_, value, position) => {
      const bounds = known.get(value.id);
      return bounds && { expr: dim(position), bounds };
    };
    // Every pattern reduces what is undecided, so this converges.
    unwrap(
      applyPatternsGreedily(rewriter, [rewriter.root], [...extremePatterns, ...decidedExtremes(bounded)], {
        only: ({ id }) => targets.has(id) || !before.has(id),
      }),
    );
    return success({});
  },
});

const extremePatterns = affinePatterns.filter(({ root }) => root === 'affine.min' || root === 'affine.max');

const refused = (code: string, message: string, { location }: DraftOperation, note: string): Failed =>
  definite(error(code, message, location, [{ message: note, location }]));

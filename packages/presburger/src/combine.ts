/** Union and intersection. */
import { isObviouslyEmpty } from './basic-set.ts';
import { alignSymbols, intersectPieces } from './columns.ts';
import { PresburgerError } from './presburger-error.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import { withPieces } from './presburger-set.ts';

/** What is in `a` or in `b`. Errors: `presburger/arity-mismatch`. */
export function union<Kind extends PresburgerUnion['kind']>(
  a: PresburgerUnion<Kind>,
  b: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> {
  const [left, right] = comparable(a, b);
  return withPieces(left, [...left.pieces, ...right.pieces]);
}

/** What is in `a` and in `b`. Errors: `presburger/arity-mismatch`. */
export function intersect<Kind extends PresburgerUnion['kind']>(
  a: PresburgerUnion<Kind>,
  b: PresburgerUnion<Kind>,
): PresburgerUnion<Kind> {
  const [left, right] = comparable(a, b);
  const pieces = left.pieces.flatMap((one) => right.pieces.map((other) => intersectPieces(one, other)));
  return withPieces(
    left,
    pieces.filter((piece) => !isObviouslyEmpty(piece)),
  );
}

/** The two with the same symbols. Errors: `presburger/arity-mismatch` for other numbers of dimensions. */
export function comparable<Kind extends PresburgerUnion['kind']>(
  a: PresburgerUnion<Kind>,
  b: PresburgerUnion<Kind>,
): [PresburgerUnion<Kind>, PresburgerUnion<Kind>] {
  const arity = ({ kind, space }: PresburgerUnion) =>
    kind === 'relation'
      ? `a relation from ${space.inputs.length} to ${space.dims.length} dimensions`
      : `a set of ${space.dims.length} dimensions`;
  if (arity(a) !== arity(b))
    throw new PresburgerError('presburger/arity-mismatch', `${arity(a)} against ${arity(b)}`);
  return alignSymbols(a, b);
}

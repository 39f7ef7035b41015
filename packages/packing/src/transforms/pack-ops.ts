/** Upstream's transform ops that pack structured ops, and lower packings. */
import {
  andThen,
  collect,
  error,
  mapSuccess,
  silenceable,
  silenceableError,
  success,
} from '@sconv/diagnostics';
import { structured } from '@sconv/dialects/linalg';
import { i64ArrayAttribute, withDefault, withImplicitDefault } from '@sconv/ir';
import {
  consumes,
  consumesExactly,
  defineTransformOp,
  directives,
  functional,
  payloadSizes,
  produces,
  producesExactly,
  readsSizes,
} from '@sconv/transform';
import { lowerPackOp, lowerUnpackOp } from '../lower-pack-op.ts';
import { packStructuredOp } from '../pack-structured-op.ts';
import { packTransposeOp } from '../pack-transpose-op.ts';
import { packFailures } from './pack-failures.ts';

/**
 * `transform.structured.pack`: packs the operands of the target into tiles, so that its innermost loops have the
 * given sizes.
 */
export const pack = defineTransformOp({
  name: 'transform.structured.pack',
  summary: 'Packs the operands of the target into tiles, so that its innermost loops have the given sizes.',
  operands: { target: consumes('structured ops'), packedSizes: readsSizes('sizes held by parameters') },
  attributes: { staticPackedSizes: withDefault(i64ArrayAttribute, []) },
  results: { packedOp: produces('the op on packed operands', 'linalg.generic') },
  failures: {
    'pack/target': { mode: 'silenceable', when: 'the target is not one structured op' },
    ...packFailures,
  },
  apply: ({ rewriter, location }, { target, packedSizes }, { staticPackedSizes }) => {
    const [operation] = target;
    if (operation === undefined) return success({ packedOp: [] });
    const view = structured(rewriter.registry, operation);
    if (view === undefined || target.length > 1) {
      const message =
        target.length > 1
          ? `requires target to map to exactly 1 LinalgOp (got ${target.length})`
          : `requires target to map to a structured op, and '${operation.name}' is none`;
      return silenceable(error('pack/target', message, location));
    }
    const loops = view.iteratorTypes.length;
    if (staticPackedSizes.length !== loops) {
      const message =
        `requires number of packed sizes match the number of loops (${staticPackedSizes.length} vs ` +
        `${loops})`;
      return silenceableError('pack/sizes', message, operation);
    }
    return mapSuccess(
      andThen(payloadSizes(staticPackedSizes, packedSizes, location), (sizes) =>
        packStructuredOp(rewriter, operation, sizes),
      ),
      ({ packed }) => ({ packedOp: [packed] }),
    );
  },
  assembly: {
    format:
      '$target `packed_sizes` `=` custom<DynamicIndexList>($packedSizes, $static_packed_sizes) ' +
      'attr-dict `:` functional-type(operands, results)',
    directives,
  },
});

/** Upstream's check of these permutations; whether they are valid it only finds out when it applies them. */
const areUnique = (positions: readonly number[]): boolean => new Set(positions).size === positions.length;

/** `transform.structured.pack_transpose`: transposes an operand of a packed op, along with its packing. */
export const packTranspose = defineTransformOp({
  name: 'transform.structured.pack_transpose',
  summary: 'Transposes an operand of a packed op, along with its packing.',
  operands: {
    targetPackOrUnPackOp: consumes('one `tensor.pack` or `tensor.unpack`'),
    targetLinalgOp: consumes('the packed op'),
  },
  attributes: {
    outerPerm: withImplicitDefault(i64ArrayAttribute, []),
    innerPerm: withImplicitDefault(i64ArrayAttribute, []),
  },
  results: {
    packedOp: produces('the op'),
    packOp: produces('the packing'),
    unPackOp: produces('the unpacking, if there is one'),
  },
  failures: {
    'pack-transpose/single': {
      mode: 'silenceable',
      when: 'there is not exactly one packing or unpacking, and one packed op',
    },
    'pack-transpose/target': {
      mode: 'silenceable',
      when: 'the first target is neither a `tensor.pack` nor a `tensor.unpack`',
    },
    'pack-transpose/structured': { mode: 'silenceable', when: 'the second target is not structured' },
    'pack-transpose/use': {
      mode: 'silenceable',
      when: 'the packing has other users than the packed op, or the unpacked tensor is not a result of it',
    },
    'pack-transpose/no-pack': {
      mode: 'silenceable',
      when: 'the destination of an unpacked result is not a packing with a single use',
    },
    'pack-transpose/permutation': {
      mode: 'silenceable',
      when: '`outer_perm` or `inner_perm` is not a permutation of the outer or inner dimensions',
    },
    'pack-transpose/result': {
      mode: 'silenceable',
      when: 'the type of a result would change where it is used',
    },
  },
  apply: ({ rewriter, location }, targets, { outerPerm, innerPerm }) => {
    const { targetPackOrUnPackOp, targetLinalgOp } = targets;
    const [packing, ...packings] = targetPackOrUnPackOp;
    const [operation, ...operations] = targetLinalgOp;
    if (packing === undefined) return success({ packedOp: [], packOp: [], unPackOp: [] });
    if (operation === undefined || packings.length > 0 || operations.length > 0) {
      const message =
        'requires target to map to exactly 1 packing op and 1 packed op (got ' +
        `${targetPackOrUnPackOp.length} and ${targetLinalgOp.length})`;
      return silenceable(error('pack-transpose/single', message, location));
    }
    return mapSuccess(
      packTransposeOp(rewriter, packing, operation, { outer: outerPerm, inner: innerPerm }),
      ({ packed, pack, unpack }) => ({
        packedOp: [packed],
        packOp: [pack],
        unPackOp: unpack === undefined ? [] : [unpack],
      }),
    );
  },
  assembly: {
    format:
      '$targetPackOrUnPackOp `with_compute_op` `(` $targetLinalgOp `)` (`outer_perm` `=` ' +
      '$outer_perm^)? (`inner_perm` `=` $inner_perm^)? attr-dict `:` functional-type(operands, ' +
      'results)',
  },
  *verify({ attributes: { outerPerm, innerPerm } }) {
    if (!areUnique(innerPerm)) yield '"inner_perm" is not a valid permutation';
    else if (!areUnique(outerPerm)) yield '"outer_perm" is not a valid permutation';
    else if (innerPerm.length === 0 && outerPerm.length === 0)
      yield ' at least one of "inner_perm" or "outer_perm" must be specified';
  },
});

/** `transform.structured.lower_pack`: lowers a packing to a padding, a reshape and a transposition. */
export const lowerPack = defineTransformOp({
  name: 'transform.structured.lower_pack',
  summary: 'Lowers a packing to a padding, a reshape and a transposition.',
  operands: { target: consumesExactly('packings', 'tensor.pack') },
  results: {
    padOp: producesExactly('the padding', 'tensor.pad'),
    expandShapeOp: producesExactly('the reshape', 'tensor.expand_shape'),
    transposeOp: producesExactly('the transposition', 'linalg.transpose'),
  },
  failures: {
    'lower-pack/dynamic': { mode: 'silenceable', when: 'a tile has a dynamic size' },
    'lower-pack/element': {
      mode: 'silenceable',
      when: 'there is no padding value, and the elements are not numbers',
    },
  },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => lowerPackOp(rewriter, operation)),
      (lowered) => ({
        padOp: lowered.map(({ pad }) => pad),
        expandShapeOp: lowered.flatMap(({ expandShape }) => expandShape ?? []),
        transposeOp: lowered.flatMap(({ transpose }) => transpose ?? []),
      }),
    ),
  assembly: functional(),
});

/** `transform.structured.lower_unpack`: lowers an unpacking to a transposition, a reshape and a slice. */
export const lowerUnpack = defineTransformOp({
  name: 'transform.structured.lower_unpack',
  summary: 'Lowers an unpacking to a transposition, a reshape and a slice.',
  operands: { target: consumesExactly('unpackings', 'tensor.unpack') },
  results: {
    emptyOp: producesExactly('the empty tensor', 'tensor.empty'),
    transposeOp: producesExactly('the transposition', 'linalg.transpose'),
    collapseShapeOp: producesExactly('the reshape', 'tensor.collapse_shape'),
    extractSliceOp: producesExactly('the slice', 'tensor.extract_slice'),
  },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => lowerUnpackOp(rewriter, operation)),
      (lowered) => ({
        emptyOp: lowered.flatMap(({ empty }) => empty ?? []),
        transposeOp: lowered.flatMap(({ transpose }) => transpose ?? []),
        collapseShapeOp: lowered.flatMap(({ collapseShape }) => collapseShape ?? []),
        extractSliceOp: lowered.map(({ extractSlice }) => extractSlice),
      }),
    ),
  assembly: functional(),
});

export const packOps = [pack, packTranspose, lowerPack, lowerUnpack];

/** `hoistPadOp` and `buildPackingLoopNest` as transforms. */
import { collect, definite, error, mapSuccess } from '@sconv/diagnostics';
import { forOp } from '@sconv/dialects/scf';
import { pad } from '@sconv/dialects/tensor';
import { i64ArrayAttribute, i64Attribute, withDefault } from '@sconv/ir';
import { consumes, defineTransformOp, permutationErrors, produces, reads } from '@sconv/transform';
import { buildPackingLoopNest, hoistPadOp } from '../hoist-pad-op.ts';
import { hoistPadFailures } from '../hoistable-pad.ts';

const targetFailures = {
  'hoist-pad/target': { mode: 'silenceable', when: 'a target is not a `tensor.pad`' },
  'hoist-pad/transpose': {
    mode: 'silenceable',
    when: '`transpose` does not permute the dimensions of the padding',
  },
} as const;

/** `transform.structured.hoist_pad`. */
export const hoistPad = defineTransformOp({
  name: 'transform.structured.hoist_pad',
  summary: 'Hoists a padding out of its loops, by loops that pack all its tiles beforehand.',
  operands: { target: consumes('paddings') },
  attributes: { numLoops: i64Attribute, transpose: withDefault(i64ArrayAttribute, []) },
  results: { transformed: produces('the hoisted paddings', 'tensor.pad') },
  failures: { ...targetFailures, ...hoistPadFailures },
  assembly: {
    format:
      '$target `by` $num_loops `loops` (`,` `transpose` `by` $transpose^)? attr-dict `:` ' +
      'functional-type(operands, results)',
  },
  verify: ({ attributes: { transpose } }) => permutationErrors('transpose', transpose),
  apply: ({ rewriter }, { target }, { numLoops, transpose }) =>
    mapSuccess(
      collect(target, (operation) => hoistPadOp(rewriter, operation, numLoops, transpose)),
      (transformed) => ({ transformed }),
    ),
});

/** `transform.structured.hoist_pad.build_packing_loop_nest`. */
export const hoistPadBuildPackingLoopNest = defineTransformOp({
  name: 'transform.structured.hoist_pad.build_packing_loop_nest',
  summary: 'Creates the loops that pack the tiles of a padding, and keeps the padding.',
  operands: { target: reads('one padding'), loop: reads('one loop around it') },
  attributes: { transpose: withDefault(i64ArrayAttribute, []) },
  results: { packingLoop: produces('the outermost loop, or the padding if it needs none') },
  failures: {
    'hoist-pad/handles': { mode: 'definite', when: 'there is not one padding and one `scf.for` loop' },
    'hoist-pad/nest': {
      mode: 'definite',
      when: 'the padding could not be hoisted, for one of the reasons of `hoist_pad`',
    },
  },
  assembly: {
    format:
      '$target `above` $loop (`,` `transpose` `by` $transpose^)? attr-dict `:` functional-type(operands, results)',
  },
  verify: ({ attributes: { transpose } }) => permutationErrors('transpose', transpose),
  apply: ({ rewriter, location }, { target, loop }, { transpose }) => {
    const [operation, around] = [target[0], loop[0]];
    if (operation === undefined || around === undefined || target.length > 1 || loop.length > 1) {
      const got = `got ${target.length} and ${loop.length}`;
      const message = `requires exactly one target and one loop handle (${got})`;
      return definite(error('hoist-pad/handles', message, location));
    }
    if (!pad.is(operation) || !forOp.is(around)) {
      const message = `requires a 'tensor.pad' and an 'scf.for', got '${operation.name}' and '${around.name}'`;
      return definite(error('hoist-pad/handles', message, location));
    }
    const built = mapSuccess(
      buildPackingLoopNest(rewriter, operation, around, transpose),
      ({ loops, pad: hoisted }) => loops[0] ?? hoisted,
    );
    if (built.status === 'success')
      return mapSuccess(built, (packingLoop) => ({ packingLoop: [packingLoop] }));
    const reasons = built.diagnostics.map(({ message }) => message).join('; ');
    const notes = [{ message: reasons, location: operation.location }];
    return definite(error('hoist-pad/nest', 'could not build packing loop nest', location, notes));
  },
});

/** Both, in upstream's order. */
export const hoistPadOps = [hoistPad, hoistPadBuildPackingLoopNest];

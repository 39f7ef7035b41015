/** `transform.cast`: the same payload under another handle type. */
import { success } from '@sconv/diagnostics';
import { typeEquals } from '@sconv/ir';
import { defineTransformOp } from './define-transform-op.ts';
import { produces, reads } from './handle-specs.ts';
import type { Handle } from './handle.ts';
import { anyOp, opHandleType } from './handle-type.ts';

const castOp = defineTransformOp({
  name: 'transform.cast',
  summary: 'Casts a handle to another type; fails if the payload does not match it.',
  operands: { input: reads('any operations') },
  results: { output: produces('the same operations') },
  assembly: { format: '$input attr-dict `:` type($input) `to` type($output)' },
  apply: (_context, { input }) => success({ output: input }),
});

/**
 * Records a `transform.cast`: the same payload as a handle to operations with this name; with any name if none is
 * given. When the schedule runs, an operation with another name is a definite failure.
 */
export const cast = Object.assign(
  <const N extends string = string>(input: Handle, name?: N): Handle<N> => {
    const type = name === undefined ? anyOp : opHandleType(name);
    return castOp({ input }, {}, { resultTypes: [type] }).output as Handle<N>;
  },
  { definition: castOp.definition },
);

/** Casts a handle to `any_op`, unless it already is one. */
export const castToAny = (handle: Handle): Handle =>
  typeEquals(handle.value.type, anyOp) ? handle : cast(handle);

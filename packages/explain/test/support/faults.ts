/** Transforms that make results wrong, for bisections to find, and some that only seem to. */
import { success } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';
import { bodyOf, f32, operationsIn, stringAttributeKind } from '@sconv/ir';
import { defineTransformOp, reads } from '@sconv/transform';

const form = 'attr-dict `:` type($target)';

const named = (targets: readonly DraftOperation[], name: string): readonly DraftOperation[] =>
  targets.flatMap((target) => operationsIn(target)).filter((operation) => operation.name === name);

/** Makes others of ops of a name: `arith.subf` of `arith.addf` is a fault. */
export const rename = defineTransformOp({
  name: 'transform.test.rename',
  summary: 'Replaces ops by others with the same operands.',
  operands: { target: reads('any operations') },
  attributes: { from: stringAttributeKind, to: stringAttributeKind },
  assembly: { format: `$target $from $to ${form}` },
  apply: ({ rewriter }, { target }, { from, to }) => {
    for (const inner of named(target, from)) {
      const { operands, results, attributes } = inner;
      rewriter.replaceWith(inner, {
        name: to,
        operands,
        attributes,
        resultTypes: results.map(({ type }) => type),
      });
    }
    return success({});
  },
});

/** Doubles what functions return. */
export const spoil = defineTransformOp({
  name: 'transform.test.spoil',
  summary: 'Doubles what functions in the targets return.',
  operands: { target: reads('any operations') },
  assembly: { format: `$target ${form}` },
  apply: ({ rewriter }, { target }) => {
    for (const last of named(target, 'func.return')) {
      rewriter.setInsertionPointBefore(last);
      const doubled = last.operands.map((value) =>
        rewriter.createValue({ name: 'arith.addf', operands: [value, value], resultTypes: [value.type] }),
      );
      rewriter.setOperands(last, doubled);
    }
    return success({});
  },
});

/** Passes what functions return through an op that nothing executes. */
export const obscure = defineTransformOp({
  name: 'transform.test.obscure',
  summary: 'Hides what functions in the targets return from an interpreter.',
  operands: { target: reads('any operations') },
  assembly: { format: `$target ${form}` },
  apply: ({ rewriter }, { target }) => {
    for (const last of named(target, 'func.return')) {
      rewriter.setInsertionPointBefore(last);
      const hidden = last.operands.map((value) =>
        rewriter.createValue({ name: 'test.hidden', operands: [value], resultTypes: [value.type] }),
      );
      rewriter.setOperands(last, hidden);
    }
    return success({});
  },
});

/** Undoes `obscure`. */
export const reveal = defineTransformOp({
  name: 'transform.test.reveal',
  summary: 'Erases what `obscure` has added.',
  operands: { target: reads('any operations') },
  assembly: { format: `$target ${form}` },
  apply: ({ rewriter }, { target }) => {
    for (const inner of named(target, 'test.hidden')) rewriter.replaceOperation(inner, inner.operands);
    return success({});
  },
});

/** Adds an op with a result at the start of each function: what follows is numbered anew. */
export const prepend = defineTransformOp({
  name: 'transform.test.prepend',
  summary: 'Adds an op at the start of each function in the targets.',
  operands: { target: reads('any operations') },
  assembly: { format: `$target ${form}` },
  apply: ({ rewriter }, { target }) => {
    for (const operation of named(target, 'func.func')) {
      rewriter.setInsertionPointToStart(bodyOf(operation));
      rewriter.create({ name: 'test.first', operands: [], resultTypes: [f32] });
    }
    return success({});
  },
});

export const faults = [rename, spoil, obscure, reveal, prepend];

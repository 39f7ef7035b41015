/** `transform.named_sequence`, `transform.yield` and `transform.include`: how a script is put together. */
import { andThen, definite, error, success } from '@sconv/diagnostics';
import type { Operation, VerifyContext } from '@sconv/ir';
import { symbolRefAttributeKind, walk } from '@sconv/ir';
import { functionAssembly, functionAttributes, verifyFunction } from '@sconv/dialects';
import { defineTransformOp, producesAll, readsAll } from './define-transform-op.ts';
import { failureModeAttribute } from './failure-mode.ts';
import { findSequence } from './find-sequence.ts';

/** Whether a sequence can come to run itself: a value of the script stands for one thing at a time. */
const includesItself = (sequence: Operation, context: VerifyContext): boolean => {
  const reached = new Set<Operation>();
  const pending = [sequence];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { name, attributes } of walk(next)) {
      const target = attributes['target'];
      if (name !== 'transform.include' || target?.kind !== 'symbol-ref') continue;
      const included = context.lookupSymbol(target.root);
      if (included === sequence) return true;
      if (included === undefined || reached.has(included)) continue;
      reached.add(included);
      pending.push(included);
    }
  }
  return false;
};

/** A sequence that can be the entry point of a script or be included in another. */
export const namedSequence = defineTransformOp({
  name: 'transform.named_sequence',
  summary: 'Named transform sequence that can be included elsewhere.',
  attributes: functionAttributes,
  regions: ['body'],
  traits: ['symbol', 'isolated-from-above', 'single-block'],
  assembly: functionAssembly('transform.yield'),
  *verify(declared, context) {
    yield* verifyFunction(declared);
    if (includesItself(declared.operation, context)) yield 'recursion not allowed in named sequences';
  },
  // Defining a sequence does nothing; it runs when it is the entry point or included.
  interpret: () => success(undefined),
});

/** The terminator of transform regions: which handles they yield. */
export const yieldOp = defineTransformOp({
  name: 'transform.yield',
  summary: 'Yields operation handles from a transform IR region.',
  operands: { operands: readsAll('handles that the region yields') },
  traits: ['terminator'],
  assembly: { format: 'operands attr-dict (`:` type($operands)^)?' },
  interpret: () => success(undefined),
});

/** Runs a named sequence of the script with these handles. */
export const include = defineTransformOp({
  name: 'transform.include',
  summary: 'Includes a named transform sequence.',
  operands: { operands: readsAll('bound to the arguments of the sequence') },
  attributes: { target: symbolRefAttributeKind, failurePropagationMode: failureModeAttribute },
  results: { results: producesAll('what the sequence yields') },
  failures: {
    'transform/include-unknown': {
      mode: 'definite',
      when: 'the script has no named sequence of this name, or it has no body',
    },
    'transform/include-arity': { mode: 'definite', when: 'the sequence takes another number of handles' },
    'transform/nesting': { mode: 'definite', when: 'sequences include each other without end' },
  },
  assembly: {
    format: `$target \`failures\` \`(\` $failure_propagation_mode \`)\` \`(\` $operands \`)\` attr-dict
      \`:\` functional-type($operands, $results)`,
  },
  interpret: (run, operation, { target, failurePropagationMode }) => {
    const sequence = findSequence(run.script, target);
    const body = sequence?.regions[0]!.blocks[0];
    if (body === undefined) {
      const message =
        sequence === undefined ? `no named sequence '@${target}'` : `the sequence '@${target}' has no body`;
      return definite(error('transform/include-unknown', message, operation.location));
    }
    if (body.arguments.length !== operation.operands.length) {
      const message = `'@${target}' takes ${body.arguments.length} handles, but is included with ${operation.operands.length}`;
      return definite(error('transform/include-arity', message, operation.location));
    }
    return run.nested(operation, () => {
      const bound = run.bindAll(
        operation,
        body.arguments,
        operation.operands.map((operand) => run.payloadOf(operand)),
      );
      return andThen(
        andThen(bound, () => run.runBlock(body, failurePropagationMode)),
        (yielded) => run.bindResults(operation, yielded),
      );
    });
  },
});

/** Slightly smaller payloads: without an op, with a smaller extent, a simpler body, an argument for a value. */
import type { ScalarSpec } from './body-spec.ts';
import type { Form, OpSpec, OperandSpec, PayloadSpec, Source } from './payload-spec.ts';

const replaced = <T>(items: readonly T[], index: number, item: T): readonly T[] => items.with(index, item);

/** A source after op `gone` is removed: later ops have moved down by one. */
const without = (source: Source, gone: number): Source => {
  if (source.kind !== 'result' && source.kind !== 'operand') return source;
  if (source.op === gone) return { kind: 'argument' };
  return source.op > gone ? { ...source, op: source.op - 1 } : source;
};

const withoutOp = ({ ops, returned }: PayloadSpec, gone: number): PayloadSpec => {
  const renamed = (operand: OperandSpec): OperandSpec => ({
    ...operand,
    source: without(operand.source, gone),
  });
  return {
    ops: ops
      .toSpliced(gone, 1)
      .map((op) => ({ ...op, inputs: op.inputs.map(renamed), outputs: op.outputs.map(renamed) })),
    returned: returned.flatMap(({ op, result }) =>
      op === gone ? [] : [{ op: op > gone ? op - 1 : op, result }],
    ),
  };
};

/** The subexpressions that may replace a scalar. */
const parts = (spec: ScalarSpec): readonly ScalarSpec[] => {
  if (spec.kind === 'binary') {
    return [
      spec.lhs,
      spec.rhs,
      ...parts(spec.lhs).map((lhs) => ({ ...spec, lhs })),
      ...parts(spec.rhs).map((rhs) => ({ ...spec, rhs })),
    ];
  }
  return spec.kind === 'select' ? [spec.lhs, spec.other] : [];
};

function* smallerForms(op: OpSpec): Iterable<Form> {
  const { form } = op;
  // A reduction has to combine with the accumulator.
  if (!('body' in form) || op.iterators.includes('reduction')) return;
  for (const [i, value] of form.body.yields.entries()) {
    for (const part of parts(value)) yield { ...form, body: { yields: replaced(form.body.yields, i, part) } };
  }
}

const fewer = (extent: number): readonly number[] =>
  [1, extent >> 1, extent - 1].filter((size, i, all) => size > 0 && size < extent && all.indexOf(size) === i);

function* smallerOps(op: OpSpec): Iterable<OpSpec> {
  for (const [i, extent] of op.extents.entries()) {
    for (const size of fewer(extent)) yield { ...op, extents: replaced(op.extents, i, size) };
  }
  for (const form of smallerForms(op)) yield { ...op, form };
  for (const group of ['inputs', 'outputs'] as const) {
    for (const [i, operand] of op[group].entries()) {
      const plain = (change: Partial<OperandSpec>): OpSpec => ({
        ...op,
        [group]: replaced(op[group], i, { ...operand, ...change }),
      });
      if (operand.slack.some((slack) => slack > 0)) yield plain({ slack: [] });
      if (operand.source.kind !== 'argument') yield plain({ source: { kind: 'argument' } });
      for (const [d, isDynamic] of operand.dynamic.entries()) {
        if (isDynamic) yield plain({ dynamic: replaced(operand.dynamic, d, false) });
      }
    }
  }
}

/** Smaller payloads, greatest reductions first. */
export function* smallerPayloads(payload: PayloadSpec): Iterable<PayloadSpec> {
  const { ops } = payload;
  if (ops.length > 1) for (const gone of ops.keys()) yield withoutOp(payload, ops.length - 1 - gone);
  if (payload.returned.length > 0) yield { ...payload, returned: [] };
  for (const [i, op] of ops.entries()) {
    for (const smaller of smallerOps(op)) yield { ...payload, ops: replaced(ops, i, smaller) };
  }
}

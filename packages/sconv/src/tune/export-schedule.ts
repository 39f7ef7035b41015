/** Records as a library of schedules: matchers of the tuned ops, and what slices each by its plan. */
import { structured } from '@sconv/dialects/linalg';
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation, warning } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { parseModule, walk } from '@sconv/ir';
import { slicedNames } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import type { TunedPlans as RecordedPlans, TuningRecord } from '@sconv/tuning';
import { gainOf, tunedPlans, workloadText } from '@sconv/tuning';
import { defaultRegistry } from '../default-registry.ts';
import { targetSchedule } from '../target-schedule.ts';
import type { TunedPlans } from '../tuned-plan.ts';

/**
 * The text of a library whose `@__transform_main` applies the tuned plans of records to the ops that they are of, which
 * it knows by name, extents, strides, dilations and element types; all but the slicing itself are ops of MLIR. Warns of
 * contractions that no named op computes (`tune/no-op`); fails with `tune/no-plans` where there is none to export.
 *
 * @deviation Ops of `--tuned` have, besides, the very sizes of their operands, of which rows and columns that no window
 *   reads are a part: a matcher has no access to them. What follows an op is not fused with it.
 */
export const exportSchedule = (records: readonly TuningRecord[], target: Target): Diagnosed<string> => {
  const workloads = new Set(
    records.filter((record) => gainOf(record) !== undefined).map(({ workload }) => workload),
  );
  const plans = tunedPlans(records, target.name);
  const warnings: Diagnostic[] = [];
  const rules: Rule[] = [];
  for (const workload of workloads) {
    const found = opsOf(workload).flatMap((op) => ruleOf(op, workload, plans, target));
    rules.push(...found);
    if (found.length > 0) continue;
    const message = `no named op of linalg computes it, and its plan is left out: ${workload}`;
    warnings.push(warning('tune/no-op', message, unknownLocation));
  }
  if (rules.length === 0) {
    const message = 'the records have no plan that gains from tuning, for this machine and target';
    return definite(error('tune/no-plans', message, unknownLocation), ...warnings);
  }
  return success(libraryText(rules, target), warnings);
};

/** An op of a tuned contraction, and the steps that slice it. */
interface Rule {
  readonly operation: Operation;
  readonly workload: string;
  readonly steps: string;
  /** The name of the op's handle in the steps. */
  readonly handle: string;
}

/** The factors of a convolution's rows and columns; none in other contractions. */
interface Window {
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
}

/** As in the map of the input, where a factor of one is not written. */
const windowOf = (workload: string): Window => {
  const input = workload.split(' | ')[2] ?? '';
  const factors = [...input.matchAll(/d\d+(?: \* (\d+))? \+ d\d+(?: \* (\d+))?/g)];
  const numbers = (place: 1 | 2): readonly number[] => factors.map((factor) => Number(factor[place] ?? 1));
  return { strides: numbers(1), dilations: numbers(2) };
};

/** Whether ops of a name are convolutions, which have strides and dilations. */
const isConvolution = (name: string): boolean => name.startsWith('linalg.conv_2d_');

/** The operands of a workload: the bits of an element, and the sizes. */
const operandsOf = (workload: string): readonly { readonly bits: number; readonly sizes: string }[] =>
  [...workload.matchAll(/ \| (\d+) bytes \[([\dx]+)\]/g)].map(([, bytes, sizes]) => ({
    bits: 8 * Number(bytes),
    sizes: sizes!,
  }));

/** Named ops on operands of a workload's sizes. */
const opsOf = (workload: string): readonly Module[] => {
  const sums = workload.split(' | ')[0]!;
  const [input, filters, output] = operandsOf(workload);
  if (input === undefined || filters === undefined || output === undefined) return [];
  const elementOf = (bits: number): string => (bits === output.bits ? sums : `${sums[0]!}${bits}`);
  const [a, b, c] = [input, filters, output].map(({ bits, sizes }) => `tensor<${sizes}x${elementOf(bits)}>`);
  const { strides, dilations } = windowOf(workload);
  const list = (factors: readonly number[]): string => `dense<[${factors.join(', ')}]> : tensor<2xi64>`;
  const attributes = `{dilations = ${list(dilations)}, strides = ${list(strides)}}`;
  return slicedNames.flatMap((name) => {
    if (name === 'linalg.generic' || (isConvolution(name) && strides.length !== 2)) return [];
    const text = `func.func @f(%a: ${a!}, %b: ${b!}, %c: ${c!}) -> ${c!} {
      %0 = ${name} ${isConvolution(name) ? attributes : ''} ins(%a, %b : ${a!}, ${b!}) outs(%c : ${c!}) -> ${c!}
      return %0 : ${c!}
    }`;
    // Most names do not suit these sizes.
    const parsed = parseModule(text, { registry: defaultRegistry });
    return parsed.status === 'success' ? [parsed.value] : [];
  });
};

/** How the target's schedule slices an op by its tuned plan; nothing if it is another contraction's. */
const ruleOf = (module: Module, workload: string, plans: RecordedPlans, target: Target): readonly Rule[] => {
  const planned: unknown[] = [];
  const tuned: TunedPlans = {
    ...plans,
    planOf: (problem) => {
      if (workloadText(problem) !== workload) return success(undefined);
      planned.push(problem);
      return plans.planOf(problem);
    },
  };
  const scheduled = targetSchedule(module, target, { tuned });
  if (scheduled.status !== 'success' || planned.length === 0 || scheduled.diagnostics.length > 0) return [];
  const text = scheduled.value.toMlir(defaultRegistry);
  // Between the handle of the only op, and the end.
  const [, handle, steps] =
    /^ *(%\w+) = transform\.split_handle [^\n]*\n(.*?)\n *transform\.yield/ms.exec(text) ?? [];
  const operation = [...walk(module.root)].find(({ name }) => name.startsWith('linalg.'))!;
  return handle === undefined || steps === undefined ? [] : [{ operation, workload, handle, steps }];
};

const any = '!transform.any_op';
const param = '!transform.param<i64>';

/** Lines that compare integers with constants. */
const comparison = (handle: string, values: readonly number[], name: string): readonly string[] => [
  ...values.map((value, i) => `%${name}${i} = transform.param.constant ${value} : i64 -> ${param}`),
  `%${name} = transform.merge_handles ${values.map((_, i) => `%${name}${i}`).join(', ')} : ${param}`,
  `transform.match.param.cmpi eq ${handle}, %${name} : ${param}`,
];

const matcherText = ({ operation, workload }: Rule, symbol: string): string => {
  const { inputs, outputs, loopRanges } = structured(defaultRegistry, operation)!;
  const values = [...inputs, ...outputs];
  const { strides, dilations } = windowOf(workload);
  const bits = operandsOf(workload).map((operand) => operand.bits);
  const lines = [
    `%extents = transform.match.structured.dim %op[all] : (${any}) -> ${param}`,
    ...comparison('%extents', loopRanges, 'extent'),
    ...values.flatMap((_, i) => {
      const [kind, position] = i < inputs.length ? ['input', i] : ['init', i - inputs.length];
      return [
        `%value${i} = transform.match.structured.${kind} %op[${position}] : (${any}) -> !transform.any_value`,
        `%bits${i} = transform.match.structured.elemental_bitwidth %value${i} : (!transform.any_value) -> ${param}`,
        ...comparison(`%bits${i}`, [bits[i]!], `width${i}_`),
      ];
    }),
  ];
  // Floats and integers of one width differ in what is done with them.
  if (new Set(bits).size === 1) {
    const kind = workload.startsWith('i') ? 'i' : 'f';
    lines.push(
      `transform.match.structured.body %op {contraction = ["arith.mul${kind}", "arith.add${kind}"]} : ${any}`,
    );
  }
  if (isConvolution(operation.name)) {
    const types = Array<string>(8).fill(param).join(', ');
    lines.push(
      `%roles:8 = transform.match.structured.classify_convolution_dims %op : (${any}) -> (${types})`,
      ...comparison('%roles#6', strides, 'stride'),
      ...comparison('%roles#7', dilations, 'dilation'),
    );
  }
  return `  transform.named_sequence @${symbol}(%root: ${any} {transform.readonly}) -> ${any} {
    transform.match.operation_name %root ["${operation.name}"] : ${any}
    %matched = transform.match.structured %root : (${any}) -> ${any} {
    ^bb0(%op: ${any}):
${lines.map((line) => `      ${line}\n`).join('')}      transform.match.structured.yield %op : ${any}
    }
    transform.yield %matched : ${any}
  }
`;
};

const libraryText = (rules: readonly Rule[], { name }: Target): string => {
  const named = rules.map((rule, i) => ({ ...rule, matcher: `match_${i}`, action: `slice_${i}` }));
  return `// Tuned plans for the target '${name}'.
module attributes {transform.with_named_sequence} {
${named
  .map(
    (rule) => `${matcherText(rule, rule.matcher)}
  transform.named_sequence @${rule.action}(${rule.handle}: ${any} {transform.consumed}) {
${rule.steps}
    transform.yield
  }
`,
  )
  .join('\n')}
  transform.named_sequence @__transform_main(%root: ${any} {transform.consumed}) {
    %after = transform.foreach_match in %root
        ${named.map(({ matcher, action }) => `@${matcher} -> @${action}`).join(',\n        ')} : (${any}) -> ${any}
    transform.yield
  }
}
`;
};

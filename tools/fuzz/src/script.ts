/**
 * Schedules as data: steps on named handles. They are written as Transform-dialect text here, independently of the
 * printers under test, and recorded as code; both must behave alike.
 */
import { dialectType, snakeCase } from '@sconv/ir';
import type { Handle, Recorder, Schedule, ScriptValue, TransformOp } from '@sconv/transform';
import {
  alternatives,
  annotate,
  applyRegisteredPass,
  cast,
  foreach,
  getConsumersOfResult,
  getParentOp,
  getProducerOfOperand,
  include,
  match,
  mergeHandles,
  namedSequence,
  schedule,
  select,
  sequence,
  splitHandle,
  suppress,
} from '@sconv/transform';
import type { PatternSet } from '@sconv/canonicalization/transforms';
import { applyPatterns, transformOps } from 'sconv';

/** An attribute value of a step, as the recording functions take it. */
export type AttributeValue = number | boolean | string | readonly number[] | readonly string[];

/** A handle and the op name in its type; undefined for any. */
export interface HandleName {
  readonly name: string;
  readonly promises: string | undefined;
}

/** One op of a schedule. */
export interface Step {
  /** `transform.structured.split`, … */
  readonly transform: string;
  readonly operands: readonly HandleName[];
  /** In camelCase, as in code. */
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly results: readonly HandleName[];
  /** The body of `foreach`, of an included sequence, and so on. */
  readonly body?: Body;
  /** Which of the `staticSizes` comes from a parameter of the script. */
  readonly parameter?: { readonly name: string; readonly position: number };
}

/** Steps with their own handles. */
export interface Body {
  readonly parameters: readonly HandleName[];
  readonly steps: readonly Step[];
  readonly yields: readonly HandleName[];
  /** The name of an included sequence. */
  readonly sequence?: string;
  /** Whether execution continues after a failing step. */
  readonly suppress?: boolean;
  /** Steps that precede the body in a first alternative, meant to fail; the second alternative has only the body. */
  readonly attempt?: readonly Step[];
}

/** The handle to the payload's root. */
export const rootHandle: HandleName = { name: 'root', promises: undefined };

const typeText = ({ promises }: HandleName): string =>
  promises === undefined ? '!transform.any_op' : `!transform.op<"${promises}">`;
const typesText = (handles: readonly HandleName[]): string => handles.map(typeText).join(', ');
const namesText = (handles: readonly HandleName[]): string =>
  handles.map(({ name }) => `%${name}`).join(', ');

const functionTypeText = ({ operands, results }: Pick<Step, 'operands' | 'results'>): string =>
  `(${typesText(operands)}) -> ${results.length === 1 ? typesText(results) : `(${typesText(results)})`}`;

const valueText = (value: AttributeValue): string => {
  if (typeof value === 'number') return `${value} : i64`;
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'boolean') return String(value);
  return `[${value.map((item) => (typeof item === 'string' ? `"${item}"` : String(item))).join(', ')}]`;
};

/** The pattern sets that a step applies. */
const patternSetsOf = ({ sets }: Step['attributes']): readonly PatternSet[] =>
  sets as unknown as readonly PatternSet[];

/** Unit attributes. */
const units: ReadonlySet<string> = new Set([
  'exact',
  'multiway',
  'innerParallel',
  'useScalingAlgorithm',
  'useAlloc',
  'vectorizePadding',
  'vectorizeNdExtract',
  'disableMultiReductionToContractPatterns',
]);

const dictionaryText = (attributes: Step['attributes']): string => {
  const entries = Object.entries(attributes).map(([name, value]) =>
    units.has(name) ? snakeCase(name) : `${snakeCase(name)} = ${valueText(value)}`,
  );
  return entries.length === 0 ? '' : ` {${entries.join(', ')}}`;
};

const plainText = ({ operands }: Step): string => ` ${namesText(operands)} : ${typesText(operands)}`;

/** For ops that give the type of all results once. */
const sizesText = ({ operands, attributes }: Step): string =>
  ` ${namesText(operands)}${dictionaryText(attributes)} : (${typesText(operands)}) -> !transform.any_op`;

const toText = ({ operands }: Step): string => ` to ${namesText(operands)} : ${typesText(operands)}`;

/** The ops whose text is not `name operands {attributes} : (types) -> types`. */
/** ` {exact}` for a step with exact tiling. */
const exactText = ({ attributes: { exact } }: Step): string => (exact === true ? ' {exact}' : '');

const customText: Readonly<Record<string, (step: Step) => string>> = {
  'transform.structured.match': (step) => {
    const { ops } = step.attributes;
    const names = Array.isArray(ops) ? ` ops{${valueText(ops as readonly string[])}}` : '';
    return `${names} in ${namesText(step.operands)} : ${functionTypeText(step)}`;
  },
  'transform.merge_handles': ({ operands, attributes, results }) =>
    `${attributes['deduplicate'] === true ? ' deduplicate' : ''} ${namesText(operands)} : ${typesText(results)}`,
  'transform.get_producer_of_operand': (step) =>
    ` ${namesText(step.operands)}[${Number(step.attributes['operandNumber'])}] : ${functionTypeText(step)}`,
  'transform.get_consumers_of_result': (step) =>
    ` ${namesText(step.operands)}[${Number(step.attributes['resultNumber'])}] : ${functionTypeText(step)}`,
  'transform.get_parent_op': (step) =>
    ` ${namesText(step.operands)} {deduplicate} : ${functionTypeText(step)}`,
  'transform.select': (step) =>
    ` ${valueText(step.attributes['opName']!)} in ${namesText(step.operands)} : ${functionTypeText(step)}`,
  'transform.bufferization.buffer_loop_hoisting': plainText,
  'transform.bufferization.eliminate_empty_tensors': plainText,
  'transform.structured.eliminate_empty_tensors': plainText,
  'transform.annotate': ({ operands, attributes }) =>
    ` ${namesText(operands)} ${valueText(attributes['name']!)} : ${typesText(operands)}`,
  'transform.apply_cse': (step) => toText(step),
  'transform.apply_dce': (step) => toText(step),
  'transform.apply_licm': (step) => toText(step),
  'transform.apply_patterns': ({ operands, attributes }) => {
    const sets = patternSetsOf(attributes).map((set) => `  transform.apply_patterns.${set}\n`);
    const cse = attributes['applyCse'] === true ? ' {apply_cse}' : '';
    return ` to ${namesText(operands)} {\n${sets.join('')}}${cse} : ${typesText(operands)}`;
  },
  'transform.apply_registered_pass': (step) =>
    ` ${valueText(step.attributes['passName']!)} to ${namesText(step.operands)} : ${functionTypeText(step)}`,
  'transform.structured.interchange': (step) =>
    ` ${namesText(step.operands)} iterator_interchange = ${valueText(step.attributes['iteratorInterchange']!)} : ${functionTypeText(step)}`,
  'transform.structured.pack_greedily': (step) => {
    const { staticMatmulPackedSizes, matmulInnerDimsOrder } = step.attributes;
    return ` ${namesText(step.operands)} matmul_packed_sizes = ${valueText(staticMatmulPackedSizes!)} matmul_inner_dims_order = ${valueText(matmulInnerDimsOrder!)} : ${functionTypeText(step)}`;
  },
  'transform.structured.split': ({ operands, attributes }) => {
    const { staticChunkSizes, ...rest } = attributes;
    return ` ${namesText(operands)} after ${Number(staticChunkSizes)}${dictionaryText(rest)} : ${typesText(operands)}`;
  },
  'transform.structured.continuous_tile_sizes': (step) => sizesText(step),
  'transform.structured.multitile_sizes': (step) => sizesText(step),
  'transform.structured.fuse_into_containing_op': (step) =>
    ` ${step.operands.map(({ name }) => `%${name}`).join(' into ')} : ${functionTypeText(step)}`,
  'transform.structured.tile_reduction_using_for': (step) =>
    ` ${namesText(step.operands)} by tile_sizes = ${valueText(step.attributes['tileSizes']!)} : ${functionTypeText(step)}`,
  'transform.structured.tile_reduction_using_forall': (step) =>
    ` ${namesText(step.operands)} by num_threads = ${valueText(step.attributes['numThreads']!)} : ${functionTypeText(step)}`,
  'transform.structured.tile_using_for': (step) => {
    const { staticSizes = [], interchange } = step.attributes;
    const { name, position } = step.parameter ?? {};
    const texts = (staticSizes as readonly number[]).map((size, i) => (i === position ? `%${name!}` : size));
    const order = interchange === undefined ? '' : ` interchange = ${valueText(interchange)}`;
    const types = functionTypeText(step).replace(')', name === undefined ? ')' : ', !transform.param<i64>)');
    return ` ${namesText(step.operands)} tile_sizes [${texts.join(', ')}]${order}${exactText(step)} : ${types}`;
  },
  'transform.structured.tile_using_forall': (step) => {
    const { staticNumThreads, staticTileSizes } = step.attributes;
    const [keyword, numbers] =
      staticNumThreads === undefined ? ['tile_sizes', staticTileSizes] : ['num_threads', staticNumThreads];
    const list = (numbers as readonly number[]).join(', ');
    return ` ${namesText(step.operands)} ${keyword} [${list}]${exactText(step)} : ${functionTypeText(step)}`;
  },
  'transform.structured.vectorize': ({ operands, attributes }) => {
    const sizes = attributes['staticVectorSizes'];
    const list = sizes === undefined ? '' : ` vector_sizes ${valueText(sizes)}`;
    return ` ${namesText(operands)}${list} : ${typesText(operands)}`;
  },
  'transform.structured.pack': (step) => {
    const sizes = step.attributes['staticPackedSizes'] as readonly number[];
    return ` ${namesText(step.operands)} packed_sizes = [${sizes.join(', ')}] : ${functionTypeText(step)}`;
  },
  'transform.structured.pad': (step) => {
    const { staticPadToMultipleOf: multiples, ...rest } = step.attributes;
    const list = (multiples as readonly number[]).join(', ');
    return ` ${namesText(step.operands)} pad_to_multiple_of [${list}]${dictionaryText(rest)} : ${functionTypeText(step)}`;
  },
  'transform.structured.pack_transpose': (step) => {
    const [packing, packed] = step.operands.map((each) => namesText([each]));
    const permutation = valueText(step.attributes['outerPerm']!);
    return ` ${packing!} with_compute_op(${packed!}) outer_perm = ${permutation} : ${functionTypeText(step)}`;
  },
  'transform.cast': ({ operands, results }) =>
    ` ${namesText(operands)} : ${typesText(operands)} to ${typesText(results)}`,
  'transform.bufferization.one_shot_bufferize': (step) => {
    const { functionBoundaryTypeConversion: layout, ...rest } = step.attributes;
    const words: Readonly<Record<string, string>> = {
      'infer-layout-map': 'InferLayoutMap',
      'identity-layout-map': 'IdentityLayoutMap',
      'fully-dynamic-layout-map': 'FullyDynamicLayoutMap',
    };
    const prefix = typeof layout === 'string' ? ` layout{${words[layout]!}}` : '';
    return `${prefix} ${namesText(step.operands)}${dictionaryText(rest)} : ${functionTypeText(step)}`;
  },
  'transform.include': (step) =>
    ` @${step.body!.sequence!} failures(${step.body!.suppress === true ? 'suppress' : 'propagate'}) (${namesText(step.operands)}) : ${functionTypeText(step)}`,
  'transform.foreach': (step) =>
    ` ${namesText(step.operands)} : ${typesText(step.operands)}${resultsText(step)} ${regionText(step.body!)}`,
  'transform.sequence': (step) => {
    const types = typesText(step.operands);
    const bound = `${namesText(step.operands)} : ${step.operands.length === 1 ? types : `(${types})`}`;
    const failures = step.body!.suppress === true ? 'suppress' : 'propagate';
    return ` ${bound}${resultsText(step)} failures(${failures}) ${regionText(step.body!)}`;
  },
  'transform.alternatives': (step) => {
    const body = step.body!;
    const first = { ...body, steps: [...(body.attempt ?? []), ...body.steps] };
    return ` ${namesText(step.operands)} : ${typesText(step.operands)}${resultsText(step)} ${regionText(first)}, ${regionText(body)}`;
  },
};

const resultsText = ({ results }: Step): string => (results.length === 0 ? '' : ` -> ${typesText(results)}`);

const regionText = ({ parameters, steps, yields }: Body): string => {
  const body = [...steps.map(stepText), yieldText(yields)].map(
    (line) => `  ${line.replaceAll('\n', '\n  ')}`,
  );
  const head = parameters.map((each) => `%${each.name}: ${typeText(each)}`).join(', ');
  return `{\n^bb0(${head}):\n${body.join('\n')}\n}`;
};

/** Ops that only change the payload, whose type is the operand's. */
const withoutResults: ReadonlySet<string> = new Set([
  'transform.loop.promote_if_one_iteration',
  'transform.loop.unroll',
  'transform.structured.assert_extents',
  'transform.structured.delinearize',
  'transform.structured.fold_pad',
  'transform.loop.swap_induction_vars',
]);

const stepText = (step: Step): string => {
  const { name, position } = step.parameter ?? {};
  const size =
    position === undefined ? undefined : (step.attributes['staticSizes'] as readonly number[])[position];
  const parameter =
    name === undefined ? '' : `%${name} = transform.param.constant ${size!} : i64 -> !transform.param<i64>\n`;
  const results = `${parameter}${step.results.length === 0 ? '' : `${namesText(step.results)} = `}`;
  const custom = customText[step.transform];
  if (custom !== undefined) return `${results}${step.transform}${custom(step)}`;
  const type = withoutResults.has(step.transform) ? typesText(step.operands) : functionTypeText(step);
  return `${results}${step.transform} ${namesText(step.operands)}${dictionaryText(step.attributes)} : ${type}`;
};

const yieldText = (handles: readonly HandleName[]): string =>
  handles.length === 0 ? 'transform.yield' : `transform.yield ${namesText(handles)} : ${typesText(handles)}`;

const sequenceText = (
  name: string,
  parameters: readonly HandleName[],
  steps: readonly Step[],
  yields: readonly HandleName[],
  status = '',
): string => {
  const head = parameters.map((each) => `%${each.name}: ${typeText(each)}${status}`).join(', ');
  const types = yields.length === 0 ? '' : ` -> (${typesText(yields)})`;
  const lines = [...steps.map(stepText), yieldText(yields)].map(
    (line) => `    ${line.replaceAll('\n', '\n    ')}`,
  );
  return `  transform.named_sequence @${name}(${head})${types} {\n${lines.join('\n')}\n  }`;
};

const includedBodies = (steps: readonly Step[]): readonly Body[] =>
  steps.flatMap(({ body }) =>
    body === undefined ? [] : [...(body.sequence === undefined ? [] : [body]), ...includedBodies(body.steps)],
  );

/** The script of these steps, whose entry point takes and yields these handles. */
export const scriptText = (
  steps: readonly Step[],
  yields: readonly HandleName[] = [],
  parameters: readonly HandleName[] = [rootHandle],
): string =>
  [
    'module attributes {transform.with_named_sequence} {',
    ...includedBodies(steps).map((body) =>
      // Marking a read-only argument as consumed is allowed.
      sequenceText(body.sequence!, body.parameters, body.steps, body.yields, ' {transform.consumed}'),
    ),
    sequenceText('__transform_main', parameters, steps, yields),
    '}',
    '',
  ].join('\n');

const recorded: ReadonlyMap<string, TransformOp> = new Map(
  [
    ...[match, mergeHandles, splitHandle, annotate, applyRegisteredPass],
    ...[getParentOp, getConsumersOfResult, getProducerOfOperand, select],
    ...transformOps,
  ].map((op) => [op.definition.name, op as unknown as TransformOp]),
);

type Environment = ReadonlyMap<string, ScriptValue>;

const handleType = ({ promises }: HandleName) =>
  dialectType('transform', promises === undefined ? 'any_op' : `op<"${promises}">`);

const bound = (
  environment: Environment,
  names: readonly HandleName[],
  handles: readonly ScriptValue[],
): Environment =>
  new Map([...environment, ...names.map(({ name }, i): [string, ScriptValue] => [name, handles[i]!])]);

/** Records a step; those with a body through their own functions. */
const recordStep = (recorder: Recorder, environment: Environment, step: Step): Environment => {
  const operands = step.operands.map(({ name }) => environment.get(name)!);
  return bound(environment, step.results, recordOp(recorder, environment, step, operands));
};

const recordOp = (
  recorder: Recorder,
  environment: Environment,
  { transform, attributes, results, body, parameter }: Step,
  operands: readonly ScriptValue[],
): readonly ScriptValue[] => {
  if (transform === 'transform.cast') return [cast(operands[0] as Handle, results[0]!.promises)];
  if (transform === applyPatterns.definition.name) {
    const applyCse = attributes['applyCse'] === true;
    applyPatterns({ target: operands[0] as Handle }, patternSetsOf(attributes), { applyCse });
    return [];
  }
  if (body !== undefined && transform === 'transform.sequence') {
    const record = body.suppress === true ? suppress : sequence;
    return record(operands, (...handles: readonly ScriptValue[]) =>
      recordBody(recorder, environment, body, handles),
    );
  }
  if (body !== undefined && transform === 'transform.alternatives') {
    const { attempt = [], steps } = body;
    const attempts = [[...attempt, ...steps], steps].map(
      (own) => (scope: ScriptValue) =>
        recordBody(scope.recorder, new Map(), { ...body, steps: own }, [scope]),
    );
    return alternatives(operands[0] as Handle, attempts);
  }
  if (body?.sequence !== undefined) {
    const failures = body.suppress === true ? 'suppress' : 'propagate';
    const sequence = namedSequence(body.sequence, (...values: readonly ScriptValue[]) => {
      // In code, the parameters of a sequence are untyped.
      const handles = values.map((value, i) => promising(value, body.parameters[i]!));
      return recordBody(handles[0]!.recorder, new Map(), body, handles);
    });
    return include(sequence, operands, { failures });
  }
  if (body !== undefined) {
    return foreach(operands, (...handles) => recordBody(recorder, environment, body, handles));
  }
  const op = recorded.get(transform);
  if (op === undefined) throw new Error(`${transform} cannot be recorded`);
  const made = op(
    operandsByName(op, operands),
    parameter === undefined
      ? attributes
      : { ...attributes, staticSizes: sizesWith(recorder, attributes, parameter) },
    { resultTypes: results.map(handleType) },
  );
  return Object.values(made)
    .flat()
    .filter((value) => value !== undefined);
};

/** Operands by group name: one for each single-operand group, all of them for a leading variadic group. */
const operandsByName = (
  { definition: { operandSpecs } }: TransformOp,
  operands: readonly ScriptValue[],
): Readonly<Record<string, ScriptValue | readonly ScriptValue[]>> => {
  const named: Record<string, ScriptValue | readonly ScriptValue[]> = {};
  for (const [i, { name, arity }] of operandSpecs.entries()) {
    if (arity === 'one') named[name] = operands[i]!;
    else if (arity === 'variadic') named[name] = i === 0 ? operands : [];
  }
  return named;
};

/** Tile sizes with one of them as a parameter. */
const sizesWith = (
  recorder: Recorder,
  { staticSizes }: Step['attributes'],
  { position }: NonNullable<Step['parameter']>,
): readonly unknown[] =>
  (staticSizes as readonly number[]).map((size, i) => (i === position ? recorder.param(size) : size));

/** A handle with the type that its name has in the text. */
const promising = (value: ScriptValue, { promises }: HandleName): ScriptValue =>
  promises === undefined || value.kind !== 'handle' ? value : cast(value, promises);

/** Records the steps of a body with its parameters; returns what it yields. */
const recordBody = (
  recorder: Recorder,
  environment: Environment,
  { parameters, steps, yields }: Body,
  values: readonly ScriptValue[],
): readonly ScriptValue[] => {
  const inner = recordSteps(recorder, bound(environment, parameters, values), steps);
  return yields.map(({ name }) => inner.get(name)!);
};

const recordSteps = (recorder: Recorder, environment: Environment, steps: readonly Step[]): Environment =>
  steps.reduce((current, step) => recordStep(recorder, current, step), environment);

/** The same steps as code. */
export const recordedSchedule = (steps: readonly Step[]): Schedule =>
  schedule((recorder) => {
    recordSteps(recorder, new Map([[rootHandle.name, recorder.root]]), steps);
  });

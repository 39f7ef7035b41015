/** Draws steps with a body: `foreach`, inline and included sequences, alternatives. */
import { drawStep } from './draw-step.ts';
import type { StepOptions } from './draw-step.ts';
import type { Random } from './random.ts';
import type { Body, HandleName, Step } from './script.ts';
import type { LiveHandle, Session, View } from './session.ts';
import type { Fresh } from './step-on.ts';

const named = ({ name, promises }: HandleName): HandleName => ({ name, promises });

/**
 * A step with a body of up to three steps, each drawn given the results of the previous ones. The body is grown by
 * running it: undefined if nothing applies to the handle.
 */
const growBody = (
  random: Random,
  session: Session,
  fresh: Fresh,
  options: StepOptions,
  operands: readonly LiveHandle[],
  around: (body: Pick<Body, 'parameters' | 'steps' | 'yields'>, results: readonly HandleName[]) => Step,
  { isForeach = false, keepsParameters = false } = {},
): Step | undefined => {
  const parameters = operands.map(({ promises }) => ({ name: fresh(), promises }));
  const view = (handles: readonly LiveHandle[]): View => ({ module: session.module, handles, dead: [] });
  const inner = (handles: readonly LiveHandle[]): readonly LiveHandle[] =>
    handles.map((handle) => ({
      ...handle,
      operations: isForeach ? handle.operations.slice(0, 1) : handle.operations,
    }));
  let handles = inner(operands.map((handle, i) => ({ ...handle, ...parameters[i]! })));
  let grown: Step | undefined;
  const steps: Step[] = [];
  const length = random.integer(1, 3);
  for (let i = 0; i < length; i++) {
    const step = drawStep(random, view(handles), fresh, options);
    if (step === undefined) break;
    const consumed = new Set(
      step.transform === 'transform.structured.match' ? [] : step.operands.map(({ name }) => name),
    );
    const kept = handles.filter(
      ({ name }) =>
        !consumed.has(name) && (keepsParameters || !parameters.some((each) => each.name === name)),
    );
    const yields = [...kept, ...step.results].map(named);
    const results = yields.map(({ promises }) => ({ name: fresh(), promises }));
    const candidate = around({ parameters, steps: [...steps, step], yields }, results);
    const found = session.probe(candidate);
    if (found === undefined) {
      // Refused bodies are also worth trying: all or nothing.
      if (grown === undefined && random.chance(0.15)) return candidate;
      continue;
    }
    grown = candidate;
    steps.push(step);
    handles = inner(found.map((handle, k) => ({ ...handle, ...yields[k]! })));
    if (handles.every(({ operations }) => operations.length === 0)) break;
  }
  return grown;
};

/** A `foreach` over a handle to several ops, or over two of equal length. */
export const drawForeach = (
  random: Random,
  session: Session,
  fresh: Fresh,
  options: StepOptions,
): Step | undefined => {
  const { handles } = session.view;
  if (handles.length === 0) return undefined;
  const several = handles.filter(({ operations }) => operations.length > 1);
  const first = several.length > 0 ? random.pick(several) : random.pick(handles);
  const same = handles.filter(({ operations }) => operations.length === first.operations.length);
  const operands = random.chance(0.15) ? [first, random.pick(same)] : [first];
  return growBody(
    random,
    session,
    fresh,
    options,
    operands,
    (body, results) => ({
      transform: 'transform.foreach',
      operands: operands.map(named),
      attributes: {},
      results,
      body,
    }),
    { isForeach: true },
  );
};

/** Steps on one or two handles, in an included or inline sequence. */
export const drawSequence = (
  random: Random,
  session: Session,
  fresh: Fresh,
  options: StepOptions,
): Step | undefined => {
  const { handles } = session.view;
  if (handles.length === 0) return undefined;
  const operands = random.shuffled(handles).slice(0, random.chance(0.2) ? 2 : 1);
  const name = random.chance(0.6) ? `sequence_${fresh()}` : undefined;
  const suppress = random.chance(0.3);
  return growBody(random, session, fresh, options, operands, (body, results) => ({
    transform: name === undefined ? 'transform.sequence' : 'transform.include',
    operands: operands.map(named),
    attributes: {},
    results,
    body: { ...body, suppress, ...(name === undefined ? {} : { sequence: name }) },
  }));
};

/** Alternatives on the root or a function, the first of which fails if there are generic ops. */
export const drawAlternatives = (
  random: Random,
  session: Session,
  fresh: Fresh,
  options: StepOptions,
): Step | undefined => {
  const isolated = session.view.handles.filter(
    ({ operations }) => operations.length === 1 && /^(builtin\.module|func\.func)$/.test(operations[0]!.name),
  );
  if (isolated.length === 0) return undefined;
  const scope = random.pick(isolated);
  const generics: HandleName = { name: fresh(), promises: 'linalg.generic' };
  const parts = [fresh(), fresh()].map((name) => ({ ...generics, name }));
  const attempt = (operand: HandleName): readonly Step[] => [
    {
      transform: 'transform.structured.match',
      operands: [operand],
      attributes: { ops: ['linalg.generic'] },
      results: [generics],
    },
    {
      transform: 'transform.structured.split',
      operands: [generics],
      attributes: { dimension: 0, staticChunkSizes: 1_000_000, exact: true },
      results: parts,
    },
  ];
  return growBody(
    random,
    session,
    fresh,
    options,
    [scope],
    (body, results) => ({
      transform: 'transform.alternatives',
      operands: [named(scope)],
      attributes: {},
      results,
      body: { ...body, attempt: attempt(body.parameters[0]!) },
    }),
    { keepsParameters: true },
  );
};

/** Finds the step of a schedule after which a payload computes something else, by executing few of its states. */
import type { Diagnosed, Diagnostic, Note } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import { symbolNameOf } from '@sconv/ir';
import type { TraceNode } from '@sconv/transform';
import { runSchedule } from '@sconv/transform';
import type { Execute, Observation, Observed } from './observe.ts';
import { firstWrong, interpreterFor, observe, publicFunctions } from './observe.ts';

export interface BisectOptions {
  readonly registry: Registry;
  /** What is right: a module with the payload's functions, as another schedule made it. By default, the payload. */
  readonly reference?: Module;
  /**
   * The most operations that one execution may take; those of a structured op count once for each point. More are
   * refused with `explain/too-much-work`. Default 10^8.
   */
  readonly maxOperations?: number;
  /** Executes a state; the interpreter by default. */
  readonly execute?: Execute;
}

/** What a bisection found. */
export interface Bisection {
  /** The step that made it wrong; undefined if none did. */
  readonly fault: Fault | undefined;
  /** Steps that changed the payload. */
  readonly changes: number;
  /** How many states were executed, the reference included. */
  readonly executions: number;
  /** Whether the schedule itself failed; then the states before were searched. */
  readonly failure: readonly Diagnostic[] | undefined;
  /** The number of the step in which that failure arose; undefined if none did, or in none. */
  readonly failedStep: number | undefined;
}

/** The first step whose result is wrong although the one before is right. */
export interface Fault {
  readonly node: TraceNode;
  /** Its number among the nodes of the trace, from 1. */
  readonly number: number;
  /** An error at the step. */
  readonly diagnostic: Diagnostic;
}

/** A state of the payload, and the node that it is the result of. */
interface State {
  readonly node: TraceNode;
  readonly number: number;
  readonly enclosing: readonly TraceNode[];
  readonly module: Module;
}

const defaultOperations = 1e8;

/**
 * Runs a schedule, and searches its states for the first wrong one. States that cannot be executed are passed over; the
 * fault names those that come right before it. At most ⌈log₂ (changes + 1)⌉ + 1 executions. Fails definitely with
 * `explain/too-much-work`, with `explain/not-executed` if the reference cannot be executed, and with
 * `explain/other-reference` if the payload itself is not what the reference says.
 */
export const bisect = (script: Module, payload: Module, options: BisectOptions): Diagnosed<Bisection> => {
  const { registry, reference = payload, maxOperations = defaultOperations } = options;
  const execute = options.execute ?? interpreterFor(registry, maxOperations);
  const names = publicFunctions(payload).map((operation) => symbolNameOf(operation) ?? '');
  const wanted = observe(reference, names, execute);
  if (wanted.kind !== 'results') return definite(refused(wanted, payload, maxOperations));
  const { states, failure, failedStep } = statesOf(script, payload, registry);
  const search = new Search(states, (module) => observe(module, names, execute), wanted.results);
  const found = search.firstWrong();
  let executions = search.executions + 1;
  if (found?.state === 0 && reference !== payload) {
    // No step need be wrong: the two schedules may mean different things from the start.
    executions += 1;
    const begin = observe(payload, names, execute);
    const problem = begin.kind === 'results' ? firstWrong(wanted.results, begin.results) : undefined;
    if (problem !== undefined) {
      const message = `the payload itself computes something else than the other schedule made of it: ${problem}`;
      return definite(error('explain/other-reference', message, payload.root.location));
    }
  }
  const fault = found === undefined ? undefined : faultAt(states, found);
  return success({ fault, changes: states.length, executions, failure, failedStep });
};

/** The states after steps that changed the payload, but for those that were taken back. */
const statesOf = (
  script: Module,
  payload: Module,
  registry: Registry,
): Pick<Bisection, 'failure' | 'failedStep'> & { readonly states: readonly State[] } => {
  const states: State[] = [];
  const open: { readonly node: TraceNode; readonly number: number }[] = [];
  let [current, count] = [payload, 0];
  let lastFailed: number | undefined;
  const result = runSchedule(script, payload, {
    registry,
    trace: {
      enter: (node, module) => {
        count += 1;
        open.push({ node, number: count });
        current = module;
      },
      leave: (node, module) => {
        const { number } = open.pop()!;
        // Failures that are suppressed come before the one that ends the run.
        const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
        if (node.kind === 'step' && node.status !== 'success' && node.diagnostics.some(isError))
          lastFailed = number;
        if (module !== current)
          states.push({ node, number, enclosing: open.map((each) => each.node), module });
        current = module;
      },
    },
  });
  const kept = states.filter(({ node, enclosing }) => ![node, ...enclosing].some((each) => each.isUndone));
  return result.status === 'success'
    ? { states: kept, failure: undefined, failedStep: undefined }
    : { states: kept, failure: result.diagnostics, failedStep: lastFailed };
};

/** The position of the first wrong state, what is wrong, and the states before that may be wrong too. */
interface Found {
  readonly state: number;
  readonly problem: string;
  readonly cause: Diagnostic | undefined;
  /** Between the last right state and this one; none could be executed. */
  readonly unexecuted: readonly number[];
}

class Search {
  executions = 0;
  private readonly states: readonly State[];
  private readonly observe: (module: Module) => Observed;
  private readonly wanted: Observation;
  private readonly unexecuted = new Set<number>();

  constructor(states: readonly State[], observe: (module: Module) => Observed, wanted: Observation) {
    this.states = states;
    this.observe = observe;
    this.wanted = wanted;
  }

  firstWrong(): Found | undefined {
    // What is left of `right` is right, as the payload is; `wrong` is wrong, or behind the last state.
    let [right, wrong] = [-1, this.states.length];
    let found: Pick<Found, 'problem' | 'cause'> | undefined;
    for (;;) {
      const at = this.nextBetween(right, wrong);
      if (at === undefined) break;
      const observed = this.observe(this.states[at]!.module);
      if (observed.kind === 'unexecuted') {
        this.unexecuted.add(at);
        continue;
      }
      this.executions += 1;
      const problem = this.problemOf(observed);
      if (problem === undefined) right = at;
      else {
        wrong = at;
        found = problem;
      }
    }
    if (found === undefined) return undefined;
    const between = [...this.unexecuted].filter((at) => at > right && at < wrong).sort((a, b) => a - b);
    return { ...found, state: wrong, unexecuted: between };
  }

  /** The state nearest to the middle that is not known to be beyond execution. */
  private nextBetween(right: number, wrong: number): number | undefined {
    const middle = (right + wrong) >> 1;
    for (let distance = 0; middle - distance > right || middle + distance < wrong; distance += 1) {
      for (const at of [middle - distance, middle + distance])
        if (at > right && at < wrong && !this.unexecuted.has(at)) return at;
    }
    return undefined;
  }

  private problemOf(
    observed: Exclude<Observed, { kind: 'unexecuted' }>,
  ): Pick<Found, 'problem' | 'cause'> | undefined {
    if (observed.kind === 'failed') {
      const { functionName, diagnostic } = observed;
      return { problem: `@${functionName} fails: ${diagnostic.message}`, cause: diagnostic };
    }
    const problem = firstWrong(this.wanted, observed.results);
    return problem === undefined ? undefined : { problem, cause: undefined };
  }
}

const faultAt = (states: readonly State[], found: Found): Fault => {
  const { node, number, enclosing } = states[found.state]!;
  const step = node.kind === 'step' ? node : enclosing.findLast((each) => each.kind === 'step');
  const title = node.kind === 'step' ? node.operation.name : `${node.role} ${node.name}`;
  const location = step?.location ?? states[found.state]!.module.root.location;
  const around = enclosing.flatMap((each) => (each.kind === 'step' ? [each] : []));
  const passedOver = found.unexecuted.map((at) => states[at]!.number).join(', ');
  const notes: readonly Note[] = [
    ...around
      .filter((each) => each !== step && each.expandedFrom === undefined)
      .map((each) => ({ message: `it is run by this ${each.operation.name}`, location: each.location }))
      .toReversed(),
    ...(node.kind === 'step' && node.expandedFrom !== undefined
      ? [{ message: `it is a part of ${node.expandedFrom.name}`, location }]
      : []),
    ...(passedOver === ''
      ? []
      : [{ message: `or after one of the steps ${passedOver}, which cannot be executed`, location }]),
    ...(found.cause === undefined ? [] : [{ message: found.cause.message, location: found.cause.location }]),
  ];
  const message = `the result is wrong after this step, ${title}: ${found.problem}`;
  return { node, number, diagnostic: error('explain/wrong-result', message, location, notes) };
};

const refused = (
  wanted: Exclude<Observed, { kind: 'results' }>,
  payload: Module,
  maxOperations: number,
): Diagnostic => {
  const why = wanted.kind === 'failed' ? wanted.diagnostic : wanted.why;
  const notes = [{ message: why.message, location: why.location }];
  if (wanted.kind === 'unexecuted' && wanted.isTooMuch) {
    const message = `one execution takes more than ${maxOperations} operations, the limit of a bisection`;
    return error('explain/too-much-work', message, payload.root.location, notes);
  }
  const message = 'there is nothing to compare with: what is right cannot be executed';
  return error('explain/not-executed', message, payload.root.location, notes);
};

/** A schedule that leaves choices open, as something to tune: each candidate is a selection of options. */
import { createHash } from 'node:crypto';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess } from '@sconv/diagnostics';
import { randomIntegers } from '@sconv/interpreter';
import type { Module, Operation } from '@sconv/ir';
import { printModule } from '@sconv/ir';
import type { TuningChoice, TuningSelection } from '@sconv/transform';
import { resolveTuning, tuningChoices } from '@sconv/transform';
import type { Candidate, Propose } from '@sconv/tuning';
import { defaultRegistry } from '../default-registry.ts';
import type { TuningSubject } from './tune.ts';

/** As many selections are tried at most, drawn where there are more. */
const mostSelections = 4096;

/**
 * The choices of a script for a function. Fails with `tune/no-choices` if it has none, and as `tuningChoices` does.
 * Without tuning, a choice is what the script selects, or else the first option.
 */
export const scheduleSubject = (script: Module, definition: Operation, seed = 1): Diagnosed<TuningSubject> =>
  andThen(tuningChoices(script, { all: true }), (choices) => {
    if (choices.length === 0) {
      const message =
        'the schedule leaves no choice open: write transform.tune.knob or transform.tune.alternatives';
      return definite(error('tune/no-choices', message, script.root.location));
    }
    return mapSuccess(tuningChoices(script), (open): TuningSubject => {
      const untuned: TuningSelection = new Map(open.map(({ name }) => [name, 0]));
      const texts = [
        printModule(script, { registry: defaultRegistry }),
        printModule({ ...script, root: definition }, { registry: defaultRegistry }),
      ];
      const hash = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16);
      return {
        workload: `schedule ${hash} of ${choices.map(({ name }) => name).join(', ')}`,
        propose: proposeSelections(choices, seed),
        code: ({ selection }) =>
          mapSuccess(
            resolveTuning(
              script,
              defaultRegistry,
              selection === undefined ? untuned : new Map(Object.entries(selection)),
            ),
            (schedule) => ({ schedule }),
          ),
      };
    });
  });

/** Selections in random order, each once. */
const proposeSelections = (choices: readonly TuningChoice[], seed: number): Propose => {
  const next = randomIntegers(seed);
  const total = choices.reduce((all, { options }) => all * options.length, 1);
  const drawn = new Set<string>();
  return (_, count) => {
    const found: Candidate[] = [];
    while (found.length < count && drawn.size < Math.min(total, mostSelections)) {
      const positions = choices.map(({ options }) => next() % options.length);
      // The next one that was not drawn yet.
      while (drawn.has(positions.join())) advance(positions, choices);
      drawn.add(positions.join());
      found.push(candidateOf(choices, positions));
    }
    return found;
  };
};

/** The next selection, after the last one the first. */
const advance = (positions: number[], choices: readonly TuningChoice[]): void => {
  for (const [i, { options }] of choices.entries()) {
    positions[i] = (positions[i]! + 1) % options.length;
    if (positions[i] > 0) return;
  }
};

const candidateOf = (choices: readonly TuningChoice[], positions: readonly number[]): Candidate => ({
  name: choices.map(({ name, options }, i) => `${name} = ${options[positions[i]!]!}`).join(', '),
  plan: null,
  selection: Object.fromEntries(choices.map(({ name }, i) => [name, positions[i]!])),
});

/**
 * What handles stood for in the last run of a schedule, from the run's trace: what `sconv explain --json` prints.
 */

/** What is known of the handles of a schedule. */
export interface LastRun {
  /**
   * What a name stood for, a line for each of its values: of the op at a line and column, both from 1. Empty if the op
   * did not run, or gave nothing that is a handle.
   */
  readonly handlesOf: (place: string, name: string) => readonly string[];
}

/** The version of the format that is read. */
const readVersion = 1;

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const recordsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The last run of exactly this text in a trace; undefined if there is none, or it is no trace. */
export const readLastRun = (trace: string, schedule: string): LastRun | undefined => {
  const document = parsed(trace);
  if (!isRecord(document) || document['version'] !== readVersion) return undefined;
  const run = recordsIn(document['runs']).findLast(
    ({ schedule: source }) => isRecord(source) && source['text'] === schedule,
  );
  return run === undefined ? undefined : lastRunOf(run);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A handle through the run: the op that defines it, and what it stood for. */
interface Life {
  readonly place: string;
  readonly name: string;
  readonly contents: string[];
  /** What is said of its end, if it is not valid any more. */
  end: string;
}

const lastRunOf = (run: Fields): LastRun => {
  const operations = new Map(recordsIn(run['operations']).map(({ id, name }) => [id, String(name)]));
  const lives = new Map<unknown, Life>();
  for (const { location, leave } of recordsIn(run['nodes'])) {
    for (const handle of recordsIn(isRecord(leave) ? leave['handles'] : undefined)) {
      const { key, name } = handle;
      const life = lives.get(key) ?? { place: placeOf(location), name: String(name), contents: [], end: '' };
      lives.set(key, life);
      const { invalid } = handle;
      life.end = isRecord(invalid) ? endAt(invalid['location']) : '';
      if (!isRecord(invalid)) life.contents.push(contentsOf(handle, operations));
    }
  }
  return {
    handlesOf: (place, name) =>
      [...lives.values()]
        .filter((life) => life.place === place && (life.name === name || life.name.startsWith(`${name}#`)))
        .map((life) => `\`${life.name}\`: ${[...new Set(life.contents)].join(', then ')}${life.end}`),
  };
};

const endAt = (location: unknown): string =>
  `; not valid any more${isRecord(location) ? ` from line ${String(location['line'])} on` : ''}`;

/** `line:column` of a location. */
const placeOf = (location: unknown): string =>
  isRecord(location) ? `${String(location['line'])}:${String(location['column'])}` : '';

/** The names of operations, each once, with how many there are; values of a parameter; or `nothing`. */
const contentsOf = ({ kind, ids, params }: Fields, operations: ReadonlyMap<unknown, string>): string => {
  const all =
    kind === 'params'
      ? listIn(params).map(String)
      : listIn(ids).map((id) => (kind === 'values' ? 'a value' : (operations.get(id) ?? 'an operation')));
  const names = [...new Set(all)].map((name) => {
    const count = all.filter((each) => each === name).length;
    return count === 1 || kind === 'params' ? name : `${count} times ${name}`;
  });
  return names.length === 0 ? 'nothing' : names.join(', ');
};

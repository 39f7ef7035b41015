/** The work of `sconv bench --models`: runs each model in processes of its own, and collects what they say. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '@sconv/tuning';
import { packageFile } from '../package-file.ts';
import { reason } from '../reason.ts';

/** What is measured, with the options of `sconv run`. */
export interface ModelsRequest {
  readonly models: readonly { readonly path: string; readonly words: readonly string[] }[];
  /** Processes of each model. */
  readonly starts: number;
  /** Runs a command in a process of its own. */
  readonly run?: RunApart;
  readonly signal: AbortSignal;
  /** Called with what is measured next. */
  readonly onProgress: (what: string) => void;
}

/** What a process has written. */
export interface Written {
  readonly out: string;
  readonly err: string;
}

export type RunApart = (words: readonly string[], signal: AbortSignal) => Promise<Written>;

/** Seconds of one side: of a process, or medians of several. */
export interface StartFigures {
  readonly loadSeconds: number;
  readonly firstCallSeconds: number;
  readonly seconds: number;
}

/** Another runtime on a model. */
export interface PeerFigures extends StartFigures {
  readonly name: string;
  readonly version: string;
  /** Its time over ours. */
  readonly ratio: number;
  /** Of the output that is furthest off, by its largest element; null where it is infinite. */
  readonly difference: number | null;
  readonly agrees: boolean;
}

/** One process: what `sconv run --json` says. */
export interface ModelStartFigures extends StartFigures {
  readonly peer: PeerFigures | null;
}

/** A model: medians of its processes, and each of them; or what failed. */
export type ModelRow =
  | (ModelStartFigures & { readonly model: string; readonly starts: readonly ModelStartFigures[] })
  | FailedModel;

export interface FailedModel {
  readonly model: string;
  /** The diagnostics, as documents. */
  readonly failed: readonly object[];
  /** The same, for a person. */
  readonly text: string;
}

export const hasFailed = (row: ModelRow): row is FailedModel => 'failed' in row;

/** The rows of the models; those that a signal interrupts are left out. */
export const benchModels = async (request: ModelsRequest): Promise<readonly ModelRow[]> => {
  const rows: ModelRow[] = [];
  for (const [i, { path, words }] of request.models.entries()) {
    const starts = await startsOf(path, words, `${i + 1}/${request.models.length} ${path}`, request);
    if (request.signal.aborted) break;
    rows.push('failed' in starts ? starts : { model: path, ...mediansOf(starts), starts });
  }
  return rows;
};

const startsOf = async (
  path: string,
  words: readonly string[],
  what: string,
  { starts, run = runApart, signal, onProgress }: ModelsRequest,
): Promise<readonly ModelStartFigures[] | FailedModel> => {
  const figures: ModelStartFigures[] = [];
  for (let start = 1; start <= starts && !signal.aborted; start += 1) {
    onProgress(`${what}, process ${start} of ${starts}`);
    const { out, err } = await run(['run', path, '--json', ...words], signal);
    const document = documentOf(out);
    if (document === undefined)
      return { model: path, failed: [], text: `${path}: its process failed\n${err}` };
    if (!('seconds' in document)) return { model: path, failed: document.diagnostics, text: err };
    figures.push(figuresOf(document));
  }
  return figures;
};

/** What is read of the documents of `sconv run`. */
interface RunDocument extends StartFigures {
  readonly peer:
    | (Omit<PeerFigures, 'difference'> & { readonly differences: readonly { difference: number | null }[] })
    | null;
}

const documentOf = (text: string): RunDocument | { readonly diagnostics: readonly object[] } | undefined => {
  try {
    return JSON.parse(text) as RunDocument;
  } catch {
    return undefined;
  }
};

const figuresOf = ({ loadSeconds, firstCallSeconds, seconds, peer }: RunDocument): ModelStartFigures => ({
  loadSeconds,
  firstCallSeconds,
  seconds,
  peer:
    peer === null
      ? null
      : {
          name: peer.name,
          version: peer.version,
          loadSeconds: peer.loadSeconds,
          firstCallSeconds: peer.firstCallSeconds,
          seconds: peer.seconds,
          ratio: peer.ratio,
          difference: mostOf(peer.differences.map(({ difference }) => difference)),
          agrees: peer.agrees,
        },
});

/** The largest difference; JSON has null for one that is infinite. */
const mostOf = (differences: readonly (number | null)[]): number | null =>
  differences.some((each) => each === null)
    ? null
    : Math.max(0, ...differences.map((each) => each ?? Infinity));

const mediansOf = (starts: readonly ModelStartFigures[]): ModelStartFigures => {
  const of = (sides: readonly StartFigures[]): StartFigures => ({
    loadSeconds: median(sides.map(({ loadSeconds }) => loadSeconds)),
    firstCallSeconds: median(sides.map(({ firstCallSeconds }) => firstCallSeconds)),
    seconds: median(sides.map(({ seconds }) => seconds)),
  });
  const peers = starts.flatMap(({ peer }) => peer ?? []);
  const [first] = peers;
  return {
    ...of(starts),
    peer:
      first === undefined
        ? null
        : {
            name: first.name,
            version: first.version,
            ...of(peers),
            ratio: median(peers.map(({ ratio }) => ratio)),
            difference: mostOf(peers.map(({ difference }) => difference)),
            agrees: peers.every(({ agrees }) => agrees),
          },
  };
};

/** Runs the command `sconv` in a process of its own, which a signal ends. */
const runApart: RunApart = (words, signal) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(packageFile('bin/sconv.js')), ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    const written = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (written.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text));
    child.on('error', (problem) => {
      resolve({ out: '', err: reason(problem) });
    });
    child.on('close', () => {
      resolve(written);
    });
  });

/** `sconv affine deps`: the dependences of loop nests, and whether changed nests keep them. */

import type { Int, RelationLike } from '@sconv/presburger';
import {
  isPresburgerError,
  PresburgerError,
  print,
  removeRedundant,
  toSet,
  withinSteps,
} from '@sconv/presburger';
import type { Dependence, Legality, NestChanges } from '@sconv/presburger/dependences';
import {
  constantDistance,
  dependences,
  legality,
  nestSchedules,
  parseStatements,
} from '@sconv/presburger/dependences';
import type { Diagnosed } from '@sconv/diagnostics';
import {
  definite,
  error as errorAt,
  fileLocation,
  locationDocument,
  printLocation,
  success,
} from '@sconv/diagnostics';
import { parseSource } from '@sconv/ir';
import { Command, InvalidArgumentError } from 'commander';
import type { NestPicture } from '../affine/nest-picture.ts';
import { drawNests } from '../affine/nest-picture.ts';
import type { Nests } from '../affine/nest-statements.ts';
import { nestStatements } from '../affine/nest-statements.ts';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, readSource, reportAll, undecided } from '../console.ts';
import { defaultRegistry } from '../default-registry.ts';
import { jsonDocument } from '../json-document.ts';
import { writeFile } from '../write-file.ts';

type OnExit = (code: number) => void;

/** Reads a file; `-` is the standard input. */
type Read = typeof readSource;

interface DepsOptions extends NestChanges {
  readonly schedule?: readonly string[];
  readonly svg?: string;
  readonly json?: true;
}

/** A dependence with what is printed of it. */
interface Described {
  readonly dependence: Dependence;
  readonly pairs: string;
  readonly distance: readonly Int[] | undefined;
}

const describe = (dependence: Dependence): Described => ({
  dependence,
  pairs: print(removeRedundant(dependence.pairs)),
  distance: dependence.source === dependence.target ? constantDistance(dependence.pairs) : undefined,
});

/** Numbers of loops, or sizes: `1,0`. */
const parseNumbers = (text: string): readonly number[] => {
  if (/^\d{1,15}(,\d{1,15})*$/.test(text)) return text.split(',').map(Number);
  throw new InvalidArgumentError('write integers from 0 as 1,0');
};

const parseCount = (text: string): number => {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('an integer from 0');
};

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** The statements of a file: MLIR, unless it begins as statements do. */
const readNests = ({ name, text }: SourceFile): Diagnosed<Nests> => {
  const [, word = ''] = /^(?:\s|\/\/.*)*([a-z]*)/.exec(text) ?? [];
  if (['', 'domain', 'read', 'write', 'schedule'].includes(word) && !/^\s*["%#!@]/m.test(text))
    return success({ statements: parseStatements(text), operations: [], areSeparate: true });
  const { module, names, diagnostics } = parseSource(text, { registry: defaultRegistry, fileName: name });
  return diagnostics.length > 0 ? definite(...diagnostics) : nestStatements(module, names, defaultRegistry);
};

/** The schedules that the options ask about; undefined if they ask about none. */
const schedulesOf = (
  { statements, areSeparate }: Nests,
  { order, tile, fuse, schedule }: DepsOptions,
): readonly RelationLike[] | undefined => {
  if (schedule !== undefined) return schedule;
  if (order === undefined && tile === undefined && fuse === undefined) return undefined;
  if (!areSeparate) {
    const message = 'statements share loops: say when each runs by --schedule';
    throw new PresburgerError('presburger/invalid-argument', message);
  }
  const depths = statements.map(({ domain }) => toSet(domain).space.dims.length);
  return nestSchedules(depths, {
    ...(order === undefined ? {} : { order }),
    ...(tile === undefined ? {} : { tile }),
    ...(fuse === undefined ? {} : { fuse }),
  });
};

const point = (values: readonly Int[]): string => `(${values.join(', ')})`;

/** Lines of dependences; those of several kinds between the same iterations have one. */
const dependencesText = (described: readonly Described[], several: boolean): string => {
  const kinds = new Map<string, string[]>();
  for (const { dependence, pairs, distance } of described) {
    const { kind, array, source, target } = dependence;
    const between = several ? `, statement ${source} to ${target}` : '';
    const apart = distance === undefined ? '' : `, distance ${point(distance)}`;
    const rest = `of ${array}${between}${apart}: ${pairs}\n`;
    kinds.set(rest, [...(kinds.get(rest) ?? []), kind]);
  }
  return [...kinds].map(([rest, of]) => `${[...new Set(of)].join(', ')} ${rest}`).join('');
};

const legalityText = (answer: Legality, several: boolean): string => {
  if (answer.legal) return 'legal\n';
  const { dependence, source, target, symbols } = answer;
  const { kind, array } = dependence;
  const of = (statement: number, values: readonly Int[]) =>
    several ? `statement ${statement} at ${point(values)}` : point(values);
  const { space } = dependence.pairs;
  const given = space.symbols.map((name, i) => `${name} = ${String(symbols[i])}`).join(', ');
  return (
    `not legal: ${of(dependence.target, target)} would not run after ${of(dependence.source, source)}` +
    `${given === '' ? '' : ` for ${given}`} (${kind} of ${array})\n`
  );
};

const dependenceData = ({ dependence, pairs, distance }: Described): object => {
  const { kind, array, source, target } = dependence;
  return { kind, array, source, target, pairs, ...(distance === undefined ? {} : { distance }) };
};

const legalityData = (answer: Legality, found: readonly Dependence[]): object => {
  if (answer.legal) return { legal: true };
  const { dependence, source, target, symbols } = answer;
  return {
    legal: false,
    counterexample: { dependence: found.indexOf(dependence), source, target, symbols },
  };
};

/** Draws the picture into a file. Fails as `drawNests` and `writeFile` do. */
const drawInto = (path: string, picture: NestPicture): Diagnosed<undefined> => {
  const drawn = drawNests(picture);
  if (typeof drawn !== 'string')
    throw new PresburgerError('presburger/invalid-argument', `no picture: ${drawn.why}`);
  return writeFile(path, drawn);
};

/** Answers; the exit code is 0, or 1 for schedules that are not legal. */
const answer = (nests: Nests, options: DepsOptions, output: Console): number => {
  const { statements, operations } = nests;
  const write = output.out;
  const schedules = schedulesOf(nests, options);
  const [described, legal] = withinSteps(() => {
    const found = dependences(statements);
    return [found.map(describe), schedules && legality(found, schedules)] as const;
  });
  if (options.svg !== undefined) {
    const found = described.map(({ dependence }) => dependence);
    const { tile = [] } = options;
    const drawn = drawInto(options.svg, { statements, dependences: found, tile, legality: legal });
    reportAll(output, drawn.diagnostics, []);
    if (drawn.status !== 'success') return badUsage;
  }
  if (options.json === true) {
    const found = described.map(({ dependence }) => dependence);
    const data = {
      ...(operations.length > 0
        ? { statements: operations.map(({ location }) => locationDocument(location)) }
        : {}),
      dependences: described.map(dependenceData),
    };
    write(jsonDocument({ ...data, ...(legal === undefined ? {} : legalityData(legal, found)) }));
  } else {
    const several = statements.length > 1;
    if (several)
      operations.forEach((each, i) => {
        write(`statement ${i}: ${each.name} at ${printLocation(each.location)}\n`);
      });
    if (described.length === 0) write('no dependences\n');
    write(dependencesText(described, several));
    if (legal !== undefined) write(legalityText(legal, several));
  }
  return legal?.legal === false ? failed : 0;
};

/** Where an offset of a text is. */
const locationOf = ({ name, text }: SourceFile, offset: number) => {
  const before = text.slice(0, offset).split('\n');
  return fileLocation(name, before.length, before.at(-1)!.length + 1);
};

const execute = (source: SourceFile, options: DepsOptions, output: Console, command: Command): number => {
  try {
    const nests = readNests(source);
    if (nests.status === 'success') return answer(nests.value, options, output);
    reportAll(output, nests.diagnostics, [source]);
    return badUsage;
  } catch (problem) {
    if (!isPresburgerError(problem)) throw problem;
    const { code, message, offset } = problem;
    if (code === 'presburger/undecided') {
      output.out(options.json === true ? jsonDocument({ undecided: message }) : `${message}\n`);
      return undecided;
    }
    if (offset === undefined) return command.error(`error: ${message}`, { exitCode: badUsage });
    reportAll(output, [errorAt(code, message, locationOf(source, offset))], [source]);
    return badUsage;
  }
};

/** The command `affine deps FILE`; reports its exit code to `onExit`. */
export const affineDepsCommand = (onExit: OnExit, output: Console, read: Read): Command => {
  const command: Command = new Command('deps')
    .description(
      'print the dependences of loop nests; with a new order, tiles, fusion or schedule, tell whether it keeps ' +
        'them: exit code 0, 1 with two iterations that would run in the wrong order, or 3 if undecided',
    )
    .argument(
      '[file]',
      'MLIR, or statements: domain, read, write and schedule lines; - is the standard input',
      '-',
    )
    .option('--order <loops>', 'permute the loops of each nest: 1,0 exchanges two', parseNumbers)
    .option('--tile <sizes>', 'then tile them: 16,0 has tiles of the outer of two', parseNumbers)
    .option('--fuse <count>', 'then share as many of the outermost loops', parseCount)
    .option('--schedule <relation>', 'a relation to times, one for each statement', collect)
    .option('--svg <file>', 'draw iterations, tiles and dependences of nests of one or two loops')
    .option('--json', 'one JSON document');
  command.action((file: string, options: DepsOptions) => {
    const changes = ['order', 'tile', 'fuse'] as const;
    if (options.schedule !== undefined && changes.some((name) => options[name] !== undefined))
      command.error('error: --schedule says all that --order, --tile and --fuse say', { exitCode: badUsage });
    const source = read(file);
    if (source.status === 'success') {
      onExit(execute(source.value, options, output, command));
      return;
    }
    reportAll(output, source.diagnostics, []);
    onExit(badUsage);
  });
  return command;
};

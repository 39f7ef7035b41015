/** What `sconv explain` works on: a payload and a schedule, parsed. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import type { SourceFile } from '../console.ts';
import { readSource } from '../console.ts';
import { defaultRegistry as registry } from '../default-registry.ts';
import { parseSchedule } from '../parse-schedule.ts';
import { targetSchedule } from '../target-schedule.ts';

/** A file and what was parsed from it. */
export interface ParsedFile {
  readonly source: SourceFile;
  readonly module: Module;
}

/** Files that diagnostics point into are added to `sources`. */
export const readPayload = (path: string, sources: SourceFile[]): Diagnosed<ParsedFile> =>
  parsedFile(path, sources, (source) => parseModule(source.text, { registry, fileName: source.name }));

/** A script. */
export const readScript = (path: string, sources: SourceFile[]): Diagnosed<ParsedFile> =>
  parsedFile(path, sources, (source) => parseSchedule(source, registry));

const parsedFile = (
  path: string,
  sources: SourceFile[],
  parse: (source: SourceFile) => Diagnosed<Module>,
): Diagnosed<ParsedFile> =>
  andThen(readSource(path), (source) => {
    sources.push(source);
    return mapSuccess(parse(source), (module) => ({ source, module }));
  });

/** The target's own schedule for a payload, as `sconv schedule` prints it. */
export const ownSchedule = (payload: Module, target: Target, sources: SourceFile[]): Diagnosed<ParsedFile> =>
  andThen(targetSchedule(payload, target, {}, 'expanded'), (schedule) => {
    const source = { name: `the schedule for ${target.name}`, text: schedule.toMlir(registry) };
    sources.push(source);
    return mapSuccess(parseSchedule(source, registry), (module) => ({ source, module }));
  });

/** Schedules as files. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, fileLocation, success } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import { children, parseModule } from '@sconv/ir';
import type { SourceFile } from './console.ts';

/** Parses a script; an empty one is an error. */
export const parseSchedule = ({ name, text }: SourceFile, registry: Registry): Diagnosed<Module> =>
  andThen(parseModule(text, { registry, fileName: name }), (script) =>
    children(script.root).length > 0
      ? success(script)
      : definite(error('sconv/empty-schedule', 'the schedule is empty', fileLocation(name, 1, 1))),
  );

/** The names of script values as the schedule's text has them; the printer's where there is no text. */
import { filePosition } from '@sconv/diagnostics';
import type { Id, Module, Registry } from '@sconv/ir';
import { SsaNames, walk } from '@sconv/ir';
import type { SourceDocument } from './trace-document.ts';

/** The name of each value of a script. */
export type ScriptNames = (value: Id) => string;

/** `source` is the file that the script was parsed from. */
export const scriptNames = (script: Module, registry: Registry, source?: SourceDocument): ScriptNames => {
  const printed = new SsaNames(script.root, { registry, generic: false });
  const lines = source?.text.split('\n') ?? [];
  const names = new Map<Id, string>();
  for (const { results, regions, location } of walk(script.root)) {
    const position = filePosition(location);
    if (position?.file === source?.name) {
      const before = lines[(position?.line ?? 0) - 1]?.slice(0, (position?.column ?? 1) - 1) ?? '';
      resultNames(before).forEach((name, i) => {
        if (results[i] !== undefined) names.set(results[i].id, name);
      });
    }
    for (const { blocks } of regions) {
      for (const { id, location: where } of blocks.flatMap((block) => block.arguments)) {
        const place = where === undefined ? undefined : filePosition(where);
        if (place === undefined || place.file !== source?.name) continue;
        const name = /^%[\w$.-]+/.exec(lines[place.line - 1]?.slice(place.column - 1) ?? '')?.[0];
        if (name !== undefined) names.set(id, name);
      }
    }
  }
  return (value) => names.get(value) ?? printed.valueName(value);
};

/** The names before an op, `%a, %b:2 =`, one for each result. */
const resultNames = (before: string): readonly string[] => {
  const list = /((?:%[\w$.-]+(?::\d+)?\s*,\s*)*%[\w$.-]+(?::\d+)?)\s*=\s*$/.exec(before)?.[1];
  return (list?.split(',') ?? []).flatMap((part) => {
    const [name = '', count] = part.trim().split(':');
    return count === undefined ? [name] : Array.from({ length: Number(count) }, (_, i) => `${name}#${i}`);
  });
};

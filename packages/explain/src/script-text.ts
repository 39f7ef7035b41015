/** The text of a script's ops, with the names that the source gives to values. */
import type { Id, Module, Registry } from '@sconv/ir';
import { createAliasNumbers, lineText, payloadLines } from './payload-lines.ts';
import { scriptNames } from './script-names.ts';
import type { SourceDocument } from './trace-document.ts';

/** What steps and handles of a script are called. */
export interface ScriptText {
  /** The first line of an op. */
  readonly textOf: (operation: Id) => string;
  readonly nameOf: (value: Id) => string;
}

/** `source` is the file that the script was parsed from, if it was. */
export const scriptText = (script: Module, registry: Registry, source?: SourceDocument): ScriptText => {
  const nameOf = scriptNames(script, registry, source);
  const printed = payloadLines(script, registry, createAliasNumbers());
  const texts = new Map<Id, string>();
  if (printed.status === 'success') {
    const { lines, names } = printed.value;
    const shown = new Map(
      [...names].map(([id, name]) => [id, name.startsWith('%') ? baseName(nameOf(id)) : name]),
    );
    for (const line of lines)
      if (line.op !== undefined && line.at === 0) texts.set(line.op, lineText(line, shown));
  }
  return { nameOf, textOf: (operation) => texts.get(operation) ?? '' };
};

/** Without the number of a result, which lines have as text. */
const baseName = (name: string): string => name.replace(/#\d+$/, '');

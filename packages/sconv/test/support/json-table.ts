/** The table of `--json` in the README. */
import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The names in the row of a command. */
const namesOf = (command: string): readonly string[] => {
  const row = readme.split('\n').find((line) => line.startsWith(`| \`${command}\` `));
  return row === undefined ? [] : [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
};

/** The fields of a document that the row does not name; `version` is every document's. */
export const undocumented = (command: string, document: string): readonly string[] => {
  const names = namesOf(command);
  return Object.keys(JSON.parse(document) as object).filter(
    (key) => key !== 'version' && !names.includes(key),
  );
};

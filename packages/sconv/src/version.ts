/** The version of this package, from its manifest. */
import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.ts';

export const version = (): string => {
  const manifest = readFileSync(packageFile('package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
};

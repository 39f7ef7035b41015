/** Removes from each `dist` what a source that is gone or renamed left there; `tsc -b` leaves it, and npm would pack it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = [
  ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name)),
  join(root, 'tools/fuzz'),
];
for (const folder of folders) {
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) continue;
  for (const file of readdirSync(dist, { recursive: true })) {
    const source = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file)?.[1];
    if (source !== undefined && !existsSync(join(folder, 'src', `${source}.ts`))) rmSync(join(dist, file));
  }
}

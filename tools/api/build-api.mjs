// @ts-check
/**
 * Makes the API reference from the doc comments, as pages in `api`: a module for each entry point of the packages. Fails
 * where a comment or a page links to what is not there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { commandLine } from '../command-line.mjs';

const usage = `[--out FOLDER]

Makes the API reference, in the folder 'api' by default.`;
const { values } = commandLine(usage, { out: { type: 'string', default: 'api' } });
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The source of each entry point, from the root, and what it is imported as. */
const entryPoints = new Map(
  readdirSync(path.join(root, 'packages')).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'packages', folder, 'package.json'), 'utf8'));
    return Object.entries(manifest.exports).flatMap(([subpath, conditions]) => {
      const source = conditions['@sconv/source'];
      return source === undefined
        ? []
        : [[path.posix.join('packages', folder, source), path.posix.join(manifest.name, subpath)]];
    });
  }),
);

/** The links in the pages of a folder that lead to no file. @param {string} folder */
const brokenLinks = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .flatMap((name) =>
      [...readFileSync(path.join(folder, name), 'utf8').matchAll(/ href="(?!https?:|#|data:)([^"#?]+)/g)]
        .map((match) => match[1] ?? '')
        .filter((link) => !existsSync(path.join(folder, path.dirname(name), decodeURIComponent(link))))
        .map((link) => `${name}: ${link}`),
    );

const app = await Application.bootstrap({
  name: 'sconv',
  entryPoints: [...entryPoints.keys()].map((source) => path.join(root, source)),
  tsconfig: path.join(root, 'tools/api/tsconfig.json'),
  // Matchers of two packages have the same names, which no program has both of; types are checked by tsc.
  skipErrorChecking: true,
  readme: 'none',
  githubPages: false,
  disableSources: false,
  sourceLinkTemplate: 'https://github.com/sconv/sconv/blob/main/{path}#L{line}',
  gitRevision: 'main',
  excludeExternals: true,
  excludePrivate: true,
  excludeTags: ['@generated'],
  blockTags: [
    '@deviation',
    '@generated',
    '@param',
    '@returns',
    '@template',
    '@throws',
    '@example',
    '@typeParam',
    '@internal',
  ],
  validation: {
    notExported: false,
    invalidLink: true,
    invalidPath: true,
    rewrittenLink: true,
    notDocumented: false,
  },
  logLevel: 'Warn',
});
const project = await app.convert();
if (project === undefined) process.exit(1);
for (const module of project.children ?? []) {
  const file = module.sources?.[0]?.fullFileName ?? '';
  module.name = entryPoints.get(path.relative(root, file).split(path.sep).join('/')) ?? module.name;
}
app.validate(project);
await app.generateDocs(project, path.resolve(values.out));
const broken = brokenLinks(path.resolve(values.out));
for (const link of broken) console.error(`broken link in ${link}`);
if (broken.length > 0 || app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
else console.log(`${entryPoints.size} entry points in ${values.out}/index.html`);

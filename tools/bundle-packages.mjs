/**
 * Joins the modules of each package, as `tsc` left them in `dist`, into few: `bundle`, which is what programs load. Node takes
 * half a second to find and link 800 modules one by one. `node tools/bundle-packages.mjs [PACKAGE…]`; without names, those
 * whose `dist` has changed since.
 *
 * 1. What a module computes when it is loaded is marked as free of effects, for a bundler to drop where nobody uses it: an
 *    op of a dialect as well as a function. A call in a function's body needs no mark, and its arguments neither.
 * 2. Modules that several entry points use are shared chunks, so that they have one state. What entry points need that load
 *    no compiler is a chunk without the others' modules.
 * 3. immer becomes a part: the build that a page loads without a bundler reads `process.env`, which only Node has.
 * 4. Where the package exports files of `bundle/data`, these are made: without the text of operations and without their
 *    verifiers. `package.json` offers them under the condition `@sconv/data`.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { areNewer } from './are-newer.mjs';

/** Properties of definitions that only text is made with, or read by, and verifiers. */
const leftOut = new Set(['assembly', 'attributeBody', 'blockArgumentNames', 'resultName', 'verify']);

/** @typedef {{ readonly start: number, readonly end: number, readonly text: string }} Change */

const parse = (/** @type {string} */ text) =>
  ts.createSourceFile('module.js', text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.JS);

/** The text with all changes, which do not overlap. */
const changed = (/** @type {string} */ text, /** @type {readonly Change[]} */ changes) => {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of [...changes].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
};

/** Whether an expression is more than a literal: something is called, read or spread when it is evaluated. */
const computes = (/** @type {ts.Node} */ node) => {
  if (ts.isFunctionLike(node)) return false;
  return (
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isSpreadElement(node) ||
    ts.isSpreadAssignment(node) ||
    ts.forEachChild(node, computes) === true
  );
};

const mark = '/* @__PURE__ */ (() => ';

/**
 * The module with what its constants are computed from in functions that are called at once, and marked. The lines stay as
 * they are, so that source maps hold.
 */
export const markPure = (/** @type {string} */ text) => {
  /** @type {Change[]} */
  const changes = [];
  for (const statement of parse(text).statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer === undefined || !ts.isIdentifier(name) || !computes(initializer)) continue;
      const [start, end] = [initializer.getStart(), initializer.getEnd()];
      changes.push({ start, end: start, text: `${mark}(` }, { start: end, end, text: '))()' });
    }
  }
  return changed(text, changes);
};

/** The module without text and verifiers. Imports that are not needed any more are left to the bundler. */
export const withoutText = (/** @type {string} */ text) => {
  /** @type {Change[]} */
  const changes = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isObjectLiteralElement(node) && node.name !== undefined && ts.isIdentifier(node.name)) {
      if (leftOut.has(node.name.text)) {
        const comma = /^\s*,/.exec(text.slice(node.getEnd()))?.[0] ?? '';
        changes.push({ start: node.getFullStart(), end: node.getEnd() + comma.length, text: '' });
        return;
      }
      if (node.name.text === 'summary') {
        changes.push({ start: node.getStart(), end: node.getEnd(), text: "summary: ''" });
        return;
      }
    }
    if (ts.isCallExpression(node) && node.expression.getText() === 'withSyntax') {
      const [kind] = node.arguments;
      if (kind === undefined) throw new Error(`no attribute kind in ${node.getText()}`);
      changes.push(
        { start: node.getStart(), end: kind.getStart(), text: '' },
        { start: kind.getEnd(), end: node.getEnd(), text: '' },
      );
      visit(kind);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(text));
  return changed(text, changes);
};

/** The entry points in `bundle`, or in `bundle/data`: names without extension. */
const entriesOf = (/** @type {object} */ exports, /** @type {boolean} */ isData) =>
  Object.values(exports).flatMap((/** @type {string | Record<string, string>} */ target) => {
    const file = typeof target === 'string' ? undefined : target[isData ? '@sconv/data' : 'default'];
    return file === undefined ? [] : [file.replace(/^\.\/bundle\/(data\/)?/, '').replace(/\.js$/, '')];
  });

/** Entry points that load no compiler: names without extension. */
const withoutCompiler = ['kept-state', 'runtime', 'worker', 'loading', 'load', 'load-node'];

/** The modules that one of a folder imports, itself included. */
const importedBy = (/** @type {string} */ file, /** @type {Set<string>} */ found = new Set()) => {
  if (found.has(file)) return found;
  found.add(file);
  for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles)
    if (fileName.startsWith('.')) importedBy(join(file, '..', fileName), found);
  return found;
};

/** immer's build for production, which its package does not export, and its licence. */
const immer = fileURLToPath(new URL('../node_modules/immer/dist/immer.production.mjs', import.meta.url));
const immerLicence = join(immer, '../../LICENSE');

/** A module's text and source map. */
const load = (/** @type {string} */ id, /** @type {(text: string) => string} */ change) => {
  const text = readFileSync(id, 'utf8');
  const map = readFileSync(`${id}.map`, 'utf8');
  return id === immer
    ? { code: `/*! immer\n${readFileSync(immerLicence, 'utf8')}*/${text}`, map }
    : { code: change(text), map };
};

/** Bundles a package's entry points into a folder. What is not the package's own stays outside. */
const bundle = async (
  /** @type {string} */ folder,
  /** @type {readonly string[]} */ entries,
  /** @type {string} */ into,
  /** @type {(text: string) => string} */ change,
) => {
  const dist = join(folder, 'dist');
  const lean = withoutCompiler
    .filter((name) => entries.includes(name))
    .map((name, i) => {
      const modules = importedBy(join(dist, `${name}.js`));
      return {
        name: `${name}-parts`,
        test: (/** @type {string} */ id) => modules.has(id),
        minShareCount: 2,
        priority: 9 - i,
      };
    });
  const build = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(dist, `${name}.js`)])),
    cwd: folder,
    platform: 'neutral',
    external: (id) => id !== 'immer' && /^[^./]/.test(id) && !id.startsWith(folder),
    // A warning, such as for an import that is not resolved, is a failure.
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
    plugins: [
      {
        name: 'modules',
        resolveId: (id) => (id === 'immer' ? immer : undefined),
        load: (id) => load(id, change),
      },
    ],
  });
  await build.write({
    dir: join(folder, into),
    format: 'esm',
    chunkFileNames: '[name].js',
    codeSplitting: {
      groups: [
        // Its own file: a bundler drops that as a whole, but not each of its minified statements.
        { name: 'immer', test: /immer/, priority: 10 },
        ...lean,
        { name: 'shared', minShareCount: 2 },
      ],
    },
    sourcemap: true,
    comments: { legal: true, annotation: true, jsdoc: false },
  });
};

const self = fileURLToPath(import.meta.url);

const bundlePackage = async (/** @type {string} */ name, /** @type {boolean} */ isAsked) => {
  const folder = fileURLToPath(new URL(`../packages/${name}`, import.meta.url));
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [entries, data] = [entriesOf(exports, false), entriesOf(exports, true)];
  const made = [...entries, ...data.map((entry) => `data/${entry}`)];
  // Written when all is done: a process that is killed leaves some of it.
  const stamp = join(folder, '.tsout/bundle.stamp');
  const outputs = [stamp, ...made.map((entry) => join(folder, 'bundle', `${entry}.js`))];
  const inputs = [join(folder, 'dist'), join(folder, 'package.json'), self, immer];
  if (!isAsked && areNewer(outputs, inputs)) return;
  rmSync(stamp, { force: true });
  rmSync(join(folder, 'bundle'), { recursive: true, force: true });
  await bundle(folder, entries, 'bundle', markPure);
  if (data.length > 0) await bundle(folder, data, 'bundle/data', (text) => withoutText(markPure(text)));
  mkdirSync(join(folder, '.tsout'), { recursive: true });
  writeFileSync(stamp, '');
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2);
  const packages =
    names.length > 0 ? names : readdirSync(fileURLToPath(new URL('../packages', import.meta.url)));
  for (const name of packages) await bundlePackage(name, names.length > 0);
}

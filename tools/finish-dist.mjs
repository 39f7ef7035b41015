/**
 * What `tsc` leaves to do in the `dist` of packages that declare operations. `node tools/finish-dist.mjs [PACKAGE…]`
 *
 * 1. What a module computes when it is loaded is marked as free of effects, for a bundler to drop where nobody uses it: an
 *    op of a dialect as well as a function. A call in a function's body needs no mark, and its arguments neither.
 * 2. Where the package exports files of `dist/data`, these are made: the modules without the text of operations and without
 *    their verifiers. `package.json` offers them under the condition `@sconv/data`.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

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
      if (text.slice(initializer.getFullStart(), end).trimStart().startsWith(mark)) continue;
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
  return changed(text, changes).replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
};

const finish = (/** @type {string} */ folder) => {
  const dist = join(folder, 'dist');
  const data = join(dist, 'data');
  rmSync(data, { recursive: true, force: true });
  const hasData = readFileSync(join(folder, 'package.json'), 'utf8').includes('"./dist/data/');
  if (hasData) mkdirSync(data);
  for (const file of readdirSync(dist)) {
    if (!file.endsWith('.js')) continue;
    const text = readFileSync(join(dist, file), 'utf8');
    const marked = markPure(text);
    if (marked !== text) writeFileSync(join(dist, file), marked);
    if (hasData) writeFileSync(join(data, file), withoutText(marked));
  }
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packages = fileURLToPath(new URL('../packages', import.meta.url));
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : ['ir', 'dialects']) finish(join(packages, name));
}

/** The failure codes that sources name, and those that tests provoked. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import type { Source } from './import-graph.ts';
import { readJson, root } from './packages.ts';

/** Whether a literal is a module specifier, which may look like a code. */
const isSpecifier = ({ parent }: ts.Node): boolean =>
  ts.isImportDeclaration(parent) ||
  ts.isExportDeclaration(parent) ||
  (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword);

/** The codes in a source: literals such as `'split/dynamic'`, also in types and as keys. */
export const namedCodes = ({ path, text }: Source): readonly string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) &&
      /^[a-z][a-z0-9-]*\/[a-z0-9-]+$/.test(node.text) &&
      !isSpecifier(node)
    ) {
      found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
};

/** The codes that the tests of a package, named by its folder, provoked in the last `npm test`; undefined before one. */
export const provokedCodes = (folder: string): readonly string[] | undefined => {
  const path = join(root, 'test-results/failure-codes', `${basename(folder)}.json`);
  return existsSync(path) ? (readJson(path) as readonly string[]) : undefined;
};

/**
 * Records the codes of failures where they are made while tests run: in `{ code: … }`, `{ code }` and `this.code = …` of
 * the packages' sources. What the tests of a package provoke is compared with what its sources can say (`tools/checks`).
 */
import ts from 'typescript';

/** The global function that a test file's set-up puts there; it returns what it is given. */
const recorder = 'recordFailureCode';

/** Where in a source file a code is put into a failure; the text of the property is kept in front. */
const codePlaces = (file: ts.SourceFile): readonly { readonly node: ts.Node; readonly prefix: string }[] => {
  const places: { node: ts.Node; prefix: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'code') {
      places.push({ node: node.name, prefix: 'code: ' });
    } else if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'code') {
      places.push({ node: node.initializer, prefix: '' });
    } else if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      node.left.getText(file) === 'this.code'
    ) {
      places.push({ node: node.right, prefix: '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places;
};

/** The text of a source file with a call of the recorder around each code; lines stay what they are. */
export const instrument = (path: string, text: string): string => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return codePlaces(file)
    .toSorted((a, b) => b.node.getStart(file) - a.node.getStart(file))
    .reduce((rest, { node, prefix }) => {
      const [start, end] = [node.getStart(file), node.end];
      return `${rest.slice(0, start)}${prefix}globalThis.${recorder}(${rest.slice(start, end)})${rest.slice(end)}`;
    }, text);
};

/** The plugin that does it to the sources of the packages. */
export const failureCodes = {
  name: 'failure-codes',
  enforce: 'pre' as const,
  transform: (text: string, id: string) =>
    /\/packages\/[^/]+\/src\/[^?]*\.ts$/.test(id) && /\bcode\b/.test(text)
      ? { code: instrument(id, text), map: null }
      : undefined,
};

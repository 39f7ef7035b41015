/**
 * Records failure codes where they are created during tests: in `{ code: … }`, `{ code }` and `this.code = …` in the
 * packages' sources. `tools/checks` compares what a package's tests provoke with what its sources name.
 */
import ts from 'typescript';

/** The global function installed by a test file's set-up; it returns its argument. */
const recorder = 'recordFailureCode';

/** Where a source file puts a code into a failure; the property's own text is kept in front. */
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

/** The text of a source file with a call of the recorder around each code; line numbers are preserved. */
export const instrument = (path: string, text: string): string => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return codePlaces(file)
    .toSorted((a, b) => b.node.getStart(file) - a.node.getStart(file))
    .reduce((rest, { node, prefix }) => {
      const [start, end] = [node.getStart(file), node.end];
      return `${rest.slice(0, start)}${prefix}globalThis.${recorder}(${rest.slice(start, end)})${rest.slice(end)}`;
    }, text);
};

/** The plugin that instruments the packages' sources. */
export const failureCodes = {
  name: 'failure-codes',
  enforce: 'pre' as const,
  transform: (text: string, id: string) =>
    /\/packages\/[^/]+\/src\/[^?]*\.ts$/.test(id) && /\bcode\b/.test(text)
      ? { code: instrument(id, text), map: null }
      : undefined,
};

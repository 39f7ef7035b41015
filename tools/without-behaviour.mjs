/** What a language server leaves out of the packages. */
import ts from 'typescript';

/** What a transform does to a payload, in one of three forms; the rest of its declaration says what it is. */
const behaviour = new Set(['apply', 'expand', 'interpret']);

const isBehaviour = (/** @type {ts.ObjectLiteralElementLike} */ { name }) =>
  name !== undefined && ts.isIdentifier(name) && behaviour.has(name.text);

/**
 * A module with the declarations of its transforms, each without what it does to a payload. What only that needs is
 * left to the bundler.
 */
export const withoutBehaviour = (/** @type {string} */ text) => {
  const module = ts.createSourceFile('module.js', text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.JS);
  let result = '';
  let at = 0;
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'defineTransformOp') {
      const [declaration] = node.arguments;
      if (declaration !== undefined && ts.isObjectLiteralExpression(declaration))
        for (const property of declaration.properties.filter(isBehaviour)) {
          result += text.slice(at, property.getFullStart());
          const end = property.getEnd();
          at = text[end] === ',' ? end + 1 : end;
        }
    }
    ts.forEachChild(node, visit);
  };
  visit(module);
  return result + text.slice(at);
};

// @ts-check
/** Where to insert a probe that tells whether a test reaches some code. */
import ts from 'typescript';

/**
 * Where to insert a probe that tells whether the code at an offset is reached: before the innermost statement in a list
 * that contains it, or for a parameter at the start of the body. Errs on the side of "reached".
 * @param {ts.SourceFile} source
 * @param {number} start
 * @param {number} end
 * @returns {{ readonly at: number, readonly close: number | undefined }} `close`: end of an arrow's expression that has
 * to become a sequence
 */
export function probePoint(source, start, end) {
  /** @type {{ at: number, close: number | undefined }} */
  let point = { at: 0, close: undefined };
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (node.getStart(source) > start || node.end < end) return;
    const { parent } = node;
    if (parent !== undefined && isStatementOfList(node))
      point = { at: node.getStart(source), close: undefined };
    else if (ts.isParameter(node)) {
      const body = ts.isFunctionLike(parent) && 'body' in parent ? parent.body : undefined;
      if (body !== undefined && ts.isBlock(/** @type {ts.Node} */ (body)))
        point = { at: /** @type {ts.Node} */ (body).getStart(source) + 1, close: undefined };
    } else if (
      parent !== undefined &&
      ts.isArrowFunction(parent) &&
      parent.body === node &&
      !ts.isBlock(node)
    ) {
      point = { at: node.getStart(source), close: node.end };
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return point;
}

/** @type {(node: ts.Node) => boolean} */
function isStatementOfList(node) {
  const { parent } = node;
  return (
    ts.isStatement(node) &&
    (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseClause(parent) || ts.isDefaultClause(parent))
  );
}

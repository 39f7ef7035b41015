// @ts-check
/** All mutants of a source: small changes, each of which some test should detect. */
import ts from 'typescript';

/** @typedef {(node: ts.Node, replacement: string, operator: string) => void} Replace notes a mutant in place of a node */

/**
 * One change of a source: the text from `start` to `end` becomes `replacement`.
 * @typedef {object} Mutant
 * @property {number} start offset of the first character
 * @property {number} end offset behind the last character
 * @property {string} replacement
 * @property {string} operator what kind of change it is
 */

/** @type {Partial<Record<ts.SyntaxKind, readonly string[]>>} What else an operator may have been. */
const operators = {
  [ts.SyntaxKind.PlusToken]: ['-'],
  [ts.SyntaxKind.MinusToken]: ['+'],
  [ts.SyntaxKind.AsteriskToken]: ['/'],
  [ts.SyntaxKind.SlashToken]: ['*'],
  [ts.SyntaxKind.PercentToken]: ['*'],
  [ts.SyntaxKind.AsteriskAsteriskToken]: ['*'],
  [ts.SyntaxKind.LessThanLessThanToken]: ['>>'],
  [ts.SyntaxKind.GreaterThanGreaterThanToken]: ['<<'],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken]: ['>>'],
  [ts.SyntaxKind.AmpersandToken]: ['|'],
  [ts.SyntaxKind.BarToken]: ['&'],
  [ts.SyntaxKind.CaretToken]: ['&'],
  [ts.SyntaxKind.LessThanToken]: ['<=', '>='],
  [ts.SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [ts.SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [ts.SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [ts.SyntaxKind.BarBarToken]: ['&&'],
  [ts.SyntaxKind.QuestionQuestionToken]: ['&&'],
  [ts.SyntaxKind.PlusEqualsToken]: ['-='],
  [ts.SyntaxKind.MinusEqualsToken]: ['+='],
  [ts.SyntaxKind.AsteriskEqualsToken]: ['/='],
  [ts.SyntaxKind.SlashEqualsToken]: ['*='],
  [ts.SyntaxKind.BarEqualsToken]: ['&='],
  [ts.SyntaxKind.AmpersandEqualsToken]: ['|='],
  [ts.SyntaxKind.QuestionQuestionEqualsToken]: ['&&='],
  [ts.SyntaxKind.BarBarEqualsToken]: ['&&='],
  [ts.SyntaxKind.AmpersandAmpersandEqualsToken]: ['||='],
};

/** Methods that are easily confused; an empty name drops the call. */
const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['indexOf', 'lastIndexOf'],
  ['lastIndexOf', 'indexOf'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['findIndex', 'findLastIndex'],
  ['findLastIndex', 'findIndex'],
  ['push', 'unshift'],
  ['unshift', 'push'],
  ['padStart', 'padEnd'],
  ['padEnd', 'padStart'],
  ['toUpperCase', 'toLowerCase'],
  ['toLowerCase', 'toUpperCase'],
  ['add', 'delete'],
  ['filter', ''],
  ['slice', ''],
  ['reverse', ''],
  ['toReversed', ''],
  ['sort', ''],
  ['toSorted', ''],
  ['trim', ''],
]);

/** Two words with a space between them. */
const words = /[A-Za-z,;:)}] [A-Za-z{($]/;

/**
 * The mutants of a TypeScript source, in the order of the text. Types, imports, exports and messages are left alone.
 * @param {ts.SourceFile} source
 * @returns {readonly Mutant[]}
 */
export function mutantsOf(source) {
  /** @type {Mutant[]} */
  const mutants = [];
  /** @type {Replace} */
  const replace = (node, replacement, operator) => {
    mutants.push({ start: node.getStart(source), end: node.end, replacement, operator });
  };
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (isInert(node)) return;
    mutateNode(source, node, replace);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * The guards of a source, each forced never to fire: `if`s without `else` that end in a failure.
 * @param {ts.SourceFile} source
 * @returns {readonly Mutant[]}
 */
export function guardsOf(source) {
  /** @type {Mutant[]} */
  const guards = [];
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (ts.isIfStatement(node) && node.elseStatement === undefined && fails(node.thenStatement)) {
      const condition = node.expression;
      guards.push({
        start: condition.getStart(source),
        end: condition.end,
        replacement: 'false',
        operator: 'guard',
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return guards;
}

/** Functions that create a failure. */
const failing = /^(fail|failAt|failure|silenceable|definite|unsupported|invalid|trap|error|refuse)$/;

/**
 * Whether a statement ends in a failure: it returns, reports or throws one.
 * @param {ts.Statement} statement
 * @returns {boolean}
 */
function fails(statement) {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  if (last === undefined) return false;
  if (ts.isThrowStatement(last)) return true;
  const ending = ts.isReturnStatement(last) || ts.isExpressionStatement(last) ? last.expression : undefined;
  return ending !== undefined && callsFailing(ending);
}

/** @type {(expression: ts.Expression) => boolean} */
function callsFailing(expression) {
  if (!ts.isCallExpression(expression)) return false;
  const { expression: callee } = expression;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  return (ts.isIdentifier(name) && failing.test(name.text)) || expression.arguments.some(callsFailing);
}

/** @type {(node: ts.Node) => boolean} */
function isInert(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

/**
 * @param {ts.SourceFile} source
 * @param {ts.Node} node
 * @param {Replace} replace
 */
function mutateNode(source, node, replace) {
  /** @type {(node: ts.Node) => string} */
  const text = (part) => part.getText(source);
  switch (node.kind) {
    case ts.SyntaxKind.TrueKeyword:
      return replace(node, 'false', 'boolean');
    case ts.SyntaxKind.FalseKeyword:
      return replace(node, 'true', 'boolean');
  }
  if (ts.isBinaryExpression(node)) {
    // String concatenation is not subtracted.
    if (node.operatorToken.kind === ts.SyntaxKind.PlusToken && [node.left, node.right].some(isText)) return;
    for (const operator of operators[node.operatorToken.kind] ?? []) {
      replace(node.operatorToken, operator, 'operator');
    }
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === ts.SyntaxKind.PlusPlusToken) replace(node, `--${text(node.operand)}`, 'unary');
    else if (node.operator === ts.SyntaxKind.MinusMinusToken)
      replace(node, `++${text(node.operand)}`, 'unary');
    else if (node.operator !== ts.SyntaxKind.PlusToken) replace(node, text(node.operand), 'unary');
  } else if (ts.isPostfixUnaryExpression(node)) {
    const other = node.operator === ts.SyntaxKind.PlusPlusToken ? '--' : '++';
    replace(node, text(node.operand) + other, 'unary');
  } else if (ts.isNumericLiteral(node)) {
    if (!ts.isPropertyAssignment(node.parent) || node.parent.name !== node)
      replace(node, node.text === '1' ? '0' : String(Number(node.text) + 1), 'number');
  } else if (ts.isBigIntLiteral(node)) {
    replace(node, node.text === '1n' ? '0n' : `${BigInt(node.text.slice(0, -1)) + 1n}n`, 'number');
  } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    if (isName(node) || isProse(node)) return;
    replace(node, node.text === '' ? "'mutated'" : "''", 'string');
  } else if (ts.isTemplateExpression(node)) {
    if (!isProse(node) && !ts.isTaggedTemplateExpression(node.parent)) replace(node, '``', 'string');
  } else if (ts.isIfStatement(node)) {
    replace(node.expression, 'true', 'condition');
    replace(node.expression, 'false', 'condition');
  } else if (ts.isConditionalExpression(node)) {
    replace(node.condition, 'true', 'condition');
    replace(node.condition, 'false', 'condition');
  } else if (ts.isWhileStatement(node)) {
    replace(node.expression, 'false', 'condition');
  } else if (ts.isForStatement(node)) {
    if (node.condition !== undefined) replace(node.condition, 'false', 'condition');
  } else if (ts.isBlock(node)) {
    if (node.statements.length > 0) replace(node, '{}', 'block');
  } else if (ts.isExpressionStatement(node)) {
    if (
      ts.isCallExpression(node.expression) &&
      node.expression.expression.kind !== ts.SyntaxKind.SuperKeyword
    )
      replace(node, ';', 'statement');
  } else if (ts.isCaseClause(node) || ts.isDefaultClause(node)) {
    const first = node.statements.at(0);
    const last = node.statements.at(-1);
    if (first !== undefined && last !== undefined && !ts.isBlock(first))
      replace(node, source.text.slice(node.getStart(source), first.getStart(source)).trimEnd(), 'block');
  } else if (ts.isArrayLiteralExpression(node)) {
    if (node.elements.length > 0 && !node.elements.every(isProse) && !isAssigned(node))
      replace(node, '[]', 'literal');
  } else if (ts.isObjectLiteralExpression(node)) {
    if (node.properties.length > 0 && !isAssigned(node)) replace(node, '{}', 'literal');
  } else if (ts.isArrowFunction(node)) {
    if (!ts.isBlock(node.body) && !isNothing(node.body)) replace(node.body, 'undefined', 'block');
  }
  if (ts.isCallExpression(node)) mutateMethod(source, node, replace);
  mutateChain(node, replace);
}

/** @type {(source: ts.SourceFile, call: ts.CallExpression, replace: Replace) => void} */
function mutateMethod(source, call, replace) {
  const { expression: callee } = call;
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.name)) return;
  const other = methods.get(callee.name.text);
  if (other === undefined) return;
  if (other === '') replace(call, callee.expression.getText(source), 'method');
  else replace(callee.name, other, 'method');
}

/** Equivalent to `undefined` for its users. @type {(node: ts.Node) => boolean} */
function isNothing(node) {
  return node.kind === ts.SyntaxKind.FalseKeyword || (ts.isIdentifier(node) && node.text === 'undefined');
}

/** `a?.b` as if `a` were always there. @type {(node: ts.Node, replace: Replace) => void} */
function mutateChain(node, replace) {
  if (
    (ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node) ||
      ts.isCallExpression(node)) &&
    node.questionDotToken !== undefined
  )
    replace(node.questionDotToken, ts.isPropertyAccessExpression(node) ? '.' : '', 'chain');
}

/** @type {(node: ts.Node) => boolean} */
function isText(node) {
  return (
    ts.isStringLiteral(node) ||
    ts.isTemplateExpression(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)))
  );
}

/** Text for people: its wording is not logic. @type {(node: ts.Node) => boolean} */
function isProse(node) {
  return (
    (ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) &&
    words.test(node.getText())
  );
}

/** A literal that only names a member. @type {(node: ts.Node) => boolean} */
function isName(node) {
  const { parent } = node;
  return (
    ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isBindingElement(parent)) &&
      (parent.name === node || (ts.isBindingElement(parent) && parent.propertyName === node))) ||
    ts.isTaggedTemplateExpression(parent)
  );
}

/** A literal on the left of an assignment. @type {(node: ts.Node) => boolean} */
function isAssigned(node) {
  const { parent } = node;
  return (
    (ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      parent.left === node) ||
    (ts.isForOfStatement(parent) && parent.initializer === node)
  );
}

/**
 * Parses a source as TypeScript.
 * @param {string} path
 * @param {string} text
 */
export function parseSource(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
}

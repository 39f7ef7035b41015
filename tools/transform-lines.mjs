/**
 * How many source lines a transform op takes: of its declaration, and of the files with the core that the declaration calls.
 * Blank lines and comments do not count, nor do ops that are only read and printed.
 *
 * `node tools/transform-lines.mjs` prints every op and the medians.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const behaviours = ['apply', 'expand', 'interpret'];

const codeLines = (text) =>
  text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line)).length;

const parse = (path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);

/** Every node below `node` that `test` accepts. */
const find = (node, test) => {
  const found = test(node) ? [node] : [];
  ts.forEachChild(node, (child) => {
    found.push(...find(child, test));
  });
  return found;
};

const isCallOf = (names) => (node) => ts.isCallExpression(node) && names.has(node.expression.getText());

/** The constants of a file: name and initializer. */
const constantsOf = (file) =>
  file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter(({ initializer }) => initializer !== undefined);

/** The files with the cores that the constant uses, `…-op.ts`. */
const coresOf = (file, constant) => {
  const used = new Set(find(constant, ts.isIdentifier).map(({ text }) => text));
  return file.statements
    .filter(ts.isImportDeclaration)
    .filter(({ moduleSpecifier: { text }, importClause }) => {
      const bindings = importClause?.namedBindings;
      const names = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
      return (
        /^\..*-ops?\.ts$/.test(text) &&
        !text.endsWith('/define-transform-op.ts') &&
        names.some(({ name }) => used.has(name.text))
      );
    })
    .map(({ moduleSpecifier }) => join(dirname(file.fileName), moduleSpecifier.text));
};

const propertyNamed = (node, test) =>
  find(node, ts.isObjectLiteralElementLike).find(({ name }) => name !== undefined && test(name.getText()));

/** Whether a run executes it. */
const behaves = (node) => propertyNamed(node, (name) => behaviours.includes(name)) !== undefined;

/** The op's name, or that of the constant where a function makes the op. */
const nameOf = ({ name, initializer }) => {
  const given = propertyNamed(initializer, (property) => property === 'name')?.initializer;
  return given !== undefined && ts.isStringLiteral(given) ? given.text : name.text;
};

const opsIn = (path) => {
  const file = parse(path);
  const constants = constantsOf(file);
  const calls = isCallOf(new Set(['defineTransformOp']));
  const isFactory = ({ initializer }) =>
    ts.isArrowFunction(initializer) && find(initializer, calls).length > 0 && behaves(initializer);
  const factories = new Set(constants.filter(isFactory).map(({ name }) => name.text));
  return constants
    .filter(({ initializer }) => calls(initializer) || isCallOf(factories)(initializer))
    .filter(({ initializer }) => !calls(initializer) || behaves(initializer))
    .map((constant) => {
      const declaration = codeLines(constant.parent.parent.getText());
      const cores = coresOf(file, constant).map((core) => codeLines(readFileSync(core, 'utf8')));
      return { name: nameOf(constant), declaration, core: cores.reduce((sum, lines) => sum + lines, 0) };
    });
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const ops = readdirSync(packages)
  .flatMap((name) => {
    const source = join(packages, name, 'src');
    return readdirSync(source, { recursive: true }).map((path) => join(source, path));
  })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('test-ops.ts'))
  .flatMap(opsIn)
  .toSorted((a, b) => a.declaration + a.core - b.declaration - b.core);

const row = (name, ...cells) =>
  console.log(name.padEnd(60) + cells.map((cell) => String(cell).padStart(13)).join(''));
row('op', 'declaration', 'core', 'together');
for (const { name, declaration, core } of ops) row(name, declaration, core, declaration + core);
row(
  `median of ${ops.length}`,
  median(ops.map(({ declaration }) => declaration)),
  median(ops.map(({ core }) => core)),
  median(ops.map(({ declaration, core }) => declaration + core)),
);

/** Simplification by the real mlir-opt, for comparison. */
import { execFileSync } from 'node:child_process';
import { affineMap, equivalent, printMap, sizeOf } from '@sconv/affine';

/** The name of an mlir-opt of LLVM 19 that can be run; undefined when there is none. */
export function findMlirOpt() {
  for (const name of ['mlir-opt-19', 'mlir-opt']) {
    try {
      const version = execFileSync(name, ['--version'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      if (/version 19\./.test(version)) return name;
    } catch {
      // Not installed.
    }
  }
  return undefined;
}

/**
 * Runs mlir-opt on a module made of a piece per item and gives what `read` finds for each. A piece that crashes
 * mlir-opt (it has bugs) is isolated by halving, and gives undefined.
 */
export function runPieces(mlirOpt, flags, items, module, read) {
  if (items.length === 0) return [];
  let output;
  try {
    output = execFileSync(mlirOpt, ['--allow-unregistered-dialect', '--mlir-print-local-scope', ...flags], {
      input: module(items),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  } catch {
    if (items.length === 1) return [undefined];
    const half = items.length >> 1;
    return [items.slice(0, half), items.slice(half)].flatMap((part) =>
      runPieces(mlirOpt, flags, part, module, read),
    );
  }
  return read(output, items.length);
}

/** `--affine-simplify-structures` on maps as attributes: their texts afterwards. */
export function simplifyWithMlir(mlirOpt, maps) {
  const module = (items) =>
    `func.func @f() {\n${items.map((map) => `"t.t"() {m = affine_map<${map}>} : () -> ()`).join('\n')}\nreturn\n}`;
  const read = (output) => [...output.matchAll(/m = affine_map<(.*)>\} : /g)].map((match) => match[1]);
  return runPieces(mlirOpt, ['--affine-simplify-structures'], maps, module, read);
}

/**
 * `--canonicalize` on an affine.apply of a map with one result, its dimensions loop variables of unknown bounds and
 * its symbols function arguments: the text of the map afterwards, of the constant `() -> (c)`, or of the operand.
 */
export function canonicalizeWithMlir(mlirOpt, maps) {
  const module = (items) => {
    const body = items
      .map(({ text, numDims, numSymbols }) => {
        const list = (letter, count) => Array.from({ length: count }, (_, i) => `%${letter}${i}`).join(', ');
        return `%r = affine.apply affine_map<${text}>(${list('d', numDims)})[${list('s', numSymbols)}]\n"t.t"(%r) : (index) -> ()`;
      })
      .map((lines, i) => lines.replaceAll('%r', `%r${i}`))
      .join('\n');
    const dims = Math.max(...items.map(({ numDims }) => numDims));
    const symbols = Math.max(...items.map(({ numSymbols }) => numSymbols));
    const args = Array.from({ length: symbols }, (_, i) => `%s${i}: index`);
    const open = Array.from({ length: dims }, (_, i) => `affine.for %d${i} = 0 to %n {`).join('\n');
    const header = `func.func @f(${['%n: index', ...args].join(', ')}) {`;
    return `${header}\n${open}\n${body}\n${'}'.repeat(dims)}\nreturn\n}`;
  };
  const read = (output) => {
    const values = new Map();
    for (const match of output.matchAll(/(%\S+) = affine\.apply affine_map<(.*)>\(/g))
      values.set(match[1], match[2]);
    for (const match of output.matchAll(/(%\S+) = arith\.constant (-?\d+) : index/g)) {
      values.set(match[1], `() -> (${match[2]})`);
    }
    return [...output.matchAll(/"t\.t"\((%\S+)\)/g)].map((match) => values.get(match[1]) ?? match[1]);
  };
  return runPieces(mlirOpt, ['--canonicalize'], maps, module, read);
}

/** MLIR takes symbolic divisors to be positive. */
const positiveSymbols = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`s${i}`, [1, 12]]));

const sizeOfMap = (map) => map.results.reduce((size, result) => size + sizeOf(result), 0);

/**
 * Our simplification of a map against the text of mlir-opt's. It passes when the texts are the same, or ours has the
 * values of the original and is at least as small, or mlir-opt has crashed or has changed the values.
 */
export function judge(original, ours, theirText) {
  const text = `${printMap(original)}: ours ${printMap(ours)}, mlir-opt's ${theirText ?? 'crashed'}`;
  if (printMap(ours) === theirText) return { same: true, passed: true, text };
  const keepsValues = (map) => {
    const answer = equivalent(original, map, { domain: positiveSymbols, samples: 5000 });
    return answer.equivalent ? undefined : answer.counterexample;
  };
  if (keepsValues(ours) !== undefined) return { same: false, passed: false, text: `${text}; ours is wrong` };
  if (theirText === undefined) return { same: false, passed: true, text };
  const theirs = affineMap(theirText);
  const wrongAt = keepsValues(theirs);
  if (wrongAt !== undefined) {
    const { dims, symbols, left, right } = wrongAt;
    const where = `(${dims.join(', ')})[${symbols.join(', ')}]`;
    return {
      same: false,
      passed: true,
      text: `${text}; mlir-opt's is wrong at ${where}: ${right}, not ${left}`,
    };
  }
  const passed = sizeOfMap(ours) <= sizeOfMap(theirs);
  return {
    same: false,
    passed,
    text: `${text}; equivalent, of ${sizeOfMap(ours)} and ${sizeOfMap(theirs)} nodes`,
  };
}

/** Simplification by the real mlir-opt, for comparison. */
import { execFileSync } from 'node:child_process';
import {
  affineMap,
  constant,
  dim,
  equivalent,
  makeMap,
  printMap,
  sizeOf,
  substitute,
  symbol,
} from '@sconv/affine';

/** The name of an executable mlir-opt of LLVM 19; undefined if there is none. */
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
 * Runs mlir-opt on a module with one piece per item; returns what `read` finds for each. A piece that crashes mlir-opt
 * (it has bugs) is isolated by bisection and gives undefined.
 */
function runPieces(mlirOpt, flags, items, module, read) {
  if (items.length === 0) return [];
  if (items.length > 200) {
    return [items.slice(0, 200), items.slice(200)].flatMap((part) =>
      runPieces(mlirOpt, flags, part, module, read),
    );
  }
  let output;
  try {
    output = execFileSync(mlirOpt, ['--allow-unregistered-dialect', '--mlir-print-local-scope', ...flags], {
      input: module(items),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      timeout: 5000,
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

/** `--affine-simplify-structures` on maps as attributes; returns their texts. */
export function simplifyWithMlir(mlirOpt, maps) {
  const module = (items) =>
    `func.func @f() {\n${items.map((map) => `"t.t"() {m = affine_map<${map}>} : () -> ()`).join('\n')}\nreturn\n}`;
  const read = (output) => [...output.matchAll(/m = affine_map<(.*)>\} : /g)].map((match) => match[1]);
  return runPieces(mlirOpt, ['--affine-simplify-structures'], maps, module, read);
}

/**
 * `--canonicalize` on affine.apply, with dynamically bounded induction variables as dimensions and function arguments
 * as symbols. Returns the map's text over the original dimensions and symbols.
 */
export function canonicalizeWithMlir(mlirOpt, maps) {
  const numDims = Math.max(...maps.map((map) => map.numDims));
  const numSymbols = Math.max(...maps.map((map) => map.numSymbols));
  const names = (letter, count) => Array.from({ length: count }, (_, i) => `%${letter}${i}`);
  const module = (items) => {
    const body = items.map((map, i) => {
      const operands = `(${names('d', map.numDims).join(', ')})[${names('s', map.numSymbols).join(', ')}]`;
      return `%r${i} = affine.apply affine_map<${printMap(map)}>${operands}\n"t.t"(%r${i}) : (index) -> ()`;
    });
    const parameters = ['%n', ...names('s', numSymbols)].map((name) => `${name}: index`).join(', ');
    const loops = names('d', numDims).map((name) => `affine.for ${name} = 0 to %n {`);
    return `func.func @f(${parameters}) {\n${loops.join('\n')}\n${body.join('\n')}\n${'}'.repeat(numDims)}\nreturn\n}`;
  };
  const read = (output, count) => {
    // mlir-opt numbers arguments of functions and loops in order: %arg0 is the bound, then symbols, then dimensions.
    const leaf = (name) => {
      const index = Number(name.trim().replace('%arg', '')) - 1;
      return index < numSymbols ? symbol(index) : dim(index - numSymbols);
    };
    const leaves = (list) => (list === undefined || list.trim() === '' ? [] : list.split(',').map(leaf));
    const values = new Map();
    for (const match of output.matchAll(
      /(%\S+) = affine\.apply affine_map<(.*)>\(([^)]*)\)(?:\[([^\]]*)\])?/g,
    )) {
      const [result] = affineMap(match[2]).results;
      values.set(match[1], substitute(result, { dims: leaves(match[3]), symbols: leaves(match[4]) }));
    }
    for (const match of output.matchAll(/(%\S+) = arith\.constant (-?\d+) : index/g)) {
      values.set(match[1], constant(Number(match[2])));
    }
    const results = [...output.matchAll(/"t\.t"\((%\S+)\)/g)].map(
      (match) => values.get(match[1]) ?? leaf(match[1]),
    );
    return Array.from({ length: count }, (_, i) => printMap(makeMap(numDims, numSymbols, [results[i]])));
  };
  return runPieces(mlirOpt, ['--canonicalize'], maps, module, read);
}

/** MLIR assumes that symbolic divisors are positive. */
const positiveSymbols = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`s${i}`, [1, 1000]]));

const sizeOfMap = (map) => map.results.reduce((size, result) => size + sizeOf(result), 0);

/**
 * Compares our simplification of a map with mlir-opt's. Passes if they are equal, if ours has the original's values and
 * is at least as small, or if mlir-opt has crashed or changed the values.
 */
export function judge(original, ourText, theirText) {
  const text = `${printMap(original)}: ours ${ourText}, mlir-opt's ${theirText ?? 'crashed'}`;
  if (ourText === theirText) return { same: true, passed: true, text };
  const ours = affineMap(ourText);
  const differenceFrom = (map) => {
    const answer = equivalent(original, map, { domain: positiveSymbols });
    return answer.equivalent ? undefined : answer.counterexample;
  };
  if (differenceFrom(ours) !== undefined)
    return { same: false, passed: false, text: `${text}; ours is wrong` };
  if (theirText === undefined) return { same: false, passed: true, text };
  const theirs = affineMap(theirText);
  const wrongAt = differenceFrom(theirs);
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

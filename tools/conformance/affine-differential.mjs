/**
 * Random maps through `sconv affine simplify` and through mlir-opt-19:
 *
 *   node tools/conformance/affine-differential.mjs [--maps 2000] [--seed N] [--command 'node packages/sconv/bin/sconv.js']
 *
 * Against `--affine-simplify-structures` (maps as attributes) and against `--canonicalize` (maps of affine.apply).
 * Lists every difference; exits with 1 if one is not in our favour: ours has to have the original's values and be at
 * least as small. Prints SKIPPED without mlir-opt-19.
 */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { printMap } from '@sconv/affine';
import { arbitraryMap } from '@sconv/affine/arbitraries';
import { commandLine, numberOf } from '../command-line.mjs';
import { canonicalizeWithMlir, findMlirOpt, judge, simplifyWithMlir } from './mlir-opt.mjs';

const { values: options } = commandLine(
  "[--maps 2000] [--seed N] [--command 'node packages/sconv/bin/sconv.js']",
  {
    maps: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(1 + (Date.now() % 2 ** 31)) },
    command: { type: 'string', default: 'node packages/sconv/bin/sconv.js' },
  },
);
const [count, seed] = [numberOf('maps', options.maps), numberOf('seed', options.seed)];

const mlirOpt = findMlirOpt();
if (mlirOpt === undefined) {
  console.log('SKIPPED: mlir-opt-19 is not installed');
  process.exit(0);
}

/** One map in four has symbolic factors and divisors. */
const maps = fc.sample(
  fc.oneof(
    { arbitrary: arbitraryMap({ numResults: 1 }), weight: 3 },
    { arbitrary: arbitraryMap({ numResults: 1, semiAffine: true }), weight: 1 },
  ),
  { numRuns: count, seed },
);

/** The output of `sconv affine simplify` for maps, one per line. */
function simplifyWithSconv(texts) {
  const [program, ...args] = options.command.split(' ');
  const output = execFileSync(program, [...args, 'affine', 'simplify'], {
    input: texts.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return output.trimEnd().split('\n');
}

function compare(name, originals, ours, theirTexts) {
  let [same, failed] = [0, 0];
  originals.forEach((original, i) => {
    const judgement = judge(original, ours[i], theirTexts[i]);
    if (judgement.same) same += 1;
    else console.log(`${judgement.passed ? 'DIFFERENT' : 'FAILED'} ${name}: ${judgement.text}`);
    if (!judgement.passed) failed += 1;
  });
  console.log(
    `${name}: ${same} of ${originals.length} the same, ${originals.length - same} differ, ${failed} against us`,
  );
  return failed;
}

console.log(`seed ${seed}`);
const ours = simplifyWithSconv(maps.map((map) => printMap(map)));
let failed = compare(
  '--affine-simplify-structures',
  maps,
  ours,
  simplifyWithMlir(
    mlirOpt,
    maps.map((map) => printMap(map)),
  ),
);

failed += compare('--canonicalize', maps, ours, canonicalizeWithMlir(mlirOpt, maps));
process.exitCode = failed > 0 ? 1 : 0;

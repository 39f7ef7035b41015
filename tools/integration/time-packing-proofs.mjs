// @ts-check
/**
 * How long the proofs of the packing equations, splits and tilings of ConvBench's convolutions take:
 *
 *   node tools/integration/time-packing-proofs.mjs [--rows 500] [--slowest 5]
 *
 * Prints the median, the 95th percentile and the maximum of each claim and of all, in milliseconds of
 * processor time (that of the collector of garbage and of the compiler included), and the slowest proofs. Exits with 1
 * for a claim that is refuted or not decided. Needs the packages built.
 */
import { isPresburgerError } from '@sconv/presburger';
import { commandLine, numberOf } from '../command-line.mjs';
import { convBenchConvolutions, packingClaims } from './packing-claims.mjs';

const { values: options } = commandLine('[--rows 500] [--slowest 5]', {
  rows: { type: 'string', default: '500' },
  slowest: { type: 'string', default: '5' },
});
const convolutions = convBenchConvolutions(numberOf('rows', options.rows));

/** @type {{ claim: string, text: string, time: number, answer: string }[]} */
const proofs = [];
// In the order of a test that asks all of one convolution: code is warm after the first few.
for (const convolution of convolutions)
  for (const [claim, holds] of Object.entries(packingClaims)) {
    const begin = process.cpuUsage();
    let answer;
    try {
      answer = holds(convolution) ? 'holds' : 'refuted';
    } catch (error) {
      if (!isPresburgerError(error)) throw error;
      answer = error.code;
    }
    const { user, system } = process.cpuUsage(begin);
    const time = (user + system) / 1000;
    proofs.push({ claim, text: convolution.text, time, answer });
  }

/** @param {typeof proofs} of */
const distribution = (of) => {
  const times = of.map(({ time }) => time).sort((a, b) => a - b);
  const at = (/** @type {number} */ part) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? NaN).toFixed(2);
  return `median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, at most ${at(1)} ms`;
};

for (const claim of Object.keys(packingClaims))
  console.log(`${claim}: ${distribution(proofs.filter((proof) => proof.claim === claim))}`);
const wrong = proofs.filter(({ answer }) => answer !== 'holds');
console.log(
  `${convolutions.length} convolutions, ${proofs.length} proofs, ${wrong.length} fail: ${distribution(proofs)}`,
);
const slowest = [...proofs].sort((a, b) => b.time - a.time).slice(0, numberOf('slowest', options.slowest));
for (const { claim, text, time, answer } of [...wrong, ...slowest])
  console.log(`  ${time.toFixed(2)} ms, ${text}, ${claim}: ${answer}`);
process.exit(wrong.length > 0 ? 1 : 0);

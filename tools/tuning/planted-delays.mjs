/**
 * How often the tuner orders two codes rightly of which one does 1, 3 and 5 % more work, while another process keeps a
 * core busy. 3 % are to be ordered rightly in 95 % of the trials.
 *
 *     node tools/tuning/planted-delays.mjs [--trials 200] [--rounds 200000]
 *
 * Needs the packages built.
 */
import { spawn } from 'node:child_process';
import { unwrap } from '@sconv/diagnostics';
import { measured } from '@sconv/tuning';
import { commandLine } from '../command-line.mjs';
import { plantedMeasurer, tunePlanted } from './planted.mjs';

const { values: options } = commandLine('[--trials 200] [--rounds 200000]', {
  trials: { type: 'string', default: '200' },
  rounds: { type: 'string', default: '200000' },
});
const [trials, rounds] = [Number(options.trials), Number(options.rounds)];
const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
const measurer = plantedMeasurer();
let failures = 0;
for (const delay of [0.01, 0.03, 0.05]) {
  let right = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const { finals } = unwrap(await tunePlanted([rounds], Math.round(rounds * (1 + delay)), { measurer }));
    if (measured(finals[1], 'ratio') < 1) right += 1;
  }
  console.log(`${100 * delay} %: ${right} of ${trials} ordered rightly`);
  if (delay === 0.03 && right < 0.95 * trials) failures += 1;
}
measurer.close();
busy.kill();
process.exitCode = failures === 0 ? 0 : 1;

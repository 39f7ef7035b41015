/** A process that measures planted code: what it does is the name of the code. */
import { serveMeasurements } from '@sconv/tuning';

const elements = 4;

serveMeasurements(async ({ milliseconds }) => ({
  clock: () => performance.now() / 1000,
  flush: () => undefined,
  peak: () => 1e9,
  load: async (name) => {
    if (name === 'does not load') throw new Error('it does not load');
    let calls = 0;
    let output = Array(elements).fill(0);
    return {
      copies: 2,
      reset: () => {
        output = Array(elements).fill(0);
      },
      wrong: () => ({ wrong: output.filter((each, i) => each !== i).length, elements }),
      output: () => output,
      dispose: () => undefined,
      call: () => {
        calls += 1;
        if (name === 'crash') process.kill(process.pid, 'SIGSEGV');
        if (name === 'endless loop') for (;;);
        if (name === 'out of memory') for (const all = []; ;) all.push(Array(1e6).fill(calls + all.length));
        if (name === 'exits') process.exit(3);
        if (name === 'throws') throw new Error('it divides by zero');
        // Computes the first time only.
        if (name === 'stale' && calls > 1) return;
        for (const start = performance.now(); performance.now() - start < milliseconds;);
        output = Array.from({ length: elements }, (_, i) => i);
        if (name === 'one wrong element') output[2] = 7;
      },
    };
  },
}));

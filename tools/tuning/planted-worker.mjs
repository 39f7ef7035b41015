/** A process that measures planted code: a number of rounds of arithmetic. */
import { serveMeasurements } from '@sconv/tuning';

const elements = 4;

serveMeasurements(async () => ({
  clock: () => performance.now() / 1000,
  flush: () => undefined,
  load: async (rounds) => {
    let output = Array(elements).fill(0);
    return {
      copies: 2,
      reset: () => {
        output = Array(elements).fill(0);
      },
      wrong: () => ({ wrong: output.filter((each) => each === 0).length, elements }),
      output: () => output,
      dispose: () => undefined,
      call: () => {
        let sum = 1;
        for (let i = 0; i < rounds; i += 1) sum = (sum * 1.0000001 + i) % 1e9;
        output.fill(sum + 1);
      },
    };
  },
}));

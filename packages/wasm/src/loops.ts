/** Loops as WebAssembly has them: the condition at the end, the counter in a local. */
import type { FunctionBuilder } from './encoder.ts';
import { i32 } from './instructions.ts';

/** Runs `body` `count` times; `count` is known and may be 0. */
export const countedLoop = (f: FunctionBuilder, count: number, body: () => void): void => {
  if (count <= 0) return;
  if (count === 1) {
    body();
    return;
  }
  const left = f.let(i32.const(count));
  f.loop((next) => {
    body();
    f.set(left, i32.sub(f.get(left), i32.const(1)));
    f.branchIf(next, f.get(left));
  });
};

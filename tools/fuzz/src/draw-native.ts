/** Draws a function on buffers that shows one or two operations of the dialects. */
import { namedLinalgOps } from './draw-native-linalg.ts';
import * as memory from './draw-native-memory.ts';
import * as scalars from './draw-native-scalars.ts';
import * as vectors from './draw-native-vectors.ts';
import type { NativeProgram } from './native-writer.ts';
import { NativeWriter } from './native-writer.ts';
import type { Random } from './random.ts';

export const drawNative = (random: Random): NativeProgram => {
  const w = new NativeWriter(random);
  const draw = random.weighted<(w: NativeWriter) => void>([
    [6, scalars.integerOps],
    [4, scalars.floatOps],
    [4, scalars.conversions],
    [4, scalars.mathOps],
    [1, scalars.loops],
    [1, scalars.whiles],
    [1, scalars.parallels],
    [1, scalars.regions],
    [1, scalars.calls],
    [4, scalars.affineOps],
    [3, memory.accesses],
    [3, memory.copies],
    [5, memory.views],
    [1, memory.globals],
    [6, memory.linalgOps],
    [6, namedLinalgOps],
    [1, memory.atomics],
    [8, vectors.transfers],
    [1, vectors.masks],
    [5, vectors.memory],
    [6, vectors.parts],
    [5, vectors.shapes],
    [6, vectors.reductions],
  ])!;
  draw(w);
  return w.finish();
};

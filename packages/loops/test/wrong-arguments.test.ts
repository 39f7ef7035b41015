/** Cores that are called with what the transform ops would not pass on. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { replacementsOf } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { peelFrontOp, peelOp, pipelineOp, unrollAndJamOp, unrollOp } from '../src/index.ts';
import { counting } from './payloads.ts';

type Core = (rewriter: Rewriter, operation: DraftOperation) => Diagnosed<unknown>;

const call = (core: Core, name: string) => () => replacementsOf(counting(0, 8, 1), name, core);

describe('a number that cannot be', () => {
  it.each<[string, Core]>([
    ...[0, -1, 1.5, NaN].flatMap((factor): [string, Core][] => [
      [`unrollOp by ${factor}`, (rewriter, loop) => unrollOp(rewriter, loop, factor)],
      [`unrollAndJamOp by ${factor}`, (rewriter, loop) => unrollAndJamOp(rewriter, loop, factor)],
    ]),
    ...[1.5, NaN, Infinity].flatMap((number): [string, Core][] => [
      [
        `pipelineOp each ${number}`,
        (rewriter, loop) => pipelineOp(rewriter, loop, { iterationInterval: number, readLatency: 1 }),
      ],
      [
        `pipelineOp with latency ${number}`,
        (rewriter, loop) => pipelineOp(rewriter, loop, { iterationInterval: 1, readLatency: number }),
      ],
    ]),
  ])('%s', (_, core) => {
    expect(call(core, 'scf.for')).toThrow(RangeError);
  });
});

describe('what is no loop', () => {
  it.each<[string, Core, string]>([
    ['peelOp', peelOp, "failed to peel: expected an scf.for, got 'func.return'"],
    ['peelFrontOp', peelFrontOp, "failed to peel: expected an scf.for, got 'func.return'"],
    ['unrollOp', (rewriter, loop) => unrollOp(rewriter, loop, 2), 'failed to unroll'],
    ['unrollAndJamOp', (rewriter, loop) => unrollAndJamOp(rewriter, loop, 2), 'incorrect type of payload'],
  ])('%s', (_, core, message) => {
    expect(call(core, 'func.return')).toThrow(message);
  });
});

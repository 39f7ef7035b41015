import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replacementsOf } from '@sconv/transform/testing';
import { pipelineOp } from '../src/index.ts';
import { any, apply } from './payloads.ts';

const loop = '!transform.op<"scf.for">';
const script = (interval: number, latency: number): string =>
  `%loop = transform.structured.match ops{["scf.for"]} in %root : (${any}) -> ${loop}
%p = transform.loop.pipeline %loop {iteration_interval = ${interval} : i64, read_latency = ${latency} : i64} : (${loop}) -> ${any}
transform.annotate %p "pipelined" : ${any}`;

const around = (body: string, { from = 0, to = 5, by = 1 } = {}): string =>
  `func.func @f(%m: memref<40xf32>, %o: memref<40xf32> {llvm.noalias}, %x: f32, %y: f32, %n: index) -> (f32, f32) {
  %from = arith.constant ${from} : index
  %to = arith.constant ${to} : index
  %by = arith.constant ${by} : index
  %r:2 = scf.for %i = %from to %to step %by iter_args(%s = %x, %t = %y) -> (f32, f32) {
    ${body}
  }
  return %r#0, %r#1 : f32, f32
}`;

const read = `%v = vector.transfer_read %m[%i], %x : memref<40xf32>, vector<4xf32>
    %a = vector.extract %v[1] : f32 from vector<4xf32>`;
const bodies = {
  'a sum': `${read}
    %b = arith.addf %a, %s : f32
    %c = arith.addf %t, %x : f32
    scf.yield %b, %c : f32, f32`,
  'a copy': `${read}
    %b = arith.addf %a, %a : f32
    memref.store %b, %o[%i] : memref<40xf32>
    %c = arith.addf %b, %t : f32
    %d = arith.subf %c, %a : f32
    %e = arith.addf %s, %d : f32
    scf.yield %e, %c : f32, f32`,
  'iterations that swap': `${read}
    %b = arith.addf %a, %t : f32
    %c = arith.addf %s, %x : f32
    scf.yield %b, %c : f32, f32`,
  'a region': `%v = vector.transfer_read %m[%i], %x : memref<40xf32>, vector<4xf32>
    %q = arith.cmpi sgt, %i, %by : index
    %b = scf.if %q -> f32 {
      %a = vector.extract %v[1] : f32 from vector<4xf32>
      scf.yield %a : f32
    } else {
      scf.yield %t : f32
    }
    %c = arith.addf %b, %s : f32
    %d = arith.addf %t, %x : f32
    scf.yield %c, %d : f32, f32`,
};

/** The view comes a cycle before the store: the read would too. */
const withinStage = `%v = memref.subview %m[%i] [2] [1] : memref<40xf32> to memref<2xf32, strided<[1], offset: ?>>
    %w = memref.subview %v[1] [1] [1] : memref<2xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>
    linalg.fill ins(%x : f32) outs(%w : memref<1xf32, strided<[1], offset: ?>>)
    %a = memref.load %m[%i] : memref<40xf32>
    scf.yield %a, %t : f32, f32`;
const regionWithinStage = `%b = memref.alloc() : memref<4xf32>
    %z = memref.load %o[%i] : memref<40xf32>
    linalg.fill ins(%z : f32) outs(%b : memref<4xf32>)
    %c = scf.execute_region -> f32 {
      %d = memref.load %b[%from] : memref<4xf32>
      scf.yield %d : f32
    }
    scf.yield %c, %t : f32, f32`;

describe('transform.loop.pipeline', () => {
  it('reads what the iterations to come add', () => {
    const { diagnostics, text } = apply(around(bodies['a sum'], { to: 9 }), script(1, 2));
    expect(diagnostics).toBe('');
    const [before, inside] = text.split('scf.for');
    expect(before!.match(/transfer_read/g)).toHaveLength(3);
    expect(inside!.split('scf.yield')[0]!.match(/transfer_read/g)).toHaveLength(1);
    expect(inside!.split('pipelined')[1]).not.toContain('transfer_read');
  });

  it.each(Object.entries(bodies))('keeps what %s computes, or refuses', (_, body) => {
    let applied = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 6 }),
        (from, length, by, interval, latency) => {
          const payload = around(body, { from, to: from + length, by });
          const { status, diagnostics } = apply(payload, script(interval, latency));
          if (status === 'success') applied++;
          else expect(diagnostics).toContain('[pipeline/loop]');
        },
      ),
      { seed: 1, numRuns: 60 },
    );
    expect(applied).toBeGreaterThan(10);
  });

  it.each([
    ['too few iterations', around(bodies['a copy'], { to: 1 }), 1, 1, 'pipeline/loop'],
    ['a bound that is not known', around(bodies['a sum']).replace('to %to', 'to %n'), 1, 1, 'pipeline/loop'],
    [
      'a buffer that iterations read and write',
      around(bodies['a copy'].replace('%o[', '%m[')),
      1,
      1,
      'pipeline/loop',
    ],
    [
      'a view of such a buffer',
      around(
        bodies['a copy'].replace(
          'memref.store %b, %o[%i] : memref<40xf32>',
          `%w = memref.subview %m[0] [8] [1] : memref<40xf32> to memref<8xf32, strided<[1]>>
    memref.store %b, %w[%i] : memref<8xf32, strided<[1]>>`,
        ),
      ),
      1,
      1,
      'pipeline/loop',
    ],
    [
      'a choice of such a buffer',
      around(bodies['a copy'].replace('%o[', '%w[')).replace(
        '%r:2',
        `%q = arith.cmpi eq, %n, %by : index
  %w = arith.select %q, %m, %o : memref<40xf32>
  %r:2`,
      ),
      1,
      1,
      'pipeline/loop',
    ],
    [
      'arguments that may be one',
      around(bodies['a copy']).replace('{llvm.noalias}', ''),
      1,
      1,
      'pipeline/loop',
    ],
    ['accesses that one stage would exchange', around(withinStage), 8, 1, 'pipeline/loop'],
    ['what a region in one stage reads', around(regionWithinStage), 8, 1, 'pipeline/loop'],
    [
      'a value that the next iteration needs sooner',
      around(`%b = arith.addf %t, %x : f32
    %c = arith.mulf %b, %b : f32
    %d = arith.mulf %c, %b : f32
    %e = arith.addf %s, %s : f32
    scf.yield %e, %d : f32, f32`),
      1,
      1,
      'pipeline/loop',
    ],
    ['what is yielded unchanged', around('scf.yield %t, %s : f32, f32'), 1, 1, 'pipeline/loop'],
    ['no interval', around(bodies['a sum']), 0, 1, 'pipeline/attribute'],
    ['a negative latency', around(bodies['a sum']), 1, -1, 'pipeline/attribute'],
  ])('refuses %s', (_, payload, interval, latency, code) => {
    expect(apply(payload, script(interval, latency)).diagnostics).toContain(`[${code}]`);
  });
});

describe('pipelineOp', () => {
  const options = { iterationInterval: 1, readLatency: 1 };
  const payload = around(bodies['a sum']);

  it('refuses what is not a loop', () => {
    const pipelineReturn = () =>
      replacementsOf(payload, 'func.return', (rewriter, op) => pipelineOp(rewriter, op, options));
    expect(pipelineReturn).toThrow("failed to pipeline: expected an scf.for, got 'func.return'");
  });

  it.each([
    { ...options, iterationInterval: 0 },
    { ...options, readLatency: -1 },
  ])('has no use for an interval of $iterationInterval with a latency of $readLatency', (given) => {
    const pipeline = () =>
      replacementsOf(payload, 'scf.for', (rewriter, loop) => pipelineOp(rewriter, loop, given));
    expect(pipeline).toThrow(RangeError);
  });
});

import { parseModule } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { BisectOptions } from '../src/index.ts';
import { bisect } from '../src/index.ts';
import { convolution, generic, parse, registry, script, tiled } from './support/runs.ts';

const search = (lines: string, options: Partial<BisectOptions> = {}, payload = convolution) =>
  bisect(script(lines), payload, { registry, ...options });

const spoiled = 'transform.test.spoil %root : !transform.any_op';

describe('bisect', () => {
  it('finds no fault where there is none', () => {
    const { fault, changes, executions } = unwrap(search(tiled));
    expect({ fault, changes }).toEqual({ fault: undefined, changes: 2 });
    expect(executions).toBeLessThanOrEqual(3);
  });

  it('finds the step, with an element that is wrong', () => {
    const lines = `${tiled}\ntransform.test.rename %root "arith.addf" "arith.subf" : !transform.any_op`;
    const { fault, changes } = unwrap(search(lines));
    expect(changes).toBe(3);
    expect(fault?.diagnostic).toMatchObject({
      code: 'explain/wrong-result',
      message: expect.stringMatching(
        /^the result is wrong after this step, transform\.test\.rename: element 0 of result 0.*instead/,
      ) as string,
      location: { file: 'schedule.mlir', line: 6 },
    });
  });

  it('finds a step where right turns wrong, of two', () => {
    const { fault } = unwrap(search(`${generic}\n${spoiled}\n${spoiled}`));
    expect(fault?.diagnostic.location).toMatchObject({
      line: expect.toSatisfy((line) => line === 5) as number,
    });
  });

  it('finds a nested step, and says what runs it', () => {
    const lines = `%functions = transform.structured.match ops{["func.func"]} in %root
  : (!transform.any_op) -> !transform.any_op
transform.foreach %functions : !transform.any_op {
^bb0(%function: !transform.any_op):
  transform.test.spoil %function : !transform.any_op
}`;
    const { fault } = unwrap(search(lines));
    expect(fault?.node).toMatchObject({ operation: { name: 'transform.test.spoil' } });
    expect(fault?.diagnostic.notes.map(({ message }) => message)).toEqual([
      'it is run by this transform.foreach',
    ]);
  });

  it('does not take what was taken back for a fault, nor for a change', () => {
    const lines = `%functions = transform.structured.match ops{["func.func"]} in %root
  : (!transform.any_op) -> !transform.any_op
transform.alternatives %functions : !transform.any_op {
^bb0(%function: !transform.any_op):
  transform.test.spoil %function : !transform.any_op
  %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %function
    : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %conv tile_sizes [0, 3] {exact}
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
}, {
^bb0(%function: !transform.any_op):
  %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %function
    : (!transform.any_op) -> !transform.any_op
  %generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op
}`;
    expect(unwrap(search(lines))).toMatchObject({ fault: undefined, changes: 1 });
    const spoiledAfter = unwrap(search(`${lines}\n${spoiled}`));
    expect(spoiledAfter).toMatchObject({ changes: 2, fault: { diagnostic: { location: { line: 18 } } } });
  });

  it('passes over steps whose result cannot be executed, and names them where they may be the fault', () => {
    const hide = 'transform.test.obscure %root : !transform.any_op';
    const show = 'transform.test.reveal %root : !transform.any_op';
    expect(unwrap(search(`${generic}\n${hide}\n${show}`)).fault).toBeUndefined();
    expect(unwrap(search(`${generic}\n${hide}`)).fault).toBeUndefined();
    const { fault } = unwrap(search(`${generic}\n${hide}\n${spoiled}\n${show}`));
    expect(fault?.diagnostic.notes.map(({ message }) => message)).toEqual([
      'or after one of the steps 3, 4, which cannot be executed',
    ]);
    expect(fault?.number).toBe(5);
  });

  it('takes an access out of bounds for a fault', () => {
    const payload = parse(
      `func.func @f(%a: memref<4xf32>) {
        %i = arith.constant 2 : index
        %j = arith.addi %i, %i : index
        %k = arith.subi %j, %i : index
        %v = memref.load %a[%k] : memref<4xf32>
        memref.store %v, %a[%i] : memref<4xf32>
        return
      }`,
      'payload.mlir',
    );
    const lines = 'transform.test.rename %root "arith.subi" "arith.muli" : !transform.any_op';
    const { fault } = unwrap(search(lines, {}, payload));
    expect(fault?.diagnostic.message).toMatch(/@f fails: .*\[8\]/);
  });

  it('compares with what another schedule made of it', () => {
    const reference = parse(
      `func.func @f(%a: f32) -> f32 {
        %0 = arith.addf %a, %a : f32
        return %0 : f32
      }`,
      'other.mlir',
    );
    const payload = parse('func.func @f(%a: f32) -> f32 {\n return %a : f32\n }', 'payload.mlir');
    const result = search(spoiled, { reference }, payload);
    expect(unwrap(result).fault).toBeUndefined();
    expect(search(`${spoiled}\n${spoiled}`, { reference: payload }, reference)).toMatchObject({
      diagnostics: [{ code: 'explain/other-reference' }],
    });
  });

  it('refuses more work than it may do, and what it cannot execute', () => {
    expect(search(generic, { maxOperations: 100 })).toMatchObject({
      status: 'definite',
      diagnostics: [
        {
          code: 'explain/too-much-work',
          message: 'one execution takes more than 100 operations, the limit of a bisection',
        },
      ],
    });
    expect(search('', { reference: parse('func.func @other() { return }', 'other.mlir') })).toMatchObject({
      diagnostics: [
        { code: 'explain/not-executed', notes: [{ message: 'there is no function @conv any more' }] },
      ],
    });
    const strange = unwrap(
      parseModule('func.func @f(%a: tuple<f32>) -> tuple<f32> { return %a : tuple<f32> }', { registry }),
    );
    expect(search('', {}, strange)).toMatchObject({
      diagnostics: [
        {
          code: 'explain/not-executed',
          notes: [{ message: 'no argument of the type tuple<f32> can be made up' }],
        },
      ],
    });
  });

  it('does not take it for a fault that sums of fractions are added in another order', () => {
    const payload = parse(
      `func.func @sum(%a: tensor<64x8x8xf32>, %o: tensor<64xf32>) -> tensor<64xf32> {
        %c = arith.constant 0.1 : f32
        %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>],
            iterator_types = ["parallel", "reduction", "reduction"]}
            ins(%a : tensor<64x8x8xf32>) outs(%o : tensor<64xf32>) {
        ^bb0(%x: f32, %y: f32):
          %p = arith.mulf %x, %c : f32
          %q = arith.addf %y, %p : f32
          linalg.yield %q : f32
        } -> tensor<64xf32>
        return %0 : tensor<64xf32>
      }`,
      'payload.mlir',
    );
    const lines = `%g = transform.structured.match ops{["linalg.generic"]} in %root
  : (!transform.any_op) -> !transform.any_op
%o = transform.structured.interchange %g iterator_interchange = [0, 2, 1] : (!transform.any_op) -> !transform.any_op`;
    const found = unwrap(search(lines, {}, payload));
    expect([found.changes, found.fault]).toEqual([1, undefined]);
  });
});

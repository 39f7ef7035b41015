import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { children, extendRegistry, parseModule } from '@sconv/ir';
import { main, messages, payload, registry, runText, step, yieldedBy } from './support.ts';

/** A script that yields the result of this match. */
const scriptOf = (match: string) =>
  main(`%m = transform.structured.match ${match} : ${step}`).replace(
    'transform.yield',
    'transform.yield %m : !transform.any_op',
  );

const payloadRegistry = extendRegistry(
  registry,
  payloadDialects.filter(({ name }) => !registry.dialects.has(name)),
);

/** The result of this match, and its diagnostics. */
const found = (match: string, on = payload) => {
  const result = runText(scriptOf(match), { registry: payloadRegistry }, on);
  return { names: yieldedBy(result)[0]!.map((each) => each.name), said: messages(result) };
};

describe('transform.structured.match', () => {
  it.each([
    ['ops{["test.a"]} in %root', ['test.a', 'test.a']],
    ['ops{["test.b", "test.a"]} in %root', ['test.a', 'test.a']],
    ['attributes {n = 1 : i64} in %root', ['test.a']],
    ['ops{["test.a"]} attributes {n = 0 : i64} in %root', ['test.a']],
    ['in %root', ['test.a', 'test.a', 'builtin.module']],
    ['ops{["test.a"]} in %all', ['test.a', 'test.a']],
    ['ops{[]} in %root', []],
  ])('%s', (match, names) => {
    expect(found(match)).toEqual({ names, said: '' });
  });

  const structuredPayload = unwrap(
    parseModule(
      `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) {
  %exp = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.add ins(%a, %exp : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %sum low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  scf.for %i = %n to %n step %n { }
  return
}`,
      { registry: payloadRegistry },
    ),
  );

  it.each([
    ['interface{LinalgOp} in %root', ['linalg.exp', 'linalg.add']],
    ['interface{TilingInterface} in %root', ['linalg.exp', 'linalg.add', 'tensor.pad']],
    ['interface{LoopLikeInterface} in %root', ['scf.for']],
    ['filter_result_type = tensor<6xf32> in %root', ['tensor.pad']],
    ['interface{LinalgOp} filter_operand_types = [tensor<4xf32>] in %root', ['linalg.exp', 'linalg.add']],
    ['ops{["linalg.exp"]} filter_operand_types = [tensor<4xf32>, tensor<4xf32>] in %root', ['linalg.exp']],
    ['ops{["linalg.exp"]} filter_operand_types = [tensor<4xf32>, tensor<6xf32>] in %root', []],
  ])('%s, as mlir-opt finds them', (match, names) => {
    expect(found(match, structuredPayload).names).toEqual(names);
  });

  // `mlir-opt` has the same order.
  it('lists operations after those in them', () => {
    const nested = unwrap(
      parseModule(
        `func.func @f(%n: index) {
  scf.for %i = %n to %n step %n {
    scf.for %j = %i to %n step %n {
      %0 = arith.addi %j, %i : index
    }
    scf.for %k = %i to %n step %n {
    }
  }
  scf.for %l = %n to %n step %n {
  }
  return
}`,
        { registry: payloadRegistry },
      ),
    );
    const { names } = found('ops{["scf.for", "arith.addi", "func.func"]} in %root', nested);
    expect(names).toEqual(['arith.addi', 'scf.for', 'scf.for', 'scf.for', 'scf.for', 'func.func']);
    const loops = yieldedBy(
      runText(scriptOf('ops{["scf.for"]} in %root'), { registry: payloadRegistry }, nested),
    )[0]!;
    expect(loops.map((loop) => children(loop).length)).toEqual([2, 1, 3, 1]);
  });

  it('fails where the operands are not as many as the types', () => {
    const result = runText(
      scriptOf('interface{LinalgOp} filter_operand_types = [f32, f32, f32] in %root'),
      { registry: payloadRegistry },
      structuredPayload,
    );
    expect(messages(result)).toContain(
      '3 types cannot be those of 2 operands: filter by a name, or by one type [transform/match-operand-types]',
    );
  });

  const present = '\npayload.mlir:1:1: note: the payload has builtin.module, test.a';
  it.each([
    ['ops{["test.aa"]} in %root', "no operation is named 'test.aa'; did you mean 'test.a'?", present],
    ['ops{["x.y", "v.w"]} in %root', "no operation is named 'x.y', no operation is named 'v.w'", present],
    [
      'ops{["test.a"]} attributes {n = 2 : i64} in %root',
      'no operation has the attributes that are asked for',
      '',
    ],
    ['attributes {m} in %root', 'no operation has the attributes that are asked for', ''],
  ])('warns of %s, which finds nothing', (match, message, note) => {
    const { names, said } = found(match);
    expect(names).toEqual([]);
    expect(said).toBe(`script.mlir:4:10: warning: ${message} [transform/no-match]${note}`);
  });

  it.each([
    ['ops{["test.a"], "test.b"} in %root', "expected '}'"],
    ['ops{} in %root', 'expected attribute value'],
    ['ops{"test.a"} in %root', "attribute 'ops' failed to satisfy constraint: string array attribute"],
    [
      'attributes 3 in %root',
      "'op_attrs' failed to satisfy constraint: dictionary of named attribute values",
    ],
  ])('does not take %s', (match, message) => {
    expect(() => found(match)).toThrow(message);
  });

  it('does not warn where there was nothing to look in', () => {
    const none = `%none = transform.structured.match ops{[]} in %root : ${step}
    %m = transform.structured.match ops{["test.b"]} in %none : ${step}`;
    expect(messages(runText(main(none)))).toBe('');
  });
});

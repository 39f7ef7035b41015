/** `transform.tensor.make_loop_independent` and `transform.memref.make_loop_independent`. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
const apply = scriptTester(transforms, { difference: firstDifference });
/** For what the interpreter does not execute. */
const applyUnchecked = scriptTester(transforms);

const any = '!transform.any_op';
const independent = (dialect: 'tensor' | 'memref', op: string, loops = 1): string =>
  `%op = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}
%new = transform.${dialect}.make_loop_independent %op {num_loops = ${loops} : i64} : (${any}) -> ${any}
transform.annotate %new "new" : ${any}`;

/** Two loops, and in them `body` on the sum `%s`, which gives the next one as `%next`. */
const inLoops = (body: string, upper = '%n'): string => `func.func @f(%n: index, %x: f32, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c0 to ${upper} step %c2 iter_args(%r = %init) -> (f32) {
    %1 = scf.for %j = %i to %c5 step %c3 iter_args(%s = %r) -> (f32) {
      ${body}
      scf.yield %next : f32
    }
    scf.yield %1 : f32
  }
  return %0 : f32
}`;

/** Fills a tensor of size `%size`, which must not be 0, and adds its last element. */
const filled = `%e = tensor.empty(%size) : tensor<?xf32>
      %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %last = affine.apply affine_map<(d0) -> (d0 - 1)>(%size)
      %v = tensor.extract %f[%last] : tensor<?xf32>
      %next = arith.addf %s, %v : f32`;

const appliedTo = (map: string, ...operands: readonly string[]): string =>
  `%size = affine.apply affine_map<${map}>(${operands.join(', ')})`;

const emptyLine = (text: string): string => /tensor.empty\(.*/.exec(text)?.[0] ?? '';

describe('transform.tensor.make_loop_independent', () => {
  it('keeps the type of a padded tensor whose padding is a constant in an operand', () => {
    const payload = `func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %p = tensor.pad %t low[%c0] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}`;
    const { diagnostics, text } = apply(payload, independent('tensor', 'tensor.pad', 0));
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor<6xf32> to tensor<?xf32>');
  });

  it.each([
    ['what falls as a variable rises', appliedTo('(d0) -> (9 - d0)', '%j'), 2, 'tensor<9xf32>'],
    ['what cancels out', appliedTo('(d0, d1) -> (d0 - d1 + 1)', '%j', '%i'), 2, 'tensor<5xf32>'],
    ['a product', appliedTo('(d0) -> (d0 * 3 + 1)', '%j'), 2, 'tensor<13xf32>'],
    ['a quotient', appliedTo('(d0) -> (d0 floordiv 2 + 1)', '%j'), 2, 'tensor<3xf32>'],
    ['a quotient rounded up', appliedTo('(d0) -> (d0 ceildiv 3 + 1)', '%j'), 2, 'tensor<3xf32>'],
    ['a remainder', appliedTo('(d0) -> (d0 mod 4 + 1)', '%j'), 2, 'tensor<4xf32>'],
    [
      'a minimum, by its number',
      '%size = affine.min affine_map<(d0)[s0] -> (7, s0 - d0 + 8)>(%j)[%n]',
      2,
      'tensor<7xf32>',
    ],
    [
      'less a maximum',
      '%m = affine.max affine_map<(d0) -> (2, d0)>(%j)\n%c9 = arith.constant 9 : index\n%size = arith.subi %c9, %m : index',
      2,
      'tensor<7xf32>',
    ],
    ['a sum', '%size = arith.addi %j, %c3 : index', 2, 'tensor<7xf32>'],
    [
      'a product of values',
      '%j1 = arith.addi %j, %c2 : index\n%size = arith.muli %j1, %c3 : index',
      2,
      'tensor<18xf32>',
    ],
    [
      'the size of a slice',
      '%j1 = arith.addi %j, %c2 : index\n%b = tensor.empty() : tensor<2x9xf32>\n%sl = tensor.extract_slice %b[0, 0] [1, %j1] [1, 1] : tensor<2x9xf32> to tensor<?xf32>\n%size = tensor.dim %sl, %c0 : tensor<?xf32>',
      2,
      'tensor<6xf32>',
    ],
    [
      'the size of a padded slice',
      '%j1 = arith.addi %j, %c2 : index\n%b = tensor.empty() : tensor<2x9xf32>\n%sl = tensor.extract_slice %b[0, 0] [1, %j1] [1, 1] : tensor<2x9xf32> to tensor<?xf32>\n%pd = tensor.pad %sl low[1] high[%c2] {\n^bb0(%k: index):\n  tensor.yield %x : f32\n} : tensor<?xf32> to tensor<?xf32>\n%size = tensor.dim %pd, %c0 : tensor<?xf32>',
      2,
      'tensor<9xf32>',
    ],
    [
      'the size of a filled slice',
      '%j1 = arith.addi %j, %c2 : index\n%b = tensor.empty() : tensor<2x9xf32>\n%sl = tensor.extract_slice %b[0, 0] [1, %j1] [1, 1] : tensor<2x9xf32> to tensor<?xf32>\n%fl = linalg.fill ins(%x : f32) outs(%sl : tensor<?xf32>) -> tensor<?xf32>\n%size = tensor.dim %fl, %c0 : tensor<?xf32>',
      2,
      'tensor<6xf32>',
    ],
    ['a constant', '%size = arith.addi %c3, %c0 : index', 2, 'tensor<?xf32>'],
  ])('bounds %s', (_, size, loops, type) => {
    const script = independent('tensor', 'tensor.empty', loops);
    const { status, text, diagnostics } = apply(inLoops(`${size}\n${filled}`), script);
    expect(diagnostics).toBe('');
    expect(status).toBe('success');
    expect(text).toMatch(new RegExp(`tensor.empty\\(.*\\) .*${type.replace('?', '\\?')}`));
  });

  it('leaves what does not depend on the loops', () => {
    const { status, text } = apply(
      inLoops(`%size = arith.addi %i, %c3 : index\n${filled}`),
      independent('tensor', 'tensor.empty'),
    );
    expect(status).toBe('success');
    expect(text).not.toContain('extract_slice');
    expect(emptyLine(text)).toContain('{new}');
  });

  it('gives a larger padding the sizes that it has', () => {
    const body = `%low = arith.addi %i, %c2 : index
      %t = tensor.from_elements %x, %x : tensor<2xf32>
      %p = tensor.pad %t low[%low] high[%j] {
      ^bb0(%k: index):
        tensor.yield %x : f32
      } : tensor<2xf32> to tensor<?xf32>
      %v = tensor.extract %p[%c0] : tensor<?xf32>
      %next = arith.addf %s, %v : f32`;
    const { text } = apply(inLoops(body, '%c5'), independent('tensor', 'tensor.pad', 2));
    expect(text).toContain('tensor<2xf32> to tensor<12xf32>');
    expect(text).toMatch(/extract_slice %padded\[%\d+\] \[%\d+\] \[1\]/);
  });

  it.each([
    [
      'tile/enclosing-loop',
      'could not find 2-th enclosing loop',
      inLoops(`%size = arith.addi %j, %c3 : index\n${filled}`),
      independent('tensor', 'tensor.empty', 3),
    ],
    [
      'tile/dependent-target',
      'unsupported target op',
      inLoops(`%size = arith.addi %j, %c3 : index\n${filled}`),
      independent('tensor', 'linalg.fill'),
    ],
    [
      'tile/unbounded',
      'could not make target op loop-independent',
      inLoops(`%k = arith.addi %j, %c3 : index\n%size = arith.muli %k, %k : index\n${filled}`),
      independent('tensor', 'tensor.empty'),
    ],
  ])('%s', (code, message, payload, script) => {
    const { status, diagnostics } = apply(payload, script);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`${message} [${code}]`);
  });

  it.each([
    [
      'size',
      inLoops(`%k = affine.apply affine_map<(d0) -> (d0 - 9)>(%j)\n${filled.replace('%size', '%k')}\n`),
      'tensor.empty',
    ],
    [
      'padding',
      inLoops(`%low = affine.apply affine_map<(d0) -> (d0 - 9)>(%j)
      %t = tensor.from_elements %x, %x : tensor<2xf32>
      %p = tensor.pad %t low[%low] high[0] {
      ^bb0(%k: index):
        tensor.yield %x : f32
      } : tensor<2xf32> to tensor<?xf32>
      %v = tensor.extract %p[%c0] : tensor<?xf32>
      %next = arith.addf %s, %v : f32`),
      'tensor.pad',
    ],
  ])('refuses a negative %s, in a loop that cannot run', (_, payload, op) => {
    const sized = payload.replace('affine_map<(d0) -> (d0 - 1)>(%size)', 'affine_map<(d0) -> (d0 - 1)>(%k)');
    const { diagnostics } = applyUnchecked(sized, independent('tensor', op, 2));
    expect(diagnostics).toContain('tile/unbounded');
  });

  it('refuses a padding that differs from element to element', () => {
    const body = `%t = tensor.from_elements %x, %x : tensor<2xf32>
      %p = tensor.pad %t low[%j] high[0] {
      ^bb0(%k: index):
        %ki = arith.index_cast %k : index to i32
        %kf = arith.sitofp %ki : i32 to f32
        tensor.yield %kf : f32
      } : tensor<2xf32> to tensor<?xf32>
      %v = tensor.extract %p[%c0] : tensor<?xf32>
      %next = arith.addf %s, %v : f32`;
    expect(apply(inLoops(body), independent('tensor', 'tensor.pad')).diagnostics).toContain('tile/unbounded');
  });

  /** An expression in `%i` and `%j`, more than -500. */
  const term = fc.letrec<{ readonly expr: string }>((tie) => ({
    expr: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('d0', 'd1'),
      fc.integer({ min: -3, max: 5 }).map((number) => `${number}`),
      fc.tuple(tie('expr'), fc.constantFrom('+', '-'), tie('expr')).map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(tie('expr'), fc.integer({ min: -3, max: 3 })).map(([a, by]) => `(${a} * ${by})`),
      fc
        .tuple(tie('expr'), fc.constantFrom('floordiv', 'ceildiv', 'mod'), fc.integer({ min: 1, max: 4 }))
        .map(([a, op, by]) => `(${a} ${op} ${by})`),
    ),
  })).expr;

  it('is never too small', () => {
    let bounded = 0;
    fc.assert(
      fc.property(
        fc.array(term, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 2 }),
        (terms, loops) => {
          const size = `%m = affine.min affine_map<(d0, d1) -> (${terms.join(', ')})>(%i, %j)
      %p = affine.apply affine_map<(d0) -> (d0 mod 3 + d0 + 500)>(%m)
      %size = arith.addi %p, %j : index`;
          const script = independent('tensor', 'tensor.empty', loops);
          const { status, diagnostics } = apply(inLoops(`${size}\n${filled}`, '%c5'), script);
          if (status === 'success') bounded += 1;
          else expect(diagnostics).toContain('tile/unbounded');
        },
      ),
      { seed: 1, numRuns: 100 },
    );
    expect(bounded).toBeGreaterThan(90);
  });
});

describe('transform.memref.make_loop_independent', () => {
  const buffer = (more: string, type = 'memref<?xf32, 3>'): string =>
    inLoops(`%size = arith.addi %j, %c3 : index
      %b = memref.alloca(%size) {alignment = 64 : i64} : ${type}
      ${more}
      %next = memref.load %b[%c0] : ${type}`);

  it('keeps memory space and alignment', () => {
    const { text } = applyUnchecked(buffer(''), independent('memref', 'memref.alloca', 2));
    expect(text).toContain('memref.alloca() {alignment = 64 : i64} : memref<7xf32, 3>');
    expect(text).toMatch(/memref.load %subview\[%c0\] : memref<\?xf32, strided<\[1\]>, 3>/);
  });

  it('computes the same', () => {
    const fill = 'linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)';
    expect(apply(buffer(fill, 'memref<?xf32>'), independent('memref', 'memref.alloca', 2)).diagnostics).toBe(
      '',
    );
  });

  it('casts for what takes the type alone', () => {
    const { text } = applyUnchecked(
      `func.func private @use(memref<?xf32, 3>)\n${buffer('func.call @use(%b) : (memref<?xf32, 3>) -> ()')}`,
      independent('memref', 'memref.alloca', 2),
    );
    expect(text).toContain(
      'unrealized_conversion_cast %subview : memref<?xf32, strided<[1]>, 3> to memref<?xf32, 3>',
    );
    expect(text).toMatch(/call @use\(%\d+\) : \(memref<\?xf32, 3>\)/);
  });

  it('leaves a buffer that does not depend on the loops', () => {
    const { status, text } = applyUnchecked(buffer(''), independent('memref', 'memref.alloca', 0));
    expect(status).toBe('success');
    expect(text).not.toContain('subview');
  });

  it.each([
    ['tile/dependent-target', 'unsupported target op', 'memref.load'],
    ['tile/enclosing-loop', 'could not find 2-th enclosing loop', 'memref.alloca'],
  ])('%s', (code, message, op) => {
    const loops = op === 'memref.load' ? 1 : 3;
    const { status, diagnostics } = applyUnchecked(buffer(''), independent('memref', op, loops));
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`${message} [${code}]`);
  });
});

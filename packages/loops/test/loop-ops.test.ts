import { describe, expect, it } from 'vitest';
import { any, apply, counting, here } from './payloads.ts';

const loop = '!transform.op<"scf.for">';
const peel = (attributes: string): string =>
  `%loop = transform.structured.match ops{["scf.for"]} in %root : (${any}) -> ${loop}
%a, %b = transform.loop.peel %loop ${attributes} : (${loop}) -> (${loop}, ${loop})
transform.annotate %b "rest" : ${loop}`;
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** A loop with a dynamic upper bound. */
const dynamic = (step: string): string => `func.func @f(%m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %step = arith.constant ${step} : index
  %size = memref.dim %m, %c0 : memref<?xindex>
  %sum = scf.for %i = %c0 to %size step %step iter_args(%s = %c0) -> index {
    %part = affine.min affine_map<(d0)[s0] -> (${step}, -d0 + s0)>(%i)[%size]
    memref.store %s, %m[%i] : memref<?xindex>
    %1 = arith.addi %part, %s : index
    scf.yield %1 : index
  } {here}
  return %sum : index
}`;

describe('transform.loop.peel', () => {
  it.each([
    ['', 0, 7, 2],
    ['', 1, 9, 3],
    ['{peel_front = true}', 0, 7, 2],
    ['{peel_front = true}', 1, 5, 2],
  ])('with %s makes two loops of that from %d to %d by %d', (attributes, lower, upper, step) => {
    const { diagnostics, text } = apply(counting(lower, upper, step), peel(attributes));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(2);
    expect(text).toContain('rest');
  });

  it('decides what is less than the last iterations that there may be', () => {
    const { diagnostics, text } = apply(dynamic('4').replace('-> (4, -d0', '-> (3, -d0'), peel(''));
    expect(diagnostics).toBe('');
    expect(text).not.toContain('affine.min');
  });

  it('decides what the size of a tile is', () => {
    const { diagnostics, text } = apply(dynamic('4'), peel(''));
    expect(diagnostics).toBe('');
    expect(text).not.toContain('affine.min');
    expect(text).toContain('affine_map<() -> (4)>');
  });

  it.each([
    // The buffer has four elements.
    ['0', '%size', 'affine.apply'],
    ['1', '%size', 'affine.max'],
    ['10', '%size', 'affine.max'],
    ['10', '%twice', 'affine.max'],
    ['0', '%twice', 'affine.apply'],
    ['0', '%less', 'affine.max'],
    ['0', '%sum', 'affine.max'],
  ])('from %s to %s, makes no iterations of those that there are not', (lower, upper, op) => {
    const payload = `func.func @f(%m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %lower = arith.constant ${lower} : index
  %size = memref.dim %m, %c0 : memref<?xindex>
  %twice = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%size]
  %less = affine.apply affine_map<()[s0] -> (s0 - 6)>()[%size]
  %sum = arith.addi %size, %c3 : index
  %r = scf.for %i = %lower to ${upper} step %c3 iter_args(%s = %c0) -> index {
    %1 = arith.addi %i, %s : index
    scf.yield %1 : index
  }
  return %r : index
}`;
    const { diagnostics, text } = apply(payload, peel(''));
    expect(diagnostics).toBe('');
    expect(text.split('scf.for')[0]!.split('\n').at(-2)).toContain(op);
  });

  it('takes a first iteration only where there is one', () => {
    const { diagnostics, text } = apply(dynamic('4'), peel('{peel_front = true}'));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(2);
  });

  it.each([
    ['peel/last', '', counting(0, 8, 2)],
    ['peel/last', '{fail_if_already_divisible = true}', counting(0, 8, 2)],
    ['peel/last', '', counting(0, 8, 1)],
    ['peel/last', '', counting(8, 3, 2)],
    ['peel/last', '', dynamic('1')],
    ['peel/first', '{peel_front = true}', counting(0, 2, 2)],
    ['peel/first', '{peel_front = true}', counting(8, 0, 2)],
  ])('refuses with %s: %s', (code, attributes, payload) => {
    expect(apply(payload, peel(attributes)).diagnostics).toContain(`[${code}]`);
  });
});

describe('transform.loop.coalesce', () => {
  const coalesce = `${here}%one = transform.loop.coalesce %loop : (${any}) -> ${any}
transform.annotate %one "one" : ${any}`;
  const nest = (outer: string, inner: string, type = 'index'): string => {
    const cast = (name: string): string =>
      type === 'index' ? '' : `%${name}x = arith.index_cast %${name} : ${type} to index\n      `;
    const suffix = type === 'index' ? '' : 'x';
    const annotation = type === 'index' ? '' : `: ${type} `;
    return `func.func @f(%m: memref<16x16xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : ${type}
  %c1 = arith.constant 1 : ${type}
  %c2 = arith.constant 2 : ${type}
  %c3 = arith.constant 3 : ${type}
  %c9 = arith.constant 9 : ${type}
  %c12 = arith.constant 12 : ${type}
  %c14 = arith.constant 14 : ${type}
  %below = arith.constant -1 : ${type}
  %sum = scf.for %i = ${outer} iter_args(%s = %x) -> f32 ${annotation}{
    %row = scf.for %j = ${inner} iter_args(%t = %s) -> f32 ${annotation}{
      ${cast('i')}${cast('j')}%0 = memref.load %m[%i${suffix}, %j${suffix}] : memref<16x16xf32>
      memref.store %t, %m[%i${suffix}, %j${suffix}] : memref<16x16xf32>
      %1 = arith.subf %0, %t : f32
      scf.yield %1 : f32
    }
    scf.yield %row : f32
  } {here}
  return %sum : f32
}`;
  };

  /** The outer loop counts in i32, the others in `index`. */
  const mixed = nest('%c0 to %c3 step %c1', '%a to %c step %b', 'i32')
    .replace(
      '%sum =',
      '%a = arith.constant 0 : index\n%b = arith.constant 1 : index\n%c = arith.constant 3 : index\n%sum =',
    )
    .replace('-> f32 : i32 {\n      %ix', '-> f32 {\n      %ix')
    .replace('%jx = arith.index_cast %j : i32 to index', '%jx = arith.addi %j, %ix : index');

  it('makes one loop of those that count in one type', () => {
    const three = mixed
      .replace(
        'iter_args(%t = %s) -> f32 {',
        'iter_args(%u = %s) -> f32 {\n%e = scf.for %k = %a to %c step %b iter_args(%t = %u) -> f32 {',
      )
      .replace('scf.yield %1 : f32', 'scf.yield %1 : f32\n}\nscf.yield %e : f32');
    const { diagnostics, text } = apply(three, coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(2);
  });

  it.each([
    ['%c0 to %c3 step %c1', '%c0 to %c9 step %c1', 'index'],
    ['%c1 to %c9 step %c3', '%c2 to %c9 step %c2', 'index'],
    ['%c1 to %c9 step %c3', '%c2 to %c9 step %c2', 'i32'],
    // One iteration, and none.
    ['%c0 to %c1 step %c1', '%c3 to %c9 step %c1', 'index'],
    ['%c3 to %c9 step %c1', '%c0 to %c1 step %c1', 'index'],
    ['%c0 to %c1 step %c1', '%c0 to %c2 step %c2', 'index'],
    ['%c9 to %c0 step %c2', '%c9 to %c0 step %c2', 'index'],
    ['%c0 to %below step %c1', '%c0 to %below step %c1', 'index'],
    ['%c0 to %below step %c2', '%c0 to %below step %c1', 'i32'],
    ['%c0 to %below step %c2', '%below to %c0 step %c1', 'i32'],
    // The most iterations that i8 counts, 126 of 127.
    ['%c3 to %c12 step %c1', '%c0 to %c14 step %c1', 'i8'],
    ['%c0 to %c12 step %c1', '%c0 to %c12 step %c1', 'i16'],
    // Ranges of -14 iterations each, which are none.
    ['%c14 to %c0 step %c1', '%c14 to %c0 step %c1', 'i8'],
  ])('makes one loop of those over %s and %s', (outer, inner, type) => {
    const { diagnostics, text } = apply(nest(outer, inner, type), coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(1);
    expect(text).toContain('one');
  });

  it.each([
    ['a loop alone', counting(0, 7, 2)],
    ['bounds that the outer loop computes', nest('%c0 to %c9 step %c1', '%i to %c9 step %c1')],
    ['loops that count in different types', mixed],
    ['what is no loop', 'func.func @f() {\n  %x = arith.constant {here} 1.0 : f32\n  return\n}'],
  ])('refuses %s', (_, payload) => {
    expect(apply(payload, coalesce).diagnostics).toContain('failed to coalesce [coalesce/failed]');
  });

  it.each([
    ['i8', '%c0 to %c12 step %c1', '%c0 to %c12 step %c1'],
    // A range that is longer than any number of its type.
    ['i8', '%least to %most step %c1', '%c0 to %c1 step %c1'],
    // Bounds that are not known, and a product that is 2 ** 15 at most.
    ['i8', '%c0 to %n step %c1', '%c0 to %c2 step %c1'],
    ['i16', '%c0 to %n step %c2', '%c0 to %c2 step %c1'],
    ['i16', '%n to %c3 step %c14', '%c0 to %c1 step %c1'],
    ['i32', '%c0 to %n step %c1', '%c0 to %n step %c1'],
    // From the least index to 100.
    ['index', '%first to %most step %c1', '%c0 to %c1 step %c1'],
  ])('refuses more iterations than may fit %s: %s and %s', (type, outer, inner) => {
    const payload = nest(outer, inner, type)
      .replace('%x: f32)', `%x: f32, %n: ${type})`)
      .replace(
        '%sum =',
        (type === 'index' ? '%first = arith.constant -9223372036854775808 : index\n  ' : '') +
          `%least = arith.constant -100 : ${type}\n  %most = arith.constant 100 : ${type}\n  %sum =`,
      );
    const { diagnostics } = apply(payload, coalesce);
    expect(diagnostics).toContain(`the iterations may be more than ${type} counts [coalesce/overflow]`);
  });

  it.each([
    ['i8', '%c0 to %n step %c1', '%c2 to %c3 step %c1'],
    ['i8', '%c3 to %n step %c2', '%c0 to %c2 step %c1'],
    ['i16', '%c0 to %n step %c9', '%c0 to %c3 step %c1'],
    ['index', '%c0 to %n step %c1', '%c0 to %n step %c1'],
  ])('multiplies counts that are not known where they fit %s: %s and %s', (type, outer, inner) => {
    const payload = nest(outer, inner, type).replace('%x: f32)', `%x: f32, %n: ${type})`);
    const { diagnostics, text } = apply(payload, coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(1);
  });

  it.each([
    // The buffer has 16 rows, which the analysis of bounds does not see through the subtraction.
    ['%c0 to %down step %c1', '%c0 to %down step %c1', 1],
    ['%c9 to %down step %c2', '%c12 to %down step %c3', 1],
    ['%down to %c3 step %c1', '%c9 to %down step %c2', 1],
    ['%c0 to %up step %c1', '%c0 to %up step %c1', 1],
    ['%c0 to %down step %c1', '%c0 to %c3 step %c1', 0],
    ['%c0 to %rows step %c1', '%c0 to %rows step %c2', 0],
  ])('runs no iteration of empty loops over %s and %s', (outer, inner, clamped) => {
    const payload = nest(outer, inner)
      .replace('16x16xf32>, %x', '?x16xf32>, %x')
      .replaceAll('memref<16x16xf32>\n', 'memref<?x16xf32>\n')
      .replace(
        '%sum =',
        `%rows = memref.dim %m, %c0 : memref<?x16xf32>
  %down = arith.subi %c2, %rows : index
  %up = arith.subi %rows, %c1 : index
  %sum =`,
      );
    const { diagnostics, text } = apply(payload, coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(1);
    expect(occurrences(text, 'maxsi')).toBe(clamped);
  });

  it.each(['%1 = arith.subf %s, %t : f32', '%1 = arith.addf %0, %s : f32'])(
    'refuses an outer iter arg that the inner loop uses: %s',
    (sum) => {
      const payload = nest('%c0 to %c3 step %c1', '%c0 to %c9 step %c1').replace(
        '%1 = arith.subf %0, %t : f32',
        sum,
      );
      expect(apply(payload, coalesce).diagnostics).toContain('failed to coalesce [coalesce/failed]');
    },
  );

  it('makes one loop of the inner ones where all three have too many iterations', () => {
    const payload = `func.func @f(%m: memref<8xi8>) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c8 = arith.constant 8 : i8
  scf.for %i = %c0 to %c8 step %c1 : i8 {
    scf.for %j = %c0 to %c8 step %c1 : i8 {
      scf.for %k = %c0 to %c8 step %c1 : i8 {
        %x = arith.index_cast %k : i8 to index
        %0 = memref.load %m[%x] : memref<8xi8>
        %1 = arith.muli %0, %i : i8
        %2 = arith.addi %1, %j : i8
        memref.store %2, %m[%x] : memref<8xi8>
      }
    }
  } {here}
  return
}`;
    const { diagnostics, text } = apply(payload, coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(2);
  });
});

describe('transform.loop.outline', () => {
  const outline = `${here}%f, %call = transform.loop.outline %loop {func_name = "f"} : (${any}) -> (${any}, ${any})
transform.annotate %f "outlined" : ${any}
transform.annotate %call "call" : ${any}`;

  it('makes a function under a name that is not taken', () => {
    const { diagnostics, text } = apply(counting(0, 7, 2), outline);
    expect(diagnostics).toBe('');
    expect(text).toContain('func.func @f_0');
    expect(text).toMatch(/func\.call @f_0\(.*\) \{call\}/);
  });

  it('refuses what has no body', () => {
    const payload = 'func.func @f() {\n  %x = arith.constant {here} 1.0 : f32\n  return\n}';
    expect(apply(payload, outline).diagnostics).toContain('failed to outline [outline/failed]');
  });
});

describe('transform.loop.forall_to_for and forall_to_parallel', () => {
  const parallel = (upper: string, mark = '{here}'): string => `func.func @f(%m: memref<8x8xf32>, %x: f32) {
  %c6 = arith.constant 6 : index
  scf.forall (%i, %j) = (0, 1) to (4, ${upper}) step (1, 3) {
    memref.store %x, %m[%i, %j] : memref<8x8xf32>
  } ${mark}
  return
}`;
  const toFor = (results = 2): string =>
    `${here}%loops:${results} = transform.loop.forall_to_for %loop : (${any}) -> (${Array(results).fill(any).join(', ')})`;
  const toParallel = `${here}%parallel = transform.loop.forall_to_parallel %loop : (${any}) -> ${any}`;
  const shared = `func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %a) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  } {here}
  return %0 : tensor<4xf32>
}`;

  it.each(['%c6', '6', '1'])('make the loops up to %s', (upper) => {
    const asFor = apply(parallel(upper), toFor());
    expect(asFor.diagnostics).toBe('');
    expect(occurrences(asFor.text, 'scf.for ')).toBe(2);
    const asParallel = apply(parallel(upper), toParallel);
    expect(asParallel.diagnostics).toBe('');
    expect(asParallel.text).toContain('scf.parallel (%arg2, %arg3)');
  });

  it.each([
    ['forall/single', parallel('6', ''), toFor()],
    ['forall/single', parallel('6', ''), toParallel],
    ['forall/kind', counting(0, 4, 1), toFor()],
    ['forall/kind', counting(0, 4, 1), toParallel],
    ['forall/outputs', shared, toFor(1)],
    ['forall/outputs', shared, toParallel],
    ['forall/results', parallel('6'), toFor(3)],
  ])('refuse with %s', (code, payload, script) => {
    expect(apply(payload, script).diagnostics).toContain(`[${code}]`);
  });
});

/** Two loops of the function, with what stands before, between and behind them. */
const pair = (
  between: string,
  second: string,
  other = '%c4',
): string => `func.func @f(%m: memref<4xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %a = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0) -> index {
    %0 = arith.addi %s, %i : index
    scf.yield %0 : index
  } {first}
  ${between}
  %b = scf.for %i = %c0 to ${other} step %c1 iter_args(%s = %c1) -> index {
    %0 = arith.muli %s, ${second} : index
    scf.yield %0 : index
  } {second}
  %sum = arith.addi %a, %b : index
  return %sum : index
}`;
const find = (name: string): string =>
  `%${name} = transform.structured.match attributes {${name}} in %root : (${any}) -> ${any}`;
const fuse = (target: string, source: string): string =>
  `${find('first')}\n${find('second')}\n%one = transform.loop.fuse_sibling %${target} into %${source} : (${any}, ${any}) -> ${any}`;

describe('transform.loop.fuse_sibling', () => {
  it.each([
    ['first', 'second', ''],
    ['second', 'first', ''],
    ['first', 'second', '%c = arith.addi %c4, %c5 : index'],
  ])('lets one loop do what %s and %s do', (target, source, between) => {
    const { diagnostics, text } = apply(pair(between, '%c5'), fuse(target, source));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(1);
  });

  it.each([
    ['operations cannot be fused', pair('', '%c5', '%c5'), fuse('first', 'second')],
    [
      'user of results of target should be properly dominated by source',
      pair('%c = arith.addi %a, %c5 : index', '%c5'),
      fuse('first', 'second'),
    ],
    [
      'user of results of target should be properly dominated by source',
      pair('', '%a'),
      fuse('first', 'second'),
    ],
    [
      'values used inside regions of target should be properly dominated by source',
      pair('%c = arith.addi %c4, %c5 : index', '%c'),
      fuse('second', 'first'),
    ],
    [
      'operands of target should be properly dominated by source',
      pair('%c = arith.addi %c4, %c5 : index', '%c5', '%c'),
      fuse('second', 'first'),
    ],
    [
      'target and source need to be different loops',
      pair('', '%c5'),
      `${find('first')}\n%again = transform.structured.match attributes {first} in %root : (${any}) -> ${any}
%one = transform.loop.fuse_sibling %first into %again : (${any}, ${any}) -> ${any}`,
    ],
  ])('refuses: %s', (message, payload, script) => {
    const { diagnostics } = apply(payload, script);
    if (message.includes('different loops')) expect(diagnostics).toMatch(/different loops|repeated/);
    else expect(diagnostics).toContain(`${message} [fuse-sibling/target]`);
  });

  /** Two loops in parallel that each write to a tensor of their own, at places of their own. */
  const parallelPair = (one: string, other = one, mapping = '', otherMapping = mapping): string => {
    const names = one.includes(',') ? '%i, %j' : '%i';
    const loop = (
      bounds: string,
      dest: string,
      rest: string,
      sign: string,
    ): string => `scf.forall (${names}) ${bounds} shared_outs(%o = ${dest}) -> (tensor<4x4xf32>) {
    %e = tensor.extract_slice %x[${names.includes('j') ? names : '%i, 0'}] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1x1xf32>
    %d = linalg.${sign} ins(%e : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[${names.includes('j') ? names : '%i, 0'}] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x4xf32>
    }
  } ${rest}`;
    const attributes = (name: string, as: string): string =>
      `{${as === '' ? '' : `mapping = [${as}], `}${name}}`;
    return `func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %n: index, %k: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = ${loop(one, '%x', attributes('first', mapping), 'negf')}
  %b = ${loop(other, '%y', attributes('second', otherMapping), 'abs')}
  return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}`;
  };
  const [block, thread] = ['#gpu.block<x>', '#gpu.thread<x>'];

  it.each([
    ['of a size', parallelPair('in (4)')],
    ['of two sizes', parallelPair('in (4, 3)')],
    ['of ranges', parallelPair('= (0, 1) to (4, 3) step (2, 1)')],
    ['of sizes that are not known', parallelPair('in (%n)')],
    ['with a mapping', parallelPair('in (4)', 'in (4)', block)],
  ])('lets one loop in parallel do what two do, %s', (_, payload) => {
    for (const [target, source] of [['first', 'second'], ['second', 'first']] as const) {
      const { diagnostics, text } = apply(payload, fuse(target, source));
      expect(diagnostics).toBe('');
      expect(occurrences(text, 'scf.forall (')).toBe(1);
      expect(occurrences(text, 'parallel_insert_slice')).toBe(2);
      expect(text.includes('mapping = [')).toBe(payload.includes('mapping'));
    }
  }); // prettier-ignore

  it.each([
    ['other sizes', parallelPair('in (4)', 'in (3)')],
    ['another last size', parallelPair('in (4, 4)', 'in (4, 3)')],
    ['other first indices', parallelPair('= (0) to (4) step (1)', '= (1) to (4) step (1)')],
    ['other steps', parallelPair('= (0) to (4) step (1)', '= (0) to (4) step (2)')],
    ['a size that is not known', parallelPair('in (%n)', 'in (4)')],
    ['a known size', parallelPair('in (4)', 'in (%n)')],
    ['sizes of which neither is known', parallelPair('in (%n)', 'in (%k)')],
    ['another mapping', parallelPair('in (4)', 'in (4)', block, thread)],
    ['one mapping', parallelPair('in (4)', 'in (4)', '', thread)],
    [
      'one that is not in parallel',
      parallelPair('in (4)').replace(
        '  %b =',
        `  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {} {second}
  %b =`,
      ).replace(/, second\}|\{second\}(?=\s+return)/, ''),
    ],
  ])('refuses loops in parallel: %s', (_, payload) => {
    expect(apply(payload, fuse('first', 'second')).diagnostics).toContain(
      'operations cannot be fused [fuse-sibling/target]',
    );
  }); // prettier-ignore

  it('takes one loop each', () => {
    const script = `${find('first')}\n${find('none')}\n%one = transform.loop.fuse_sibling %first into %none : (${any}, ${any}) -> ${any}`;
    expect(apply(pair('', '%c5'), script).diagnostics).toContain(
      'requires exactly one target handle (got 1) and exactly one source handle (got 0) [fuse-sibling/single]',
    );
  });
});

describe('transform.structured.convert_to_loops', () => {
  const convert = (name: string): string =>
    `%op = transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}
%loops = transform.structured.convert_to_loops %op : (${any}) -> ${any}`;

  it.each([
    [
      'linalg.exp',
      `func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`,
    ],
    ['scf.for', counting(0, 7, 2)],
  ])('refuses %s', (name, payload) => {
    expect(apply(payload, convert(name)).diagnostics).toContain('[convert-to-loops/target]');
  });
});

describe('transform.scf.take_assumed_branch', () => {
  it.each([
    ['', 'scf.for', '`then`'],
    ['take_else_branch', 'scf.if', '`else`'],
  ])('refuses %s of an %s without a branch %s', (branch, name, which) => {
    const payload = `func.func @f(%p: i1, %m: memref<4xindex>, %x: index, %n: index) {
  scf.if %p {
    memref.store %x, %m[%x] : memref<4xindex>
  }
  scf.for %i = %x to %n step %n {
  }
  return
}`;
    const script = `%op = transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}
transform.scf.take_assumed_branch %op ${branch} : (${any}) -> ()`;
    expect(apply(payload, script).diagnostics).toContain(
      `requires an scf.if op with a single-block ${which} region [take-branch/target]`,
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, paddedTile } from './payloads.ts';

const any = '!transform.any_op';
const match = (name: string, op: string): string =>
  `%${name} = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}\n`;
const hoist = (loops: number, transpose = ''): string =>
  `${match('op', 'tensor.pad')}%h = transform.structured.hoist_pad %op by ${loops} loops${transpose} : (${any}) -> ${any}`;
const nest = (loop: string, transpose = ''): string =>
  `${match('op', 'tensor.pad')}${match('loops', 'scf.for')}${loop}
%n = transform.structured.hoist_pad.build_packing_loop_nest %op above %loop${transpose} : (${any}, ${any}) -> ${any}`;

interface Loops {
  readonly shape: readonly number[];
  /** By dimension; a tile of 0 has no loop. */
  readonly tiles: readonly number[];
  /** The dimensions, outermost first. */
  readonly order: readonly number[];
  readonly low: number;
}

/** `-a` tile by tile, each tile padded; the outermost loop also has a loop that no index depends on. */
const negation = ({ shape, tiles, order, low }: Loops): string => {
  const type = `tensor<${shape.join('x')}xf32>`;
  const sizes = shape.map((size, d) => tiles[d]! || size);
  const looped = order.filter((d) => tiles[d]! > 0);
  const names = ['d', ...looped.map((d) => `i${d}`)];
  const padded = `tensor<${sizes.map((size) => size + low).join('x')}xf32>`;
  const part = `tensor<${shape.map((size, d) => (tiles[d]! > 0 ? '?' : size)).join('x')}xf32>`;
  const list = (of: (d: number) => string | number): string => shape.map((_, d) => of(d)).join(', ');
  const slice = `[${list((d) => (tiles[d]! > 0 ? `%i${d}` : 0))}] [${list((d) => (tiles[d]! > 0 ? `%s${d}` : shape[d]!))}] [${list(() => 1)}]`;
  const opening = names.map((name, depth) => {
    const d = depth === 0 ? undefined : looped[depth - 1]!;
    const [end, step] = d === undefined ? ['%one', '%one'] : [`%n${d}`, `%t${d}`];
    return `%r${depth} = scf.for %${name} = %zero to ${end} step ${step} iter_args(%o${depth + 1} = %o${depth}) -> (${type}) {`;
  });
  const last = names.length;
  return `func.func @f(%a: ${type}, %o0: ${type}) -> ${type} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %v = arith.constant 3.0 : f32
  ${looped.map((d) => `%n${d} = arith.constant ${shape[d]!} : index\n%t${d} = arith.constant ${tiles[d]!} : index`).join('\n')}
  ${opening.join('\n')}
  ${looped.map((d) => `%s${d} = affine.min affine_map<(d0) -> (${tiles[d]!}, ${shape[d]!} - d0)>(%i${d})\n%h${d} = affine.apply affine_map<(d0) -> (${tiles[d]!} - d0)>(%s${d})`).join('\n')}
  %x = tensor.extract_slice %a${slice} : ${type} to ${part}
  %p = tensor.pad %x low[${list(() => low)}] high[${list((d) => (tiles[d]! > 0 ? `%h${d}` : 0))}] {
  ^bb0(${list((d) => `%b${d}: index`)}):
    tensor.yield %v : f32
  } : ${part} to ${padded}
  %m = linalg.negf ins(%p : ${padded}) outs(%p : ${padded}) -> ${padded}
  %y = tensor.extract_slice %m[${list(() => low)}] [${list((d) => (tiles[d]! > 0 ? `%s${d}` : shape[d]!))}] [${list(() => 1)}] : ${padded} to ${part}
  %w = tensor.insert_slice %y into %o${last}${slice} : ${part} into ${type}
  ${names
    .map((_, i) => last - 1 - i)
    .map((depth) => `scf.yield ${depth === last - 1 ? '%w' : `%r${depth + 1}`} : ${type}\n}`)
    .join('\n')}
  return %r0 : ${type}
}`;
};

const rows: Loops = { shape: [7, 4], tiles: [3, 0], order: [0, 1], low: 0 };

describe('transform.structured.hoist_pad', () => {
  it('packs a tile for each iteration, and reads it in the loop', () => {
    const { text } = apply(negation(rows), hoist(1));
    expect(text.split('scf.for').length - 1).toBe(3);
    const [packing, reading] = text.split('scf.for').slice(2);
    expect(packing).toMatch(
      /tensor\.pad[^]*tensor\.insert_slice %padded into %arg\d\[%\d, 0, 0\] \[1, 3, 4\]/,
    );
    expect(reading).toMatch(
      /tensor\.extract_slice %\d\[%\d, 0, 0\] \[1, 3, 4\] \[1, 1, 1\] : tensor<\?x3x4xf32> to tensor<3x4xf32>/,
    );
    expect(reading).not.toContain('tensor.pad');
  });

  it('packs tiles once for a loop that they do not depend on', () => {
    const { text } = apply(negation(rows), hoist(2));
    expect(text.split('scf.for').length - 1).toBe(3);
    expect(text.split('scf.for')[1]).toContain('tensor.pad');
  });

  it.each([
    ['a number', '%less = arith.constant -9 : index', false],
    ['a value', '%less = arith.muli %n, %minus : index', true],
  ])('packs no tiles for a loop that ends before it begins, at %s', (_, less, isComputed) => {
    const payload = `func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
      %zero = arith.constant 0 : index
      %three = arith.constant 3 : index
      %minus = arith.constant -2 : index
      %v = arith.constant 3.0 : f32
      %n = tensor.dim %a, %zero : tensor<8xf32>
      ${less}
      %r = scf.for %i = %zero to %less step %three iter_args(%q = %o) -> (tensor<8xf32>) {
        ${paddedTile}
      }
      return %r : tensor<8xf32>
    }`;
    const { diagnostics, text } = apply(payload, hoist(1));
    expect(diagnostics).toBe('');
    expect(text.includes('arith.maxsi')).toBe(isComputed);
  });

  it('keeps what is computed, for any loops and transpositions', () => {
    const permutations = fc.constantFrom([0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]);
    const property = fc.property(
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 3 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 }),
      permutations,
      fc.option(permutations, { nil: undefined }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 2 }),
      (shape, tiles, order, transposition, count, low) => {
        fc.pre(tiles.some((tile) => tile > 0));
        const transpose = transposition === undefined ? '' : `, transpose by [${transposition.join(', ')}]`;
        const { diagnostics, text } = apply(negation({ shape, tiles, order, low }), hoist(count, transpose));
        expect(diagnostics).toBe('');
        expect(text.split('tensor.pad').length - 1).toBe(1);
      },
    );
    fc.assert(property, { seed: 1, numRuns: 40 });
  });
});

/** Rows of a product, summed over `k` in tiles: the loop over `k` carries a padded part of the result. */
const carried = (
  changes: string,
  yielded = '%w',
): string => `func.func @f(%a: tensor<7x6xf32>, %b: tensor<6x4xf32>, %c: tensor<7x4xf32>) -> tensor<7x4xf32> {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %two = arith.constant 2 : index
  %six = arith.constant 6 : index
  %seven = arith.constant 7 : index
  %v = arith.constant 5.0 : f32
  %0 = scf.for %i = %zero to %seven step %three iter_args(%o = %c) -> (tensor<7x4xf32>) {
    %s = affine.min affine_map<(d0) -> (3, 7 - d0)>(%i)
    %h = affine.apply affine_map<(d0) -> (3 - d0)>(%s)
    %1 = scf.for %k = %zero to %six step %two iter_args(%q = %o) -> (tensor<7x4xf32>) {
      %x = tensor.extract_slice %a[%i, %k] [%s, 2] [1, 1] : tensor<7x6xf32> to tensor<?x2xf32>
      %y = tensor.extract_slice %b[%k, 0] [2, 4] [1, 1] : tensor<6x4xf32> to tensor<2x4xf32>
      %e = tensor.empty() : tensor<3x2xf32>
      %l = tensor.insert_slice %x into %e[0, 0] [%s, 2] [1, 1] : tensor<?x2xf32> into tensor<3x2xf32>
      %z = tensor.extract_slice %q[%i, 0] [%s, 4] [1, 1] : tensor<7x4xf32> to tensor<?x4xf32>
      %p = tensor.pad %z low[0, 0] high[%h, 0] {
      ^bb0(%b0: index, %b1: index):
        tensor.yield %v : f32
      } : tensor<?x4xf32> to tensor<3x4xf32>
      ${changes}
      scf.yield ${yielded} : tensor<7x4xf32>
    }
    scf.yield %1 : tensor<7x4xf32>
  }
  return %0 : tensor<7x4xf32>
}`;
const product =
  '%m = linalg.matmul ins(%l, %y : tensor<3x2xf32>, tensor<2x4xf32>) outs(%p : tensor<3x4xf32>) -> tensor<3x4xf32>';
const part = '%d = tensor.extract_slice %m[0, 0] [%s, 4] [1, 1] : tensor<3x4xf32> to tensor<?x4xf32>';
const insertion =
  '%w = tensor.insert_slice %d into %q[%i, 0] [%s, 4] [1, 1] : tensor<?x4xf32> into tensor<7x4xf32>';

describe('a padding of what a loop carries', () => {
  it('is carried itself', () => {
    const { diagnostics, text } = apply(carried(`${product}\n${part}\n${insertion}`), hoist(1));
    expect(diagnostics).toBe('');
    expect(text).toMatch(/tensor\.pad[^]*scf\.for %arg5 [^]*iter_args\(%arg6 = %arg4, %arg7 = %padded\)/);
    expect(text).toMatch(/outs\(%arg7 : tensor<3x4xf32>\)/);
  });

  it.each([
    ['another slice is yielded', `${product}\n${part.replace('[0, 0]', '[%zero, 0]')}\n${insertion}`],
    [
      'the result is used twice',
      `${product}\n${part}\n${insertion}\n%u = linalg.exp ins(%m : tensor<3x4xf32>) outs(%m : tensor<3x4xf32>) -> tensor<3x4xf32>`,
    ],
    [
      'it is an input',
      `%m = linalg.negf ins(%p : tensor<3x4xf32>) outs(%p : tensor<3x4xf32>) -> tensor<3x4xf32>\n${part}\n${insertion}`,
    ],
    ['the insertion is elsewhere', `${product}\n${part}\n${insertion.replace('%q[%i', '%q[%zero')}`],
    [
      'the tensor is read besides',
      `${product}\n${part}\n${insertion}\n%u = tensor.extract %q[%i, %zero] : tensor<7x4xf32>`,
    ],
    ['nothing is inserted', `${product}\n${part}`, '%q'],
  ])('stays where %s', (_, changes, yielded = '%w') => {
    const { diagnostics } = apply(carried(changes, yielded), hoist(1));
    expect(diagnostics).toContain('[hoist-pad/source]');
  });
});

describe('transform.structured.hoist_pad.build_packing_loop_nest', () => {
  /** Inner loops are matched first. */
  const inner = `%loop, %rest = transform.split_handle %loops : (${any}) -> (${any}, ${any})`;

  it('packs, and keeps the padding', () => {
    const { diagnostics, text } = apply(negation(rows), nest(inner));
    expect(diagnostics).toBe('');
    expect(text.split('tensor.pad').length - 1).toBe(2);
    expect(text.split('scf.for').length - 1).toBe(3);
  });

  it('packs before the loop that it is given, in the loops around that', () => {
    const { diagnostics, text } = apply(negation(rows), nest(inner));
    expect(diagnostics).toBe('');
    expect(text.indexOf('scf.for')).toBeLessThan(text.indexOf('tensor.empty'));
  });

  it('gives the loops, or the padding if it needs none', () => {
    const twice = `\ntransform.annotate %n "made" : ${any}`;
    expect(apply(negation(rows), nest(inner) + twice).text).toMatch(/\} \{made\}\s+%\d = scf\.for/);
    const all = { ...rows, tiles: [0, 0] };
    const { text } = apply(
      negation(all),
      nest('%loop = transform.merge_handles %loops : !transform.any_op') + twice,
    );
    expect(text).toMatch(/tensor\.pad[^]*\} \{made\} : tensor<7x4xf32> to tensor<7x4xf32>\s+%\d = scf\.for/);
  });

  it.each([
    ['two loops', nest('%loop = transform.merge_handles %loops : !transform.any_op'), 'hoist-pad/handles'],
    [
      'no loop',
      nest(
        '%loop = transform.get_parent_op %op {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op',
      ),
      'hoist-pad/handles',
    ],
    ['a transposition of three dimensions', nest(inner, ', transpose by [2, 0, 1]'), 'hoist-pad/nest'],
  ])('refuses %s', (_, script, code) => {
    expect(apply(negation(rows), script).diagnostics).toContain(`[${code}]`);
  });

  it('says why there is no nest', () => {
    const payload = negation(rows)
      .replace('arith.constant 3.0', 'arith.constant 3.0')
      .replace('tensor.yield %v', '%u = tensor.extract %a[%b0, %b1] : tensor<7x4xf32>\ntensor.yield %u');
    const { diagnostics } = apply(payload, nest(inner));
    expect(diagnostics).toContain('could not build packing loop nest [hoist-pad/nest]');
    expect(diagnostics).toContain('its padding value is not constant');
  });
});

describe('a refusal', () => {
  const outside = `func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {
  %v = arith.constant 3.0 : f32
  %x = tensor.extract_slice %a[0] [2] [1] : tensor<2xf32> to tensor<2xf32>
  %p = tensor.pad %x low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %p : tensor<3xf32>
}`;
  const text = negation(rows);
  const indirect = text
    .replace('%s0 = ', '%first = tensor.dim %o1, %zero : tensor<7x4xf32>\n%s0 = ')
    .replace('(%i0)\n%h0', '(%first)\n%h0');

  it.each([
    ['of an op that is no padding', text, hoist(1).replace('tensor.pad', 'linalg.negf'), 'target'],
    ['of a transposition of another rank', text, hoist(1, ', transpose by [2, 1, 0]'), 'transpose'],
    ['outside of loops', outside, hoist(1), 'no-loop'],
    ['of no loops', text, hoist(0), 'no-loop'],
    [
      'of a whole tensor',
      text
        .replace('tensor.pad %x low[0, 0] high[%h0, 0]', 'tensor.pad %a low[0, 0] high[2, 0]')
        .replace('} : tensor<?x4xf32> to tensor<3x4xf32>', '} : tensor<7x4xf32> to tensor<9x4xf32>')
        .replaceAll('tensor<3x4xf32>', 'tensor<9x4xf32>'),
      hoist(1),
      'no-slice',
    ],
    ['of what the loop changes', text.replace('extract_slice %a[', 'extract_slice %o2['), hoist(2), 'source'],
    [
      'of a value that is no constant',
      text.replace('tensor.yield %v', '%u = tensor.extract %a[%b0, %b1] : tensor<7x4xf32>\ntensor.yield %u'),
      hoist(1),
      'value',
    ],
    [
      'of a dynamic size',
      text
        .replace('} : tensor<?x4xf32> to tensor<3x4xf32>', '} : tensor<?x4xf32> to tensor<?x4xf32>')
        .replaceAll('tensor<3x4xf32>', 'tensor<?x4xf32>'),
      hoist(1),
      'shape',
    ],
    ['of an index that a tensor gives', indirect, hoist(2), 'index'],
    [
      'of a step that a loop computes',
      text
        .replace('%r1 = scf.for', '%st = affine.apply affine_map<(d0) -> (d0 + 3)>(%d)\n%r1 = scf.for')
        .replace('step %t0', 'step %st'),
      hoist(2),
      'bounds',
    ],
    [
      'of a loop that steps backwards',
      text
        .replace('%r1 = scf.for', '%st = arith.constant -9223372036854775807 : index\n%r1 = scf.for')
        .replace('step %t0', 'step %st'),
      hoist(2),
      'bounds',
    ],
    [
      'of a loop that steps back by one',
      text
        .replace('%r1 = scf.for', '%st = arith.constant -1 : index\n%r1 = scf.for')
        .replace('step %t0', 'step %st'),
      hoist(2),
      'bounds',
    ],
    [
      'of a loop that ends anywhere',
      text
        .replace('%o0: tensor<7x4xf32>)', '%o0: tensor<7x4xf32>, %ends: tensor<1xindex>)')
        .replace('%r1 = scf.for', '%st = arith.addi %d, %d : index\n%r1 = scf.for')
        .replace('to %n0', 'to %st'),
      hoist(2),
      'bounds',
    ],
  ])('%s', (_, payload, script, code) => {
    expect(apply(payload, script).diagnostics).toContain(`[hoist-pad/${code}]`);
  });
});

/** The transforms that hoist code out of loops. */
import { describe, expect, it } from 'vitest';
import { aliases } from './support/aliases.ts';
import { apply, found, one } from './support/apply-script.ts';

describe('transform.apply_licm', () => {
  it('transform/no-loop', () => {
    const { diagnostics } = apply(
      'func.func @f() { return }',
      `${found}\ntransform.apply_licm to %f : ${one}`,
    );
    expect(diagnostics).toContain('transform applied to the wrong op kind [transform/no-loop]');
  });
});

const newBuffers = `%n1 = memref.alloc() : memref<8xf32>
  %n2 = memref.alloc() : memref<8xf32>
  linalg.fill ins(%pad : f32) outs(%n1 : memref<8xf32>)
  linalg.fill ins(%pad : f32) outs(%n2 : memref<8xf32>)
  %e = arith.select %c, %n1, %n2 : memref<8xf32>`;

describe('transform.structured.hoist_redundant_vector_transfers', () => {
  const script = `${found}
%0 = transform.structured.hoist_redundant_vector_transfers %f : (${one}) -> ${one}`;
  const loop = (body: string, before = ''): string => `func.func @f(%m: memref<8xf32>, %x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  ${before}
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
    ${body}
  }
  return
}`;
  const sum = '%1 = arith.addf %0, %x : vector<4xf32>';
  const write = (at: string, value = '%1'): string =>
    `vector.transfer_write ${value}, %m[${at}] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>`;
  const before = (text: string, a: string, b: string): boolean => text.indexOf(a) < text.indexOf(b);

  it.each([
    ['moves a pair', `${sum}\n${write('%c0')}`, true],
    ['passes an access beside it', `${sum}\n${write('%c0')}\n${write('%c4')}`, true],
    ['keeps what overlaps', `${sum}\n${write('%c0')}\n${write('%c1')}`, false],
    [
      'keeps what another op may read',
      `${sum}\n${write('%c0')}\n%v = memref.load %m[%c0] : memref<8xf32>`,
      false,
    ],
    ['keeps what is written to another place', `${sum}\n${write('%c1')}`, false],
  ])('%s', (_, body, moves) => {
    const { text } = apply(loop(body), script);
    expect(before(text, 'transfer_read', 'scf.for')).toBe(moves);
    expect(text.includes('iter_args')).toBe(moves);
  });

  it.each([
    ['2, 1', true],
    ['1, 1', false],
  ])('moves a pair of rows with strides [%s]: %s', (strides, moves) => {
    const type = `memref<2x2xf32, strided<[${strides}]>>`;
    const text = loop(`${sum}\n${write('%c0')}`)
      .replaceAll('%m[%c0]', '%q[%c0, %c0]')
      .replaceAll('[true]', '[true, true]')
      .replaceAll(/(?<=(vector<4xf32>, |: ))memref<8xf32>(?=$|, vector<4xf32>$)/gm, type)
      .replaceAll('vector<4xf32>', 'vector<2x2xf32>')
      .replace(
        '  scf.for',
        `%v = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [${strides}] : memref<8xf32> to ${type}
  %yes = arith.constant true
  %q = arith.select %yes, %v, %v : ${type}
  scf.for`,
      );
    expect(before(apply(text, script).text, 'transfer_read', 'scf.for')).toBe(moves);
  });

  it.each([
    ['%k is set', '], %pad, %k', '], %k', '8xf32', '[true]'],
    ['%k is set where it is written', '], %pad', '], %k', '8xf32', '[true]'],
    ['%k is set where it is read', '], %pad, %k', ']', '8xf32', '[true]'],
    ['elements are in bounds', '], %pad', ']', '2xf32', '[false]'],
    ['elements are in bounds of an unknown size', '], %pad', ']', '?xf32', '[false]'],
  ])('keeps a pair that moves those of a vector for which %s', (_, read, written, shape, inBounds) => {
    const payload = loop(`${sum}\n${write('%c0')}`)
      .replace('%x:', '%k: vector<4xi1>, %x:')
      .replace('], %pad', read)
      .replace('%m[%c0] {', `%m[%c0${written} {`)
      .replaceAll('8xf32', shape)
      .replaceAll('[true]', inBounds)
      .replace('0.0', '7.0');
    const { text, diagnostics } = apply(payload, script);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('iter_args');
  });

  it('moves a pair whose indices prove that it is in bounds', () => {
    const payload = loop(`${sum}\n${write('%c4')}`)
      .replace('%m[%c0]', '%m[%c4]')
      .replaceAll(' {in_bounds = [true]}', '');
    expect(apply(payload, script).text).toContain('iter_args');
  });

  it.each([
    [32, true],
    [33, false],
  ])('moves a pair at the steps of an affine loop to %s: %s', (end, moves) => {
    const payload = loop(`${sum}\n${write('%j')}`)
      .replaceAll('%m[%c0]', '%m[%j]')
      .replaceAll(' {in_bounds = [true]}', '')
      .replaceAll('8xf32', '32xf32')
      .replace('scf.for', `affine.for %j = 0 to ${end} step 4 {\nscf.for`)
      .replace('return', '}\nreturn');
    expect(apply(payload, script).text.includes('iter_args')).toBe(moves);
  });

  it('hoists a read without a write to match, out of one loop', () => {
    const { text } = apply(loop('%s = vector.reduction <add>, %0 : vector<4xf32> into f32'), script);
    expect(before(text, 'transfer_read', 'scf.for')).toBe(true);
  });

  it('keeps a read of a buffer that is written through a view', () => {
    const view = `%v = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>`;
    const body = 'vector.transfer_write %x, %v[%c0] : vector<4xf32>, memref<4xf32, strided<[1]>>';
    expect(before(apply(loop(body, view), script).text, 'transfer_read', 'scf.for')).toBe(false);
  });

  const readOther = `%s = vector.transfer_read %e[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
    %1 = arith.addf %0, %s : vector<4xf32>`;
  const withOther = (payload: string, attributes = ''): string =>
    payload.replace('%m: memref<8xf32>', `%m: memref<8xf32>, %q: memref<8xf32> ${attributes}, %c: i1`);

  it.each(aliases)('keeps what is read through %s, or written', (_, alias) => {
    const { text, diagnostics } = apply(withOther(loop(`${readOther}\n${write('%c0')}`, alias)), script);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('iter_args(%0');
    expect(before(text.split('scf.for').at(-1)!, 'transfer_read', 'transfer_write')).toBe(true);
    const written = write('%c0', '%x').replace('%m', '%e');
    expect(
      apply(withOther(loop(written, alias)), script)
        .text.split('scf.for')
        .at(-1),
    ).toContain('transfer_read');
  });

  it.each([
    ['another argument', '%e = memref.cast %q : memref<8xf32> to memref<8xf32>', '{llvm.noalias}'],
    ['a choice of new buffers', newBuffers, ''],
  ])('passes what is read from %s', (_, line, attributes) => {
    const { text, diagnostics } = apply(
      withOther(loop(`${readOther}\n${write('%c0')}`, line), attributes),
      script,
    );
    expect(diagnostics).toBe('');
    expect(text).toContain('iter_args');
  });

  it.each([
    ['8xf32', '%n', true],
    ['?xf32', '%n', false],
    ['?xf32', '%c4', true],
  ])('of memref<%s>, out of a loop to %s: %s', (shape, end, moves) => {
    for (const body of [sum, `${sum}\n${write('%c0')}`]) {
      const payload = loop(body)
        .replace('%x:', '%n: index, %x:')
        .replace('to %c4', `to ${end}`)
        .replaceAll('8xf32', shape);
      expect(before(apply(payload, script).text, 'transfer_read', 'scf.for'), body).toBe(moves);
    }
  });

  it('keeps what a called function may access', () => {
    const call = `func.func private @next()\n${loop(`${sum}\nfunc.call @next() : () -> ()\n${write('%c0')}`)}`;
    expect(apply(call, script).text).not.toContain('iter_args');
  });

  it('rejects targets other than functions', () => {
    const { diagnostics } = apply(loop(''), script.replace('%f :', '%root :'));
    expect(diagnostics).toContain('transform applied to the wrong op kind [hoist-transfers/no-function]');
  });
});

describe('transform.loop.hoist_loop_invariant_subsets', () => {
  const script = `%l = transform.structured.match ops{["scf.for"]} in %root : (${one}) -> ${one}
transform.loop.hoist_loop_invariant_subsets %l : ${one}
transform.annotate %l "seen" : ${one}`;
  const carried = (body: string, type = 'tensor<8x8xf32>') =>
    `func.func @f(%t: ${type}, %n: index, %k: index, %v: vector<8xf32>, %x: f32) -> ${type} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %t) -> (${type}) {
    ${body}
    scf.yield %last : ${type}
  }
  return %r : ${type}
}`;
  const type = 'tensor<8x8xf32>';
  const read = (name: string, from: string, at: string, size = '2, 4') =>
    `%${name} = tensor.extract_slice %${from}[${at}] [${size}] [1, 1] : ${type} to ` +
    `tensor<${size.replace(', ', 'x')}xf32>`;
  const write = (name: string, value: string, into: string, at: string, size = '2, 4') =>
    `%${name} = tensor.insert_slice %${value} into %${into}[${at}] [${size}] [1, 1] : ` +
    `tensor<${size.replace(', ', 'x')}xf32> into ${type}`;
  const sum = (name: string, a: string, b: string) =>
    `%${name} = linalg.add ins(%${a}, %${b} : tensor<2x4xf32>, tensor<2x4xf32>) outs(%${a} : tensor<2x4xf32>) -> ` +
    `tensor<2x4xf32>`;

  it.each([
    [
      'two parts that are apart',
      [
        read('a', 's', '1, 0'),
        read('b', 's', '1, 4'),
        sum('c', 'a', 'b'),
        write('d', 'c', 's', '1, 0'),
        sum('e', 'b', 'b'),
        write('last', 'e', 'd', '1, 4'),
      ],
      2,
    ],
    [
      'a part next to one whose position varies',
      [
        read('a', 's', '0, 4'),
        read('b', 's', '%i, 0'),
        sum('c', 'a', 'b'),
        write('d', 'c', 's', '0, 4'),
        write('last', 'c', 'd', '%i, 0'),
      ],
      1,
    ],
    [
      'parts that overlap',
      [read('a', 's', '1, 0'), read('b', 's', '2, 0'), sum('c', 'a', 'b'), write('last', 'c', 's', '1, 0')],
      0,
    ],
    [
      'a part whose position varies',
      [read('a', 's', '%i, 0'), sum('c', 'a', 'a'), write('last', 'c', 's', '%i, 0')],
      0,
    ],
    [
      'a part that is read after it is written',
      [
        `%e = tensor.empty() : tensor<2x4xf32>`,
        `%z = linalg.fill ins(%x : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>`,
        write('d', 'z', 's', '1, 0'),
        read('a', 'd', '1, 0'),
        sum('c', 'a', 'a'),
        write('last', 'c', 'd', '5, 0'),
      ],
      0,
    ],
    [
      'a tensor that is used as a whole',
      [
        read('a', 's', '1, 0'),
        sum('c', 'a', 'a'),
        write('d', 'c', 's', '1, 0'),
        `%last = linalg.copy ins(%s : ${type}) outs(%d : ${type}) -> ${type}`,
      ],
      0,
    ],
    [
      'a vector',
      [
        `%a = vector.transfer_read %s[%k, %c0], %x {in_bounds = [true]} : ${type}, vector<8xf32>`,
        `%b = arith.addf %a, %v : vector<8xf32>`,
        `%last = vector.transfer_write %b, %s[%k, %c0] {in_bounds = [true]} : vector<8xf32>, ${type}`,
      ],
      1,
    ],
    [
      'a vector of a loop that may be empty, and so may be out of bounds',
      [
        `%last = scf.for %j = %c0 to %n step %c1 iter_args(%u = %s) -> (${type}) {
      %a = vector.transfer_read %u[%k, %c0], %x {in_bounds = [true]} : ${type}, vector<8xf32>
      %b = arith.addf %a, %v : vector<8xf32>
      %d = vector.transfer_write %b, %u[%k, %c0] {in_bounds = [true]} : vector<8xf32>, ${type}
      scf.yield %d : ${type}
    }`,
      ],
      0,
    ],
    [
      'a vector that may leave the tensor',
      [
        `%a = vector.transfer_read %s[%k, %k], %x : ${type}, vector<8xf32>`,
        `%b = arith.addf %a, %v : vector<8xf32>`,
        `%last = vector.transfer_write %b, %s[%k, %k] : vector<8xf32>, ${type}`,
      ],
      0,
    ],
    [
      'a part beside what an inner loop updates',
      [
        read('a', 's', '1, 0'),
        sum('c', 'a', 'a'),
        write('d', 'c', 's', '1, 0'),
        `%last = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %d) -> (${type}) {
      ${read('p', 'u', '1, 4')}
      ${sum('q', 'p', 'p')}
      ${write('w', 'q', 'u', '1, 4')}
      scf.yield %w : ${type}
    }`,
      ],
      1,
    ],
  ] as const)('%s', (_, body, hoisted) => {
    const nested = body.some((line) => line.includes('scf.for'));
    const used = nested
      ? `%l = transform.structured.match ops{["scf.for"]} in %root : (${one}) -> ${one}
%inner, %outer = transform.split_handle %l : (${one}) -> (${one}, ${one})
transform.loop.hoist_loop_invariant_subsets %outer : ${one}`
      : script;
    const { status, text } = apply(carried(body.join('\n    ')), used);
    expect(status).toBe('success');
    const loop = /scf\.for %\w+ = .*iter_args\((.*)\) ->/.exec(text)![1]!;
    expect(loop.split(', ').length - 1).toBe(hoisted);
  });

  it('keeps a part that is put back behind a call, which may not return', () => {
    const body = [
      read('a', 's', '%k, 0'),
      'func.call @next() : () -> ()',
      sum('c', 'a', 'a'),
      write('last', 'c', 's', '%k, 0'),
    ];
    const payload = (lines: readonly string[]): string =>
      `func.func private @next()\n${carried(lines.join('\n    '))}`;
    const isHoisted = (lines: readonly string[]): boolean =>
      /iter_args\(.*,/.test(apply(payload(lines), script).text);
    expect(isHoisted(body)).toBe(false);
    expect(isHoisted(body.filter((line) => !line.includes('call')))).toBe(true);
  });

  it('rejects targets other than loops', () => {
    const { diagnostics } = apply(
      carried('%last = tensor.empty() : tensor<8x8xf32>'),
      script.replace('scf.for', 'tensor.empty'),
    );
    expect(diagnostics).toContain('transform applied to the wrong op kind [hoist-subsets/no-loop]');
  });
});

describe('transform.structured.hoist_redundant_vector_broadcasts', () => {
  const loop = (init: string, end: string, at: string, yielded = '%b') =>
    `func.func @f(%v: vector<3x4xf32>, %row: vector<4xf32>, %n: index, %y: vector<4xf32>) -> vector<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant dense<1.0> : vector<3x4xf32>
  %w = vector.broadcast %row : vector<4xf32> to vector<3x4xf32>
  %r = scf.for %i = %c0 to ${end} step %c1 iter_args(%x = ${init}) -> (vector<3x4xf32>) {
    %e = vector.extract %x[${at}] : vector<4xf32> from vector<3x4xf32>
    %s = arith.addf %e, %y : vector<4xf32>
    %b = vector.broadcast %s : vector<4xf32> to vector<3x4xf32>
    scf.yield ${yielded} : vector<3x4xf32>
  }
  return %r : vector<3x4xf32>
}`;
  it.each([
    ['a loop with at least one iteration', loop('%v', '%c3', '1'), true],
    ['a loop of unknown trip count that starts from a broadcast', loop('%w', '%n', '1'), true],
    ['a loop of unknown trip count that starts from a splat', loop('%z', '%n', '2'), true],
    ['a loop of unknown trip count', loop('%v', '%n', '1'), false],
    ['a row whose position varies', loop('%v', '%c3', '%i'), false],
    ['what is not yielded', loop('%v', '%c3', '1', '%w'), false],
  ])('%s', (_, module, isHoisted) => {
    const { status, text } = apply(
      module,
      `${found}\n%0 = transform.structured.hoist_redundant_vector_broadcasts %f : (${one}) -> ${one}`,
    );
    expect(status).toBe('success');
    expect(/iter_args\(.*\) -> \(vector<4xf32>\)/.test(text)).toBe(isHoisted);
  });
});

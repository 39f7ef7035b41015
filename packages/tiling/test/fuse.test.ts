import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, { difference: firstDifference });

const any = '!transform.any_op';
const match = (name: string, op: string): string =>
  `%${name} = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}\n`;

/** `exp(a · b)`, the product accumulated on a fill. */
const chain = (
  m: string,
  n: string,
): string => `func.func @f(%a: tensor<${m}x6xf32>, %b: tensor<6x${n}xf32>, %c: tensor<${m}x${n}xf32>, %o: tensor<${m}x${n}xf32>) -> tensor<${m}x${n}xf32> {
  %z = arith.constant 1.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<${m}x${n}xf32>) -> tensor<${m}x${n}xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<${m}x6xf32>, tensor<6x${n}xf32>) outs(%f : tensor<${m}x${n}xf32>) -> tensor<${m}x${n}xf32>
  %1 = linalg.negf ins(%0 : tensor<${m}x${n}xf32>) outs(%o : tensor<${m}x${n}xf32>) -> tensor<${m}x${n}xf32>
  return %1 : tensor<${m}x${n}xf32>
}`;

const sizes = [
  ['6', '4'],
  ['7', '5'],
  ['?', '?'],
  ['1', '1'],
] as const;

/** The codes of errors and warnings. */
const codesIn = (diagnostics: string): readonly string[] =>
  diagnostics.match(/(?<=\[)[\w-]+\/[\w-]+(?=\]$)/gm) ?? [];

describe.each(sizes)('a chain of %sx%s', (m, n) => {
  const expected = m === '1' ? ['tile/beyond-extent'] : [];

  it('is tiled with all that its last op reads', () => {
    const step = `%t, %l:2 = transform.structured.fuse %op {tile_sizes = [3, 2], tile_interchange = [1, 0]} : (${any}) -> (${any}, ${any}, ${any})`;
    const { diagnostics, text } = apply(chain(m, n), `${match('op', 'linalg.negf')}${step}`);
    expect(codesIn(diagnostics)).toEqual(expected);
    expect(text.split('scf.for').at(-1)).toMatch(/linalg\.fill[^]*linalg\.matmul[^]*linalg\.negf/);
  });

  it('goes into the loop over its last op, one op after the other', () => {
    const script = `${match('neg', 'linalg.negf')}${match('mul', 'linalg.matmul')}${match('fill', 'linalg.fill')}
%t, %l = transform.structured.tile_using_forall %neg tile_sizes [3, 2] : (${any}) -> (${any}, ${any})
%m, %l2 = transform.structured.fuse_into_containing_op %mul into %l : (${any}, ${any}) -> (${any}, ${any})
%f, %l3 = transform.structured.fuse_into_containing_op %fill into %l2 : (${any}, ${any}) -> (${any}, ${any})`;
    const { diagnostics, text } = apply(chain(m, n), script);
    expect(codesIn(diagnostics)).toEqual(expected);
    expect(text.split('scf.forall').at(1)).toMatch(/linalg\.fill[^]*linalg\.matmul[^]*linalg\.negf/);
  });
});

describe('an op whose reduction is tiled', () => {
  it('goes on from what was made before the loops', () => {
    const step = `%t, %l:2 = transform.structured.fuse %op {tile_sizes = [3, 0, 2]} : (${any}) -> (${any}, ${any}, ${any})`;
    const { diagnostics, text } = apply(chain('6', '4'), `${match('op', 'linalg.matmul')}${step}`);
    expect(diagnostics).toBe('');
    expect(text).toMatch(/linalg\.fill[^]*scf\.for[^]*linalg\.matmul/);
  });
});

it('goes on from what was made before the loops where tiles leave gaps', () => {
  const payload = `func.func @f(%a: tensor<4xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %z = arith.constant 1.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 * 2)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}`;
  const step = `%t, %l = transform.structured.fuse %op {tile_sizes = [2]} : (${any}) -> (${any}, ${any})`;
  const { diagnostics, text } = apply(payload, `${match('op', 'linalg.generic')}${step}`);
  expect(diagnostics).toBe('');
  expect(text).toMatch(/linalg\.fill[^]*scf\.for[^]*linalg\.generic/);
});

const generic = `#map = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %1 = linalg.negf ins(%0 : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.exp ins(%0 : tensor<8xf32>) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}`;

const into = (producer: string): string => `${match('last', 'linalg.negf')}${match('op', producer)}
%t, %l = transform.structured.tile_using_forall %last tile_sizes [4] : (${any}) -> (${any}, ${any})
%p, %q = transform.structured.fuse_into_containing_op %op into %l : (${any}, ${any}) -> (${any}, ${any})`;

it('gives the fused result out of the loop where an op behind it reads it', () => {
  const { diagnostics, text } = apply(generic, into('linalg.generic'));
  expect(diagnostics).toBe('');
  expect(text).toContain('-> (tensor<8xf32>, tensor<8xf32>)');
  expect(text).toMatch(/linalg\.exp ins\(%\d#1/);
});

it('puts the tile in the place of a slice that the loop takes of its output', () => {
  const payload = `func.func @f(%x: f32, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.negf ins(%b : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}`;
  const { diagnostics, text } = apply(payload, into('linalg.fill'));
  expect(diagnostics).toBe('');
  expect(text).toContain('shared_outs(%arg3 = %arg1)');
});

/** A fill, and a loop over parts of it, each of which it negates. */
const shared = (options: {
  readonly bounds?: string;
  readonly offset?: string;
  readonly size?: string;
  readonly more?: string;
  readonly type?: string;
}): string => {
  const { bounds = '(0) to (8) step (3)', offset = '%i', more = '', type = 'tensor<8xf32>' } = options;
  const { size = 'affine.min affine_map<(d0) -> (3, -d0 + 8)>(%i)' } = options;
  return `func.func @f(%x: f32, %b: ${type}, %n: index) -> ${type} {
  %c0 = arith.constant 0 : index
  %0 = linalg.fill ins(%x : f32) outs(%b : ${type}) -> ${type}
  %size = tensor.dim %b, %c0 : ${type}
  %1 = scf.forall (%i) = ${bounds} shared_outs(%o = %0) -> (${type}) {
    %at = affine.apply affine_map<(d0) -> (d0)>(%i)
    %two = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %n_ = ${size}
    %s = tensor.extract_slice %o[${offset}] [%n_] [1] : ${type} to tensor<?xf32>
    ${more}
    %r = linalg.negf ins(%s : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[${offset}] [%n_] [1] : tensor<?xf32> into ${type}
    }
  }
  return %1 : ${type}
}`;
};
const intoShared = `${match('loop', 'scf.forall')}${match('op', 'linalg.fill')}
%p, %q = transform.structured.fuse_into_containing_op %op into %loop : (${any}, ${any}) -> (${any}, ${any})`;

describe('a shared output', () => {
  it.each([
    ['tiles with a rest', {}],
    ['tiles of full size', { bounds: '(0) to (8) step (4)', size: 'arith.constant 4 : index' }],
    [
      'computed positions',
      { bounds: '(0) to (4) step (1)', offset: '%two', size: 'arith.constant 2 : index' },
    ],
    [
      'tiles of a size that is not known',
      {
        type: 'tensor<?xf32>',
        bounds: '(0) to (%size) step (3)',
        size: 'affine.min affine_map<(d0)[s0] -> (3, -d0 + s0)>(%i)[%size]',
      },
    ],
  ])('that %s cover is that of the destination', (_, options) => {
    const { diagnostics, text } = apply(shared(options), intoShared);
    expect(diagnostics).toBe('');
    expect(text).toContain('shared_outs(%arg4 = %arg1)');
  });

  it.each([
    ['gaps', { bounds: '(0) to (8) step (4)', size: 'arith.constant 3 : index' }],
    ['a rest that is left out', { bounds: '(0) to (6) step (3)', size: 'arith.constant 3 : index' }],
    ['a start that is left out', { bounds: '(2) to (8) step (3)' }],
    ['no iterations', { bounds: '(8) to (8) step (3)' }],
    ['iterations that are not known', { bounds: '(0) to (%n) step (3)' }],
    [
      'a size that is not known',
      {
        type: 'tensor<?xf32>',
        bounds: '(0) to (%size) step (4)',
        size: 'affine.min affine_map<(d0)[s0] -> (3, -d0 + s0)>(%i)[%size]',
      },
    ],
    ['one place in all iterations', { offset: '0', bounds: '(0) to (8) step (3)' }],
    [
      'another element that is read',
      { more: '%e = tensor.extract %o[%c0] : tensor<8xf32>\n    %u = arith.addf %e, %e : f32' },
    ],
  ])('stays that of the producer with %s', (_, options) => {
    const { diagnostics } = apply(shared(options), intoShared);
    expect(diagnostics).toContain('[fuse/no-use]');
  });

  it('is covered by each dimension on its own', () => {
    const square = (
      second: string,
    ): string => `func.func @f(%x: f32, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = scf.forall (%i, %j) in (4, 4) shared_outs(%o = %0) -> (tensor<4x4xf32>) {
    %s = tensor.extract_slice %o[%i, ${second}] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1x1xf32>
    %r = linalg.negf ins(%s : tensor<1x1xf32>) outs(%s : tensor<1x1xf32>) -> tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, ${second}] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x4xf32>
    }
  }
  return %1 : tensor<4x4xf32>
}`;
    expect(apply(square('%j'), intoShared).diagnostics).toBe('');
    expect(apply(square('%i'), intoShared).diagnostics).toContain('[fuse/no-use]');
  });

  it.each([
    ['all of it', '0', 4, true],
    ['it without its end', '0', 3, false],
    ['it without its start', '1', 3, false],
  ])('is covered by rows where each has %s', (_, column, width, isCovered) => {
    const place = `[%i, ${column}] [1, ${width}] [1, 1]`;
    const rows = `func.func @f(%x: f32, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = scf.forall (%i) in (4) shared_outs(%o = %0) -> (tensor<4x4xf32>) {
    %s = tensor.extract_slice %o${place} : tensor<4x4xf32> to tensor<1x${width}xf32>
    %r = linalg.negf ins(%s : tensor<1x${width}xf32>) outs(%s : tensor<1x${width}xf32>) -> tensor<1x${width}xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o${place} : tensor<1x${width}xf32> into tensor<4x4xf32>
    }
  }
  return %1 : tensor<4x4xf32>
}`;
    const { diagnostics, text } = apply(rows, intoShared);
    expect(diagnostics.includes('[fuse/no-use]')).toBe(!isCovered);
    expect(text.includes('shared_outs(%arg3 = %arg1)')).toBe(isCovered);
  });
});

it('copies what is no slice', () => {
  const payload = `func.func @f(%n: index, %b: tensor<8xindex>) -> tensor<8xindex> {
  %k = arith.addi %n, %n : index
  %0 = scf.forall (%i) in (8) shared_outs(%o = %b) -> (tensor<8xindex>) {
    %s = arith.addi %i, %k : index
    %t = tensor.from_elements %s : tensor<1xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xindex> into tensor<8xindex>
    }
  }
  return %0 : tensor<8xindex>
}`;
  const script = `${match('loop', 'scf.forall')}${match('all', 'arith.addi')}
%op, %rest = transform.split_handle %all : (${any}) -> (${any}, ${any})
%p, %q = transform.structured.fuse_into_containing_op %op into %loop : (${any}, ${any}) -> (${any}, ${any})`;
  const { diagnostics, text } = apply(payload, script);
  expect(diagnostics).toBe('');
  expect(text.split('scf.forall').at(1)).toContain('arith.addi %arg0, %arg0');
});

it('copies what is read under a mask, before the mask', () => {
  const payload = `func.func @f(%m: vector<4xi1>) -> vector<4xf32> {
  %z = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %i = arith.constant dense<0.0> : vector<4xf32>
  %r = scf.for %k = %c0 to %c1 step %c1 iter_args(%x = %i) -> (vector<4xf32>) {
    %v = vector.mask %m { vector.transfer_read %f[%c0], %z {in_bounds = [true]} : tensor<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    scf.yield %v : vector<4xf32>
  }
  return %r : vector<4xf32>
}`;
  const script = `${match('loop', 'scf.for')}${match('op', 'linalg.fill')}
%p, %q = transform.structured.fuse_into_containing_op %op into %loop : (${any}, ${any}) -> (${any}, ${any})`;
  const { diagnostics, text } = apply(payload, script);
  expect(diagnostics).toBe('');
  expect(text.split('scf.for').at(1)).toMatch(/linalg\.fill[^]*vector\.mask/);
});

describe('fusion into a loop is refused', () => {
  const strided = generic.replace(
    /%1 = [^\n]*/,
    `%1 = scf.forall (%i) in (4) shared_outs(%o = %b) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %0[%i] [2] [2] : tensor<8xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [2] [2] : tensor<2xf32> into tensor<8xf32>
    }
  }`,
  );
  const written = generic.replace(
    /%1 = [^\n]*/,
    `%1 = scf.forall (%i) in (8) shared_outs(%o = %0) -> (tensor<8xf32>) {
    %c = arith.constant 1.0 : f32
    %s = tensor.from_elements %c : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }`,
  );
  const spread = `func.func @f(%a: tensor<8xf32>, %b: tensor<15xf32>) -> tensor<15xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 * 2)>], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%b : tensor<15xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<15xf32>
  %1 = linalg.negf ins(%0 : tensor<15xf32>) outs(%b : tensor<15xf32>) -> tensor<15xf32>
  return %1 : tensor<15xf32>
}`;
  /** A loop that uses what `made` gives, which is no slice. */
  const using = (made: string): string => `func.func private @next() -> index
func.func @f(%m: memref<8xindex>, %b: tensor<8xindex>) -> tensor<8xindex> {
  %c0 = arith.constant 0 : index
  ${made}
  memref.store %c0, %m[%c0] : memref<8xindex>
  %0 = scf.forall (%i) in (8) shared_outs(%o = %b) -> (tensor<8xindex>) {
    %e = tensor.extract %t[%i] : tensor<8xindex>
    %s = tensor.from_elements %e : tensor<1xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xindex> into tensor<8xindex>
    }
  }
  return %0 : tensor<8xindex>
}`;
  const direct = (op: string): string =>
    `${match('op', op)}${match('l', 'scf.forall')}%p, %q = transform.structured.fuse_into_containing_op %op into %l : (${any}, ${any}) -> (${any}, ${any})`;
  it.each([
    ['fuse/no-producer', generic, into('func.func')],
    ['fuse/containing', generic, direct('linalg.generic')],
    ['fuse/strides', strided, direct('linalg.generic')],
    ['fuse/no-use', written, direct('linalg.generic')],
    // The tile is already in the loop, and only the loop's terminator uses it.
    [
      'fuse/no-use',
      generic,
      `${match('op', 'linalg.generic')}%t, %l = transform.structured.tile_using_forall %op tile_sizes [4] : (${any}) -> (${any}, ${any})
%p, %q = transform.structured.fuse_into_containing_op %t into %l : (${any}, ${any}) -> (${any}, ${any})`,
    ],
    [
      'fuse/no-use',
      using('%n = call @next() : () -> index\n%t = tensor.splat %n : tensor<8xindex>').replace(
        '%t[%i]',
        '%b[%n]',
      ),
      direct('func.call'),
    ],
    [
      'fuse/no-use',
      using('%t = bufferization.to_tensor %m restrict : memref<8xindex>'),
      direct('bufferization.to_tensor'),
    ],
    ['fuse/not-permuted', spread, into('linalg.generic')],
  ])('%s', (code, payload, script) => {
    const { diagnostics } = apply(payload, script);
    expect(diagnostics).toContain(`[${code}]`);
  });

  it('says what does not use a producer', () => {
    const { diagnostics } = apply(generic, into('func.func'));
    expect(diagnostics).toMatch(
      /into container: no operation inside this 'scf\.for\w*' uses a result of 'func\.func' \[/,
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computed } from './semantics.ts';
import { bufferized } from './support.ts';

/** A function of two tensors, indices and a scalar, around a body that yields `%r : tensor<4x8xf32>`. */
const withBody = (
  body: string,
  result = '%r',
) => `func.func @f(%t: tensor<4x8xf32>, %u: tensor<4x8xf32>, %i: index, %j: index, %x: f32, %c: i1) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  ${body}
  return ${result} : tensor<4x8xf32>
}`;

const fill = (result: string, destination: string, type = 'tensor<4x8xf32>') =>
  `${result} = linalg.fill ins(%x : f32) outs(${destination} : ${type}) -> ${type}`;
const row = 'tensor<1x8xf32>';
const extractRow = (result: string, source: string, at: string) =>
  `${result} = tensor.extract_slice ${source}[${at}, 0] [1, 8] [1, 1] : tensor<4x8xf32> to ${row}`;
const insertRow = (result: string, source: string, destination: string, at: string) =>
  `${result} = tensor.insert_slice ${source} into ${destination}[${at}, 0] [1, 8] [1, 1] : ${row} into tensor<4x8xf32>`;
const generic = (result: string, input: string, output: string, map = '(d0, d1) -> (d0, d1)') =>
  `${result} = linalg.generic {indexing_maps = [affine_map<${map}>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(${input} : tensor<4x8xf32>) outs(${output} : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<4x8xf32>`;
const loop = (body: string, init = '%t') =>
  `%r = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = ${init}) -> (tensor<4x8xf32>) {
    ${body}
  }`;
const yields = (value: string) => `scf.yield ${value} : tensor<4x8xf32>`;

describe('in place', () => {
  it.each([
    ['the last use of a tensor', fill('%r', '%t')],
    [
      'a read before the write',
      `%e = tensor.extract %t[%i, %j] : tensor<4x8xf32>
  %r = linalg.fill ins(%e : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>`,
    ],
    [
      'a slice that is put back where it was',
      [extractRow('%s', '%t', '%i'), fill('%w', '%s', row), insertRow('%r', '%w', '%t', '%i')].join('\n'),
    ],
    [
      'a slice that is put back where it was, the offset computed twice',
      [
        '%o1 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)',
        extractRow('%s', '%t', '%o1'),
        fill('%w', '%s', row),
        '%o2 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)',
        insertRow('%r', '%w', '%t', '%o2'),
      ].join('\n'),
    ],
    [
      'a slice that is read after it has been put back',
      [
        extractRow('%s', '%t', '%i'),
        fill('%w', '%s', row),
        insertRow('%q', '%w', '%t', '%i'),
        `%e = tensor.extract %w[%c0, %j] : ${row}`,
        '%r = linalg.fill ins(%e : f32) outs(%q : tensor<4x8xf32>) -> tensor<4x8xf32>',
      ].join('\n'),
    ],
    ['an operation element by element on one tensor', generic('%r', '%t', '%t')],
    [
      'two slices one after the other',
      [
        extractRow('%s', '%t', '0'),
        fill('%w', '%s', row),
        insertRow('%m', '%w', '%t', '0'),
        extractRow('%s2', '%m', '1'),
        fill('%w2', '%s2', row),
        insertRow('%r', '%w2', '%m', '1'),
      ].join('\n'),
    ],
    ['a tensor carried by a loop', loop(`${fill('%w', '%a')}\n${yields('%w')}`)],
    [
      'a slice of a carried tensor',
      loop(
        [
          extractRow('%s', '%a', '%k'),
          fill('%w', '%s', row),
          insertRow('%b', '%w', '%a', '%k'),
          yields('%b'),
        ].join('\n'),
      ),
    ],
    ['another tensor read in the loop', loop(`${generic('%w', '%u', '%a')}\n${yields('%w')}`)],
    [
      'both sides of a branch',
      `%r = scf.if %c -> (tensor<4x8xf32>) {
    ${fill('%w', '%t')}
    ${yields('%w')}
  } else {
    ${yields('%t')}
  }`,
    ],
    [
      'a read on one side and a write on the other side of a branch',
      `%r, %e = scf.if %c -> (tensor<4x8xf32>, f32) {
    ${fill('%w', '%t')}
    scf.yield %w, %x : tensor<4x8xf32>, f32
  } else {
    %0 = tensor.extract %t[%i, %j] : tensor<4x8xf32>
    scf.yield %t, %0 : tensor<4x8xf32>, f32
  }`,
    ],
    [
      'two tensors of undefined content from one',
      `%e = tensor.empty() : tensor<4x8xf32>
  ${fill('%a', '%e')}
  ${generic('%r', '%a', '%t')}`,
    ],
  ])('%s', (_, body) => {
    const { copies, text, diagnostics } = bufferized(withBody(body));
    expect(diagnostics).toBe('');
    expect(text).toMatch(/\n {2}return\n\}$/);
    expect(copies).toBe(0);
  });
});

describe('out of place', () => {
  it.each([
    [
      'a read after the write',
      `${fill('%w', '%t')}
  %e = tensor.extract %t[%i, %j] : tensor<4x8xf32>
  %r = tensor.insert %e into %w[%j, %i] : tensor<4x8xf32>`,
      // The fill overwrites everything, so its new buffer needs no contents.
      { allocations: 1, copies: 0 },
    ],
    [
      'a read of the old value through a view',
      `${extractRow('%s', '%t', '%i')}
  ${generic('%w', '%u', '%t')}
  ${insertRow('%r', '%s', '%w', '%j')}`,
      { allocations: 1, copies: 2 },
    ],
    [
      'a slice that is put back elsewhere',
      [extractRow('%s', '%t', '%i'), fill('%w', '%s', row), insertRow('%r', '%w', '%t', '%j')].join('\n'),
      { allocations: 1, copies: 1 },
    ],
    [
      'an operation that reads other elements than it writes',
      generic('%r', '%t', '%t', '(d0, d1) -> (-d0 + 3, d1)'),
      { allocations: 1, copies: 1 },
    ],
    [
      'a gather from the tensor that is written',
      `%r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%t : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %e = tensor.extract %t[%i, %j] : tensor<4x8xf32>
    linalg.yield %e : f32
  } -> tensor<4x8xf32>`,
      { allocations: 1, copies: 0 },
    ],
    [
      'a read of the initial value in the loop that changes it',
      loop(
        `%e = tensor.extract %t[%k, %j] : tensor<4x8xf32>
    %w = tensor.insert %e into %a[%i, %j] : tensor<4x8xf32>
    ${yields('%w')}`,
      ),
      { allocations: 1, copies: 1 },
    ],
    [
      'a read of the initial value after the loop',
      `%q = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %t) -> (tensor<4x8xf32>) {
    %w = tensor.insert %x into %a[%k, %j] : tensor<4x8xf32>
    ${yields('%w')}
  }
  ${generic('%r', '%t', '%q')}`,
      { allocations: 1, copies: 1 },
    ],
    [
      'a write in a loop to a tensor that the next iteration reads again',
      loop(
        `%v = tensor.insert %x into %u[%k, %j] : tensor<4x8xf32>
    ${generic('%w', '%v', '%a')}
    ${yields('%w')}`,
      ),
      { allocations: 1, copies: 1 },
    ],
    [
      'an update of the same element in a loop, of a tensor from outside',
      loop(`${generic('%v', '%t', '%u')}\n${generic('%w', '%v', '%a')}\n${yields('%w')}`, '%t'),
      // %u would grow from iteration to iteration; %t is read and carried.
      { allocations: 2, copies: 2 },
    ],
    [
      'a slice at an offset that moves with the loop, of a tensor from outside',
      loop(
        [
          extractRow('%s', '%u', '%k'),
          fill('%v', '%s', row),
          insertRow('%b', '%v', '%u', '%k'),
          generic('%w', '%b', '%a'),
          yields('%w'),
        ].join('\n'),
      ),
      // Upstream fills %u in place and then copies what earlier iterations left there.
      { allocations: 2, copies: 2 },
    ],
    [
      'a branch after which the old value is read',
      `%q = scf.if %c -> (tensor<4x8xf32>) {
    ${fill('%w', '%t')}
    ${yields('%w')}
  } else {
    ${yields('%u')}
  }
  ${generic('%r', '%t', '%q')}`,
      { allocations: 1, copies: 0 },
    ],
    [
      'a constant',
      `%k = arith.constant dense<1.0> : tensor<4x8xf32>
  %r = tensor.insert %x into %k[%i, %j] : tensor<4x8xf32>`,
      { allocations: 1, copies: 1 },
    ],
  ])('%s', (_, body, expected) => {
    const { copies, allocations, diagnostics } = bufferized(withBody(body));
    expect(diagnostics).toBe('');
    expect({ allocations, copies }).toEqual(expected);
  });

  it('an argument that is not writable, through a view too', () => {
    const { text } =
      bufferized(`func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %x: f32) -> tensor<2x2xf32> {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<2x2xf32>) {
  ^bb0(%out: f32):
    %2 = arith.addf %out, %x : f32
    linalg.yield %2 : f32
  } -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}`);
    expect(text).toContain('outs(%alloc : memref<2x2xf32>)');
    expect(text).toContain('memref.copy %expand_shape, %alloc');
  });

  it('two results of a call that share the memory of one operand', () => {
    const { text } = bufferized(`func.func private @g(tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = call @g(%t) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = linalg.fill ins(%x : f32) outs(%0#0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %0#1 : tensor<4xf32>, tensor<4xf32>
}`);
    expect(text).not.toContain('outs(%0#0');
  });
});

const kinds = [
  'fill',
  'add',
  'copy row',
  'change row',
  'shift rows',
  'insert',
  'reshape',
  'constant',
  'call',
  'loop',
  'branch',
] as const;

/** One operation of a random program: on which of the tensors so far, and at which row. */
interface Step {
  readonly kind: (typeof kinds)[number];
  readonly a: number;
  readonly b: number;
  readonly row: number;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...kinds),
    a: fc.nat(99),
    b: fc.nat(99),
    row: fc.nat(3),
  }),
  { minLength: 1, maxLength: 6 },
);

/** The program of these steps; it returns the last tensors computed and an argument. */
const programOf = (program: readonly Step[]): string => {
  const whole = 'tensor<4x8xf32>';
  const known = ['%t', '%u'];
  const lines = program.map(({ kind, a, b, row: at }, n) => {
    const [x, y] = [known[a % known.length]!, known[b % known.length]!];
    const result = `%v${n}`;
    known.push(result);
    switch (kind) {
      case 'fill':
        return `${result} = linalg.fill ins(%x : f32) outs(${x} : ${whole}) -> ${whole}`;
      case 'add':
        return `${result} = linalg.add ins(${x}, ${y} : ${whole}, ${whole}) outs(${y} : ${whole}) -> ${whole}`;
      case 'copy row':
        return [extractRow(`%s${n}`, x, String(at)), insertRow(result, `%s${n}`, y, '%j')].join('\n');
      case 'change row':
        return [
          extractRow(`%s${n}`, x, '%i'),
          fill(`%w${n}`, `%s${n}`, row),
          insertRow(result, `%w${n}`, b % 2 === 0 ? x : y, '%i'),
        ].join('\n');
      case 'insert':
        return `%e${n} = tensor.extract ${y}[%i, %j] : ${whole}
          ${result} = tensor.insert %e${n} into ${x}[%j, %c${at > 1 ? 1 : 0}] : ${whole}`;
      case 'shift rows': {
        const rows = 'tensor<2x8xf32>';
        return `%s${n} = tensor.extract_slice ${x}[${at % 3}, 0] [2, 8] [1, 1] : ${whole} to ${rows}
          %d${n} = tensor.extract_slice ${y}[1, 0] [2, 8] [1, 1] : ${whole} to ${rows}
          %w${n} = linalg.add ins(%s${n}, %d${n} : ${rows}, ${rows}) outs(%d${n} : ${rows}) -> ${rows}
          ${result} = tensor.insert_slice %w${n} into ${y}[1, 0] [2, 8] [1, 1] : ${rows} into ${whole}`;
      }
      case 'reshape':
        return `%s${n} = tensor.collapse_shape ${x} [[0, 1]] : ${whole} into tensor<32xf32>
          %w${n} = tensor.insert %x into %s${n}[%j] : tensor<32xf32>
          ${result} = tensor.expand_shape ${at > 1 ? `%s${n}` : `%w${n}`} [[0, 1]] output_shape [4, 8] : tensor<32xf32> into ${whole}`;
      case 'constant':
        return `%k${n} = arith.constant dense<2.0> : ${whole}
          ${result} = linalg.add ins(${x}, %k${n} : ${whole}, ${whole}) outs(${at > 1 ? `%k${n}` : y} : ${whole}) -> ${whole}`;
      case 'call':
        return `${result} = func.call @${['keep', 'put', 'take', 'pick'][at]!}(${x}, ${y}, %i, %x) : (${whole}, ${whole}, index, f32) -> ${whole}`;
      case 'loop':
        return `${result} = scf.for %k${n} = %c0 to %c4 step %c1 iter_args(%a${n} = ${x}) -> (${whole}) {
            ${extractRow(`%s${n}`, b % 2 === 0 ? `%a${n}` : y, `%k${n}`)}
            ${insertRow(`%w${n}`, `%s${n}`, `%a${n}`, at % 2 === 0 ? '%i' : `%k${n}`)}
            scf.yield %w${n} : ${whole}
          }`;
      case 'branch':
        return `${result} = scf.if %c -> (${whole}) {
            %w${n} = tensor.insert %x into ${x}[%i, %j] : ${whole}
            scf.yield %w${n} : ${whole}
          } else {
            scf.yield ${y} : ${whole}
          }`;
    }
  });
  const results = [known.at(-1)!, known.at(-2)!, known[program[0]!.a % known.length]!];
  const types = results.map(() => whole).join(', ');
  const callee = (name: string, body: string): string =>
    `func.func private @${name}(%a: ${whole}, %b: ${whole}, %i: index, %x: f32) -> ${whole} {
      ${body}
    }`;
  return `${callee('keep', `return %b : ${whole}`)}
  ${callee('put', `%0 = tensor.insert %x into %a[%i, %i] : ${whole} return %0 : ${whole}`)}
  ${callee('take', `%0 = linalg.sub ins(%a, %b : ${whole}, ${whole}) outs(%b : ${whole}) -> ${whole} return %0 : ${whole}`)}
  ${callee(
    'pick',
    `%c0 = arith.constant 0 : index %c = arith.cmpi eq, %i, %c0 : index
      %1 = scf.if %c -> (${whole}) { scf.yield %a : ${whole} } else { scf.yield %b : ${whole} } return %1 : ${whole}`,
  )}
  func.func @f(%t: ${whole}, %u: ${whole}, %i: index, %j: index, %x: f32, %n: index) -> (${types}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c = arith.cmpi eq, %n, %c1 : index
    ${lines.join('\n')}
    return ${results.join(', ')} : ${types}
  }`;
};

it('a program computes on buffers what it does on tensors', () => {
  fc.assert(
    fc.property(steps, fc.nat(3), fc.nat(3), fc.nat(1), fc.boolean(), (program, i, j, n, isDynamic) => {
      const { onTensors, onBuffers } = computed(programOf(program), [i, j, 7, n], {
        functionBoundaryTypeConversion: isDynamic ? 'fully-dynamic-layout-map' : 'identity-layout-map',
        hoistAllocations: !isDynamic,
      });
      expect(onBuffers).toEqual(onTensors);
    }),
    { numRuns: process.env['THOROUGH'] === undefined ? 50 : 150 },
  );
}, 60_000);

it('decides long chains in time', () => {
  const parts = Array.from({ length: 300 }, (_, i) =>
    [
      `%s${i} = tensor.extract_slice %t${i}[${i * 8}] [8] [1] : tensor<2400xf32> to tensor<8xf32>`,
      `%f${i} = linalg.fill ins(%x : f32) outs(%s${i} : tensor<8xf32>) -> tensor<8xf32>`,
      `%t${i + 1} = tensor.insert_slice %f${i} into %t${i}[${i * 8}] [8] [1] : tensor<8xf32> into tensor<2400xf32>`,
    ].join('\n'),
  );
  const { copies } = bufferized(`func.func @f(%t0: tensor<2400xf32>, %x: f32) -> tensor<2400xf32> {
  ${parts.join('\n')}
  return %t300 : tensor<2400xf32>
}`);
  expect(copies).toBe(0);
}, 20_000);

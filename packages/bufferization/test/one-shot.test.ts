/** One-Shot Bufferize: computed values are preserved under all options. */
import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Module } from '@sconv/ir';
import { printModule, verify } from '@sconv/ir';
import type { UpstreamOptions } from '../src/index.ts';
import { bufferizeModule } from '../src/index.ts';
import { computedBy } from './semantics.ts';
import { parse, registry } from './support.ts';

type Options = Omit<UpstreamOptions, 'decisions'>;

const bufferized = (module: Module, options: Options): Module => {
  const made = unwrap(bufferizeModule(module, { decisions: 'upstream', registry, ...options }));
  expect(verify(made, registry)).toEqual([]);
  return made;
};

/** A dozen additions to one tensor, `%t1` to `%t12`; the later ones add an earlier result too. */
const additions = Array.from({ length: 12 }, (_, i) => {
  const other = i > 7 ? `%t${i - 6}` : '%x';
  return `%t${i + 1} = linalg.add ins(%t${i}, ${other} : tensor<4xf32>, tensor<4xf32>) outs(%t${i} : tensor<4xf32>) -> tensor<4xf32>`;
}).join('\n');

const programs: readonly (readonly [string, string])[] = [
  [
    'many writes to one tensor, between some of which earlier contents are read',
    `func.func @f(%t0: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      ${additions}
      %old = linalg.add ins(%t3, %t12 : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
      return %t12, %old : tensor<4xf32>, tensor<4xf32>
    }`,
  ],
  [
    'a part of a tensor, added up into the same part or another one',
    `func.func @f(%t: tensor<4xf32>) -> tensor<3xf32> {
      %c = arith.constant false
      %part = tensor.extract_slice %t[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
      %other = tensor.extract_slice %t[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
      %to = scf.if %c -> tensor<3xf32> {
        scf.yield %part : tensor<3xf32>
      } else {
        scf.yield %other : tensor<3xf32>
      }
      %r = linalg.add ins(%part, %part : tensor<3xf32>, tensor<3xf32>) outs(%to : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    }`,
  ],
  [
    'many writes in a loop, which starts from what it has left',
    `func.func @f(%t: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c3 = arith.constant 3 : index
      %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t0 = %t, %before = %x) -> (tensor<4xf32>, tensor<4xf32>) {
        ${additions}
        %old = linalg.add ins(%t, %before : tensor<4xf32>, tensor<4xf32>) outs(%before : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %t12, %t0 : tensor<4xf32>, tensor<4xf32>
      }
      return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
    }`,
  ],
  [
    'a slice that is changed and put back',
    `func.func @f(%t: tensor<4x8xf32>, %x: f32) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
      %c2 = arith.constant 2 : index
      %row = tensor.extract_slice %t[%c2, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
      %w = linalg.fill ins(%x : f32) outs(%row : tensor<1x8xf32>) -> tensor<1x8xf32>
      %0 = tensor.insert_slice %w into %t[%c2, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
      return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
    }`,
  ],
  [
    'a loop that swaps what it carries',
    `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c3 = arith.constant 3 : index
      %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
        %s = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %y, %s : tensor<4xf32>, tensor<4xf32>
      }
      return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
    }`,
  ],
  [
    'a slice that an earlier iteration wrote elsewhere',
    `func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c4 = arith.constant 4 : index
      %o = arith.constant 1.0 : f32
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
        %p = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
        %w = linalg.fill ins(%o : f32) outs(%p : tensor<1xf32>) -> tensor<1xf32>
        %n = tensor.insert_slice %w into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        %s = linalg.add ins(%a, %n : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %s : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }`,
  ],
  [
    'blocks that write to a tensor of the first block again and again',
    `func.func @f(%x: f32) -> f32 {
      %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c3 = arith.constant 3 : index
      %e = bufferization.alloc_tensor() : tensor<4xf32>
      %t = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      cf.br ^body(%c0, %x : index, f32)
    ^body(%i: index, %s: f32):
      %old = tensor.extract %t[%c0] : tensor<4xf32>
      %more = arith.addf %old, %s : f32
      %w = tensor.insert %more into %t[%c0] : tensor<4xf32>
      %new = tensor.extract %w[%c0] : tensor<4xf32>
      %next = arith.addi %i, %c1 : index
      %c = arith.cmpi ult, %next, %c3 : index
      cf.cond_br %c, ^body(%next, %new : index, f32), ^end
    ^end:
      return %new : f32
    }`,
  ],
  [
    'vectors that are read from what is written before and after',
    `func.func @f(%t: tensor<8xf32>, %x: f32) -> (vector<4xf32>, vector<4xf32>, tensor<8xf32>, tensor<4xf32>) {
      %c0 = arith.constant 0 : index %c2 = arith.constant 2 : index
      %before = vector.transfer_read %t[%c2], %x {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
      %w = vector.transfer_write %before, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
      %after = vector.transfer_read %t[%c0], %x : tensor<8xf32>, vector<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %all = vector.transfer_write %after, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
      return %before, %after, %w, %all : vector<4xf32>, vector<4xf32>, tensor<8xf32>, tensor<4xf32>
    }`,
  ],
  [
    'iterations that may overlap',
    `func.func @f(%t: tensor<8xf32>, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
      %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
        %b = affine.apply affine_map<(d0) -> (2 * d0)>(%i)
        %p = tensor.extract_slice %o[%b] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %w = linalg.fill ins(%x : f32) outs(%p : tensor<2xf32>) -> tensor<2xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %w into %o[%b] [2] [1] : tensor<2xf32> into tensor<8xf32>
        }
      }
      return %r, %t : tensor<8xf32>, tensor<8xf32>
    }`,
  ],
  [
    'a reduction without points',
    `func.func @f(%e: tensor<4x0xf32>, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%e : tensor<4x0xf32>) outs(%t : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<4xf32>
      return %r, %t : tensor<4xf32>, tensor<4xf32>
    }`,
  ],
  [
    'callers keep what they pass',
    `func.func @set(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
      %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = call @set(%t, %x) : (tensor<4xf32>, f32) -> tensor<4xf32>
      return %0, %t : tensor<4xf32>, tensor<4xf32>
    }`,
  ],
  [
    'a region that hands on what is overwritten later',
    `func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
      %r = scf.execute_region -> tensor<4xf32> {
        scf.yield %t : tensor<4xf32>
      }
      %0 = linalg.fill ins(%x : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
      return %0, %t : tensor<4xf32>, tensor<4xf32>
    }`,
  ],
  [
    'a loop that reads what it carries through slices, behind a write to that',
    `func.func @f(%t: tensor<4xf32>, %x: f32) -> (f32, tensor<4xf32>) {
      %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c3 = arith.constant 3 : index
      %w = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
      %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %x, %a = %t) -> (f32, tensor<4xf32>) {
        %p = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
        %e = tensor.extract %p[%c0] : tensor<1xf32>
        %sum = arith.addf %s, %e : f32
        scf.yield %sum, %a : f32, tensor<4xf32>
      }
      return %r#0, %w : f32, tensor<4xf32>
    }`,
  ],
  [
    'a while loop that exchanges what it carries',
    `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, index) {
      %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c3 = arith.constant 3 : index
      %o = arith.constant 1.0 : f32
      %r:3 = scf.while (%i = %c0, %x = %a, %y = %b) : (index, tensor<4xf32>, tensor<4xf32>) -> (index, tensor<4xf32>, tensor<4xf32>) {
        %w = tensor.insert %o into %x[%i] : tensor<4xf32>
        %c = arith.cmpi ult, %i, %c3 : index
        scf.condition(%c) %i, %y, %w : index, tensor<4xf32>, tensor<4xf32>
      } do {
      ^bb0(%i: index, %x: tensor<4xf32>, %y: tensor<4xf32>):
        %j = arith.addi %i, %c1 : index
        %s = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %j, %s, %y : index, tensor<4xf32>, tensor<4xf32>
      }
      return %r#1, %r#2, %r#0 : tensor<4xf32>, tensor<4xf32>, index
    }`,
  ],
  [
    'a while loop that updates what it carries, and whose initial value is kept',
    `func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %c0 = arith.constant 0 : index %c2 = arith.constant 2.0 : f32 %c9 = arith.constant 99.0 : f32
      %r = scf.while (%x = %a) : (tensor<4xf32>) -> (tensor<4xf32>) {
        %e = tensor.extract %x[%c0] : tensor<4xf32>
        %c = arith.cmpf olt, %e, %c9 : f32
        scf.condition(%c) %x : tensor<4xf32>
      } do {
      ^bb0(%x: tensor<4xf32>):
        %e = tensor.extract %x[%c0] : tensor<4xf32>
        %f = math.absf %e : f32
        %g = arith.addf %f, %c2 : f32
        %s = tensor.insert %g into %x[%c0] : tensor<4xf32>
        scf.yield %s : tensor<4xf32>
      }
      return %r, %a : tensor<4xf32>, tensor<4xf32>
    }`,
  ],
  [
    'blocks that hand on tensors',
    `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: f32) -> (f32, f32) {
      %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c3 = arith.constant 3 : index
      cf.br ^body(%c0, %a, %b : index, tensor<4xf32>, tensor<4xf32>)
    ^body(%i: index, %s: tensor<4xf32>, %t: tensor<4xf32>):
      %w = tensor.insert %x into %s[%i] : tensor<4xf32>
      %next = arith.addi %i, %c1 : index
      %c = arith.cmpi ult, %next, %c3 : index
      cf.cond_br %c, ^body(%next, %t, %w : index, tensor<4xf32>, tensor<4xf32>), ^end(%w, %t : tensor<4xf32>, tensor<4xf32>)
    ^end(%u: tensor<4xf32>, %v: tensor<4xf32>):
      %p = tensor.extract %u[%c0] : tensor<4xf32>
      %q = tensor.extract %v[%c1] : tensor<4xf32>
      return %p, %q : f32, f32
    }`,
  ],
  [
    'results besides those that are what was passed',
    `func.func @set(%t: tensor<4xf32>, %u: tensor<8xf32>, %x: f32) -> (tensor<4xf32>, tensor<8xf32>, tensor<2xf32>) {
      %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
      %e = tensor.empty() : tensor<2xf32>
      %1 = linalg.fill ins(%x : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      return %0, %u, %1 : tensor<4xf32>, tensor<8xf32>, tensor<2xf32>
    }
    func.func @f(%t: tensor<4xf32>, %u: tensor<8xf32>, %x: f32) -> (tensor<4xf32>, tensor<8xf32>, tensor<2xf32>) {
      %r:3 = call @set(%t, %u, %x) : (tensor<4xf32>, tensor<8xf32>, f32) -> (tensor<4xf32>, tensor<8xf32>, tensor<2xf32>)
      return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<8xf32>, tensor<2xf32>
    }`,
  ],
  [
    'slices in other shapes',
    `func.func @f(%t: tensor<4x6xf32>, %u: tensor<1x1xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<f32>, tensor<12xf32>) {
      %s = tensor.extract_slice %t[0, 0] [4, 3] [1, 2] : tensor<4x6xf32> to tensor<4x3xf32>
      %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
      %3 = arith.constant 3 : index %4 = arith.constant 4 : index
      %shape = tensor.from_elements %3, %4 : tensor<2xindex>
      %r = tensor.reshape %c(%shape) : (tensor<12xf32>, tensor<2xindex>) -> tensor<3x4xf32>
      %q = tensor.reshape %s(%shape) : (tensor<4x3xf32>, tensor<2xindex>) -> tensor<3x4xf32>
      %one = tensor.collapse_shape %u [] : tensor<1x1xf32> into tensor<f32>
      %d = tensor.cast %t : tensor<4x6xf32> to tensor<?x6xf32>
      %e = tensor.expand_shape %d [[0, 1], [2]] output_shape [2, 2, 6] : tensor<?x6xf32> into tensor<?x2x6xf32>
      %f = tensor.extract_slice %e[1, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<?x2x6xf32> to tensor<2x6xf32>
      %g = tensor.collapse_shape %f [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
      return %r, %q, %one, %g : tensor<3x4xf32>, tensor<3x4xf32>, tensor<f32>, tensor<12xf32>
    }`
      .replace('output_shape [2, 2, 6]', 'output_shape [%n, 2, 6]')
      .replace('%d =', '%n = arith.constant 2 : index\n%d ='),
  ],
  [
    'indices, generated and padded to sizes that are not known',
    `func.func @f(%n: index) -> (index, index) {
      %c1 = arith.constant 1 : index
      %g = tensor.generate %n {
      ^bb0(%i: index):
        tensor.yield %i : index
      } : tensor<?xindex>
      %p = tensor.pad %g low[%c1] high[%n] {
      ^bb0(%i: index):
        tensor.yield %c1 : index
      } : tensor<?xindex> to tensor<?xindex>
      %e = tensor.extract %p[%n] : tensor<?xindex>
      %last = arith.addi %n, %n : index
      %h = tensor.extract %p[%last] : tensor<?xindex>
      return %e, %h : index, index
    }`,
  ],
  [
    'a padded tensor, reshaped and selected',
    `func.func @f(%t: tensor<3xf32>, %c: i1, %x: f32) -> tensor<2x4xf32> {
      %p = tensor.pad %t low[2] high[3] {
      ^bb0(%i: index):
        tensor.yield %x : f32
      } : tensor<3xf32> to tensor<8xf32>
      %s = tensor.splat %x : tensor<8xf32>
      %r = arith.select %c, %p, %s : tensor<8xf32>
      %e = tensor.expand_shape %r [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
      return %e : tensor<2x4xf32>
    }`,
  ],
];

const heuristics = ['bottom-up', 'top-down', 'bottom-up-from-terminators', 'fuzzer'] as const;

describe.each(programs)('%s', (_name, text) => {
  const payload = parse(text);
  const options: readonly Options[] = [
    {},
    { copyBeforeWrite: true },
    { memcpyOp: 'linalg.copy', bufferAlignment: 0 },
    ...heuristics.map((analysisHeuristic) => ({ analysisHeuristic, analysisFuzzerSeed: 1 })),
  ];

  it.each(options)('computes what it did with %o', (given) => {
    const made = bufferized(payload, { allowReturnAllocsFromLoops: true, ...given });
    expect(firstDifference(payload, made)).toBeUndefined();
  });

  it.each(['infer-layout-map', 'identity-layout-map', 'fully-dynamic-layout-map'] as const)(
    'computes what it did on buffers of its caller with %s',
    (functionBoundaryTypeConversion) => {
      const { onTensors, onBuffers } = computedBy(text, [], (module) =>
        bufferized(module, {
          bufferizeFunctionBoundaries: true,
          allowReturnAllocsFromLoops: true,
          functionBoundaryTypeConversion,
        }),
      );
      expect(onBuffers).toEqual(onTensors);
    },
  );

  it('is the same payload after an analysis alone, attributes aside', () => {
    const made = bufferized(payload, { allowReturnAllocsFromLoops: true, testAnalysisOnly: true });
    expect(printModule(made, { registry })).toContain('__inplace_operands_attr__');
    expect(firstDifference(payload, made)).toBeUndefined();
  });
});

it('a part of indices stays where it is as integers', () => {
  const payload = parse(`func.func @f(%t: tensor<4x6xindex>, %i: index) -> i32 {
    %s = tensor.extract_slice %t[1, 0] [2, 3] [1, 2] : tensor<4x6xindex> to tensor<2x3xindex>
    %k = arith.index_cast %s : tensor<2x3xindex> to tensor<2x3xi32>
    %e = tensor.extract %k[%i, %i] : tensor<2x3xi32>
    return %e : i32
  }`);
  const options = { functionBoundaryTypeConversion: 'identity-layout-map' } as const;
  expect(
    printModule(bufferized(payload, { bufferizeFunctionBoundaries: true, ...options }), { registry }),
  ).toContain(
    'arith.index_cast %subview : memref<2x3xindex, strided<[6, 2], offset: 6>> to memref<2x3xi32, strided<[6, 2], offset: 6>>',
  );
});

describe('what parallel iterations overwrite', () => {
  it.each([
    ['their own', '%own', true, 1],
    ['what is outside', '%t', true, 1],
    ['what is outside, unchecked', '%t', false, 0],
  ])('is %s', (_, target, checkParallelRegions, allocations) => {
    const payload = parse(`func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
      %r = scf.forall (%i) in (4) shared_outs(%o = %u) -> (tensor<8xf32>) {
        ${target === '%own' ? '%e = tensor.empty() : tensor<8xf32>\n%own = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>' : ''}
        %w = linalg.fill ins(%x : f32) outs(${target} : tensor<8xf32>) -> tensor<8xf32>
        %p = tensor.extract_slice %w[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %p into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
        }
      }
      return %r : tensor<8xf32>
    }`);
    const made = bufferized(payload, { bufferizeFunctionBoundaries: true, checkParallelRegions });
    const text = printModule(made, { registry });
    expect(text.split('memref.alloc(').length - 1).toBe(allocations);
  });
});

describe('the decisions', () => {
  it('stand beside the operands', () => {
    const payload = parse(`func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
      %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
      %1 = tensor.extract %t[%i] : tensor<4xf32>
      return %0, %1 : tensor<4xf32>, f32
    }`);
    const options = { bufferizeFunctionBoundaries: true, testAnalysisOnly: true, printConflicts: true };
    expect(printModule(bufferized(payload, options), { registry })).toBe(`module {
  func.func @f(%arg0: tensor<4xf32> {bufferization.access = "read"}, %arg1: f32, %arg2: index) -> (tensor<4xf32>, f32) attributes {"C_0[DEF: bbArg 0]"} {
    %inserted = tensor.insert %arg1 into %arg0[%arg2] {"C_0[CONFL-WRITE: 1]", __inplace_operands_attr__ = ["none", "false", "none"]} : tensor<4xf32>
    %extracted = tensor.extract %arg0[%arg2] {"C_0[READ: 0]", __inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
    return {__inplace_operands_attr__ = ["true", "none"]} %inserted, %extracted : tensor<4xf32>, f32
  }
}
`);
  });
});

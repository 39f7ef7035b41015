/** What One-Shot Bufferize rejects. */
import { describe, expect, it } from 'vitest';
import { render, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { attach, createRegistry, defineOp, parseModule } from '@sconv/ir';
import type { UpstreamOptions } from '../src/index.ts';
import { bufferizable, bufferizationInterfaces, bufferizeModule } from '../src/index.ts';
import { registry } from './support.ts';

type Options = Omit<UpstreamOptions, 'decisions'>;

const allocs = `%a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>`;
const all: Options = { bufferizeFunctionBoundaries: true };
const two = '(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1, %i: index) -> tensor<4xf32>';

const refused: readonly (readonly [string, Options, string])[] = [
  [
    'no-memory-space',
    { mustInferMemorySpace: true },
    `func.func @f(%i: index) -> f32 {
      %e = tensor.empty() : tensor<4xf32>
      %x = tensor.extract %e[%i] : tensor<4xf32>
      return %x : f32
    }`,
  ],
  [
    'memory-space',
    { mustInferMemorySpace: true },
    `func.func @f(%i: index, %x: f32) -> f32 {
      %e = tensor.generate {
      ^bb0(%j: index):
        tensor.yield %x : f32
      } : tensor<4xf32>
      %y = tensor.extract %e[%i] : tensor<4xf32>
      return %y : f32
    }`,
  ],
  [
    'carried-memory-space',
    { ...all, allowReturnAllocsFromLoops: true },
    `func.func @f(%i: index, %n: index) -> tensor<4xf32> {
      ${allocs}
      %r = scf.for %j = %i to %n step %n iter_args(%t = %a) -> (tensor<4xf32>) {
        %d = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
        scf.yield %d : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }`,
  ],
  [
    'select-memory-space',
    all,
    `func.func @f(%c: i1) -> tensor<4xf32> {
      ${allocs}
      %s = arith.select %c, %a, %b : tensor<4xf32>
      return %s : tensor<4xf32>
    }`,
  ],
  [
    'branch-memory-space',
    all,
    `func.func @f(%c: i1) -> tensor<4xf32> {
      ${allocs}
      %s = scf.if %c -> tensor<4xf32> { scf.yield %a : tensor<4xf32> } else { scf.yield %b : tensor<4xf32> }
      return %s : tensor<4xf32>
    }`,
  ],
  [
    'branch-memory-space',
    all,
    `func.func @f(%k: index) -> tensor<4xf32> {
      ${allocs}
      %s = scf.index_switch %k -> tensor<4xf32>
      case 1 { scf.yield %a : tensor<4xf32> }
      default { scf.yield %b : tensor<4xf32> }
      return %s : tensor<4xf32>
    }`,
  ],
  [
    'block-memory-space',
    all,
    `func.func @f(%c: i1) -> tensor<4xf32> {
      ${allocs}
      cf.cond_br %c, ^x(%a: tensor<4xf32>), ^x(%b: tensor<4xf32>)
    ^x(%s: tensor<4xf32>):
      return %s : tensor<4xf32>
    }`,
  ],
  [
    'unranked-operand',
    all,
    `func.func @g(%t: tensor<*xf32>) -> ()
    func.func @f(%t: tensor<*xf32> {bufferization.writable = false}) {
      call @g(%t) : (tensor<*xf32>) -> ()
      return
    }`.replace('func.func @g', 'func.func private @g'),
  ],
  [
    'unranked-copy',
    { ...all, allowReturnAllocsFromLoops: true },
    `func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>, %i: index) -> tensor<*xf32> {
      %r:2 = scf.for %j = %i to %i step %i iter_args(%x = %a, %y = %b) -> (tensor<*xf32>, tensor<*xf32>) {
        scf.yield %y, %x : tensor<*xf32>, tensor<*xf32>
      }
      return %r#0 : tensor<*xf32>
    }`,
  ],
  [
    'unrestricted-to-tensor',
    {},
    `func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
      %t = bufferization.to_tensor %m : memref<4xf32>
      %x = tensor.extract %t[%i] : tensor<4xf32>
      return %x : f32
    }`,
  ],
  [
    'unavoidable-conflict',
    all,
    `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
      %r = bufferization.materialize_in_destination %a in %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %x = tensor.extract %b[%i] : tensor<4xf32>
      return %r, %x : tensor<4xf32>, f32
    }`,
  ],
  [
    'unavoidable-write',
    all,
    `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
      %r = bufferization.materialize_in_destination %a in %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }`,
  ],
  [
    'not-bufferized',
    all,
    `func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "test.what"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }`,
  ],
  [
    'other-yield',
    all,
    `func.func @f${two} {
      %r = scf.for %j = %i to %i step %i iter_args(%t = %a) -> (tensor<4xf32>) { scf.yield %b : tensor<4xf32> }
      return %r : tensor<4xf32>
    }`,
  ],
  [
    'other-condition',
    all,
    `func.func @f${two} {
      %r = scf.while (%t = %a) : (tensor<4xf32>) -> tensor<4xf32> { scf.condition(%c) %b : tensor<4xf32> } do {
      ^bb0(%t: tensor<4xf32>):
        scf.yield %t : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }`,
  ],
  [
    'other-while-yield',
    all,
    `func.func @f${two} {
      %r = scf.while (%t = %a) : (tensor<4xf32>) -> tensor<4xf32> { scf.condition(%c) %t : tensor<4xf32> } do {
      ^bb0(%t: tensor<4xf32>):
        scf.yield %b : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }`,
  ],
  [
    'several-yields',
    all,
    `func.func @f${two} {
      %r = scf.execute_region -> tensor<4xf32> {
        cf.cond_br %c, ^x, ^y
      ^x:
        scf.yield %a : tensor<4xf32>
      ^y:
        scf.yield %b : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }`,
  ],
  [
    'several-returns',
    all,
    `func.func @f${two} {
      cf.cond_br %c, ^x, ^y
    ^x:
      return %a : tensor<4xf32>
    ^y:
      return %b : tensor<4xf32>
    }`,
  ],
  [
    'circular-calls',
    all,
    `func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%t) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }`,
  ],
  ['declared-result', all, `func.func private @f(tensor<4xf32>) -> tensor<4xf32>`],
  [
    'unknown-branch',
    all,
    `func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      "test.branch"(%t)[^x] : (tensor<4xf32>) -> ()
    ^x(%s: tensor<4xf32>):
      return %s : tensor<4xf32>
    }`,
  ],
];

const refusal = (text: string, options: Options, of = registry): string => {
  const module = unwrap(parseModule(text, { registry: of, allowUnregisteredDialects: true }));
  const result = bufferizeModule(module, { decisions: 'upstream', registry: of, ...options });
  expect(result.status).toBe('definite');
  return result.diagnostics.map((diagnostic) => render(diagnostic)).join('\n');
};

describe('what is refused', () => {
  it.each(refused)('%s', (code, options, text) => {
    expect(refusal(text, options)).toContain(`[bufferize/${code}]`);
  });

  it('says which operation it failed at', () => {
    const [, options, text] = refused[0]!;
    expect(refusal(text, options)).toContain('failed to bufferize op [bufferize/failed]');
  });

  it('branches between blocks of an operation that is not made for them', () => {
    const region = defineOp({ name: 'own.region', summary: 'a region', regions: ['body'], operands: {} });
    const own = createRegistry(
      [...payloadDialects, { name: 'own', operations: [region] }],
      [...bufferizationInterfaces, attach(bufferizable, 'own.region', { bufferize: () => undefined })],
    );
    const text = `"own.region"() ({
      cf.br ^x
    ^x:
      cf.br ^x
    }) : () -> ()`;
    expect(refusal(text, {}, own)).toContain('[bufferize/several-blocks]');
  });
});

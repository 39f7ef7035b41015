import { unwrap } from '@sconv/diagnostics';
import type { Id, Module } from '@sconv/ir';
import { tryEdit, walk } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { bufferizeOp } from '../src/one-shot-bufferize.ts';
import { computed } from './semantics.ts';
import { bufferized, parse, registry } from './support.ts';

describe('tensors that a loop carries and that are not updated in place', () => {
  it('are copied at the end of each iteration, with a warning', () => {
    const { text, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4xf32>, %n: index, %c0: index, %c1: index) -> tensor<4xf32> {
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}`);
    expect(diagnostics).toContain(
      'warning: iteration argument #0 is not updated in place: every iteration copies it [bufferize/loop-carried-copy]\ntest.mlir:5:5: note: the value is yielded here',
    );
    expect(text).toContain('    memref.copy %alloc, %arg0 : memref<4xf32> to memref<4xf32>\n  }');
  });

  it('are brought away first where they are exchanged', () => {
    const { text } =
      bufferized(`func.func @swap(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index, %c0: index, %c1: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}`);
    expect(text).toMatchInlineSnapshot(`
      "func.func @swap(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: index, %arg3: index, %arg4: index) {
        %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        scf.for %arg5 = %arg3 to %arg2 step %arg4 {
          memref.copy %arg1, %alloc : memref<4xf32> to memref<4xf32>
          memref.copy %arg0, %alloc_0 : memref<4xf32> to memref<4xf32>
          memref.copy %alloc, %arg0 : memref<4xf32> to memref<4xf32>
          memref.copy %alloc_0, %arg1 : memref<4xf32> to memref<4xf32>
        }
        return
      }"
    `);
  });

  it('stand beside scalars', () => {
    const { text, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4xf32>, %n: index, %c0: index, %c1: index, %x: f32) -> (f32, tensor<4xf32>, index) {
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %a = %t, %k = %c0) -> (f32, tensor<4xf32>, index) {
    %1 = tensor.extract %a[%k] : tensor<4xf32>
    %2 = tensor.insert %s into %a[%i] : tensor<4xf32>
    scf.yield %1, %2, %i : f32, tensor<4xf32>, index
  }
  return %0#0, %0#1, %0#2 : f32, tensor<4xf32>, index
}`);
    expect(diagnostics).toBe('');
    expect(text).toMatchInlineSnapshot(`
      "func.func @f(%arg0: memref<4xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: f32) -> (f32, index) {
        %0:2 = scf.for %arg5 = %arg2 to %arg1 step %arg3 iter_args(%arg6 = %arg4, %arg7 = %arg2) -> (f32, index) {
          %1 = memref.load %arg0[%arg7] : memref<4xf32>
          memref.store %arg6, %arg0[%arg5] : memref<4xf32>
          scf.yield %1, %arg5 : f32, index
        }
        return %0#0, %0#1 : f32, index
      }"
    `);
  });
});

describe('what a loop carries has the content of before', () => {
  it.each([
    ['0', '4', 0],
    ['0', '1', 0],
    ['1', '1', 1],
    ['4', '0', 1],
    ['0', '%n', 1],
    ['%n', '4', 1],
    ['%n', '%n', 1],
  ])('if it may run never: from %s to %s', (from, to, copies) => {
    // Each iteration overwrites all of it, so that the buffer besides %t is new.
    const bound = (name: string, value: string) =>
      value === '%n' ? '' : `${name} = arith.constant ${value} : index`;
    const text = `func.func @f(%t: tensor<4xf32>, %n: index, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
      %one = arith.constant 1 : index
      ${bound('%from', from)}
      ${bound('%to', to)}
      %0 = scf.for %i = ${from === '%n' ? '%n' : '%from'} to ${to === '%n' ? '%n' : '%to'} step %one iter_args(%a = %t) -> (tensor<4xf32>) {
        %1 = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %1 : tensor<4xf32>
      }
      return %0, %t : tensor<4xf32>, tensor<4xf32>
    }`;
    expect(bufferized(text)).toMatchObject({ diagnostics: '', allocations: 1, copies });
    for (const n of [0, 2, 5]) {
      const { onTensors, onBuffers } = computed(text, [n, 9]);
      expect(onBuffers).toEqual(onTensors);
    }
  });
});

it('tensors are read in a loop that carries none', () => {
  const { text, diagnostics } =
    bufferized(`func.func @f(%t: tensor<4xf32>, %n: index, %c: i1, %m: memref<4xf32>) {
  scf.for %i = %n to %n step %n {
    scf.if %c {
      %0 = tensor.extract %t[%i] : tensor<4xf32>
      memref.store %0, %m[%i] : memref<4xf32>
    }
  }
  return
}`);
  expect(diagnostics).toBe('');
  expect(text).toContain('      %0 = memref.load %arg0[%arg4] : memref<4xf32>');
});

describe('branches', () => {
  it('yield buffers of a common type where they differ', () => {
    const { text, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4x8xf32>, %u: tensor<8xf32>, %c: i1, %i: index) -> f32 {
  %0 = scf.if %c -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %u : tensor<8xf32>
  }
  %2 = tensor.extract %0[%i] : tensor<8xf32>
  return %2 : f32
}`);
    expect(diagnostics).toBe('');
    expect(text).toMatchInlineSnapshot(`
      "func.func @f(%arg0: memref<4x8xf32>, %arg1: memref<8xf32>, %arg2: i1, %arg3: index) -> f32 {
        %0 = scf.if %arg2 -> (memref<8xf32, strided<[1], offset: ?>>) {
          %subview = memref.subview %arg0[%arg3, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
          scf.yield %subview : memref<8xf32, strided<[1], offset: ?>>
        } else {
          %cast = memref.cast %arg1 : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
          scf.yield %cast : memref<8xf32, strided<[1], offset: ?>>
        }
        %1 = memref.load %0[%arg3] : memref<8xf32, strided<[1], offset: ?>>
        return %1 : f32
      }"
    `);
  });
});

describe('what handles follow', () => {
  const nest = `func.func @f(%t: tensor<4xf32>, %n: index, %c: i1, %x: f32) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
      %1 = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    }
    %2 = scf.if %c -> (tensor<4xf32>) {
      %3 = tensor.insert %x into %0[%n] : tensor<4xf32>
      scf.yield %3 : tensor<4xf32>
    } else {
      scf.yield %0 : tensor<4xf32>
    }
    return %2 : tensor<4xf32>
  }`;

  it.each(['scf.for', 'scf.if', 'linalg.fill'])('%s becomes the one on buffers', (name) => {
    const module = parse(nest);
    const { forward, module: after } = unwrap(
      tryEdit(module, { registry }, (rewriter) => bufferizeOp(rewriter, rewriter.root)),
    );
    const idsOf = (of: Module): readonly Id[] =>
      [...walk(of.root)].filter((operation) => operation.name === name).map(({ id }) => id);
    const [before, ...others] = idsOf(module);
    expect(others).toEqual([]);
    expect(forward.operations.get(before!)).toEqual(idsOf(after));
  });
});

describe('loops and branches compute what they did', () => {
  /** `@f(%t, %u, %n, %x)`, around a body that defines `%r` and `%s`. */
  const around = (body: string): string =>
    `func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      ${body}
      return %r, %s : tensor<4xf32>, tensor<4xf32>
    }`;
  const type = 'tensor<4xf32>';
  const carries = `-> (${type}, ${type})`;

  it.each([
    ['exchanges', `%0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) ${carries} {
        scf.yield %b, %a : ${type}, ${type}
      }`, '%0#0', '%0#1'],
    ['carries one into both', `%0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) ${carries} {
        %1 = tensor.insert %x into %a[%i] : ${type}
        scf.yield %1, %1 : ${type}, ${type}
      }`, '%0#0', '%0#1'],
    ['begins both with one', `%0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) ${carries} {
        %1 = tensor.insert %x into %a[%i] : ${type}
        scf.yield %1, %b : ${type}, ${type}
      }`, '%0#0', '%0#1'],
    ['keeps the initial value', `%0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (${type}) {
        %1 = tensor.insert %x into %a[%i] : ${type}
        scf.yield %1 : ${type}
      }`, '%0', '%t'],
    ['reads the initial value in the loop', `%0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (${type}) {
        %e = tensor.extract %t[%c0] : ${type}
        %y = arith.addf %e, %x : f32
        %1 = tensor.insert %y into %a[%c0] : ${type}
        scf.yield %1 : ${type}
      }`, '%0', '%u'],
    ['gives a new tensor each time', `%0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (${type}) {
        %e = tensor.empty() : ${type}
        %1 = linalg.add ins(%a, %u : ${type}, ${type}) outs(%e : ${type}) -> ${type}
        scf.yield %1 : ${type}
      }`, '%0', '%u'],
    ['gives a value from outside', `%0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (${type}) {
        scf.yield %u : ${type}
      }`, '%0', '%t'],
    ['never runs', `%0 = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %t) -> (${type}) {
        %1 = linalg.fill ins(%x : f32) outs(%a : ${type}) -> ${type}
        scf.yield %1 : ${type}
      }`, '%0', '%t'],
    ['reshapes what it carries', `%0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (${type}) {
        %m = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : ${type} into tensor<2x2xf32>
        %1 = tensor.insert %x into %m[%c1, %c0] : tensor<2x2xf32>
        %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<2x2xf32> into ${type}
        scf.yield %2 : ${type}
      }`, '%0', '%u'],
    ['takes one of two', `%c = arith.cmpi eq, %n, %c1 : index
      %0 = scf.if %c -> (${type}) {
        %1 = linalg.fill ins(%x : f32) outs(%t : ${type}) -> ${type}
        scf.yield %1 : ${type}
      } else {
        scf.yield %u : ${type}
      }
      %2 = tensor.insert %x into %0[%c1] : ${type}`, '%2', '%u'],
    ['takes one of two, and the other is used', `%c = arith.cmpi eq, %n, %c1 : index
      %0 = scf.if %c -> (${type}) {
        scf.yield %t : ${type}
      } else {
        scf.yield %u : ${type}
      }
      %2 = linalg.fill ins(%x : f32) outs(%0 : ${type}) -> ${type}
      %3 = linalg.add ins(%t, %u : ${type}, ${type}) outs(%2 : ${type}) -> ${type}`, '%3', '%2'],
    ['takes one of three, two of which are one', `%0 = scf.index_switch %n -> ${type}
      case 1 {
        %1 = tensor.insert %x into %t[%c1] : ${type}
        scf.yield %1 : ${type}
      }
      case 2 {
        scf.yield %u : ${type}
      }
      default {
        scf.yield %u : ${type}
      }
      %2 = tensor.insert %x into %0[%c0] : ${type}`, '%2', '%u'],
    ['selects one of two, and both are used', `%c = arith.cmpi eq, %n, %c1 : index
      %0 = arith.select %c, %t, %u : ${type}
      %2 = tensor.insert %x into %0[%c0] : ${type}
      %3 = linalg.add ins(%t, %u : ${type}, ${type}) outs(%2 : ${type}) -> ${type}`, '%3', '%0'],
    ['chooses in a loop', `%0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (${type}) {
        %c = arith.cmpi eq, %i, %c1 : index
        %1 = scf.if %c -> (${type}) {
          %2 = tensor.insert %x into %a[%i] : ${type}
          scf.yield %2 : ${type}
        } else {
          scf.yield %u : ${type}
        }
        scf.yield %1 : ${type}
      }`, '%0', '%u'],
    ['adds numbers beside', `%0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x, %a = %t) -> (f32, ${type}) {
        %e = tensor.extract %a[%i] : ${type}
        %z = arith.addf %y, %e : f32
        %1 = tensor.insert %y into %a[%i] : ${type}
        scf.yield %z, %1 : f32, ${type}
      }
      %2 = tensor.insert %0#0 into %u[%c1] : ${type}`, '%0#1', '%2'],
  ])('that %s', (_, body, r, s) => {
    for (const n of [0, 1, 2, 3]) {
      const text = around(body).replace('return %r, %s', `return ${r}, ${s}`);
      const { onTensors, onBuffers } = computed(text, [n, 9]);
      expect(onBuffers).toEqual(onTensors);
    }
  }); // prettier-ignore
});

describe('scf.execute_region', () => {
  const type = 'tensor<4xf32>';
  const around = (body: string, returned = '%0'): string =>
    `func.func @f(%t: ${type}, %u: ${type}, %n: index, %x: f32) -> (${type}, ${type}) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      ${body}
      return ${returned}, %t : ${type}, ${type}
    }`;
  const insert = (into: string) => `tensor.insert %x into ${into}[%n] : ${type}`;
  const region = (body: string) => `scf.execute_region -> ${type} {\n${body}\n}`;

  it('hands on the buffers of its only block', () => {
    const { text, diagnostics } = bufferized(`func.func @f(%t: ${type}, %n: index, %x: f32) -> f32 {
  %0:2 = scf.execute_region -> (${type}, index) {
    %1 = ${insert('%t')}
    %c0 = arith.constant 0 : index
    scf.yield %1, %c0 : ${type}, index
  }
  %2 = tensor.extract %0#0[%0#1] : ${type}
  return %2 : f32
}`);
    expect(diagnostics).toBe('');
    expect(text).toMatchInlineSnapshot(`
      "func.func @f(%arg0: memref<4xf32>, %arg1: index, %arg2: f32) -> f32 {
        %0 = scf.execute_region -> index {
          memref.store %arg2, %arg0[%arg1] : memref<4xf32>
          scf.yield %c0 : index
        }
        %1 = memref.load %arg0[%0] : memref<4xf32>
        return %1 : f32
      }"
    `);
  });

  // prettier-ignore
  it.each([
    ['gives what is outside', region(`scf.yield %u : ${type}`), 0],
    ['gives what it overwrites', region(`%1 = ${insert('%u')}\nscf.yield %1 : ${type}`), 0],
    ['overwrites what is read later', region(`%1 = ${insert('%t')}\nscf.yield %1 : ${type}`), 1],
    ['gives what is new', region(`%e = tensor.empty() : ${type}
      %1 = linalg.fill ins(%x : f32) outs(%e : ${type}) -> ${type}\nscf.yield %1 : ${type}`), 0],
    ['gives what is overwritten later', `${region(`scf.yield %t : ${type}`)}\n%2 = ${insert('%0')}`, 1],
    ['stands in a loop', `scf.for %i = %c0 to %n step %c1 iter_args(%a = %u) -> (${type}) {
      %1 = ${region(`%e = tensor.extract %a[%i] : ${type}
        %s = arith.addf %e, %x : f32
        %2 = tensor.insert %s into %a[%i] : ${type}
        scf.yield %2 : ${type}`)}
      scf.yield %1 : ${type}
    }`, 0],
    ['stands in another', region(`%1 = ${region(`%2 = ${insert('%u')}\nscf.yield %2 : ${type}`)}
      scf.yield %1 : ${type}`), 0],
    ['holds a branch', region(`%c = arith.cmpi eq, %n, %c1 : index
      %1 = scf.if %c -> (${type}) {
        scf.yield %u : ${type}
      } else {
        %2 = ${insert('%u')}
        scf.yield %2 : ${type}
      }
      scf.yield %1 : ${type}`), 0],
  ])('that %s', (_, body, copies) => {
    const text = around(`%0 = ${body}`, body.includes('%2 = tensor.insert %x into %0') ? '%2' : '%0');
    expect(bufferized(text)).toMatchObject({ diagnostics: '', copies });
    for (const n of [0, 1, 3]) {
      const { onTensors, onBuffers } = computed(text, [n, 9]);
      expect(onBuffers).toEqual(onTensors);
    }
  });

  it('that calls an outlined loop computes the same', () => {
    const text = `func.func @body(%n: index, %x: f32, %t: ${type}) -> ${type} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (${type}) {
        %1 = tensor.insert %x into %a[%i] : ${type}
        scf.yield %1 : ${type}
      }
      return %0 : ${type}
    }
    ${around(
      `%0 = ${region(`%1 = func.call @body(%n, %x, %t) : (index, f32, ${type}) -> ${type}
      scf.yield %1 : ${type}`)}`,
    )}`;
    for (const n of [0, 3]) {
      const { onTensors, onBuffers } = computed(text, [n, 9]);
      expect(onBuffers).toEqual(onTensors);
    }
  });

  it.each([
    [type, `  scf.yield %t : ${type}`, "'scf.execute_region' cannot be bufferized: it has several blocks"],
    [
      'index',
      `  %e = tensor.dim %t, %n : ${type}\n  scf.yield %e : index`,
      "'tensor.dim' uses tensors in a region of 2 blocks; only structured control flow is supported",
    ],
  ])('with several blocks is refused: %s', (result, end, message) => {
    const { diagnostics } = bufferized(`func.func @f(%t: ${type}, %n: index) -> ${result} {
      %0 = scf.execute_region -> ${result} {
        cf.br ^bb1
      ^bb1:
        ${end}
      }
      return %0 : ${result}
    }`);
    expect(diagnostics).toContain(message);
  });
});

describe('scf.forall', () => {
  const over = (body: string, inits = '%t'): string =>
    `func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = scf.forall (%i) in (2) shared_outs(%o = ${inits}) -> (tensor<4xf32>) {
    %two = arith.constant 2 : index
    %at = arith.muli %i, %two : index
    ${body}
  }
  return %0, %t : tensor<4xf32>, tensor<4xf32>
}`;
  const slice = '[%at] [2] [1]';
  const insert = (value: string): string => `scf.forall.in_parallel {
      tensor.parallel_insert_slice ${value} into %o${slice} : tensor<2xf32> into tensor<4xf32>
    }`;
  const add = (a: string, b: string, out: string): string =>
    `%sum = linalg.add ins(${a}, ${b} : tensor<2xf32>, tensor<2xf32>) outs(${out} : tensor<2xf32>) -> tensor<2xf32>`;
  const part = (name: string, of: string): string =>
    `%${name} = tensor.extract_slice %${of}${slice} : tensor<4xf32> to tensor<2xf32>`;

  it('writes its parts where they belong', () => {
    const text = over(`${part('p', 'o')}\n${add('%p', '%p', '%p')}\n${insert('%sum')}`).replace(
      'return %0, %t',
      'return %0, %u',
    );
    const { text: onBuffers, allocations, copies, diagnostics } = bufferized(text);
    expect(diagnostics).toBe('');
    expect([allocations, copies]).toEqual([0, 0]);
    expect(onBuffers).toMatchInlineSnapshot(`
      "func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
        scf.forall (%arg2) in (2) {
          %0 = arith.muli %arg2, %c2 : index
          %subview = memref.subview %arg0[%0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
          linalg.add ins(%subview, %subview : memref<2xf32, strided<[1], offset: ?>>, memref<2xf32, strided<[1], offset: ?>>) outs(%subview : memref<2xf32, strided<[1], offset: ?>>)
        }
        return
      }"
    `);
  });

  it('keeps its bounds, also those that are values', () => {
    const text = over(`${part('p', 'o')}\n${add('%p', '%p', '%p')}\n${insert('%sum')}`)
      .replace('%u: tensor<4xf32>)', '%u: tensor<4xf32>, %first: index, %step: index)')
      .replace('(%i) in (2)', '(%i) = (%first) to (2) step (%step)')
      .replace('return %0, %t', 'return %0, %u');
    expect(bufferized(text).text).toContain('scf.forall (%arg4) = (%arg2) to (2) step (%arg3) {');
  });

  it.each([
    ['its output is used afterwards', over(`${part('p', 'o')}\n${add('%p', '%p', '%p')}\n${insert('%sum')}`)],
    [
      'it reads what it began with',
      over(`${part('p', 't')}\n${part('q', 'o')}\n${add('%p', '%q', '%q')}\n${insert('%sum')}`),
    ],
    [
      'it reads another part of what it began with',
      over(
        `%p = tensor.extract_slice %t[1] [2] [1] : tensor<4xf32> to tensor<2xf32>\n${part('q', 'o')}\n${add('%p', '%q', '%q')}\n${insert('%sum')}`,
      ).replace('return %0, %t', 'return %0, %u'),
    ],
    ['it inserts a part of another tensor', over(`${part('p', 'u')}\n${insert('%p')}`)],
    [
      'it inserts an empty tensor that it has filled',
      over(
        `%e = tensor.empty() : tensor<2xf32>\n${part('p', 'u')}\n${add('%p', '%p', '%e')}\n${insert('%sum')}`,
      ),
    ],
    [
      'it inserts parts of two tensors',
      `func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.forall (%i) in (2) shared_outs(%o = %t, %r = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %two = arith.constant 2 : index
    %at = arith.muli %i, %two : index
    ${part('p', 'o')}
    ${part('q', 'r')}
    ${add('%p', '%q', '%p')}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %o${slice} : tensor<2xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %p into %r${slice} : tensor<2xf32> into tensor<4xf32>
    }
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}`,
    ],
  ])('computes the same where %s', (_, text) => {
    const { onTensors, onBuffers } = computed(text);
    expect(onBuffers).toEqual(onTensors);
  });
});

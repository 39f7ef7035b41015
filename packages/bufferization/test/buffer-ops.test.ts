/** Transform ops that create buffers and work on them. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { bufferizationInterfaces } from '../src/index.ts';
import { transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, {
  difference: firstDifference,
  attachments: [...bufferizationInterfaces],
});
const one = '!transform.any_op';
const found = (name: string): string =>
  `%t = transform.structured.match ops{["${name}"]} in %root : (${one}) -> !transform.op<"${name}">`;

describe('transform.memref.multibuffer', () => {
  const script = (attributes: string): string =>
    `${found('memref.alloc')}
%0 = transform.memref.multibuffer %t {${attributes}} : (!transform.op<"memref.alloc">) -> ${one}`;
  const loop = (first: string, loop = 'scf.for %i = %c0 to %c8 step %c2', type = '4xf32') => `
func.func @f(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc(${type === '4xf32' ? '' : '%c2'}) : memref<${type}>
  ${loop} {
    ${first}
    memref.copy %b, %m : memref<${type}> to memref<4xf32>
  }
  memref.dealloc %b : memref<${type}>
  return
}`;
  const fill = 'linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)';

  const whileLoop = `func.func @f(%x: f32, %c: i1) {
  %b = memref.alloc() : memref<4xf32>
  scf.while : () -> () {
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
    %false = arith.constant false
    scf.condition(%false)
  } do {
    scf.yield
  }
  return
}`;

  it.each([
    ['scf.for %i = %c0 to %c8 step %c2', '-> ((d0 floordiv 2) mod 3)>(%arg2)'],
    [
      'scf.for %i = %c2 to %c8 step %c2',
      '-> (d0 floordiv 2 - ((d0 floordiv 2 - 1) floordiv 3) * 3 - 1)>(%arg2)',
    ],
    ['affine.for %i = 0 to 8 step 4', '-> ((d0 floordiv 4) mod 3)>(%arg2)'],
    ['scf.forall (%i) in (8)', '-> (d0 mod 3)>(%arg2)'],
    ['scf.parallel (%i) = (%c0) to (%c8) step (%c2)', '-> ((d0 floordiv 2) mod 3)>(%arg2)'],
  ])('counts the iterations of %s', (kind, index) => {
    const { text, diagnostics } = apply(loop(fill, kind), script('factor = 3, skip_analysis'));
    expect(diagnostics).toBe('');
    expect(text).toContain(index);
    expect(text).toContain('memref.dealloc %alloc : memref<3x4xf32>');
  });

  it('leaves a buffer that is used outside of loops', () => {
    const payload = loop(fill).replace('memref.dealloc', `${fill}\n  memref.dealloc`);
    expect(apply(payload, script('factor = 2')).text).toContain('memref.alloc() : memref<4xf32>');
  });

  it.each([
    ['is not overwritten by the first user', loop(fill), 'factor = 2'],
    [
      'is overwritten before the loop ends only',
      loop('memref.copy %m, %b : memref<4xf32> to memref<4xf32>'),
      'factor = 2',
    ],
    ['is of dynamic size', loop('', undefined, '?xf32'), 'factor = 2, skip_analysis'],
    [
      'is used in several dimensions of loops',
      loop(fill, 'scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c2, %c2)'),
      'factor = 2, skip_analysis',
    ],
    ['is used in a loop that counts nothing', whileLoop, 'factor = 2, skip_analysis'],
  ])('refuses a buffer that %s', (_, payload, attributes) => {
    const { diagnostics } = apply(payload, script(attributes));
    expect(diagnostics).toContain('op failed to multibuffer [multibuffer/failed]');
  });
});

describe('transform.memref.alloca_to_global', () => {
  const script = `${found('memref.alloca')}
%0, %1 = transform.memref.alloca_to_global %t : (!transform.op<"memref.alloca">) -> (${one}, ${one})`;

  it('takes a name that the module does not have', () => {
    const { text } = apply(
      `memref.global "private" @alloca : memref<2xf32>
func.func @f(%m: memref<2xf32>) {
  %a = memref.alloca() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  return
}`,
      script,
    );
    expect(text).toContain('memref.get_global @alloca_0 : memref<2xf32>');
    expect(text).toContain('memref.global "private" @alloca_0 : memref<2xf32>');
  });

  it('refuses a dynamic size', () => {
    const { diagnostics } = apply(
      `func.func @f(%n: index) {
  %a = memref.alloca(%n) : memref<?xf32>
  return
}`,
      script,
    );
    expect(diagnostics).toContain('alloca-to-global/dynamic');
  });
});

describe('transform.structured.bufferize_to_allocation', () => {
  const script = (name: string, attributes = ''): string => `
%t = transform.structured.match ops{["${name}"]} in %root : (${one}) -> ${one}
%buffer, %new = transform.structured.bufferize_to_allocation %t ${attributes} : ${one}`;
  const fill = `func.func @f(%x: f32, %t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}`;
  const pad = (
    low: string,
    value: string,
  ): string => `func.func @f(%x: f32, %t: tensor<4xf32>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %t low[${low}] high[2] {
  ^bb0(%i: index):
    ${value}
  } : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}`;

  it.each([
    [
      'a structured op on the buffer',
      'linalg.fill',
      '',
      /linalg.fill ins\(%arg0 : f32\) outs\(%alloc : memref<\?xf32>\)/,
    ],
    ['a new name of the buffer', 'linalg.fill', '', /to_tensor %alloc restrict writable/],
    ['a copy of the destination', 'linalg.exp', '{memcpy_op = "memref.copy"}', /memref.copy %\d, %alloc/],
    [
      'the destination alone',
      'linalg.exp',
      '{bufferize_destination_only}',
      /linalg.exp .*outs\(%\d : tensor/,
    ],
    ['a buffer of the stack', 'linalg.fill', '{alloc_op = "memref.alloca"}', /memref.alloca\(%dim\)/],
  ])('makes %s', (_, name, attributes, expected) => {
    const { text, diagnostics } = apply(fill, script(name, attributes));
    expect(diagnostics).toBe('');
    expect(text).toMatch(expected);
  });

  it('consumes its target, unless that stays', () => {
    const annotated = (attributes: string) =>
      apply(fill, `${script('linalg.exp', attributes)}\ntransform.annotate %t "later" : ${one}`);
    expect(annotated('{bufferize_destination_only}').text).toContain('linalg.exp {later}');
    expect(annotated('').diagnostics).toContain('invalidated');
  });

  it('frees the buffer at the end of the block', () => {
    const payload = `func.func @f(%x: f32, %t: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%c0] : tensor<4xf32>
  return %1 : f32
}`;
    expect(apply(payload, script('linalg.fill', '{emit_dealloc}')).text).toMatch(
      /memref.dealloc %alloc : .*\n +return/,
    );
  });

  it.each([
    [
      'a constant',
      pad('0', '%c = arith.constant 3.0 : f32\ntensor.yield %c : f32'),
      /linalg.fill ins\(%cst : f32\)/,
    ],
    ['a value of outside', pad('%c0', 'tensor.yield %x : f32'), /linalg.fill ins\(%arg0 : f32\)/],
    [
      'what depends on the index',
      pad(
        '0',
        '%j = arith.index_cast %i : index to i64\n%y = arith.sitofp %j : i64 to f32\ntensor.yield %y : f32',
      ),
      /linalg.generic/,
    ],
  ])('pads with %s', (_, payload, expected) => {
    const { text, diagnostics } = apply(payload, script('tensor.pad'));
    expect(diagnostics).toBe('');
    expect(text).toMatch(expected);
  });

  it('only copies where nothing is padded', () => {
    const payload = pad('0', 'tensor.yield %x : f32')
      .replace('high[2]', 'high[%c0]')
      .replaceAll('6xf32', '4xf32');
    expect(apply(payload, script('tensor.pad')).text).not.toContain('linalg.fill');
  });

  it('allocates bufferization.alloc_tensor', () => {
    const payload = `func.func @f(%x: f32, %n: index) -> tensor<?xf32> {
  %e = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}`;
    expect(apply(payload, script('bufferization.alloc_tensor')).text).toContain('memref.alloc(%arg1)');
  });

  it('gives handles to the buffers and to what was made', () => {
    const { text, diagnostics } = apply(
      fill,
      `${script('linalg.fill')}
%alloc = transform.get_defining_op %buffer : (!transform.any_value) -> ${one}
transform.annotate %alloc "buffer" : ${one}
%fill = transform.select "linalg.fill" in %new : (${one}) -> ${one}
transform.annotate %fill "new" : ${one}`,
    );
    expect(diagnostics).toBe('');
    expect(text).toMatch(/memref.alloc\(%dim\) \{buffer\}/);
    expect(text).toMatch(/linalg.fill \{new\}/);
  });

  it.each([
    ['gives no tensor', 'tensor.extract', '%0 = tensor.extract %t[%i] : tensor<4xf32>'],
    ['makes buffers itself', 'tensor.from_elements', '%0 = tensor.from_elements %x, %x : tensor<2xf32>'],
    ['calls', 'func.call', '%0 = func.call @g(%t) : (tensor<4xf32>) -> tensor<4xf32>'],
    [
      'has two destinations',
      'linalg.generic',
      `%0:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t, %t : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a, %b : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)`,
    ],
  ])('refuses what %s', (_, name, line) => {
    const payload = `func.func private @g(tensor<4xf32>) -> tensor<4xf32>\nfunc.func @f(%x: f32, %t: tensor<4xf32>, %i: index) {\n${line}\nreturn\n}`;
    const { diagnostics } = apply(payload, script(name));
    expect(diagnostics).toContain('failed to bufferize operation [bufferize-to-allocation/failed]');
  });
});

describe('transform.structured.rewrite_in_destination_passing_style', () => {
  const script = (name: string): string => `
%t = transform.structured.match ops{["${name}"]} in %root : (${one}) -> ${one}
%0 = transform.structured.rewrite_in_destination_passing_style %t : (${one}) -> ${one}
transform.annotate %0 "made" : ${one}`;
  const returning = (
    type: string,
    line: string,
  ): string => `func.func @f(%x: f32, %t: tensor<?xf32>) -> ${type} {
  ${line}
  return %0 : ${type}
}`;

  it.each([
    [
      'tensor<2x2xf32>',
      '%0 = tensor.from_elements %x, %x, %x, %x : tensor<2x2xf32>',
      'tensor.insert %arg0 into %inserted_1[%c1, %c1] {made}',
    ],
    ['tensor<0xf32>', '%0 = tensor.from_elements : tensor<0xf32>', 'tensor.empty() {made}'],
    ['tensor<f32>', '%0 = tensor.from_elements %x : tensor<f32>', 'tensor.insert %arg0 into %0[] {made}'],
    [
      'tensor<3xf32>',
      '%0 = tensor.generate {\n^bb0(%i: index):\ntensor.yield %x : f32\n} : tensor<3xf32>',
      'linalg.generic',
    ],
    [
      'tensor<?xf32>',
      '%0 = tensor.pad %t low[1] high[0] {\n^bb0(%i: index):\ntensor.yield %x : f32\n} : tensor<?xf32> to tensor<?xf32>',
      'tensor.insert_slice',
    ],
    [
      'tensor<?xf32>',
      '%0 = tensor.pad %t nofold low[0] high[0] {\n^bb0(%i: index):\ntensor.yield %x : f32\n} : tensor<?xf32> to tensor<?xf32>',
      'linalg.copy',
    ],
  ])('gives %s by an op on a destination: %s', (type, line, expected) => {
    const [, name = ''] = /= ([\w.]+)/.exec(line) ?? [];
    const { text, diagnostics } = apply(returning(type, line), script(name));
    expect(diagnostics).toBe('');
    expect(text).toContain(expected);
  });

  it('refuses another op', () => {
    const payload = returning(
      'tensor<?xf32>',
      '%0 = linalg.exp ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>',
    );
    expect(apply(payload, script('linalg.exp')).diagnostics).toContain('destination-style/operation');
  });
});

describe('transform.bufferization.eliminate_empty_tensors', () => {
  const script = (target = '%root') => `transform.bufferization.eliminate_empty_tensors ${target} : ${one}`;
  const inserted = (before: string, behind = '', result = '%1 : tensor<8xf32>') => `
func.func @f(%t: tensor<8xf32>, %x: f32, %m: memref<4xf32>) -> tensor<8xf32> {
  ${before}
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  ${behind}
  return ${result}
}`;
  const empty = '%e = tensor.empty() : tensor<4xf32>';
  const insert = (dest: string): string =>
    `%1 = tensor.insert_slice %0 into ${dest}[2] [4] [1] : tensor<4xf32> into tensor<8xf32>`;

  it.each([
    ['a slice', inserted(empty, insert('%t')), false],
    [
      'a slice of what is computed before the fill',
      inserted(
        `%g = linalg.exp ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>\n${empty}`,
        insert('%g'),
      ),
      false,
    ],
    [
      'a slice of what is computed behind the empty tensor',
      inserted(
        `${empty}\n%g = linalg.exp ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>`,
        insert('%g'),
      ),
      false,
    ],
    [
      'no slice of what is computed behind the fill',
      inserted(
        empty,
        `%g = linalg.exp ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>\n${insert('%g')}`,
      ),
      true,
    ],
    [
      'a slice under another type',
      inserted(
        empty
          .replace('%e', '%d')
          .replace('4xf32', '?xf32')
          .replace('()', '(%c4)')
          .replace(/^/, '%c4 = arith.constant 4 : index\n') +
          '\n%e = tensor.cast %d : tensor<?xf32> to tensor<4xf32>',
        insert('%t'),
      ),
      false,
    ],
    [
      'the buffer that it is copied to',
      inserted(
        empty,
        `bufferization.materialize_in_destination %0 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()`,
        '%t : tensor<8xf32>',
      ),
      false,
    ],
    [
      'nothing where the buffer may have another name',
      inserted(
        empty,
        `bufferization.materialize_in_destination %0 in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()`,
        '%t : tensor<8xf32>',
      ),
      true,
    ],
  ])('computes in %s', (_, payload, stays) => {
    const { text, diagnostics } = apply(payload, script());
    expect(diagnostics).toBe('');
    expect(text.includes('tensor.empty')).toBe(stays);
  });

  it.each([
    ['bufferization', 'eliminate-empty-tensors/analysis'],
    ['structured', 'eliminate-empty-tensors/op'],
  ])('fails where the analysis does: %s', (dialect, code) => {
    const payload = `func.func @f(%m: memref<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %m : memref<4xf32>
  return %0 : tensor<4xf32>
}`;
    const { diagnostics } = apply(
      payload,
      `${found('func.func')}
transform.${dialect}.eliminate_empty_tensors %t : !transform.op<"func.func">`,
    );
    expect(diagnostics).toContain(code);
    expect(diagnostics).toContain('bufferize/unrestricted-to-tensor');
  });
});

it('transform.bufferization.eliminate_empty_tensors leaves what is inserted into itself', () => {
  const payload = `func.func @f(%x: f32) -> tensor<1x7xf32> {
  %e = tensor.empty() : tensor<1x7xf32>
  %0 = tensor.insert_slice %e into %e[0, 0] [1, 7] [1, 1] : tensor<1x7xf32> into tensor<1x7xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<1x7xf32>) -> tensor<1x7xf32>
  return %1 : tensor<1x7xf32>
}`;
  const { text, diagnostics } = apply(
    payload,
    `transform.bufferization.eliminate_empty_tensors %root : !transform.any_op`,
  );
  expect(diagnostics).toBe('');
  expect(text).toContain('tensor.insert_slice %0 into %0');
});

it.each(['structured', 'bufferization'])('transform.%s.eliminate_empty_tensors of a single op', (dialect) => {
  const payload = `
func.func @f(%a: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %1 = tensor.insert_slice %0 into %a[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %1 : tensor<4xf32>
}`;
  const script = `${found('linalg.fill')}\ntransform.${dialect}.eliminate_empty_tensors %t : !transform.op<"linalg.fill">`;
  const { text, diagnostics } = apply(payload, script);
  expect(diagnostics).toBe('');
  expect(text).toContain('tensor.empty()');
});

describe('transform.structured.eliminate_empty_tensors', () => {
  const script = `${found('func.func')}
transform.structured.eliminate_empty_tensors %t : !transform.op<"func.func">`;
  const generic = (types: string, dest = '%dest', maps = '#id, #id, #id'): string => `
%1 = linalg.generic {indexing_maps = [${maps}], iterator_types = [${types}]}
    ins(%0, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(${dest} : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %2 = arith.subf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>`;
  const payload = (use: string): string => `
#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%x: f32, %t: tensor<4x4xf32>, %dest: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  ${use}
  return %1 : tensor<4x4xf32>
}`;
  const parallel = '"parallel", "parallel"';
  const later = '%g = linalg.exp ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>';
  const named = `%1 = linalg.sub ins(%0, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%dest : tensor<4x4xf32>) -> tensor<4x4xf32>`;

  it.each([
    ['an elementwise op', generic(parallel), true],
    ['no reduction', generic('"parallel", "reduction"'), false],
    ['no op that reads elsewhere than it writes', generic(parallel, '%dest', '#swapped, #id, #id'), false],
    ['no op with a destination of behind the empty tensor', later + generic(parallel, '%g'), false],
    ['no op whose body stands in its name', named, false],
  ])('changes the destination of %s', (_, use, changes) => {
    const { text, diagnostics } = apply(payload(use), script);
    expect(diagnostics).toBe('');
    expect(text.includes('linalg.fill ins(%arg0 : f32) outs(%arg2 :')).toBe(changes);
  });
});

/** Ops that inspect the payload: results and messages, line by line as in `mlir-opt-19`. */
import { describe, expect, it } from 'vitest';
import { scriptTester } from '../src/testing.ts';

const apply = scriptTester([]);

const payload = `func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %z = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x5xf32>) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}
`;

const op = '!transform.any_op';
const value = '!transform.any_value';
const param = '!transform.param<i64>';
const matched = `%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (${op}) -> ${op}
%all = transform.structured.match interface{LinalgOp} in %root : (${op}) -> ${op}`;

/** The messages at the payload's line, or at the script's; without codes. */
const said = (script: string): readonly string[] =>
  apply(payload, `${matched}\n${script}`)
    .diagnostics.split('\n')
    .flatMap((line) => {
      const [, file, number, rest] =
        /^(payload|script)\.mlir:(\d+):\d+: (.*?)(?: \[[^\]]*\])?$/.exec(line) ?? [];
      if (rest === undefined || rest.startsWith('note: ')) return [];
      return [file === 'payload' ? `${number!} ${rest}` : rest];
    });

const remark = (handle: string, type = op) => `transform.debug.emit_remark_at ${handle}, "here" : ${type}`;
const shown = (handle: string, type = param) => `transform.debug.emit_param_as_remark ${handle} : ${type}`;

describe('an op that makes handles', () => {
  it.each([
    [`%x = transform.get_parent_op %mm : (${op}) -> ${op}`, ['1 remark: here']],
    [`%x = transform.get_parent_op %all {deduplicate} : (${op}) -> ${op}`, ['1 remark: here']],
    [`%x = transform.get_parent_op %all : (${op}) -> ${op}`, ['1 remark: here', '1 remark: here']],
    [
      `%x = transform.get_parent_op %mm {isolated_from_above, nth_parent = 1 : i64} : (${op}) -> ${op}`,
      ['1 remark: here'],
    ],
    [`%x = transform.get_parent_op %mm {allow_empty_results, op_name = "scf.for"} : (${op}) -> ${op}`, []],
    [
      `%x = transform.get_parent_op %mm {op_name = "scf.for"} : (${op}) -> ${op}`,
      ['error: could not find a parent op that matches all requirements'],
    ],
    [`%x = transform.get_producer_of_operand %mm[2] : (${op}) -> ${op}`, ['3 remark: here']],
    [
      `%x = transform.get_producer_of_operand %mm[0] : (${op}) -> ${op}`,
      ['error: could not find a producer for operand number: 0 of linalg.matmul'],
    ],
    [`%x = transform.get_consumers_of_result %mm[0] : (${op}) -> ${op}`, ['5 remark: here']],
    [
      `%x = transform.get_consumers_of_result %all[0] : (${op}) -> ${op}`,
      ['error: handle must be mapped to exactly one payload op'],
    ],
    [`%x = transform.get_consumers_of_result %mm[3] : (${op}) -> ${op}`, ['error: result number overflow']],
    [
      `%none = transform.select "scf.for" in %all : (${op}) -> ${op}
%x = transform.get_consumers_of_result %none[0] : (${op}) -> ${op}`,
      [],
    ],
    [`%x = transform.select "linalg.fill" in %all : (${op}) -> ${op}`, ['3 remark: here']],
    [
      `%v = transform.get_result %all[all] : (${op}) -> ${value}
%x = transform.get_defining_op %v : (${value}) -> ${op}`,
      ['3 remark: here', '4 remark: here'],
    ],
    [
      `%v = transform.get_operand %mm[0] : (${op}) -> ${value}
%x = transform.get_defining_op %v : (${value}) -> ${op}`,
      ['error: cannot get defining op of block argument'],
    ],
    [
      `%x, %y = transform.replicate num(%all) %mm, %all : ${op}, ${op}, ${op}`,
      ['4 remark: here', '4 remark: here'],
    ],
  ])('%s', (script, expected) => {
    expect(said(`${script}\n${remark('%x')}`)).toEqual(expected);
  });

  it.each([
    ['get_operand %mm[-1]', ['3 remark: here']],
    ['get_operand %mm[except(0, 1)]', ['3 remark: here']],
    ['get_result %all[0]', ['3 remark: here', '4 remark: here']],
    ['get_operand %mm[3]', ['error: position overflow 3 (updated from 3) for maximum 3']],
    ['get_operand %mm[-4]', ['error: position underflow -1 (updated from -4)']],
    ['get_operand %mm[2, -1]', ['error: repeated position 2 (updated from -1)']],
  ])('%s', (text, expected) => {
    expect(said(`%v = transform.${text} : (${op}) -> ${value}\n${remark('%v', value)}`)).toEqual(expected);
  });

  it('says what a value is', () => {
    const { diagnostics } = apply(
      payload,
      `${matched}
%v = transform.get_operand %mm[all] : (${op}) -> ${value}
${remark('%v', value)}`,
    );
    expect(diagnostics.match(/value handle.*/g)).toEqual([
      'value handle points to a block argument #0 in block #0 in region #0',
      'value handle points to a block argument #1 in block #0 in region #0',
      'value handle points to an op result #0',
    ]);
  });
});

describe('an op that makes parameters', () => {
  it.each([
    [`%p = transform.num_associations %all : (${op}) -> ${param}\n${shown('%p')}`, ['remark: 2 : i64']],
    [
      `%v = transform.get_operand %mm[all] : (${op}) -> ${value}
%t = transform.get_type elemental %v : (${value}) -> !transform.type
%u = transform.get_type %v : (${value}) -> !transform.type
${shown('%t', '!transform.type')}
${shown('%u', '!transform.type')}`,
      ['remark: f32, f32, f32', 'remark: tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>'],
    ],
    [
      `%p = transform.param.constant 3 : i64 -> ${param}
transform.debug.emit_param_as_remark %p, "count:" at %all : ${param}, ${op}`,
      ['3 remark: count: 3 : i64', '4 remark: count: 3 : i64'],
    ],
    [
      `%p = transform.param.constant 1 : i64 -> !transform.affine_map`,
      ['error: expected affine map attribute, got 1 : i64'],
    ],
    [
      `%p = transform.param.constant 1 : i64 -> !transform.type`,
      ['error: expected type attribute, got 1 : i64'],
    ],
    [
      `%p = transform.param.constant "a" -> ${param}`,
      ['error: expected parameter to be an integer attribute, got "a"'],
    ],
    [
      `%p = transform.param.constant 1 : i32 -> ${param}`,
      ["error: expected the type of the parameter attribute ('i32') to match the parameter type ('i64')"],
    ],
  ])('%s', (script, expected) => {
    expect(said(script)).toEqual(expected);
  });
});

describe('a matcher of operations', () => {
  const params = (first: string, second: string, type = param) =>
    `%p = transform.param.constant ${first} -> ${type}\n%q = transform.param.constant ${second} -> ${type}`;

  it.each([
    [`transform.match.operation_name %mm ["linalg.fill", "linalg.matmul"] : ${op}`, []],
    [
      `transform.match.operation_name %mm ["linalg.fill"] : ${op}`,
      ["error: wrong operation name: 'linalg.matmul'"],
    ],
    [
      `transform.match.operation_name %all ["linalg.fill"] : ${op}`,
      ['error: SingleOpMatchOpTrait requires the operand handle to point to a single payload op'],
    ],
    [`transform.match.operation_empty %mm : ${op}`, ['error: operation is not empty']],
    [
      `%x = transform.select "scf.for" in %all : (${op}) -> ${op}
transform.match.operation_empty %x : ${op}`,
      [],
    ],
    [
      `transform.match.operation_empty %all : ${op}`,
      ['error: AtMostOneOpMatcherOpTrait requires the operand handle to point to at most one payload op'],
    ],
    [`${params('1 : i64', '2 : i64')}\ntransform.match.param.cmpi lt %p, %q : ${param}`, []],
    [
      `${params('1 : i64', '2 : i64')}\ntransform.match.param.cmpi eq %p, %q : ${param}`,
      ['error: expected parameter to be equal to 2, got 1'],
    ],
    [
      `${params('1 : i64', '1 : i64')}\ntransform.match.param.cmpi ne %p, %q : ${param}`,
      ['error: expected parameter to be not equal to 1, got 1'],
    ],
    [
      `${params('-1 : i64', '2 : i64')}\ntransform.match.param.cmpi ge %p, %q : ${param}`,
      ['error: expected parameter to be greater than or equal to 2, got -1'],
    ],
    [
      `${params('1 : i64', '"a"', '!transform.any_param')}
transform.match.param.cmpi eq %p, %q : !transform.any_param`,
      ['error: non-integer parameter value not expected'],
    ],
    [
      `${params('1 : i64', '1 : i32', '!transform.any_param')}
transform.match.param.cmpi eq %p, %q : !transform.any_param`,
      ['error: mismatching integer attribute types in parameter #0'],
    ],
    [
      `${params('1 : i64', '1 : i64')}
%r = transform.merge_handles %p, %q : ${param}
transform.match.param.cmpi eq %p, %r : ${param}`,
      ['error: parameters have different payload lengths (1 vs 2)'],
    ],
  ])('%s', (script, expected) => {
    expect(said(script)).toEqual(expected);
  });
});

describe('match.structured', () => {
  /** The body of a matcher; its first argument is one of the payload's operations. */
  const on = (handle: string, body: string, results = '', yields = '') =>
    `%fill = transform.select "linalg.fill" in %all : (${op}) -> ${op}
${results === '' ? '' : '%r = '}transform.match.structured failures(propagate) ${handle} : ${results === '' ? op : `(${op}) -> ${results}`} {
^bb0(%s: ${op}):
  ${body}
  transform.match.structured.yield ${yields}
}`;

  it.each([
    ['%mm', `transform.match.structured.body %s {contraction = ["arith.mulf", "arith.addf"]} : ${op}`, []],
    ['%mm', `transform.match.structured.body %s {reduction_position = 0 : i64} : ${op}`, []],
    ['%fill', `transform.match.structured.body %s {passthrough} : ${op}`, []],
    ['%fill', `transform.match.structured.body %s {elementwise} : ${op}`, []],
    ['%mm', `transform.match.structured.body %s {passthrough} : ${op}`, ['error: not a passthrough']],
    ['%mm', `transform.match.structured.body %s {elementwise} : ${op}`, ['error: not elementwise']],
    [
      '%fill',
      `transform.match.structured.body %s {reduction_position = 0 : i64} : ${op}`,
      ['error: could not match reduction'],
    ],
    [
      '%mm',
      `transform.match.structured.body %s {contraction = ["arith.mulf", "arith.mulf"]} : ${op}`,
      ['error: contraction: expected reduction/elementwise op kind not satisfied'],
    ],
    [
      '%fill',
      `transform.match.structured.body %s {contraction = ["arith.mulf", "arith.addf"]} : ${op}`,
      ['error: contraction: expected block with 3 arguments'],
    ],
    ['%mm', `transform.match.structured.body %s : ${op}`, ['error: unknown body condition']],
    ['%mm', `transform.match.structured.dim %s[except(-1)] {parallel} : ${op}`, []],
    [
      '%mm',
      `transform.match.structured.dim %s[all] {parallel} : ${op}`,
      ['error: expects dimension #2 to be parallel'],
    ],
    [
      '%mm',
      `transform.match.structured.dim %s[3] : ${op}`,
      ['error: position overflow 3 (updated from 3) for maximum 3'],
    ],
    ['%mm', `transform.match.structured.input %s[all] {projected_permutation} : ${op}`, []],
    [
      '%mm',
      `transform.match.structured.input %s[0] {permutation} : ${op}`,
      ['error: the indexing map for input #0 is not a permutation'],
    ],
    [
      '%mm',
      `transform.match.structured.init %s[0] {permutation} : ${op}`,
      ['error: the indexing map for output(init) #0 is not a permutation'],
    ],
    [
      '%mm',
      `%x = transform.match.structured.input %s[0] : (${op}) -> ${op}`,
      ['error: input #0 is not produced by an operation'],
    ],
    [
      '%mm',
      `%x = transform.match.structured.result %s[1] {any} : (${op}) -> ${op}`,
      ['error: position 1 overflows the number of results(ints) of the payload operation'],
    ],
    [
      '%fill',
      `%x:4 = transform.match.structured.classify_contraction_dims %s : (${op}) -> (${param}, ${param}, ${param}, ${param})`,
      ['error: could not infer contraction dimensions'],
    ],
    [
      '%mm',
      `%x:8 = transform.match.structured.classify_convolution_dims %s : (${op}) -> (${Array(8).fill(param).join(', ')})`,
      ['error: could not infer convolution dimensions'],
    ],
    [
      '%mm',
      `%x = transform.match.structured.input %s[all] : (${op}) -> ${value}
%y = transform.match.structured.elemental_bitwidth %x : (${value}) -> ${param}`,
      ['error: SingleValueMatchOpTrait requires the value handle to point to a single payload value'],
    ],
  ] as const)('%s: %s', (handle, body, expected) => {
    expect(said(on(handle, body))).toEqual(expected);
  });

  it.each([
    [`%x = transform.match.structured.rank %s : (${op}) -> ${param}`, 'remark: 3 : i64'],
    [`%x = transform.match.structured.num_inputs %s : (${op}) -> ${param}`, 'remark: 2 : i64'],
    [`%x = transform.match.structured.num_inits %s : (${op}) -> ${param}`, 'remark: 1 : i64'],
    [
      `%x = transform.match.structured.dim %s[all] : (${op}) -> ${param}`,
      'remark: 4 : i64, 5 : i64, 8 : i64',
    ],
    [
      `%v = transform.match.structured.input %s[1] : (${op}) -> ${value}
  %x = transform.match.structured.elemental_bitwidth %v : (${value}) -> ${param}`,
      'remark: 32 : i64',
    ],
    [
      `%b, %m, %n, %x = transform.match.structured.classify_contraction_dims %s : (${op}) -> (${param}, ${param}, ${param}, ${param})`,
      'remark: 2 : i64',
    ],
  ])('gives what %s does', (body, expected) => {
    expect(said(`${on('%mm', body, param, `%x : ${param}`)}\n${shown('%r')}`)).toEqual([expected]);
  });

  it.each([
    [`%x = transform.match.structured.init %s[0] : (${op}) -> ${op}`, ['3 remark: here']],
    [`%x = transform.match.structured.result %s[0] {single} : (${op}) -> ${op}`, ['5 remark: here']],
    [`%x = transform.match.structured.result %s[-1] {any} : (${op}) -> ${op}`, ['5 remark: here']],
  ])('finds what is around: %s', (body, expected) => {
    expect(said(`${on('%mm', body, op, `%x : ${op}`)}\n${remark('%r')}`)).toEqual(expected);
  });

  it.each([
    ['propagate', ['error: expected a Linalg op']],
    ['suppress', []],
  ])('failures(%s) of what is not structured', (mode, expected) => {
    const script = `%r = transform.match.structured failures(${mode}) %root : (${op}) -> ${op} {
^bb0(%s: ${op}):
  transform.match.structured.yield %s : ${op}
}
transform.match.operation_empty %r : ${op}`;
    expect(said(script)).toEqual(expected);
  });

  it('yields what was known when a suppressed matcher failed', () => {
    const script = `%r:2 = transform.match.structured failures(suppress) %mm : (${op}) -> (${param}, ${param}) {
^bb0(%s: ${op}):
  %x = transform.match.structured.rank %s : (${op}) -> ${param}
  transform.match.structured.dim %s[all] {reduction} : ${op}
  %y = transform.match.structured.num_inputs %s : (${op}) -> ${param}
  transform.match.structured.yield %x, %y : ${param}, ${param}
}
${shown('%r#0')}
${shown('%r#1')}`;
    expect(said(script)).toEqual(['remark: 3 : i64', 'remark: ']);
  });

  it('tells the parts of a convolution', () => {
    const convolution = `func.func @f(%i: tensor<2x9x11x3xf32>, %f: tensor<3x3x3x8xf32>, %o: tensor<2x4x9x8xf32>) -> tensor<2x4x9x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%i, %f : tensor<2x9x11x3xf32>, tensor<3x3x3x8xf32>) outs(%o : tensor<2x4x9x8xf32>) -> tensor<2x4x9x8xf32>
  return %0 : tensor<2x4x9x8xf32>
}`;
    const names = ['batch', 'image', 'channel', 'loop', 'in', 'depth', 'strides', 'dilations'];
    const types = names.map(() => param).join(', ');
    const values = names.map((name) => `%${name}`).join(', ');
    const { diagnostics } = apply(
      convolution,
      `%conv = transform.structured.match interface{LinalgOp} in %root : (${op}) -> ${op}
%r:8 = transform.match.structured %conv : (${op}) -> (${types}) {
^bb0(%s: ${op}):
  ${values} = transform.match.structured.classify_convolution_dims %s : (${op}) -> (${types})
  transform.match.structured.yield ${values} : ${types}
}
${names.map((name, i) => `transform.debug.emit_param_as_remark %r#${i}, "${name}" : ${param}`).join('\n')}`,
    );
    expect(diagnostics.match(/(?<=remark: ).*(?= \[)/g)).toEqual([
      'batch 0 : i64',
      'image 1 : i64, 2 : i64',
      'channel 3 : i64',
      'loop 4 : i64, 5 : i64',
      'in 6 : i64',
      'depth ',
      'strides 2 : i64, 1 : i64',
      'dilations 1 : i64, 1 : i64',
    ]);
  });
});

it.each([
  ['i8', 'remark: 8 : i64'],
  ['f64', 'remark: 64 : i64'],
  ['index', 'error: unsupported type: tensor<8x5xindex>'],
])('the bits of %s', (type, expected) => {
  const { diagnostics } = apply(
    payload.replaceAll('f32', type).replace('0.0 :', type === 'f64' ? '0.0 :' : '0 :'),
    `%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (${op}) -> ${op}
%r = transform.match.structured failures(propagate) %mm : (${op}) -> ${param} {
^bb0(%s: ${op}):
  %v = transform.match.structured.input %s[1] : (${op}) -> ${value}
  %x = transform.match.structured.elemental_bitwidth %v : (${value}) -> ${param}
  transform.match.structured.yield %x : ${param}
}
${shown('%r')}`,
  );
  expect(diagnostics).toContain(expected);
});

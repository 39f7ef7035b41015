/** Scripts that `mlir-opt-19` refuses, each with its message at the first mistake. */
const op = '!transform.any_op';
const value = '!transform.any_value';
const param = '!transform.param<i64>';

/** Lines of an entry point that takes operations `%a`, values `%v` and a parameter `%p`. */
const lines = (text: string, more = ''): string =>
  `module attributes {transform.with_named_sequence} {
${more}
transform.named_sequence @__transform_main(%a: ${op} {transform.consumed}, %v: ${value} {transform.readonly}, %p: ${param} {transform.readonly}) {
${text}
transform.yield
}
}`;

/** Lines of a matcher of structured operations. */
const matching = (text: string): string =>
  lines(
    `transform.match.structured %a : ${op} { ^bb0(%x: ${op}): ${text} transform.match.structured.yield }`,
  );

const sequence = (text: string, argument = op): string =>
  `transform.sequence failures(propagate) { ^bb0(%root: ${argument}): ${text} }`;

const matcher = (argument: string, result: string, said = 'readonly'): string =>
  `transform.named_sequence @match(%x: ${argument} {transform.${said}}) -> ${result} { transform.yield %x : ${argument} }`;

const action = (argument: string): string =>
  `transform.named_sequence @act(%x: ${argument} {transform.readonly}) { transform.yield }`;

const foreachMatch = (results = op): string =>
  `%r:${results.split(',').length} = transform.foreach_match in %a @match -> @act : (${op}) -> (${results})`;

export const transformRefusals: readonly (readonly [script: string, message: string])[] = [
  // Positions.
  [
    lines(`%0 = transform.get_operand %a[0, 0] : (${op}) -> ${value}`),
    'expected the listed values to be unique',
  ],
  [
    lines(`%0 = "transform.get_result"(%a) {raw_position_list = array<i64>} : (${op}) -> ${value}`),
    "must request specific values in the list if 'all' is not specified",
  ],
  [
    lines(
      `%0 = "transform.get_result"(%a) {raw_position_list = array<i64: 1>, is_all} : (${op}) -> ${value}`,
    ),
    "cannot both request 'all' and specific values in the list",
  ],
  [
    lines(
      `%0 = "transform.get_result"(%a) {raw_position_list = array<i64>, is_all, is_inverted} : (${op}) -> ${value}`,
    ),
    "cannot request both 'all' and 'inverted' values in the list",
  ],

  // Bodies.
  [
    sequence('', value),
    'expects the first entry block argument to be of type implementing TransformHandleTypeInterface',
  ],
  [
    sequence(`transform.sequence failures(propagate) { ^bb0(%x: ${op}): }`),
    'expects operands to be provided for a nested op',
  ],
  [sequence(`%c = arith.constant 1 : i32`), 'expected children ops to implement TransformOpInterface'],
  [
    sequence(
      `transform.loop.unroll %root {factor = 2 : i64} : ${op} transform.loop.unroll %root {factor = 2 : i64} : ${op}`,
    ),
    'block argument #0 has more than one potential consumer',
  ],
  [
    sequence(
      `%0:2 = transform.replicate num(%root) %root, %root : ${op}, ${op}, ${op} transform.loop.unroll %0#1 {factor = 2 : i64} : ${op} transform.loop.unroll %0#1 {factor = 2 : i64} : ${op}`,
    ),
    'result #1 has more than one potential consumer',
  ],
  [
    sequence(`transform.alternatives %root : ${op} { ^bb0(%x: !transform.op<"a.b">): }`),
    'expects the type of the block argument to match the type of the operand',
  ],
  [
    sequence(`%0 = transform.alternatives %root : ${op} -> ${op} { ^bb0(%x: ${op}): transform.yield }`),
    'expects terminator operands to have the same type as results of the operation',
  ],
  [
    sequence(
      `%0 = transform.foreach %root : ${op} -> ${value} { ^bb0(%x: ${op}): transform.yield %x : ${op} }`,
    ),
    'expects co-indexed results and yield operands to have the same op/value/param type',
  ],
  [
    sequence(`transform.foreach %root : ${op} { ^bb0(%x: ${value}): }`),
    "expects co-indexed targets and the body's block arguments to have the same op/value/param type",
  ],
  [
    `transform.with_pdl_patterns { ^bb0(%root: ${op}): transform.with_pdl_patterns %root : ${op} { ^bb0(%x: ${op}): } }`,
    'cannot be nested',
  ],
  [
    `transform.with_pdl_patterns { ^bb0(%root: ${op}): %0 = arith.constant 1 : i32 }`,
    'expects only pattern and top-level transform ops in its body',
  ],

  // Patterns.
  [
    lines(`transform.apply_patterns to %a { transform.apply_conversion_patterns.func.func_to_llvm } : ${op}`),
    'expected children ops to implement PatternDescriptorOpInterface',
  ],
  [
    lines(`transform.apply_conversion_patterns to %a { transform.apply_patterns.canonicalization } : ${op}`),
    'expected pattern children ops to implement ConversionPatternDescriptorOpInterface',
  ],
  [
    lines(`transform.apply_conversion_patterns to %a { } with type_converter { } : ${op}`),
    'expected exactly one op in default type converter region',
  ],
  [
    lines(
      `transform.apply_conversion_patterns to %a { } with type_converter { transform.apply_patterns.canonicalization } : ${op}`,
    ),
    'expected default converter child op to implement TypeConverterBuilderOpInterface',
  ],

  // Bodies.
  ...(
    [
      ['expected one operation in block', ''],
      ['expected one operation in block', '%0 = arith.constant 7 : i32 %1 = arith.constant 7 : i32'],
      ['expected replacement without operands', '^bb0(%x: i32): %0 = arith.addi %x, %x : i32'],
      ['expect op that is isolated from above', 'scf.execute_region { scf.yield }'],
      [
        'expects region #0 to have 0 or 1 blocks',
        '^bb0: %0 = arith.constant 7 : i32 ^bb1: %1 = arith.constant 7 : i32',
      ],
    ] as const
  ).map(
    ([message, body]) =>
      [lines(`transform.structured.replace %a { ${body} } : (${op}) -> ${op}`), message] as const,
  ),

  // Matchers.
  [
    lines(`transform.match.structured %a : ${op} { ^bb0(%x: ${value}): transform.match.structured.yield }`),
    'expected body argument to implement TransformHandleTypeInterface',
  ],
  [
    lines(
      `transform.match.structured %a : ${op} { ^bb0(%x: ${op}, %y: ${op}): transform.match.structured.yield }`,
    ),
    'expected one body argument',
  ],
  [matching(`transform.apply_cse to %x : ${op}`), 'expects nested operations to implement MatchOpInterface'],
  [
    lines(`transform.match.structured.body %a {passthrough} : ${op}`),
    "expects parent op to be 'transform.match.structured'",
  ],
  [
    matching(`transform.match.structured.body %a {passthrough} : ${op}`),
    'expected predicate to apply to the surrounding structured op',
  ],
  [
    matching(`transform.match.structured.body %x {passthrough, elementwise} : ${op}`),
    'only one of {"reduction_position", "passthrough", "elementwise", "contraction"} is allowed',
  ],
  [
    matching(`transform.match.structured.body %x {contraction = ["a.b"]} : ${op}`),
    'expects "contraction" to contain two elements',
  ],
  [
    matching(`transform.match.structured.dim %x[0] {parallel, reduction} : ${op}`),
    'cannot request the same dimension to be both parallel and reduction',
  ],
  [
    matching(`transform.match.structured.input %x[0] {permutation, projected_permutation} : ${op}`),
    '"permutation" and "projected_permutation" are mutually exclusive',
  ],
  [
    matching(`%0 = transform.match.structured.result %x[0] : (${op}) -> ${op}`),
    'expects either the any/single keyword or the type value handle result type',
  ],
  [
    matching(`%0 = transform.match.structured.result %x[0] any single : (${op}) -> ${op}`),
    "'any' and 'single' are mutually exclusive",
  ],
  [lines(foreachMatch()), 'unresolved matcher symbol @match'],
  [lines(foreachMatch(), matcher(op, op)), 'unresolved action symbol @act'],
  [
    lines(foreachMatch(), matcher(value, value) + action(value)),
    'mismatching type interfaces for operand and matcher argument #0 of matcher @match',
  ],
  [
    lines(foreachMatch(), matcher(op, op) + action(value)),
    'mismatching type interfaces for matcher result and action argument #0of matcher @match and action @act',
  ],
  [
    lines(foreachMatch(), matcher(op, op, 'consumed') + action(op)),
    'does not expect matcher symbol to consume its operand #0',
  ],
  [
    lines(foreachMatch(`${op}, ${op}`), matcher(op, op) + action(op)),
    "the number of action results (0) for @act doesn't match the number of extra op results (1)",
  ],
  [
    lines(`%r = transform.collect_matching @match in %a : (${op}) -> ${op}`),
    'unresolved matcher symbol @match',
  ],
  [
    lines(`%r = transform.collect_matching @match in %a : (${op}) -> ${value}`, matcher(op, op)),
    'mismatching type interfaces for matcher result and op result #0',
  ],
  [
    lines(`%r = transform.collect_matching @match in %a : (${op}) -> ${op}`, matcher(op, op, 'consumed')),
    'expected the matcher argument to be marked readonly',
  ],
  [
    lines(`%r:2 = transform.collect_matching @match in %a : (${op}) -> (${op}, ${op})`, matcher(op, op)),
    'expected the matcher to yield as many values as op has results (2), got 1',
  ],
  [
    lines(`%r = transform.collect_matching @match in %a : (${op}) -> ${value}`, matcher(value, value)),
    'expected the matcher to take one operation handle argument',
  ],

  // Structured ops.
  [
    lines(`%0 = transform.structured.interchange %a iterator_interchange = [1, 1] : (${op}) -> ${op}`),
    'expects iterator_interchange to be a permutation, found 1, 1',
  ],
  [
    lines(`%0 = transform.structured.interchange %a iterator_interchange = [-1] : (${op}) -> ${op}`),
    "attribute 'iterator_interchange' failed to satisfy constraint: i64 dense array attribute whose value is non-negative",
  ],
  [lines(`%0:2 = transform.structured.fuse %a [1, 2] : (${op}) -> (${op}, ${op})`), 'expects 2 loop results'],
  [
    lines(`%0:3 = transform.structured.fuse %a [1, 2] interchange [1, 1] : (${op}) -> (${op}, ${op}, ${op})`),
    'expects interchange to be a permutation, found [1, 1]',
  ],
  [
    lines(`%0:3 = transform.structured.pad %a {pack_paddings = [2]} : (${op}) -> (${op}, ${op}, ${op})`),
    'expects pack_paddings to contain booleans (0/1), found [2]',
  ],
  [
    lines(
      `%0:3 = transform.structured.pad %a {padding_dimensions = [-2]} : (${op}) -> (${op}, ${op}, ${op})`,
    ),
    'expects padding_dimensions to contain positive integers, found [-2]',
  ],
  [
    lines(
      `%0:3 = transform.structured.pad %a pad_to_multiple_of [1, 2] {padding_dimensions = [2]} : (${op}) -> (${op}, ${op}, ${op})`,
    ),
    'expects as many multiples as padding_dimensions',
  ],
  [
    lines(
      `%0:3 = transform.structured.pad %a {transpose_paddings = [[1, 1]]} : (${op}) -> (${op}, ${op}, ${op})`,
    ),
    'expects transpose_paddings to be a permutation, found [1, 1]',
  ],
  [
    lines(`%0 = transform.structured.hoist_pad %a by 1 loops, transpose by [1, 1] : (${op}) -> ${op}`),
    'expects transpose to be a permutation, found 1, 1',
  ],
  [
    lines(
      `%0 = transform.structured.pack_greedily %a matmul_packed_sizes = [8, 16] matmul_inner_dims_order = [1, 2, 0] : (${op}) -> ${op}`,
    ),
    "attribute 'static_matmul_packed_sizes' failed to satisfy constraint: i64 dense array attribute with exactly 3 elements",
  ],
  [
    lines(
      `%0 = transform.structured.pack_greedily %a matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 1, 0] : (${op}) -> ${op}`,
    ),
    '"matmul_inner_dims_order" is not a valid permutation',
  ],
  [
    lines(
      `%0 = transform.structured.pack_greedily %a matmul_packed_sizes = [8, 16, 32] matmul_padded_sizes_next_multiple_of = [1, 0, 0] matmul_inner_dims_order = [1, 2, 0] : (${op}) -> ${op}`,
    ),
    'at most one of the packed_size and the padded_sizes_next_multiple_of can be nonzero for the matmul strategy',
  ],
  [
    lines(
      `%0:3 = transform.structured.pack_transpose %a with_compute_op(%a) : (${op}, ${op}) -> (${op}, ${op}, ${op})`,
    ),
    'at least one of "inner_perm" or "outer_perm" must be specified',
  ],
  [
    lines(
      `%0:3 = transform.structured.pack_transpose %a with_compute_op(%a) inner_perm = [0, 0] : (${op}, ${op}) -> (${op}, ${op}, ${op})`,
    ),
    '"inner_perm" is not a valid permutation',
  ],
  [
    lines(
      `%0:2 = transform.structured.continuous_tile_sizes %a {dimension = -1 : i64, target_size = 1 : i64} : (${op}) -> ${op}`,
    ),
    "attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative",
  ],
  [
    lines(
      `%0:3 = transform.structured.multitile_sizes %a {dimension = 0 : i64, target_size = 1 : i64} : (${op}) -> (${op}, ${op})`,
    ),
    'expects a trailing functional type with one argument and one result',
  ],
  [
    lines(`%0:2 = transform.structured.bufferize_to_allocation %a {memcpy_op = "x"} : ${op}`),
    'unsupported memcpy op',
  ],
  [
    lines(`%0:2 = transform.structured.bufferize_to_allocation %a {alloc_op = "x"} : ${op}`),
    'unsupported alloc op',
  ],
  [
    lines(`transform.affine.simplify_bounded_affine_ops %a with [%a : ${op}] within [0] and [20, 1] : ${op}`),
    'incorrect number of upper bounds, expected 1 but found 2',
  ],
  [
    lines(`transform.affine.simplify_bounded_affine_ops %a with [%a : ${op}] within [0, 1] and [20] : ${op}`),
    'incorrect number of lower bounds, expected 1 but found 2',
  ],
  [
    lines(`%0 = transform.func.cast_and_call before %a : (${op}) -> ${op}`),
    'expected a function handle or name to call',
  ],
  [
    lines(`%0 = transform.func.cast_and_call @f %a before %a : (${op}, ${op}) -> ${op}`),
    'function handle and name are mutually exclusive',
  ],
  [
    lines(`transform.loop.unroll %a {factor = 0 : i64} : ${op}`),
    "attribute 'factor' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive",
  ],
  [
    lines(`%0 = transform.memref.multibuffer %a {factor = 2 : i64} : (${op}) -> ${op}`),
    "operand #0 must be Transform IR handle to memref.alloc operations, but got '!transform.any_op'",
  ],
  [
    lines(`%0, %1 = transform.loop.peel %a : (${op}) -> (${op}, ${op})`),
    "operand #0 must be Transform IR handle to scf.for operations, but got '!transform.any_op'",
  ],
];

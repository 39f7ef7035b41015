/** Microkernels on buffers, as text. */

/** The parts of a microkernel; by default a tile of 16 windows by 8 filters, packed for Haswell. */
export interface MicrokernelText {
  readonly windows?: string;
  readonly filters?: string;
  readonly output?: string;
  readonly maps?: readonly string[];
  readonly element?: string;
  readonly body?: string;
  /** Before the microkernel; the operands are `%windows`, `%filters` and `%output`. */
  readonly before?: string;
  readonly arguments?: string;
  /** Before the function. */
  readonly declarations?: string;
}

export const onePanel = ['(n, f, w, k) -> (n, k, w)', '(n, f, w, k) -> (k, f)'] as const;
const output = '(n, f, w, k) -> (n, f, w)';

/** A function that allocates packed operands and takes the output. */
export const microkernel = ({
  windows = 'memref<1x2x72x8xf32>',
  filters = 'memref<2x72x4xf32>',
  output: outputType = 'memref<1x8x16xf32, strided<[?, 5625, 1], offset: ?>>',
  maps = ['(n, f, w, k) -> (n, w floordiv 8, k, w mod 8)', '(n, f, w, k) -> (f floordiv 4, k, f mod 4)'],
  element = 'f32',
  body = `%product = arith.mulf %x, %y : ${element}
    %sum = arith.addf %z, %product : ${element}`,
  arguments: parameters = `%output: ${outputType}`,
  before = `%windows = memref.alloc() : ${windows}
  %filters = memref.alloc() : ${filters}`,
  declarations = '',
}: MicrokernelText = {}): string => `${declarations}func.func @tile(${parameters}) {
  ${before}
  linalg.generic {
    indexing_maps = [${[...maps, output].map((map) => `affine_map<${map}>`).join(', ')}],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%windows, %filters : ${windows}, ${filters}) outs(%output : ${outputType}) attrs = {microkernel} {
  ^bb0(%x: ${element}, %y: ${element}, %z: ${element}):
    ${body}
    linalg.yield %sum : ${element}
  }
  return
}
`;

/** A script that replaces each microkernel by a call of `symbol`. */
export const lowered = (
  symbol = 'sgemm_kernel_HASWELL',
  attributes = '',
): string => `%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.op<"linalg.generic">
%call = transform.lower.to_blas "${symbol}", %op${attributes} : (!transform.op<"linalg.generic">) -> !transform.any_op`;

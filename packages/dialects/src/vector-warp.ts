/** Work distributed over the lanes of a warp. */
import type { Type, Value } from '@sconv/ir';
import { anyType, defineOp, i64Attribute, index, indexType, one, typeEquals, variadic } from '@sconv/ir';
import { firstBlockOf, yieldedBy } from './region-edges.ts';
import { typeText } from './type-text.ts';

/** The error of distributing a `whole` over lanes that hold a `lane` each. */
const distributionError = (whole: Type, lane: Type, lanes: number): string | undefined => {
  if (typeEquals(whole, lane)) return undefined;
  if (whole.kind !== 'vector' || lane.kind !== 'vector')
    return 'expected vector type for distributed operands.';
  if (whole.shape.length !== lane.shape.length || !typeEquals(whole.elementType, lane.elementType))
    return 'expected distributed vectors to have same rank and element type.';
  let parts = 1;
  for (const [i, size] of whole.shape.entries()) {
    const part = lane.shape[i]!;
    if (size % part !== 0)
      return (
        `expected expanded vector dimension #${i} (${size}) to be a multipler of the distributed ` +
        `vector dimension (${part})`
      );
    parts *= size / part;
  }
  return parts === lanes
    ? undefined
    : `incompatible distribution dimensions from '${typeText(whole)}' to '${typeText(lane)}' with warp size = ${lanes}`;
};

function* distributionErrors(
  wholes: readonly Value[],
  parts: readonly Value[],
  lanes: number,
): Generator<string> {
  for (const [i, whole] of wholes.entries()) {
    const error = distributionError(whole.type, parts[i]!.type, lanes);
    if (error !== undefined) yield error;
  }
}

/** `vector.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xf32>) -> (vector<1xf32>) { … }`. */
export const warpExecuteOnLane0 = defineOp({
  name: 'vector.warp_execute_on_lane_0',
  summary: 'what one lane of a warp does for all of them',
  operands: { laneid: one(index), arguments: variadic(anyType) },
  results: { results: variadic(anyType) },
  attributes: { warpSize: i64Attribute },
  regions: ['warpRegion'],
  bodies: ['warpRegion'],
  traits: ['recursive-effects', 'single-block'],
  implicitTerminator: 'vector.yield',
  assembly: {
    parse: (parser) => {
      parser.expect('(');
      const lane = parser.operand();
      parser.expect(')');
      parser.expect('[');
      const size = parser.exactInteger();
      parser.expect(']');
      let shared: readonly Value[] = [];
      if (parser.accept('args')) {
        parser.expect('(');
        const location = parser.here();
        const operands = parser.operandList();
        shared = parser.resolveAll(operands, parser.colonTypeList(), location);
        parser.expect(')');
      }
      const resultTypes = parser.optionalArrowTypeList();
      const region = parser.ensureTerminator(parser.region(), 'vector.yield');
      return {
        operands: [parser.resolve(lane, indexType), ...shared],
        resultTypes,
        regions: [region],
        attributes: { ...parser.optionalAttrDict(), warp_size: i64Attribute.encode(size) },
      };
    },
    print: (printer, operation) => {
      const [lane, ...shared] = operation.operands;
      const types = operation.results.map(({ type }) => type);
      const { warp_size: size } = operation.attributes;
      if (lane === undefined || size?.kind !== 'integer') return;
      printer.text('(');
      printer.operand(lane);
      printer.text(`)[${size.value}]`);
      if (shared.length > 0) {
        printer.text(' args(');
        printer.operands(shared);
        printer.text(' : ');
        printer.types(shared.map(({ type }) => type));
        printer.text(')');
      }
      if (types.length > 0) {
        printer.text(' -> (');
        printer.types(types);
        printer.text(')');
      }
      printer.text(' ');
      printer.region(operation.regions[0]!, { printTerminator: types.length > 0 });
      printer.optionalAttrDict(operation, ['warp_size']);
    },
  },
  *verify({ operation, operands, attributes: { warpSize } }) {
    const body = firstBlockOf(operation);
    const yielded = yieldedBy(body);
    if (operands.arguments.length !== body.arguments.length)
      yield 'expected same number op arguments and block arguments.';
    else if (yielded.length !== operation.results.length)
      yield 'expected same number of yield operands and return values.';
    else {
      yield* distributionErrors(body.arguments, operands.arguments, warpSize);
      yield* distributionErrors(yielded, operation.results, warpSize);
    }
  },
});

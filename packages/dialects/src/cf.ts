/** The cf dialect: branches between blocks. */
import type {
  Attribute,
  Dialect,
  Id,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  Value,
  VerifyContext,
} from '@sconv/ir';
import {
  anyAttribute,
  anyType,
  boolean,
  defineOp,
  denseArrayAttribute,
  denseElementsAttribute,
  i32,
  implement,
  named,
  one,
  optionalAttribute,
  stringAttributeKind,
  typeEquals,
  variadic,
  vectorType,
} from '@sconv/ir';
import { anyInteger, shapeOf } from './constraints.ts';
import { branchLike } from './interfaces.ts';
import { segments } from './segments.ts';

/** The checks of upstream's `BranchOpInterface`: successor operands match the block arguments. */
function* branchErrors(
  { successors }: Operation,
  context: VerifyContext,
  given: readonly (readonly Value[])[],
): Generator<string> {
  for (const [i, successor] of successors.entries()) {
    const wanted = context.successor(successor)?.arguments;
    const operands = given[i] ?? [];
    if (wanted === undefined) continue;
    if (wanted.length !== operands.length) {
      yield `branch has ${operands.length} operands for successor #${i}, but target block has ${wanted.length}`;
      continue;
    }
    const other = wanted.findIndex(({ type }, position) => !typeEquals(type, operands[position]!.type));
    if (other >= 0) yield `type mismatch for bb argument #${other} of successor #${i}`;
  }
}

/** `cf.assert %c, "message"`. */
export const assert = defineOp({
  name: 'cf.assert',
  summary: 'stops the program with a message unless a condition holds',
  operands: { arg: one(boolean) },
  attributes: { msg: stringAttributeKind },
  assembly: { format: '$arg `,` $msg attr-dict' },
});

const segmentSizes = (sizes: readonly number[]): Attribute => denseArrayAttribute(sizes, i32);

/** `cf.br ^bb1(%x : f32)`. */
export const br = defineOp({
  name: 'cf.br',
  summary: 'goes on at another block',
  interfaces: [
    implement(branchLike, {
      operands: ({ operands }) => [operands],
      withOperands: ({ attributes }, [operands = []]) => ({ operands, attributes }),
    }),
  ],
  operands: { destOperands: variadic(anyType) },
  successors: ['dest'],
  traits: ['pure', 'terminator'],
  assembly: { format: '$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict' },
  verify: ({ operation }, context) => branchErrors(operation, context, [operation.operands]),
});

/** `cf.cond_br %c, ^bb1(%x : f32), ^bb2`. */
export const condBr = defineOp({
  name: 'cf.cond_br',
  summary: 'goes on at one of two blocks, by a condition',
  interfaces: [
    implement(branchLike, {
      operands: (operation) => segments(operation).slice(1),
      withOperands: ({ operands, attributes }, [whenTrue = [], whenFalse = []]) => ({
        operands: [operands[0]!, ...whenTrue, ...whenFalse],
        attributes: {
          ...attributes,
          operandSegmentSizes: segmentSizes([1, whenTrue.length, whenFalse.length]),
        },
      }),
    }),
  ],
  operands: {
    condition: one(boolean),
    trueDestOperands: variadic(anyType),
    falseDestOperands: variadic(anyType),
  },
  successors: ['trueDest', 'falseDest'],
  traits: ['pure', 'terminator'],
  assembly: {
    format:
      '$condition `,` $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,` ' +
      '$falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict',
  },
  verify: ({ operation, operands: { trueDestOperands, falseDestOperands } }, context) =>
    branchErrors(operation, context, [trueDestOperands, falseDestOperands]),
});

interface ParsedTarget {
  readonly block: Id;
  readonly operands: readonly Value[];
}

const parseTarget = (parser: OpAsmParser): ParsedTarget => {
  const block = parser.successor();
  if (!parser.accept('(')) return { block, operands: [] };
  const location = parser.here();
  const operands = parser.operandList();
  const types = parser.colonTypeList();
  parser.expect(')');
  return { block, operands: parser.resolveAll(operands, types, location) };
};

const printTarget = (printer: OpAsmPrinter, block: Id | undefined, operands: readonly Value[]): void => {
  if (block === undefined) return;
  printer.successor(block);
  if (operands.length === 0) return;
  printer.text('(');
  printer.operands(operands);
  printer.text(' : ');
  printer.types(operands.map((value) => value.type));
  printer.text(')');
};

const parseSwitch = (parser: OpAsmParser) => {
  const flag = parser.operand();
  const type = parser.colonType();
  parser.expect(',');
  parser.expect('[');
  parser.expect('default');
  parser.expect(':');
  const targets = [parseTarget(parser)];
  const values: bigint[] = [];
  while (parser.accept(',')) {
    const location = parser.here();
    const value = parser.attribute(type);
    if (value.kind !== 'integer') return parser.fail('expected integer value', location);
    values.push(value.value);
    parser.expect(':');
    targets.push(parseTarget(parser));
  }
  parser.expect(']');
  const [fallback, ...cases] = targets.map((target) => target.operands);
  const isSplat = values.length > 0 && values.every((value) => value === values[0]);
  const caseValues = denseElementsAttribute(
    isSplat ? values.slice(0, 1) : values,
    vectorType([values.length], type),
  );
  const sizes = [1, fallback?.length ?? 0, cases.flat().length];
  return {
    operands: [parser.resolve(flag, type), ...targets.flatMap((target) => target.operands)],
    successors: targets.map((target) => target.block),
    attributes: {
      ...parser.optionalAttrDict(),
      ...(values.length === 0 ? {} : { case_values: caseValues }),
      case_operand_segments: denseArrayAttribute(
        cases.map((operands) => operands.length),
        i32,
      ),
      operandSegmentSizes: denseArrayAttribute(sizes, i32),
    },
  };
};

const numbers = (attribute: Attribute | undefined): readonly (number | bigint | string | boolean)[] =>
  attribute?.kind === 'dense-array' || attribute?.kind === 'dense-elements' ? attribute.values : [];

const printSwitch = (printer: OpAsmPrinter, operation: Operation): void => {
  const [flag = [], fallback = [], cases = []] = segments(operation);
  const { attributes, successors } = operation;
  const sizes = numbers(attributes['case_operand_segments']).map(Number);
  const values = numbers(attributes['case_values']);
  printer.text(' ');
  printer.operands(flag);
  printer.text(' : ');
  printer.types(flag.map((value) => value.type));
  printer.text(', [');
  printer.indented(() => {
    printer.newline();
    printer.text('default: ');
    printTarget(printer, successors[0], fallback);
    let next = 0;
    const width = flag[0]?.type.kind === 'integer' ? flag[0].type.width : 64;
    sizes.forEach((size, i) => {
      const value = values.length === 1 ? values[0] : values[i];
      printer.text(',');
      printer.newline();
      printer.text(`${BigInt.asUintN(width, BigInt(value ?? 0))}: `);
      printTarget(printer, successors[i + 1], cases.slice(next, next + size));
      next += size;
    });
  });
  printer.newline();
  printer.text(']');
  printer.optionalAttrDict(operation, ['case_values', 'case_operand_segments', 'operandSegmentSizes']);
};

/** `cf.switch %flag : i32, [ default: ^bb1, 42: ^bb2(%x : f32) ]`. */
export const switchOp = defineOp({
  name: 'cf.switch',
  summary: 'goes on at one of several blocks, by an integer',
  interfaces: [
    implement(branchLike, {
      operands: (operation) => {
        const [, fallback = [], cases = []] = segments(operation);
        let next = 0;
        const sizes = numbers(operation.attributes['case_operand_segments']).map(Number);
        return [fallback, ...sizes.map((size) => cases.slice(next, (next += size)))];
      },
      withOperands: ({ operands, attributes }, [fallback = [], ...cases]) => ({
        operands: [operands[0]!, ...fallback, ...cases.flat()],
        attributes: {
          ...attributes,
          case_operand_segments: segmentSizes(cases.map(({ length }) => length)),
          operandSegmentSizes: segmentSizes([1, fallback.length, cases.flat().length]),
        },
      }),
    }),
  ],
  operands: { flag: one(anyInteger), defaultOperands: variadic(anyType), caseOperands: variadic(anyType) },
  attributes: {
    caseValues: optionalAttribute(anyAttribute),
    caseOperandSegments: named(anyAttribute, 'case_operand_segments'),
  },
  successors: ['defaultDestination', 'caseDestinations...'],
  traits: ['pure', 'terminator'],
  assembly: { parse: parseSwitch, print: printSwitch },
  *verify({ operation, operands: { defaultOperands, caseOperands }, attributes }, context) {
    let next = 0;
    const given = numbers(attributes.caseOperandSegments).map((size) =>
      caseOperands.slice(next, (next += Number(size))),
    );
    yield* branchErrors(operation, context, [defaultOperands, ...given]);
    const cases = operation.successors.length - 1;
    const { caseValues } = attributes;
    const values = caseValues?.kind === 'dense-elements' ? shapeOf(caseValues.type)?.[0] : 0;
    if (values !== undefined && values !== cases) {
      yield `number of case values (${values}) should match number of case destinations (${cases})`;
    }
  },
});

/** The dialect, for a registry. */
export const cfDialect: Dialect = { name: 'cf', operations: [assert, br, condBr, switchOp] };

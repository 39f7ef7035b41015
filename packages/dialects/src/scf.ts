/** The scf dialect: structured control flow. */
import type {
  Block,
  Dialect,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  ParsedArgument,
  Region,
  Type,
  Value,
} from '@sconv/ir';
import {
  allTypesMatch,
  anyType,
  boolean,
  defineOp,
  denseArrayAttribute,
  i1,
  i64ArrayAttribute,
  index,
  indexType,
  one,
  typeEquals,
  variadic,
} from '@sconv/ir';
import { signlessIntegerOrIndex } from './constraints.ts';
import { carriesByCondition, carriesLastOperands, sequentialLoop, yieldsResults } from './interfaces.ts';
import { parseAssignments, parseInitializers, printInitializers } from './loop-text.ts';
import type { LoopBounds } from './scf-parallel.ts';
import { forall, inParallel, parallel, reduce, reduceReturn } from './scf-parallel.ts';
import { firstBlockOf, conditionalEdgeErrors, edgeErrors, yieldedBy } from './region-edges.ts';
import { notSpeculatable, withSteps } from './speculatable-models.ts';
import { typeText } from './type-text.ts';

/** `scf.yield %x : f32`. */
export const yieldOp = defineOp({
  name: 'scf.yield',
  summary: 'the end of a body, with the values that it gives',
  operands: { results: variadic(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  parents: ['scf.execute_region', 'scf.for', 'scf.if', 'scf.index_switch', 'scf.while'],
  assembly: { format: 'attr-dict ($results^ `:` type($results))?' },
});

const parseFor = (parser: OpAsmParser) => {
  const induction = parser.operand();
  parser.expect('=');
  const lower = parser.operand();
  parser.expect('to');
  const upper = parser.operand();
  parser.expect('step');
  const step = parser.operand();
  const carried = parser.accept('iter_args')
    ? parseInitializers(parser, () => {
        if (!parser.peek('->')) parser.expect('->');
        return parser.optionalArrowTypeList();
      })
    : { arguments: [], values: [], types: [] };
  const type = parser.accept(':') ? parser.type() : indexType;
  const bounds = [lower, upper, step].map((operand) => parser.resolve(operand, type));
  const body = parser.region([{ operand: induction, type }, ...carried.arguments]);
  return {
    operands: [...bounds, ...carried.values],
    resultTypes: carried.types,
    // Without results the terminator is implicit.
    regions: [carried.types.length === 0 ? parser.ensureTerminator(body, 'scf.yield') : body],
    attributes: parser.optionalAttrDict(),
  };
};

const printFor = (printer: OpAsmPrinter, operation: Operation): void => {
  const [lower, upper, step, ...inits] = operation.operands as [Value, Value, Value, ...Value[]];
  const region = operation.regions[0]!;
  const [induction, ...carried] = firstBlockOf(operation).arguments;
  if (induction === undefined) return;
  printer.text(' ');
  printer.operand(induction);
  printer.text(' = ');
  printer.operand(lower);
  printer.text(' to ');
  printer.operand(upper);
  printer.text(' step ');
  printer.operand(step);
  printInitializers(printer, ' iter_args', carried, inits);
  if (inits.length > 0) {
    printer.text(' -> (');
    printer.types(inits.map((value) => value.type));
    printer.text(')');
  }
  printer.text(' ');
  if (induction.type.kind !== 'index') {
    printer.text(' : ');
    printer.type(induction.type);
    printer.text(' ');
  }
  printer.region(region, { printEntryArguments: false, printTerminator: inits.length > 0 });
  printer.optionalAttrDict(operation);
};

function* loopErrors(
  body: Block,
  bound: Type,
  inits: readonly Value[],
  results: readonly Value[],
): Generator<string> {
  const [induction, ...carried] = body.arguments;
  if (induction === undefined || !typeEquals(induction.type, bound)) {
    yield 'expected induction variable to be same type as bounds and step';
    return;
  }
  const yielded = yieldedBy(body);
  if (inits.length !== results.length) {
    yield 'mismatch in number of loop-carried values and defined values';
  } else if (carried.length !== inits.length) {
    yield `different number of inits and region iter_args: ${inits.length} != ${carried.length}`;
  } else if (yielded.length !== inits.length) {
    yield (
      ` region control flow edge from Region #0 to Region #0: source has ${yielded.length} operands, ` +
      `but target successor needs ${inits.length}`
    );
  } else {
    yield* pairErrors(inits, carried, 'init', 'region iter_arg');
    yield* pairErrors(carried, yielded, 'region iter_arg', 'yielded value');
    yield* pairErrors(inits, results, 'init', 'result');
  }
}

/** Corresponding values must have the same type. */
function* pairErrors(
  a: readonly Value[],
  b: readonly Value[],
  first: string,
  second: string,
): Generator<string> {
  for (const [i, value] of a.entries()) {
    const other = b[i]!;
    if (typeEquals(value.type, other.type)) continue;
    yield (
      `${i}-th ${first} and ${i}-th ${second} have different type: '${typeText(value.type)}' != ` +
      `'${typeText(other.type)}'`
    );
    return;
  }
}

/** `scf.for %i = %lb to %ub step %s iter_args(%a = %x) -> (f32) { … }`. */
export const forOp = defineOp({
  name: 'scf.for',
  interfaces: [sequentialLoop(() => 1), carriesLastOperands, withSteps((loop) => [loop.operands[2]!])],
  summary: 'a loop over a range, carrying values from iteration to iteration',
  operands: {
    lowerBound: one(signlessIntegerOrIndex),
    upperBound: one(signlessIntegerOrIndex),
    step: one(signlessIntegerOrIndex),
    initArgs: variadic(anyType),
  },
  results: { results: variadic(anyType) },
  regions: ['region'],
  bodies: ['region'],
  traits: ['automatic-allocation-scope', 'recursive-effects', 'single-block'],
  typeRelations: [allTypesMatch('lowerBound', 'upperBound', 'step')],
  inferResultTypes: (operands) => operands.slice(3).map((operand) => operand.type),
  assembly: { parse: parseFor, print: printFor },
  verify: ({ operation, operands: { lowerBound, initArgs }, results: { results } }) =>
    loopErrors(firstBlockOf(operation), lowerBound.type, initArgs, results),
});

/** The bounds of an `scf.for`. */
export const forBounds = (loop: Operation): LoopBounds<Value> => {
  const { lowerBound, upperBound, step } = forOp.operands(loop);
  return { lower: lowerBound, upper: upperBound, step };
};

/**
 * The operand index of the first initial value of an `scf.for`, or of the first shared output of an `scf.forall`:
 * these come last, one per result.
 */
export const firstInit = ({ operands, results }: Operation): number => operands.length - results.length;

/** `scf.if %c -> (f32) { … } else { … }`; the `else` is optional without results. */
export const ifOp = defineOp({
  name: 'scf.if',
  interfaces: [yieldsResults],
  summary: 'one of two bodies, by a condition',
  operands: { condition: one(boolean) },
  results: { results: variadic(anyType) },
  regions: ['thenRegion', 'elseRegion'],
  bodies: ['thenRegion'],
  traits: ['recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const condition = parser.resolve(parser.operand(), i1);
      const resultTypes = parser.optionalArrowTypeList();
      const then = parser.ensureTerminator(parser.region(), 'scf.yield');
      const otherwise = parser.accept('else')
        ? parser.ensureTerminator(parser.region(), 'scf.yield')
        : { blocks: [] };
      return {
        operands: [condition],
        resultTypes,
        regions: [then, otherwise],
        attributes: parser.optionalAttrDict(),
      };
    },
    print: (printer, operation) => {
      const [then, otherwise] = operation.regions as [Region, Region];
      printer.text(' ');
      printer.operands(operation.operands);
      if (operation.results.length > 0) {
        printer.text(' -> (');
        printer.types(operation.results.map((result) => result.type));
        printer.text(')');
      }
      printer.text(' ');
      const options = { printEntryArguments: false, printTerminator: operation.results.length > 0 };
      printer.region(then, options);
      if (otherwise.blocks.length > 0) {
        printer.text(' else ');
        printer.region(otherwise, options);
      }
      printer.optionalAttrDict(operation);
    },
  },
  *verify({ operation }) {
    const otherwise = operation.regions[1]!;
    const taking = operation.regions.findIndex(({ blocks }) => (blocks[0]?.arguments.length ?? 0) > 0);
    if (taking >= 0) yield `region #${taking} should have no arguments`;
    else if (operation.results.length > 0 && otherwise.blocks.length === 0) {
      yield 'must have an else block if defining values';
    } else yield* conditionalEdgeErrors(operation);
  },
});

/** `scf.condition(%c) %x : f32`. */
export const condition = defineOp({
  name: 'scf.condition',
  summary: 'whether `scf.while` goes on, and the values that it goes on with',
  operands: { condition: one(boolean), args: variadic(anyType) },
  traits: ['pure', 'terminator'],
  parents: ['scf.while'],
  assembly: { format: '`(` $condition `)` attr-dict ($args^ `:` type($args))?' },
});

/** `scf.while (%a = %x) : (f32) -> f32 { … } do { … }`. */
export const whileOp = defineOp({
  name: 'scf.while',
  interfaces: [sequentialLoop(() => 0), carriesByCondition, notSpeculatable],
  summary: 'a loop by condition: the first body decides, the second works',
  operands: { inits: variadic(anyType) },
  results: { results: variadic(anyType) },
  regions: ['before', 'after'],
  bodies: ['before', 'after'],
  traits: ['recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const location = parser.here();
      const pairs = parser.peek('(') ? parseAssignments(parser) : [];
      parser.expect(':');
      const { inputs, results } = parser.functionalType();
      if (inputs.length !== pairs.length) {
        parser.fail(
          `expected as many input types as operands (expected ${pairs.length} got ${inputs.length})`,
          location,
        );
      }
      const values = parser.resolveAll(
        pairs.map((pair) => pair.value),
        inputs,
        location,
      );
      const entry = pairs.map((pair, i): ParsedArgument => ({
        operand: pair.argument,
        type: inputs[i]!,
      }));
      const before = parser.region(entry);
      parser.expect('do');
      const after = parser.region();
      return {
        operands: values,
        resultTypes: results,
        regions: [before, after],
        attributes: parser.optionalAttrDictWithKeyword(),
      };
    },
    print: (printer, operation) => {
      const [before, after] = operation.regions;
      if (before === undefined || after === undefined) return;
      const { operands, results } = operation;
      printInitializers(printer, ' ', firstBlockOf(operation).arguments, operands);
      printer.text(' : ');
      printer.functionalType(
        operands.map((value) => value.type),
        results.map((value) => value.type),
      );
      printer.text(' ');
      printer.region(before, { printEntryArguments: false });
      printer.text(' do ');
      printer.region(after);
      printer.optionalAttrDictWithKeyword(operation);
    },
  },
  *verify({ operation, operands: { inits }, results: { results } }) {
    const [before, after] = [firstBlockOf(operation, 0), firstBlockOf(operation, 1)];
    // Errors of scf.condition's own operands come first.
    const [decision, ...going] = yieldedBy(before);
    if (decision === undefined || !boolean.test(decision.type)) return;
    yield* edgeErrors('parent operands', 'Region #0', inits, before.arguments);
    yield* edgeErrors('Region #0', 'Region #1', going, after.arguments);
    yield* edgeErrors('Region #0', 'parent results', going, results);
    yield* edgeErrors('Region #1', 'Region #0', yieldedBy(after), before.arguments);
  },
});

/** `scf.execute_region -> f32 { … }`, with several blocks. */
export const executeRegion = defineOp({
  name: 'scf.execute_region',
  interfaces: [yieldsResults],
  summary: 'a region executed once',
  results: { results: variadic(anyType) },
  regions: ['region'],
  assembly: {
    parse: (parser) => ({
      resultTypes: parser.optionalArrowTypeList(),
      regions: [parser.region()],
      attributes: parser.optionalAttrDict(),
    }),
    print: (printer, operation) => {
      const region = operation.regions[0]!;
      printArrowTypes(printer, operation);
      printer.text(' ');
      printer.region(region, { printEntryArguments: false });
      printer.optionalAttrDict(operation);
    },
  },
  *verify({ operation }) {
    const [entry] = operation.regions[0]!.blocks;
    if (entry === undefined) yield 'region needs to have at least one block';
    else if (entry.arguments.length > 0) yield 'region cannot have any arguments';
  },
});

const printArrowTypes = (printer: OpAsmPrinter, operation: Operation): void => {
  printer.optionalArrowTypeList(operation.results.map((result) => result.type));
};

/** `scf.index_switch %i -> f32 case 2 { … } default { … }`. */
export const indexSwitch = defineOp({
  name: 'scf.index_switch',
  interfaces: [yieldsResults],
  summary: 'one of several bodies, by an index',
  operands: { arg: one(index) },
  results: { results: variadic(anyType) },
  attributes: { cases: i64ArrayAttribute },
  regions: ['defaultRegion', 'caseRegions...'],
  bodies: ['defaultRegion', 'caseRegions...'],
  traits: ['recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const argument = parser.resolve(parser.operand(), indexType);
      const attributes = parser.optionalAttrDict();
      // Here, unlike elsewhere, several types are not parenthesized.
      const resultTypes = parser.accept('->') ? parser.commaSeparated(() => parser.type()) : [];
      const cases: number[] = [];
      const regions = [];
      while (parser.accept('case')) {
        cases.push(parser.exactInteger());
        regions.push(parser.ensureTerminator(parser.region(), 'scf.yield'));
      }
      parser.expect('default');
      const fallback = parser.ensureTerminator(parser.region(), 'scf.yield');
      return {
        operands: [argument],
        attributes: { ...attributes, cases: denseArrayAttribute(cases) },
        resultTypes,
        regions: [fallback, ...regions],
      };
    },
    print: (printer, operation) => {
      const [fallback, ...regions] = operation.regions;
      const cases = operation.attributes['cases'];
      if (fallback === undefined || cases?.kind !== 'dense-array') return;
      printer.text(' ');
      printer.operands(operation.operands);
      printer.optionalAttrDict(operation, ['cases']);
      if (operation.results.length > 0) {
        printer.text(' -> ');
        printer.types(operation.results.map((result) => result.type));
      }
      printer.text(' ');
      regions.forEach((region, i) => {
        printer.newline();
        printer.text(`case ${String(cases.values[i])} `);
        // Upstream's parser adds a terminator to the default region alone.
        printer.region(region, { printEntryArguments: false });
      });
      printer.newline();
      printer.text('default ');
      const last = fallback.blocks[0]?.operations.at(-1);
      const saysSomething = operation.results.length > 0 || Object.keys(last?.attributes ?? {}).length > 0;
      printer.region(fallback, { printEntryArguments: false, printTerminator: saysSomething });
    },
  },
  *verify({ operation: { regions }, attributes: { cases: values }, results: { results } }) {
    if (values.length !== regions.length - 1) {
      yield `has ${regions.length - 1} case regions but ${values.length} case values`;
      return;
    }
    const repeated = values.find((value, i) => values.indexOf(value) !== i);
    if (repeated !== undefined) yield `has duplicate case value: ${repeated}`;
    for (const [i, { blocks }] of regions.entries()) {
      const yielded = yieldedBy(blocks[0]!);
      const name = i === 0 ? 'default region' : `case region #${i - 1}`;
      if (yielded.length !== results.length) {
        yield `expected each region to return ${results.length} values, but ${name} returns ${yielded.length}`;
        continue;
      }
      const other = results.findIndex(({ type }, position) => !typeEquals(type, yielded[position]!.type));
      if (other >= 0) {
        yield `expected result #${other} of each region to be '${typeText(results[other]!.type)}'`;
      }
    }
  },
});

export { forall, forallBounds, inParallel, parallel, reduce, reduceReturn } from './scf-parallel.ts';
export type { LoopBounds } from './scf-parallel.ts';

/** The dialect, for a registry. */
export const scfDialect: Dialect = {
  name: 'scf',
  operations: [
    yieldOp,
    forOp,
    ifOp,
    condition,
    whileOp,
    executeRegion,
    indexSwitch,
    parallel,
    reduce,
    reduceReturn,
    forall,
    inParallel,
  ],
};

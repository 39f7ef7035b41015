/** The parallel loops of the scf dialect. */
import type { DeclaredOperation, NoSpecs, OpAsmPrinter, Operation, Value } from '@sconv/ir';
import {
  anyAttribute,
  anyType,
  arrayOf,
  constrained,
  defineOp,
  denseArrayAttribute,
  i32,
  i64ArrayAttribute,
  index,
  indexType,
  named,
  one,
  optionalAttribute,
  typeEquals,
  variadic,
} from '@sconv/ir';
import { rankedTensor } from './constraints.ts';
import { carriesLastOperands, parallelLoop } from './interfaces.ts';
import { knownInteger } from './known-integer.ts';
import { parseInitializers, printInitializers } from './loop-text.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedIndices, numbersOf, parseIndexList, printIndexList } from './mixed-indices.ts';
import { firstBlockOf, edgeErrors, yieldedBy } from './region-edges.ts';
import { segments } from './segments.ts';
import { listError } from './slice-verify.ts';
import { withSteps } from './speculatable-models.ts';
import { typeText } from './type-text.ts';

const printList = (printer: OpAsmPrinter, prefix: string, values: readonly Value[]): void => {
  printer.text(`${prefix}(`);
  printer.operands(values);
  printer.text(')');
};

/** `scf.parallel (%i) = (%lb) to (%ub) step (%s) init (%x) -> f32 { … }`. */
export const parallel = defineOp({
  name: 'scf.parallel',
  interfaces: [
    parallelLoop((operation) => operation.regions[0]!.blocks[0]!.arguments.length),
    withSteps((loop) => segments(loop)[2]!),
  ],
  summary: 'a nest of parallel loops with reductions',
  operands: {
    lowerBound: variadic(index),
    upperBound: variadic(index),
    step: variadic(index),
    initVals: variadic(anyType),
  },
  results: { results: variadic(anyType) },
  regions: ['region'],
  bodies: ['region'],
  traits: ['automatic-allocation-scope', 'recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const variables = parser.list('paren', () => parser.operand());
      const bounds = ['=', 'to', 'step'].map((word) => {
        parser.expect(word);
        return parser
          .list('paren', () => parser.operand())
          .map((operand) => parser.resolve(operand, indexType));
      });
      const location = parser.here();
      const inits = parser.accept('init') ? parser.list('paren', () => parser.operand()) : [];
      const resultTypes = parser.optionalArrowTypeList();
      const body = parser.region(variables.map((operand) => ({ operand, type: indexType })));
      const attributes = parser.optionalAttrDict();
      return {
        operands: [...bounds.flat(), ...parser.resolveAll(inits, resultTypes, location)],
        attributes: {
          ...attributes,
          operandSegmentSizes: denseArrayAttribute(
            [...bounds.map((group) => group.length), inits.length],
            i32,
          ),
        },
        resultTypes,
        regions: [parser.ensureTerminator(body, 'scf.reduce')],
      };
    },
    print: (printer, operation) => {
      const [lower = [], upper = [], step = [], inits = []] = segments(operation);
      const region = operation.regions[0]!;
      printList(printer, ' ', firstBlockOf(operation).arguments);
      printList(printer, ' = ', lower);
      printList(printer, ' to ', upper);
      printList(printer, ' step ', step);
      if (inits.length > 0) printList(printer, ' init ', inits);
      printer.optionalArrowTypeList(operation.results.map((result) => result.type));
      printer.text(' ');
      printer.region(region, { printEntryArguments: false });
      printer.optionalAttrDict(operation, ['operandSegmentSizes']);
    },
  },
  *verify({ operation, operands }, context) {
    const { lowerBound: lower, upperBound: upper, step, initVals: inits } = operands;
    const steps = step.map((value) => knownInteger(context, value));
    const { length: results } = operation.results;
    const body = firstBlockOf(operation);
    const variables = body.arguments;
    const reduced = yieldedBy(body);
    const reductions = reduced.length;
    if (lower.length === 0 || upper.length === 0 || step.length === 0) {
      yield 'needs at least one tuple element for lowerBound, upperBound and step';
    } else if (steps.some((value) => value !== undefined && value <= 0)) {
      yield 'constant step operand must be positive';
    } else if (variables.length !== step.length) {
      yield (
        `expects the same number of induction variables: ${variables.length} as bound and step values: ` +
        `${step.length}`
      );
    } else if (results !== reductions) {
      yield `expects number of results: ${results} to be the same as number of reductions: ${reductions}`;
    } else if (results !== inits.length) {
      yield `expects number of results: ${results} to be the same as number of initial values: ${inits.length}`;
    } else if (variables.some(({ type }) => type.kind !== 'index')) {
      yield 'expects arguments for the induction variable to be of index type';
    } else {
      yield* edgeErrors('Region #0', 'parent results', reduced, operation.results);
    }
  },
});

/** `scf.reduce(%x : f32) { ^bb0(%a: f32, %b: f32): … }`. */
export const reduce = defineOp({
  name: 'scf.reduce',
  summary: 'the end of `scf.parallel`: the values to reduce, and how',
  operands: { operands: variadic(anyType) },
  regions: ['reductions...'],
  traits: ['terminator', 'recursive-effects', 'single-block'],
  parents: ['scf.parallel'],
  assembly: {
    parse: (parser) => {
      const location = parser.here();
      if (!parser.accept('(')) return { attributes: parser.optionalAttrDict() };
      const operands = parser.operandList();
      const types = parser.colonTypeList();
      parser.expect(')');
      const regions = parser.peek('{') ? parser.commaSeparated(() => parser.region()) : [];
      return {
        operands: parser.resolveAll(operands, types, location),
        regions,
        attributes: parser.optionalAttrDict(),
      };
    },
    print: (printer, operation) => {
      const { operands, regions } = operation;
      if (operands.length > 0) {
        printer.text('(');
        printer.operands(operands);
        printer.text(' : ');
        printer.types(operands.map((value) => value.type));
        printer.text(')');
      }
      printer.text(' ');
      regions.forEach((region, i) => {
        if (i > 0) printer.text(', ');
        printer.region(region);
      });
      printer.optionalAttrDict(operation);
    },
  },
  verify: ({ operation }) => reduceErrors(operation),
});

function* reduceErrors({ operands, regions }: Operation): Generator<string> {
  if (regions.length !== operands.length) {
    yield (
      `expects number of reduction regions: ${regions.length} to be the same as number of reduction ` +
      `operands: ${operands.length}`
    );
    return;
  }
  for (const [i, { type }] of operands.entries()) {
    const body = regions[i]!.blocks[0];
    const blockArguments = body?.arguments ?? [];
    if (body === undefined || body.operations.length === 0) yield `${i}-th reduction has an empty body`;
    else if (blockArguments.length !== 2 || !blockArguments.every((each) => typeEquals(each.type, type)))
      yield `expected two block arguments with type '${typeText(type)}' in the ${i}-th reduction region`;
    else if (body.operations.at(-1)?.name !== 'scf.reduce.return')
      yield "reduction bodies must be terminated with an 'scf.reduce.return' op";
  }
}

/** `scf.reduce.return %x : f32`. */
export const reduceReturn = defineOp({
  name: 'scf.reduce.return',
  summary: 'the end of a reduction',
  operands: { result: one(anyType) },
  traits: ['pure', 'terminator'],
  parents: ['scf.reduce'],
  assembly: { format: '$result attr-dict `:` type($result)' },
  *verify({ operation, operands: { result } }, context) {
    const region = context.ancestors[0]?.regions.find(({ blocks }) =>
      blocks[0]?.operations.includes(operation),
    );
    const reduced = region?.blocks[0]?.arguments[0];
    if (reduced !== undefined && !typeEquals(reduced.type, result.type))
      yield `must have type '${typeText(reduced.type)}' (the type of the reduction inputs)`;
  },
});

/** Dialect attributes such as `#gpu.block<x>`; which of them are device mappings is up to their dialects. */
const deviceMapping = constrained(arrayOf(anyAttribute, 'Device Mapping array'), 'attribute', (attributes) =>
  attributes.every((attribute) => attribute.kind === 'dialect'),
);

const isNormalized = (operation: Operation): boolean => {
  const are = (name: string, value: number): boolean => {
    const attribute = operation.attributes[name];
    return attribute?.kind === 'dense-array' && attribute.values.every((entry) => Number(entry) === value);
  };
  return are('staticLowerBound', 0) && are('staticStep', 1);
};

const forallOperands = {
  dynamicLowerBound: variadic(index),
  dynamicUpperBound: variadic(index),
  dynamicStep: variadic(index),
  outputs: variadic(rankedTensor),
};
const forallAttributes = {
  staticLowerBound: named(i64ArrayAttribute, 'staticLowerBound'),
  staticUpperBound: named(i64ArrayAttribute, 'staticUpperBound'),
  staticStep: named(i64ArrayAttribute, 'staticStep'),
  mapping: optionalAttribute(deviceMapping),
};

type Forall = DeclaredOperation<typeof forallOperands, NoSpecs, typeof forallAttributes>;

function* verifyForall({
  operation,
  operands: { dynamicLowerBound, dynamicUpperBound, dynamicStep, outputs },
  attributes: { staticLowerBound, staticUpperBound, staticStep, mapping },
}: Pick<Forall, 'operation' | 'operands' | 'attributes'>): Generator<string> {
  const bounds = [
    ['lower bound', staticLowerBound, dynamicLowerBound],
    ['upper bound', staticUpperBound, dynamicUpperBound],
    ['step', staticStep, dynamicStep],
  ] as const;
  const rank = staticLowerBound.length;
  const variables = firstBlockOf(operation).arguments;
  if (variables.length !== rank + outputs.length) {
    yield `region expects ${rank + outputs.length} arguments`;
    return;
  }
  const notIndex = variables.slice(0, rank).findIndex(({ type }) => type.kind !== 'index');
  const differing = outputs.findIndex(({ type }, i) => !typeEquals(type, variables[rank + i]!.type));
  if (notIndex >= 0) {
    yield `expects ${notIndex}-th block argument to be an index`;
  } else if (differing >= 0) {
    yield `type mismatch between ${differing}-th output and corresponding block argument`;
  } else if (mapping !== undefined && mapping.length !== rank) {
    yield 'mapping attribute size must match op rank';
  } else {
    for (const [name, values, dynamic] of bounds) {
      const wrong = listError(name, values, dynamic, rank);
      if (wrong !== undefined) yield wrong;
    }
  }
}

/** `scf.forall (%i) in (%n) shared_outs(%o = %x) -> (tensor<8xf32>) { … }`. */
export const forall = defineOp({
  name: 'scf.forall',
  interfaces: [
    withSteps((loop) => forallBounds(loop).map(({ step }) => step)),
    parallelLoop(({ regions, results }) => regions[0]!.blocks[0]!.arguments.length - results.length),
    carriesLastOperands,
  ],
  summary: 'a nest of parallel loops whose results are put together from disjoint slices',
  operands: forallOperands,
  results: { results: variadic(anyType) },
  attributes: forallAttributes,
  regions: ['region'],
  bodies: ['region'],
  traits: ['automatic-allocation-scope', 'recursive-effects', 'single-block'],
  destinations: 'outputs',
  assembly: {
    parse: (parser) => {
      const variables = parser.list('paren', () => parser.operand());
      const normalized = !parser.accept('=');
      if (normalized) parser.expect('in');
      const first = parseIndexList(parser, 'paren');
      const fixed = (value: number) => ({ operands: [], static: first.static.map(() => value) });
      const lower = normalized ? fixed(0) : first;
      const upper = normalized ? first : (parser.expect('to'), parseIndexList(parser, 'paren'));
      const step = normalized ? fixed(1) : (parser.expect('step'), parseIndexList(parser, 'paren'));
      const bounds = [lower, upper, step].map((list) =>
        list.operands.map((operand) => parser.resolve(operand, indexType)),
      );
      const shared = parser.accept('shared_outs')
        ? parseInitializers(parser, () => parser.optionalArrowTypeList())
        : { arguments: [], values: [], types: [] };
      const body = parser.region([
        ...variables.map((operand) => ({ operand, type: indexType })),
        ...shared.arguments,
      ]);
      const attributes = parser.optionalAttrDict();
      return {
        operands: [...bounds.flat(), ...shared.values],
        attributes: {
          ...attributes,
          staticLowerBound: denseArrayAttribute(lower.static),
          staticUpperBound: denseArrayAttribute(upper.static),
          staticStep: denseArrayAttribute(step.static),
          operandSegmentSizes: denseArrayAttribute(
            [...bounds.map((group) => group.length), shared.values.length],
            i32,
          ),
        },
        resultTypes: shared.types,
        regions: [
          parser.ensureTerminator(body, 'scf.forall.in_parallel', () => ({
            regions: [parser.emptyBlockRegion([])],
          })),
        ],
      };
    },
    print: (printer, operation) => {
      const [lower = [], upper = [], step = [], outputs = []] = segments(operation);
      const { attributes } = operation;
      const region = operation.regions[0]!;
      const blockArguments = firstBlockOf(operation).arguments;
      const rank = blockArguments.length - outputs.length;
      printList(printer, ' ', blockArguments.slice(0, rank));
      if (isNormalized(operation)) {
        printer.text(' in ');
        printIndexList(printer, upper, attributes['staticUpperBound'], 'paren');
      } else {
        printer.text(' = ');
        printIndexList(printer, lower, attributes['staticLowerBound'], 'paren');
        printer.text(' to ');
        printIndexList(printer, upper, attributes['staticUpperBound'], 'paren');
        printer.text(' step ');
        printIndexList(printer, step, attributes['staticStep'], 'paren');
      }
      printInitializers(printer, ' shared_outs', blockArguments.slice(rank), outputs);
      printer.text(' ');
      if (outputs.length > 0) {
        printer.text('-> (');
        printer.types(operation.results.map((result) => result.type));
        printer.text(') ');
      }
      printer.region(region, { printEntryArguments: false, printTerminator: operation.results.length > 0 });
      printer.optionalAttrDict(operation, [
        'operandSegmentSizes',
        'staticLowerBound',
        'staticUpperBound',
        'staticStep',
      ]);
    },
  },
  verify: verifyForall,
});

/** The values of a loop's induction variable: from `lower` to below `upper`. */
export interface LoopBounds<T = MixedIndex> {
  readonly lower: T;
  readonly upper: T;
  readonly step: T;
}

/** The bounds of each loop of a `scf.forall`, outermost first. */
export const forallBounds = (operation: Operation): readonly LoopBounds[] => {
  const groups = segments(operation);
  const [lower, upper, step] = ['staticLowerBound', 'staticUpperBound', 'staticStep'].map((name, i) =>
    mixedIndices(groups[i] ?? [], numbersOf(operation.attributes[name])),
  ) as [readonly MixedIndex[], readonly MixedIndex[], readonly MixedIndex[]];
  return lower.map((first, i) => ({ lower: first, upper: upper[i]!, step: step[i]! }));
};

/** `scf.forall.in_parallel { tensor.parallel_insert_slice … }`. */
export const inParallel = defineOp({
  name: 'scf.forall.in_parallel',
  summary: 'the end of `scf.forall`: the slices that its results are made of',
  regions: ['region'],
  bodies: ['region'],
  traits: ['pure', 'terminator', 'no-terminator', 'single-block', 'graph-region'],
  parents: ['scf.forall'],
  assembly: {
    parse: (parser) => {
      const region = parser.region();
      return {
        regions: [region.blocks.length === 0 ? parser.emptyBlockRegion([]) : region],
        attributes: parser.optionalAttrDict(),
      };
    },
    print: (printer, operation) => {
      printer.text(' ');
      printer.region(operation.regions[0]!, { printEntryArguments: false });
      printer.optionalAttrDict(operation);
    },
  },
  *verify({ operation }, { ancestors }) {
    const outputs = firstBlockOf(ancestors[0]!).arguments;
    for (const child of firstBlockOf(operation).operations) {
      if (child.name !== 'tensor.parallel_insert_slice')
        yield 'expected only tensor.parallel_insert_slice ops';
      else if (outputs.every(({ id }) => id !== child.operands[1]?.id))
        yield { message: 'may only insert into an output block argument', operation: child };
    }
  },
});

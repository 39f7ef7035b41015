/** Mistakes of callers in plain JavaScript: each error says what is expected instead. */
import { describe, expect, it } from 'vitest';
import * as ir from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const module = parse('');
/** Null for nothing, which would be an argument left out. */
const orNull = (given: unknown): never => (given ?? null) as never;

describe.each<[string, (given: never) => unknown, string]>([
  ['tensorType', (given) => ir.tensorType(given, ir.f32), 'a list of sizes'],
  ['memrefType', (given) => ir.memrefType(given, ir.f32), 'a list of sizes'],
  ['vectorType', (given) => ir.vectorType(given, ir.f32), 'a list of sizes'],
  ['functionType, inputs', (given) => ir.functionType(given, []), 'a list of types of inputs'],
  ['functionType, results', (given) => ir.functionType([], given), 'a list of types of results'],
  ['stridedLayoutAttribute', (given) => ir.stridedLayoutAttribute(0, given), 'a list of sizes'],
  ['arrayAttribute', (given) => ir.arrayAttribute(given), 'a list of attributes'],
  ['denseArrayAttribute', (given) => ir.denseArrayAttribute(given), 'a list of elements'],
  ['denseElementsAttribute', (given) => ir.denseElementsAttribute(given, ir.f32), 'a list of elements'],
  ['integerAttribute', (given) => ir.integerAttribute(given, ir.i64), 'an integer'],
  ['symbolRefAttribute', (given) => ir.symbolRefAttribute(given), 'the name of a symbol'],
  ['symbolRefAttribute, nested', (given) => ir.symbolRefAttribute('a', orNull(given)), 'a list of names of'],
  ['parseType', (given) => ir.parseType(given, { registry }), 'a text to parse'],
  ['parseAttribute', (given) => ir.parseAttribute(given, { registry }), 'a text to parse'],
  ['parsePassOptions', (given) => ir.parsePassOptions(given), 'the options of a pass as text'],
  ['choiceOption', (given) => ir.choiceOption('', given), 'a list of words'],
  ['definePass', (given) => ir.definePass(given), 'the declaration of a pass'],
  ['defineOperationPass', (given) => ir.defineOperationPass(given), 'the declaration of a pass'],
  ['nestPass', (given) => ir.nestPass(given, []), 'a pass'],
  ['runPipeline', (given) => ir.runPipeline(module, given, { registry }), 'a list of passes'],
  ['runPipeline, one', (given) => ir.runPipeline(module, [given], { registry }), 'a list of passes'],
  ['buildModule', (given) => ir.buildModule(registry, given), 'a function that builds the module'],
  ['createTiming', (given) => ir.createTiming(orNull(given)), 'a clock as a function'],
  ['positive', (given) => ir.positive(given), 'the kind of an attribute'],
])('%s', (_, call, expected) => {
  it.each([undefined, null, true])('is not %s', (given) => {
    expect(() => call(given as never)).toThrow(`expected ${expected}`);
  });
});

/** Mistakes of callers in plain JavaScript: each error names what is wrong, and what is expected instead. */
import { describe, expect, it } from 'vitest';
import * as sconv from '../src/index.ts';

const registry = sconv.defaultRegistry;
const payload = sconv.convolutionPayload({ input: [1, 3, 9, 9], filters: [5, 3, 3, 3] });
const shape = sconv.parseShape('1x3x9x9,5x3x3x3');

/** Null for nothing, which would be an argument left out. */
const orNull = (given: unknown): never => (given ?? null) as never;

type Row = readonly [string, (given: never) => unknown, RegExp];

/** Functions of one argument that nothing, null, and numbers are refused as. */
const rows: readonly Row[] = [
  ['parseModule, options', (given) => sconv.parseModule('', given), /^parseModule expects options with a registry, not /],
  ['printModule, options', (given) => sconv.printModule(payload, given), /^printModule expects options with a registry, not /],
  ['printModule', (given) => sconv.printModule(given, { registry }), /^expected a module as what is printed, not /],
  ['edit', (given) => sconv.edit(given, { registry }, () => 0), /^expected a module as what is edited, not /],
  ['verify', (given) => sconv.verify(given, registry), /^expected a module as what is verified, not /],
  ['bufferizeModule', (given) => sconv.bufferizeModule(given, { registry }), /^expected a module as what is bufferized, not /],
  ['bufferizeModule, options', (given) => sconv.bufferizeModule(payload, given), /^bufferizeModule expects options with a registry, not /],
  ['emitModule', (given) => sconv.emitModule(given, { registry }), /^expected a module as what is emitted, not /],
  ['emitModule, options', (given) => sconv.emitModule(payload, given), /^emitModule expects options with a registry, not /],
  ['convolutionsOf', (given) => sconv.convolutionsOf(given), /^expected a module as the payload, not /],
  ['targetSchedule', (given) => sconv.unwrap(sconv.targetSchedule(payload, given)), /'target' is a target of @sconv\/targets, not /],
  ['schedule', (given) => sconv.schedule(given), /^schedule expects a function that records, not /],
  ['generalize', (given) => sconv.generalize(given), /generalize expects its operands by name, \{ target \}, got /],
  ['match', (given) => sconv.match(given), /transform\.structured\.match expects its operands by name, \{ target \}, got /],
  ['mergeHandles', (given) => sconv.mergeHandles(given), /merge_handles expects its operands by name, \{ handles \}, got /],
  ['mergeHandles, handles', (given) => sconv.mergeHandles({ handles: given }), /expects a list of handles as 'handles', got |an op without operands is recorded through the recorder/],
  ['tileUsingFor', (given) => sconv.tileUsingFor(given), /expects a handle.* as 'target', got undefined/],
  ['tileUsingFor, options', (given) => sconv.schedule(($) => void sconv.tileUsingFor({ target: $.root }, orNull(given))), /^expected the options of tileUsingFor, not /],
  ['sconv, options', (given) => sconv.schedule(($) => void sconv.sconv({ target: $.root } as never, orNull(given))), /^expected options, not /],
  ['tileUsingForall', (given) => sconv.tileUsingForall(given, { tileSizes: [1] } as never), /expects a handle.* as 'target', got undefined/],
  ['applyPatterns', (given) => sconv.applyPatterns({ target: given }, []), /expects a handle.* as 'target', got /],
  ['applyPatterns, names', (given) => sconv.applyPatterns({ target: given }, given), /^applyPatterns expects a list of names of pattern sets, not /],
  ['foreach', (given) => sconv.foreach(given, () => undefined), /expected a handle or a parameter, or a list of them, got /],
  ['sequence', (given) => sconv.sequence(given, () => undefined), /expected a handle or a parameter, or a list of them, got /],
  ['suppress, body', (given) => sconv.schedule(($) => sconv.suppress($.root, given)), /^expected a function that records the body, not /],
  ['createRegistry', (given) => sconv.createRegistry(given), /^expected a list of dialects, not /],
  ['createRegistry, dialects', (given) => sconv.createRegistry([given]), /^expected a list of dialects, not \[/],
  ['createRegistry, no attachments', (given) => sconv.createRegistry([], orNull(given)), /^expected a list of attachments, not /],
  ['extendRegistry', (given) => sconv.extendRegistry(given, []), /^expected a registry, as createRegistry\(\) makes it, not /],
  ['defineTransformOp', (given) => sconv.defineTransformOp(given), /^expected the declaration of a transform op, not /],
  ['transformDialectOf', (given) => sconv.transformDialectOf(given), /^expected a list of transforms, not /],
  ['transformDialectOf, transforms', (given) => sconv.transformDialectOf([given]), /^expected a list of transforms, not \[/],
  ['runSchedule, options', (given) => sconv.runSchedule(payload, payload, given), /^runSchedule expects options with a registry, not /],
  ['walk', (given) => [...sconv.walk(given)], /^expected an operation as what is walked, not /],
  ['children', (given) => sconv.children(given), /^expected an operation as the parent, not /],
  ['traceNodes', (given) => [...sconv.traceNodes(given)], /^expected a trace, not /],
  ['createRegistry, operations', (given) => sconv.createRegistry([{ name: 'my', operations: [given] }] as never), /^expected a list of operations as those of 'my', not \[/],
  ['createRegistry, attachments', (given) => sconv.createRegistry([], [given]), /^expected a list of attachments, not \[/],
  ['createRegistry, passes', (given) => sconv.createRegistry([], [], [given]), /^expected a list of passes, not \[/],
  ['defineOp', (given) => sconv.defineOp(given), /^defineOp expects the declaration of an operation, not /],
  ['defineOp, name', (given) => sconv.defineOp({ name: given } as never), /^defineOp expects a name, not /],
  ['defineOp, operands', (given) => sconv.defineOp({ name: 'my.op', operands: { a: given } } as never), /^defineOp expects operands by name, not /],
  ['halfBits', (given) => sconv.halfBits(given, []), /^expected f16 or bf16 as the format, not /],
  ['halfValues', (given) => sconv.halfValues(given, new Uint16Array(1)), /^expected f16 or bf16 as the format, not /],
  ['referenceConvolution', (given) => sconv.referenceConvolution(given, [], [], []), /^expected the sizes of a convolution, not /],
  ['target', (given) => sconv.target(given), /expected the name of a target \(wasm, .*\), not /],
  ['unwrap', (given) => sconv.unwrap(given), /^unwrap expects the result of a function that may fail, not /],
  ['planForTarget', (given) => sconv.planForTarget(shape, given), /expected a target/],
  ['convolution', (given) => sconv.convolution(given), /expected the sizes of a convolution, not /],
  ['explain', (given) => sconv.explain(given), /expected a plan, as planConvolution and planForTarget give one, not /],
]; // prettier-ignore

describe.each(rows)('%s', (_, call, message) => {
  it.each([undefined, null, 7])('is not %s', (given) => {
    expect(() => call(given as never)).toThrow(message);
  });
});

it('a shape is no plan', () => {
  expect(() => sconv.explain(shape as never)).toThrow(/without a microkernel it is none/);
});

it('a promise is awaited before it is unwrapped', async () => {
  const compiling = sconv.compileModule(payload);
  expect(() => sconv.unwrap(compiling as never)).toThrow(/not a promise: await it first$/);
  sconv.unwrap(await compiling).dispose();
});

it('null is no options of a transform', () => {
  const record = (recorder: sconv.Recorder): undefined => {
    sconv.interchange({ target: recorder.match('linalg.generic') }, 'x');
  };
  expect(() => sconv.schedule(record)).toThrow(/interchange expects an object of options, got 'x'/);
});

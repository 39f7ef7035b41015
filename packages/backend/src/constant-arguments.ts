/**
 * Constants of bytes as arguments: the code does not depend on them, and each of them reaches it as weights do that a
 * caller binds, which are packed once.
 */
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { addFunctionArguments } from '@sconv/dialects';
import { call } from '@sconv/dialects/func';
import { getGlobal, global } from '@sconv/dialects/memref';
import type {
  DenseResourceAttribute,
  DraftOperation,
  MemRefType,
  Module,
  Operation,
  Registry,
} from '@sconv/ir';
import { children, edit, isPrivate, operationsIn, resourceProblem, symbolNameOf } from '@sconv/ir';

/** An argument that no caller passes. */
export interface ConstantArgument {
  /** The function, by name. */
  readonly function: string;
  /** The position of the argument. */
  readonly parameter: number;
  /** Its elements in row-major order, least significant byte first; an index has 8 bytes, a boolean one. */
  readonly bytes: Uint8Array;
}

/** A constant global, and what it holds. */
interface ConstantGlobal {
  readonly name: string;
  readonly type: MemRefType;
  readonly value: DenseResourceAttribute;
}

/**
 * A bufferized module whose functions take the constant globals that are `dense_resource`s, behind the other arguments,
 * and pass them on to the functions that they call. The same module if there are none.
 *
 * Fails with `backend/constant` where the bytes of one are missing or of another number, for a variable that begins
 * with such bytes, and for a function that is not only called, whose arguments therefore must stay.
 */
export const constantsAsArguments = (
  module: Module,
  registry: Registry,
): Diagnosed<{ readonly module: Module; readonly constants: readonly ConstantArgument[] }> => {
  const globals = new Map<string, ConstantGlobal>();
  for (const operation of children(module.root)) {
    const { initial_value: value } = operation.attributes;
    if (value?.kind !== 'dense-resource') continue;
    const problem = resourceProblem(value);
    if (problem !== undefined) return refused(operation, problem);
    const found = constantGlobal(operation, value);
    if (found === undefined)
      return refused(
        operation,
        'a variable does not begin with the bytes of a resource: write them as dense<…>',
      );
    globals.set(found.name, found);
  }
  if (globals.size === 0) return success({ module, constants: [] });
  const functions = children(module.root).filter(
    ({ name, regions }) => name === 'func.func' && regions[0]!.blocks.length > 0,
  );
  const needs = neededBy(functions, globals);
  const kept = functions.find(
    (each) => needs.get(symbolNameOf(each)!)!.size > 0 && isReferredTo(module, symbolNameOf(each)!),
  );
  if (kept !== undefined)
    return refused(kept, 'the function is used as a value, so its constants cannot be passed to it');
  const { module: changed } = edit(module, { registry }, (rewriter) => {
    for (const operation of functions) {
      const needed = [...needs.get(symbolNameOf(operation)!)!];
      if (needed.length === 0) continue;
      const draft = rewriter.find(operation.id);
      const values = addFunctionArguments(
        rewriter,
        draft,
        needed.map(({ type }) => type),
      );
      const valueOf = (wanted: ConstantGlobal) => values[needed.indexOf(wanted)]!;
      for (const inner of rewriter.walk(draft)) {
        const found = readBy(inner, globals);
        if (found !== undefined) rewriter.replaceOperation(inner, [valueOf(found)]);
        const passed = [...(needs.get(calleeOf(inner) ?? '') ?? [])].map(valueOf);
        if (passed.length > 0) rewriter.setOperands(inner, [...inner.operands, ...passed]);
      }
    }
    for (const operation of rewriter.walk(rewriter.root))
      if (global.is(operation) && globals.has(symbolNameOf(operation)!)) rewriter.eraseOperation(operation);
  });
  const constants = functions
    .filter((each) => !isPrivate(each))
    .flatMap((each): readonly ConstantArgument[] => {
      const name = symbolNameOf(each)!;
      const { length } = each.regions[0]!.blocks[0]!.arguments;
      return [...needs.get(name)!].map(({ value }, i) => ({
        function: name,
        parameter: length + i,
        bytes: value.resource.bytes!,
      }));
    });
  return success({ module: changed, constants });
};

const refused = ({ location }: Operation, why: string): Failed =>
  definite(error('backend/constant', why, location));

/** A global that nobody writes. */
const constantGlobal = (
  { attributes: { sym_name: name, type, constant } }: Operation,
  value: DenseResourceAttribute,
): ConstantGlobal | undefined =>
  constant !== undefined && name?.kind === 'string' && type?.kind === 'type' && type.type.kind === 'memref'
    ? { name: name.value, type: type.type, value }
    : undefined;

type Globals = ReadonlyMap<string, ConstantGlobal>;

/** The constant that an operation refers to. */
const readBy = (operation: DraftOperation | Operation, globals: Globals): ConstantGlobal | undefined =>
  getGlobal.is(operation) ? globals.get(getGlobal.attributes(operation).name) : undefined;

const calleeOf = (operation: DraftOperation | Operation): string | undefined =>
  call.is(operation) ? call.attributes(operation).callee : undefined;

/** By function: the constants that it and the functions that it calls refer to, in the order of their first use. */
const neededBy = (
  functions: readonly Operation[],
  globals: Globals,
): ReadonlyMap<string, ReadonlySet<ConstantGlobal>> => {
  const needs = new Map(functions.map((each) => [symbolNameOf(each)!, new Set<ConstantGlobal>()]));
  const uses = functions.map((each) => {
    const all = operationsIn(each);
    const used = all.filter(
      (inner) => readBy(inner, globals) !== undefined || needs.has(calleeOf(inner) ?? ''),
    );
    return { own: needs.get(symbolNameOf(each)!)!, used };
  });
  // Until nothing is added: functions may call each other in any order.
  for (let before = -1, size = 0; before !== size;) {
    before = size;
    for (const { own, used } of uses)
      for (const each of used) {
        const read = readBy(each, globals);
        for (const needed of read === undefined ? needs.get(calleeOf(each)!)! : [read]) own.add(needed);
      }
    size = uses.reduce((sum, { own }) => sum + own.size, 0);
  }
  return needs;
};

/** Whether an operation other than a call refers to a symbol. */
const isReferredTo = (module: Module, name: string): boolean =>
  operationsIn(module.root).some(
    (operation) =>
      !call.is(operation) &&
      Object.values(operation.attributes).some((each) => each.kind === 'symbol-ref' && each.root === name),
  );

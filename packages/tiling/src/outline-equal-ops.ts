/**
 * Equal reductions on tensors become calls of one function, so that each is scheduled and compiled once.
 *
 *     func @net(%x, %v, %w) {                          func @net(%x, %v, %w) {
 *       %e = tensor.empty()                              %e = tensor.empty()
 *       %z = linalg.fill ins(%zero) outs(%e)             %a = call @conv_2d_nchw_fchw(%x, %v, %e)
 *       %a = linalg.conv_2d_nchw_fchw                →   %b = call @conv_2d_nchw_fchw(%a, %w, %e)
 *         ins(%x, %v) outs(%z)                         }
 *       %b = linalg.conv_2d_nchw_fchw                  func private @conv_2d_nchw_fchw(%x, %w, %e) {
 *         ins(%a, %w) outs(%z)                           … fill, convolution …
 *     }                                                }
 *
 * What a schedule fuses with such an op comes along: the padding of its operands, the fill of its destination, and the
 * elementwise ops that follow. Upstream has nothing like it; `transform.loop.outline` outlines one op.
 */
import { elementOf, eraseUnused } from '@sconv/dialects';
import { call, funcOp, returnOp } from '@sconv/dialects/func';
import { fill, structured } from '@sconv/dialects/linalg';
import { empty, pad } from '@sconv/dialects/tensor';
import type { DraftOperation, Id, Module, Operation, Registry, Rewriter, Value } from '@sconv/ir';
import {
  bodyOf,
  constantValueOf,
  edit,
  functionType,
  operationsIn,
  printAttribute,
  printType,
  symbolNameOf,
  terminatorOf,
} from '@sconv/ir';
import { epilogueViewOf } from './epilogue.ts';

/** The module, and the reductions that each one in an outlined function stands for, by its id. */
export interface OutlinedOps {
  readonly module: Module;
  readonly originals: ReadonlyMap<Id, readonly Id[]>;
}

/** `outlineEqualOps` of a module. */
export const outlineEqual = (module: Module, registry: Registry): OutlinedOps => {
  const edited = edit(module, { registry }, (rewriter) => outlineEqualOps(rewriter, rewriter.root));
  return { module: edited.module, originals: edited.results };
};

/**
 * Outlines the structured ops with a reduction that stand directly in the functions of a module, and are equal but for
 * the tensors and numbers that they are given. Those that read, or become, slices of other tensors stay: functions take
 * and return contiguous buffers. So do those of buffers, which may be written before the place of the call. Returns
 * what each op in a new function stands for.
 */
export const outlineEqualOps = (
  rewriter: Rewriter,
  module: DraftOperation,
): ReadonlyMap<Id, readonly Id[]> => {
  const classes = new Map<string, Group[]>();
  const claimed = new Set<DraftOperation>();
  const functions = bodyOf(module).operations.filter((each) => funcOp.is(each));
  const groups = functions.flatMap((each) => {
    const [block, ...others] = each.regions[0]!.blocks;
    if (block === undefined || others.length > 0) return [];
    const reductions = block.operations.filter((operation) => isReduction(rewriter, operation));
    // An elementwise op of two sums belongs to the one that is computed last.
    return reductions
      .toReversed()
      .flatMap((operation) => groupOf(rewriter, operation, claimed) ?? [])
      .reverse();
  });
  for (const group of groups) {
    const known = classes.get(group.key);
    if (known === undefined) classes.set(group.key, [group]);
    else known.push(group);
  }
  const taken = new Set(bodyOf(module).operations.map(symbolNameOf));
  const originals = new Map<Id, readonly Id[]>();
  const replaced = new Map<Id, Value>();
  for (const equal of classes.values()) {
    if (equal.length < 2) continue;
    const stem = equal[0]!.operation.name.replace(/^.*\./u, '');
    let name = stem;
    for (let i = 0; taken.has(name); i++) name = `${stem}_${i}`;
    taken.add(name);
    const made = outline(rewriter, equal[0]!, name, replaced);
    originals.set(
      made.id,
      equal.map(({ operation }) => operation.id),
    );
    for (const group of equal) callInstead(rewriter, group, name, replaced);
  }
  return originals;
};

/** A reduction with what belongs to it. */
interface Group {
  readonly operation: DraftOperation;
  /** In an order in which they can be computed. */
  readonly all: readonly DraftOperation[];
  /** What is used of the others, in the order of the first uses. */
  readonly given: readonly Value[];
  /** What ops overwrite instead of their own destination, which they do not read. */
  readonly overwritten: ReadonlyMap<DraftOperation, Value>;
  /** Equal for groups that compute the same of what they are given. */
  readonly key: string;
}

const isReduction = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  operation.results.length === 1 &&
  operation.results[0]!.type.kind === 'tensor' &&
  structured(rewriter.registry, operation)?.iteratorTypes.includes('reduction') === true;

/** The group of a reduction, whose elementwise ops are then claimed; undefined if it is to stay where it is. */
const groupOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  claimed: Set<DraftOperation>,
): Group | undefined => {
  const chain = chainFrom(rewriter, operation, claimed);
  for (const each of chain) claimed.add(each);
  // Fused ops compute in the buffer of the sums.
  const overwritten = new Map(
    chain.flatMap((each, i): [DraftOperation, Value][] =>
      isOnlyWritten(rewriter, each) ? [[each, (chain[i - 1] ?? operation).results[0]!]] : [],
    ),
  );
  const members = new Set<DraftOperation>();
  const given = new Map<Id, Value>();
  const add = (each: DraftOperation, belongs: (source: DraftOperation) => boolean): void => {
    if (members.has(each)) return;
    for (const value of usedBy(rewriter, each, overwritten)) {
      const source = rewriter.definingOperation(value);
      if (source !== undefined && (members.has(source) || chain.includes(source))) continue;
      if (source !== undefined && source.block === operation.block && belongs(source)) add(source, belongs);
      else given.set(value.id, value);
    }
    members.add(each);
  };
  const isOfSums = (source: DraftOperation): boolean =>
    isNumber(source) ||
    fill.is(source) ||
    (pad.is(source) && rewriter.users(source.results[0]!).every((user) => isReduction(rewriter, user)));
  const isOfElements = (source: DraftOperation): boolean =>
    isNumber(source) || empty.is(source) || isUniform(rewriter, source) || isCopy(rewriter, source);
  add(operation, isOfSums);
  for (const each of chain) add(each, isOfElements);
  const [all, values] = [[...members], [...given.values()]];
  const isPart =
    values.some((value) => isSlice(rewriter, value)) ||
    rewriter.users(all.at(-1)!.results[0]!).some(({ name }) => insertions.has(name));
  return isPart
    ? undefined
    : { operation, all, given: values, overwritten, key: keyOf(all, values, overwritten) };
};

/** The elementwise ops that are applied to a result one after the other. */
const chainFrom = (
  rewriter: Rewriter,
  operation: DraftOperation,
  claimed: ReadonlySet<DraftOperation>,
): readonly DraftOperation[] => {
  const chain: DraftOperation[] = [];
  for (let at = operation; ;) {
    const [result] = at.results;
    const [user, ...others] = rewriter.users(result!);
    if (user === undefined || others.length > 0 || user.block !== operation.block || claimed.has(user))
      return chain;
    const view = epilogueViewOf(rewriter.registry, user);
    if (view.status !== 'success' || !view.value.values.some(({ id }) => id === result!.id)) return chain;
    chain.push(user);
    at = user;
  }
};

/** Whether an elementwise op does not read its destination. */
const isOnlyWritten = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const body = structured(rewriter.registry, operation)?.body;
  const element = body?.arguments.at(-1);
  return body !== undefined && element !== undefined && rewriter.users(element).length === 0;
};

/** The operands of an op in its function. */
const operandsOf = (operation: DraftOperation, overwritten: Group['overwritten']): readonly Value[] => {
  const instead = overwritten.get(operation);
  return instead === undefined ? operation.operands : operation.operands.with(-1, instead);
};

/** What an op and those in it use from outside. */
const usedBy = (
  rewriter: Rewriter,
  operation: DraftOperation,
  overwritten: Group['overwritten'],
): readonly Value[] => [
  ...operandsOf(operation, overwritten),
  ...operationsIn(operation)
    .slice(1)
    .flatMap(({ operands }) => operands.filter((value) => rewriter.isDefinedOutside(value, operation))),
];

/** Whether an op is a constant other than a tensor. */
const isNumber = ({ name, results }: DraftOperation): boolean =>
  name === 'arith.constant' && results[0]?.type.kind !== 'tensor';

/** Whether an op is a constant with all elements equal. */
const isUniform = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  elementOf(constantValueOf(rewriter.registry, operation)) !== undefined;

/** Whether an op copies elements: a fill, a broadcast. */
const isCopy = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const body = operation.results.length === 1 ? structured(rewriter.registry, operation)?.body : undefined;
  return (
    body?.operations.length === 1 &&
    body.arguments.some(({ id }) => id === terminatorOf(body).operands[0]?.id)
  );
};

const views: ReadonlySet<string> = new Set(['tensor.cast', 'tensor.collapse_shape', 'tensor.expand_shape']);
const parts: ReadonlySet<string> = new Set(['tensor.extract_slice', 'bufferization.to_tensor']);
const insertions: ReadonlySet<string> = new Set(['tensor.insert_slice', 'tensor.parallel_insert_slice']);

/** Whether a value is part of another tensor, or of a buffer, or may be. */
const isSlice = (rewriter: Rewriter, value: Value): boolean => {
  if (value.type.kind !== 'tensor') return false;
  const source = rewriter.definingOperation(value);
  if (source === undefined) return false;
  if (views.has(source.name)) return isSlice(rewriter, source.operands[0]!);
  return parts.has(source.name) || source.name.startsWith('scf.');
};

/** A text that is the same for groups that compute the same of what they are given, with equal types. */
const keyOf = (
  all: readonly DraftOperation[],
  given: readonly Value[],
  overwritten: Group['overwritten'],
): string => {
  const names = new Map<Id, number>();
  const name = ({ id }: Value): number => {
    const known = names.get(id) ?? names.size;
    names.set(id, known);
    return known;
  };
  const typed = (values: readonly Value[]): string =>
    values.map((value) => `${name(value)}:${printType(value.type)}`).join();
  const textOf = (operation: Operation, operands = operation.operands): string => {
    const { attributes, results, regions } = operation;
    const printed = Object.keys(attributes)
      .sort()
      .map((key) => `${JSON.stringify(key)}=${printAttribute(attributes[key]!)}`);
    const nested = regions.flatMap(({ blocks }) =>
      blocks.map(
        (block) => `(${typed(block.arguments)})${block.operations.map((each) => textOf(each)).join('')}`,
      ),
    );
    const used = operands.map(name).join();
    return `${operation.name}(${used}){${printed.join()}}(${typed(results)})[${nested.join()}]\n`;
  };
  return `(${typed(given)})${all.map((each) => textOf(each, operandsOf(each, overwritten))).join('')}`;
};

/** Makes a function of copies of a group, after the last one; returns the copy of its reduction. */
const outline = (
  rewriter: Rewriter,
  { operation, all, given, overwritten }: Group,
  name: string,
  replaced: ReadonlyMap<Id, Value>,
) => {
  const inputs = given.map(({ type }) => type);
  const [result] = all.at(-1)!.results;
  const mapping = new Map<Id, Value>();
  let copy = operation;
  rewriter.setInsertionPointToEnd(bodyOf(rewriter.root));
  rewriter.create(
    funcOp.state<Rewriter>({
      attributes: {
        symName: name,
        functionType: functionType(inputs, [result!.type]),
        symVisibility: 'private',
      },
      location: operation.location,
      bodies: [
        {
          argumentTypes: inputs,
          build: (body, ...values) => {
            // The ops use what took the place of results of other groups.
            given.forEach(({ id }, i) => mapping.set(replaced.get(id)?.id ?? id, values[i]!));
            for (const each of all) {
              const made = body.clone(each, mapping);
              const instead = overwritten.get(each);
              if (instead !== undefined)
                body.setOperands(made, made.operands.with(-1, mapping.get(instead.id)!));
              if (each === operation) copy = made;
            }
            body.create(returnOp.state({ operands: { operands: [mapping.get(result!.id)!] } }));
          },
        },
      ],
    }),
  );
  return copy;
};

/** Replaces a group by a call of the function of its class; results of groups that were replaced before are known. */
const callInstead = (
  rewriter: Rewriter,
  { operation, all, given }: Group,
  callee: string,
  replaced: Map<Id, Value>,
): void => {
  const last = all.at(-1)!;
  const { operands, results } = last;
  const made = rewriter.replaceWith(
    last,
    call.state({
      operands: { operands: given.map((value) => replaced.get(value.id) ?? value) },
      attributes: { callee },
      resultTypes: results.map(({ type }) => type),
      location: operation.location,
    }),
  );
  replaced.set(results[0]!.id, made.results[0]!);
  for (const operand of operands) eraseUnused(rewriter, operand);
};

/**
 * A function on tensors in parts: what is computed by one loop nest each, with what is fused with it, as functions of
 * their own. A part can be timed, or given inputs from elsewhere.
 */
import { funcOp, returnOp } from '@sconv/dialects/func';
import { structured, transpose } from '@sconv/dialects/linalg';
import type { Location } from '@sconv/diagnostics';
import type { DraftOperation, Id, Module, Registry, Rewriter, Value } from '@sconv/ir';
import { bodyOf, edit, functionType, symbolNameOf, terminatorOf } from '@sconv/ir';
import { biasAfterSums, fuseElementwise } from '@sconv/normalization';
import { epilogueViewOf } from '@sconv/tiling';

/** A part of a function. */
export interface ModelPart {
  /** The function that computes it. */
  readonly name: string;
  /** The names of the nodes that its ops come from, in program order. */
  readonly nodes: readonly string[];
  /** The ops that compute, without the prefix `linalg.`. */
  readonly operations: readonly string[];
  /** The values that it takes and returns, of the whole; those of the function's arguments come first. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** A module of parts, and how they make up the function that they are of. */
export interface ModelParts {
  readonly module: Module;
  /** In an order in which they can be called. */
  readonly parts: readonly ModelPart[];
  /** The number of the whole's arguments: its values 0 to `arguments - 1`. */
  readonly arguments: number;
  /** The values that the whole returns. */
  readonly results: readonly number[];
}

/** The parts of the function `name` of a module, whose ops are on tensors in one block. */
export const partsOf = (module: Module, name: string, registry: Registry): ModelParts => {
  const edited = edit(module, { registry }, (rewriter) => {
    biasAfterSums(rewriter, rewriter.root);
    fuseElementwise(rewriter, rewriter.root);
    return divide(rewriter, name);
  });
  return { module: edited.module, ...edited.results };
};

/** Ops that cost little by themselves, and are computed in each part that needs them. */
const light: ReadonlySet<string> = new Set([
  'arith.constant',
  'tensor.empty',
  'tensor.pad',
  'tensor.cast',
  'tensor.collapse_shape',
  'tensor.expand_shape',
  'linalg.fill',
  'linalg.broadcast',
]);

const divide = (rewriter: Rewriter, name: string): Omit<ModelParts, 'module'> => {
  const whole = bodyOf(rewriter.root).operations.find((each) => symbolNameOf(each) === name)!;
  const body = bodyOf(whole);
  const end = terminatorOf(body);
  const groups = groupsOf(rewriter, body.operations, end);
  const returned = new Set(end.operands.map(({ id }) => id));
  const numbers = new Map<Id, number>(body.arguments.map(({ id }, i) => [id, i]));
  const number = ({ id }: Value): number => {
    const known = numbers.get(id) ?? numbers.size;
    numbers.set(id, known);
    return known;
  };
  const parts = groups.map((group, i): ModelPart => {
    const members = new Set(group);
    const isResult = (value: Value): boolean =>
      returned.has(value.id) || rewriter.users(value).some((user) => !members.has(user));
    const outputs = group.flatMap(({ results }) => results.filter(isResult));
    const { all, inputs } = withLight(rewriter, group);
    const part = `part_${i}`;
    createFunction(rewriter, part, all, inputs, outputs);
    return {
      name: part,
      nodes: [...new Set(group.flatMap(({ location }) => namesOf(location)))],
      operations: group.map((each) => each.name.replace('linalg.', '')),
      inputs: inputs.map(number),
      outputs: outputs.map(number),
    };
  });
  const results = end.operands.map(number);
  const count = body.arguments.length;
  rewriter.eraseOperation(whole);
  return { parts, arguments: count, results };
};

/** Light ops, and packings of weights, which are kept from call to call. */
const isLight = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  light.has(operation.name) || (transpose.is(operation) && isOfConstants(rewriter, operation));

/** Of an op that is light but for its place: whether it is made of constants only. */
const isOfConstants = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  operation.operands.every((value) => {
    const made = rewriter.definingOperation(value);
    return made !== undefined && isLight(rewriter, made) && isOfConstants(rewriter, made);
  });

/** The ops that are no light ones, each with the elementwise ops that are fused with it. */
const groupsOf = (
  rewriter: Rewriter,
  operations: readonly DraftOperation[],
  end: DraftOperation,
): readonly (readonly DraftOperation[])[] => {
  const groups = new Map<DraftOperation, DraftOperation[]>();
  const groupOf = new Map<DraftOperation, DraftOperation[]>();
  const position = new Map(operations.map((operation, i) => [operation, i]));
  for (const operation of operations.slice(0, -1)) {
    const isReturned = operation.results.some((result) => rewriter.users(result).includes(end));
    if (isLight(rewriter, operation) && !isReturned) continue;
    const joined = producersOf(rewriter, operation)
      .filter((each) => groupOf.has(each) && isSum(rewriter, groupOf.get(each)![0]!))
      .sort((a, b) => position.get(b)! - position.get(a)!)[0];
    const group = joined === undefined ? [] : groupOf.get(joined)!;
    group.push(operation);
    groupOf.set(operation, group);
    if (joined === undefined) groups.set(operation, group);
  }
  // A group can be computed where its last op stands.
  return [...groups.values()].sort((a, b) => position.get(a.at(-1)!)! - position.get(b.at(-1)!)!);
};

/** The ops whose result an elementwise op is applied to, and nothing else. */
const producersOf = (rewriter: Rewriter, operation: DraftOperation): readonly DraftOperation[] => {
  const view = epilogueViewOf(rewriter.registry, operation);
  if (view.status !== 'success') return [];
  return view.value.values.flatMap((value) => {
    const made = rewriter.definingOperation(value);
    return made !== undefined && rewriter.users(value).length === 1 ? [made] : [];
  });
};

const isSum = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  structured(rewriter.registry, operation)?.iteratorTypes.includes('reduction') === true;

/** A group with the light ops that it needs, in program order, and what all of these are given. */
const withLight = (rewriter: Rewriter, group: readonly DraftOperation[]) => {
  const all = new Set<DraftOperation>();
  const inputs = new Map<Id, Value>();
  const members = new Set(group);
  const add = (operation: DraftOperation): void => {
    if (all.has(operation)) return;
    for (const value of usedBy(rewriter, operation)) {
      const made = rewriter.definingOperation(value);
      if (made !== undefined && (members.has(made) || isLight(rewriter, made))) add(made);
      else inputs.set(value.id, value);
    }
    all.add(operation);
  };
  group.forEach(add);
  return { all: [...all], inputs: [...inputs.values()] };
};

/** What an op and those in it use of the function's block. */
const usedBy = (rewriter: Rewriter, operation: DraftOperation): readonly Value[] => [
  ...operation.operands,
  ...operation.regions.flatMap(({ blocks }) =>
    blocks.flatMap(({ operations }) =>
      operations.flatMap((each) =>
        usedBy(rewriter, each).filter((value) => rewriter.isDefinedOutside(value, operation)),
      ),
    ),
  ),
];

const createFunction = (
  rewriter: Rewriter,
  symName: string,
  all: readonly DraftOperation[],
  inputs: readonly Value[],
  outputs: readonly Value[],
): void => {
  const types = inputs.map(({ type }) => type);
  rewriter.setInsertionPointToEnd(bodyOf(rewriter.root));
  rewriter.create(
    funcOp.state<Rewriter>({
      attributes: {
        symName,
        functionType: functionType(
          types,
          outputs.map(({ type }) => type),
        ),
      },
      location: all.at(-1)!.location,
      bodies: [
        {
          argumentTypes: types,
          build: (body, ...values) => {
            const mapping = new Map(inputs.map(({ id }, i) => [id, values[i]!]));
            for (const each of all) body.clone(each, mapping);
            body.create(
              returnOp.state({ operands: { operands: outputs.map(({ id }) => mapping.get(id)!) } }),
            );
          },
        },
      ],
    }),
  );
};

const namesOf = (location: Location): readonly string[] => {
  if (location.kind === 'name') return [location.name];
  return location.kind === 'fused' ? location.locations.flatMap(namesOf) : [];
};

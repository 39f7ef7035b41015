/** Random control flow around effects: conditions, loops that may be empty, switches, blocks, calls. */
import {
  allocate,
  arithmetic,
  copy,
  deallocate,
  global,
  indexOperation,
  load,
  store,
  update,
} from './draw-memory.ts';
import { chain, nest, partsOfTensor, reusedBuffer } from './draw-scenarios.ts';
import { generic, named, tensorOperation } from './draw-structured-effects.ts';
import {
  rowAccess,
  transferRead,
  transferUpdate,
  transferWrite,
  vectorChain,
  vectorOperation,
  writeResults,
} from './draw-vectors.ts';
import { forall, parallel } from './draw-parallel.ts';
import { subview, view } from './draw-views.ts';
import type { EffectType, EffectValue } from './effect-types.ts';
import { isBuffer, isElement, isFloat, textOf } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';
import { typesText } from './effect-writer.ts';

/** Where an op is written. */
interface Place {
  /** How many regions may be nested in this one. */
  readonly depth: number;
  /** What was in scope where the region began. */
  readonly outer: ReadonlySet<string>;
}

const operation = (w: EffectWriter, place: Place): void => {
  const { depth, outer } = place;
  const flow = depth > 0 ? 1 : 0;
  w.random.weighted<() => unknown>([
    [4, () => load(w)],
    [5, () => store(w)],
    [4, () => update(w)],
    [3, () => arithmetic(w)],
    [2, () => indexOperation(w)],
    [2, () => copy(w)],
    [4, () => view(w)],
    [1.5, () => allocate(w)],
    [0.7, () => deallocate(w, outer)],
    [0.4, () => global(w)],
    [2, () => transferRead(w)],
    [3, () => transferWrite(w)],
    [2, () => transferUpdate(w)],
    [1.5, () => rowAccess(w)],
    [2, () => vectorOperation(w)],
    [2, () => vectorChain(w)],
    [3, () => generic(w)],
    [3, () => named(w)],
    [3, () => tensorOperation(w)],
    [3 * flow, () => condition(w, depth)],
    [4 * flow, () => loop(w, depth)],
    [0.7 * flow, () => whileLoop(w, depth)],
    [0.7 * flow, () => indexSwitch(w, depth)],
    [0.8 * flow, () => executeRegion(w, depth)],
    [1 * flow, () => affineLoop(w, depth)],
    [1 * flow, () => parallel(w)],
    [0.7 * flow, () => forall(w)],
    [1 * flow, () => call(w)],
    [1 * flow, () => accumulation(w)],
    [0.7 * flow, () => bufferOfIteration(w)],
    [0.6 * flow, () => temporary(w)],
    [1.5 * flow, () => chain(w)],
    [1 * flow, () => nest(w)],
    [0.7 * flow, () => partsOfTensor(w)],
    [0.7 * flow, () => reusedBuffer(w)],
  ])?.();
};

/** Some ops in a region; returns what `types` are yielded. */
const body = (
  w: EffectWriter,
  depth: number,
  given: readonly EffectValue[],
  types: readonly EffectType[],
  end: (values: readonly EffectValue[]) => void,
): readonly EffectValue[] =>
  w.nested(given, () => {
    const outer = new Set(w.scope.map(({ name }) => name));
    const count = w.random.integer(0, 3);
    for (let i = 0; i < count; i++) operation(w, { depth: depth - 1, outer });
    writeResults(w, outer);
    // Iteration arguments may be swapped.
    const values = types.map((type) => w.same(type));
    end(values);
    return values;
  });

const yields = (w: EffectWriter, op: string) => (values: readonly EffectValue[]) => {
  if (values.length === 0) w.line(op);
  else
    w.line(
      `${op} ${values.map(({ name }) => name).join(', ')} : ${typesText(values.map(({ type }) => type))}`,
    );
};

/** Types of results: scalars, and buffers, vectors and tensors in scope; buffers often twice. */
const resultTypes = (w: EffectWriter): readonly EffectType[] => {
  const { random } = w;
  const types: EffectType[] = [];
  if (random.chance(0.3)) types.push(random.pick([w.element, w.element, 'index']));
  const buffer = random.chance(0.45) ? w.buffer() : undefined;
  if (buffer !== undefined) types.push(buffer.type, ...(random.chance(0.5) ? [buffer.type] : []));
  const vector = random.chance(0.15) ? w.vector() : undefined;
  if (vector !== undefined) types.push(vector.type);
  const tensor = random.chance(0.15) ? w.tensor() : undefined;
  if (tensor !== undefined) types.push(tensor.type);
  return types;
};

/** Results that are one of these alternatives, by position. */
const joined = (
  types: readonly EffectType[],
  alternatives: readonly (readonly EffectValue[])[],
): readonly Omit<EffectValue, 'name'>[] => {
  // With swaps, each buffer may become any other.
  const roots = [...new Set(alternatives.flat().flatMap((value) => value.roots ?? []))];
  return types.map((type) => (isBuffer(type) ? { type, roots } : { type }));
};

const arrow = (types: readonly EffectType[]): string =>
  types.length === 0 ? '' : ` -> (${typesText(types)})`;

const note = (w: EffectWriter, what: string, types: readonly EffectType[]): void => {
  w.features.add(types.some(isBuffer) ? `${what} of buffers` : what);
};

const condition = (w: EffectWriter, depth: number): void => {
  const types = resultTypes(w);
  const flag = w.scalar('i1');
  const { head, name } = w.results(types);
  note(w, 'scf.if', types);
  w.line(`${head}scf.if ${flag}${arrow(types)} {`);
  const first = body(w, depth, [], types, yields(w, 'scf.yield'));
  const hasElse = types.length > 0 || w.random.chance(0.5);
  if (hasElse) w.line('} else {');
  const second = hasElse ? body(w, depth, [], types, yields(w, 'scf.yield')) : [];
  w.line('}');
  w.bind(name, joined(types, [first, second]));
};

/** Bounds of a loop, constant or not; it may be empty. */
interface Bounds {
  readonly low: string;
  readonly high: string;
  readonly step: string;
  readonly range: readonly [number, number];
}

const drawBounds = (w: EffectWriter): Bounds => {
  const { random } = w;
  const low = random.pick([0, 0, 0, 1, 2]);
  const high = random.pick([0, 1, 2, 3, 4, 4, 5, 8, low]);
  const step = random.pick([1, 1, 1, 2, 3, 9]);
  const dynamic = (value: number): string => {
    const known = w.scope.filter(
      ({ type, range }) =>
        type === 'index' && range !== undefined && range[1] <= Math.max(value, 8) && range[0] >= value,
    );
    return random.chance(0.35) && known.length > 0
      ? random.pick(known).name
      : w.constant('index', String(value));
  };
  const [from, to] = [dynamic(low), dynamic(high)];
  const last = w.scope.find((value) => value.name === to)?.range?.[1] ?? high;
  if (last <= low) w.features.add('an empty loop');
  return {
    low: from,
    high: to,
    step: w.constant('index', String(step)),
    range: [low, Math.max(low, last - 1)],
  };
};

const loop = (w: EffectWriter, depth: number): void => {
  const types = resultTypes(w);
  const { low, high, step, range } = drawBounds(w);
  const inits = types.map((type) => w.same(type));
  const roots = joined(types, [inits]);
  const carried = types.map((type, i): EffectValue => ({ name: w.fresh(), type, roots: roots[i]!.roots }));
  const variable: EffectValue = { name: w.fresh(), type: 'index', range };
  const { head, name } = w.results(types);
  note(w, 'scf.for', types);
  const pairs = carried.map((value, i) => `${value.name} = ${inits[i]!.name}`).join(', ');
  const carries = types.length === 0 ? '' : ` iter_args(${pairs})${arrow(types)}`;
  w.line(`${head}scf.for ${variable.name} = ${low} to ${high} step ${step}${carries} {`);
  const last = body(w, depth, [variable, ...carried], types, yields(w, 'scf.yield'));
  w.line('}');
  w.bind(name, joined(types, [inits, last]));
};

/** Counts up to a bound. */
const whileLoop = (w: EffectWriter, depth: number): void => {
  const types = resultTypes(w);
  const { low, high, step, range } = drawBounds(w);
  const inits = types.map((type) => w.same(type));
  const all: readonly EffectType[] = ['index', ...types];
  const roots = joined(types, [inits]);
  const fresh = (): readonly EffectValue[] =>
    types.map((type, i): EffectValue => ({ name: w.fresh(), type, roots: roots[i]!.roots }));
  const { head, name } = w.results(all);
  const [before, after] = [fresh(), fresh()];
  const [count, position] = [w.fresh(), w.fresh()];
  note(w, 'scf.while', types);
  const pairs = [`${count} = ${low}`, ...before.map((value, i) => `${value.name} = ${inits[i]!.name}`)].join(
    ', ',
  );
  w.line(`${head}scf.while (${pairs}) : (${typesText(all)}) -> (${typesText(all)}) {`);
  body(w, depth, before, types, (values) => {
    const flag = w.define('i1', `arith.cmpi slt, ${count}, ${high} : index`);
    w.line(
      `scf.condition(${flag}) ${[count, ...values.map((value) => value.name)].join(', ')} : ${typesText(all)}`,
    );
  });
  w.line('} do {');
  const list = [{ name: position, type: 'index' as const }, ...after].map(
    (value) => `${value.name}: ${textOf(value.type)}`,
  );
  w.line(`^bb0(${list.join(', ')}):`);
  const last = body(w, depth, [{ name: position, type: 'index', range }, ...after], types, (values) => {
    const next = w.define('index', `arith.addi ${position}, ${step} : index`);
    w.line(`scf.yield ${[next, ...values.map((value) => value.name)].join(', ')} : ${typesText(all)}`);
  });
  w.line('}');
  w.bind(name, [{ type: 'index' }, ...joined(types, [inits, last])]);
};

const indexSwitch = (w: EffectWriter, depth: number): void => {
  const types = resultTypes(w);
  const { head, name } = w.results(types);
  note(w, 'scf.index_switch', types);
  const alternatives: (readonly EffectValue[])[] = [];
  w.line(
    `${head}scf.index_switch ${w.scalar('index')}${types.length === 0 ? '' : ` -> ${typesText(types)}`}`,
  );
  for (const label of ['case 0', 'case 1', 'default']) {
    w.line(`${label} {`);
    alternatives.push(body(w, depth, [], types, yields(w, 'scf.yield')));
    w.line('}');
  }
  w.bind(name, joined(types, alternatives));
};

/** Two ways through blocks with arguments, or one. */
const executeRegion = (w: EffectWriter, depth: number): void => {
  const types = resultTypes(w);
  const { head, name } = w.results(types);
  note(w, 'scf.execute_region', types);
  w.line(`${head}scf.execute_region${types.length === 0 ? '' : ` -> (${typesText(types)})`} {`);
  const alternatives = w.random.chance(0.5)
    ? [body(w, depth, [], types, yields(w, 'scf.yield'))]
    : w.nested([], () => branches(w, depth, types, yields(w, 'scf.yield')));
  w.line('}');
  w.bind(name, joined(types, alternatives));
};

const labels = (w: EffectWriter): string => `^bb${w.fresh().slice(2)}`;

/** Branches to two blocks, which meet in a block with arguments of these types. */
const branches = (
  w: EffectWriter,
  depth: number,
  types: readonly EffectType[],
  end: (values: readonly EffectValue[]) => void,
): readonly (readonly EffectValue[])[] => {
  const [left, right, meeting] = [labels(w), labels(w), labels(w)];
  const inits = types.map((type) => w.same(type));
  w.line(`cf.cond_br ${w.scalar('i1')}, ${left}, ${right}`);
  const jump = (values: readonly EffectValue[]): void => {
    const given =
      values.length === 0 ? '' : `(${values.map((value) => value.name).join(', ')} : ${typesText(types)})`;
    w.line(`cf.br ${meeting}${given}`);
  };
  w.line(`${left}:`);
  const first = body(w, depth, [], types, jump);
  w.line(`${right}:`);
  const second = w.random.chance(0.3) ? inits : body(w, depth, [], types, jump);
  if (second === inits) w.nested([], () => jump(inits));
  const met = joined(types, [first, second]).map((value): EffectValue => ({ ...value, name: w.fresh() }));
  const list = met.map((value) => `${value.name}: ${textOf(value.type)}`).join(', ');
  w.line(`${meeting}${met.length === 0 ? '' : `(${list})`}:`);
  return [body(w, depth, met, types, end)];
};

/** A part of a function in blocks: what follows is in the last of them. */
export const blocks = (w: EffectWriter): void => {
  const types = resultTypes(w);
  const { random } = w;
  note(w, 'cf', types);
  if (random.chance(0.6)) {
    const [left, right, meeting] = [labels(w), labels(w), labels(w)];
    w.line(`cf.cond_br ${w.scalar('i1')}, ${left}, ${right}`);
    const jump = (values: readonly EffectValue[]): void => {
      const given =
        values.length === 0 ? '' : `(${values.map((value) => value.name).join(', ')} : ${typesText(types)})`;
      w.line(`cf.br ${meeting}${given}`);
    };
    w.line(`${left}:`);
    const first = body(w, 1, [], types, jump);
    w.line(`${right}:`);
    const second = body(w, 1, [], types, jump);
    const met = joined(types, [first, second]).map((value): EffectValue => ({ ...value, name: w.fresh() }));
    const list = met.map((value) => `${value.name}: ${textOf(value.type)}`).join(', ');
    w.line(`${meeting}${met.length === 0 ? '' : `(${list})`}:`);
    w.scope.push(...met);
    return;
  }
  // A loop of blocks.
  const { low, high, step, range } = drawBounds(w);
  const inits = types.map((type) => w.same(type));
  const [heads, inside, behind] = [labels(w), labels(w), labels(w)];
  const position: EffectValue = { name: w.fresh(), type: 'index', range };
  const carried = joined(types, [inits]).map((value): EffectValue => ({ ...value, name: w.fresh() }));
  const all = [position, ...carried];
  const allTypes = typesText(all.map(({ type }) => type));
  const given = (first: string, values: readonly EffectValue[]): string =>
    [first, ...values.map(({ name }) => name)].join(', ');
  w.line(`cf.br ${heads}(${given(low, inits)} : ${allTypes})`);
  w.line(`${heads}(${all.map((value) => `${value.name}: ${textOf(value.type)}`).join(', ')}):`);
  const flag = w.fresh();
  w.line(`${flag} = arith.cmpi slt, ${position.name}, ${high} : index`);
  w.line(`cf.cond_br ${flag}, ${inside}, ${behind}`);
  w.line(`${inside}:`);
  body(w, 1, all, types, (values) => {
    const next = w.define('index', `arith.addi ${position.name}, ${step} : index`);
    w.line(`cf.br ${heads}(${given(next, values)} : ${allTypes})`);
  });
  w.line(`${behind}:`);
  w.scope.push(...carried, { ...position, range: undefined });
};

const affineLoop = (w: EffectWriter, depth: number): void => {
  const low = w.random.integer(0, 1);
  const high = w.random.integer(0, 5);
  const variable: EffectValue = { name: w.fresh(), type: 'index', range: [low, Math.max(low, high - 1)] };
  w.features.add('affine.for');
  w.line(`affine.for ${variable.name} = ${low} to ${high} {`);
  body(w, depth, [variable], [], () => {
    const target = w.buffer(
      ({ actual, layout }) =>
        layout === undefined && actual.length === 1 && actual[0]! > Math.max(low, high - 1),
    );
    if (target === undefined) return;
    const text = textOf(target.type);
    const value = w.define(target.type.element, `affine.load ${target.name}[${variable.name}] : ${text}`);
    const stored = w.random.chance(0.5) ? value : w.scalar(target.type.element);
    w.line(`affine.store ${stored}, ${target.name}[${variable.name}] : ${text}`);
  });
  w.line('}');
};

/** A private function that writes to its arguments, and may return one of them. */
const call = (w: EffectWriter): void => {
  const { random } = w;
  const given = [w.buffer(), random.chance(0.5) ? w.buffer() : undefined].flatMap((value) => value ?? []);
  if (given.length === 0) return;
  const symbol = w.symbol('p');
  const inner = w.inner();
  inner.scope = given.map(({ type }): EffectValue => {
    const name = inner.fresh();
    return { name, type, roots: [`${symbol}${name}`] };
  });
  const parameters = [...inner.scope];
  const list = parameters.map(({ name, type }) => `${name}: ${textOf(type)}`).join(', ');
  const isReturned = random.chance(0.4);
  const types = isReturned ? [random.pick(given).type] : [];
  const last = functionBody(inner, random.integer(1, 5), 1, types);
  // Inner requirements are of any buffers that are given.
  if (inner.distinct.size > 0) for (const a of given) for (const b of given) if (a !== b) w.separate(a, b);
  const isFine =
    inner.distinct.size === 0 ||
    given.length === 1 ||
    given[0]!.roots!.every((root) => !given[1]!.roots!.includes(root));
  if (!isFine) return;
  w.symbols.push([`func.func private ${symbol}(${list})${arrow(types)} {`, ...inner.lines, '}'].join('\n'));
  const { head, name } = w.results(types);
  w.features.add(isReturned ? 'a call that returns a buffer' : 'a call');
  const signature = `(${typesText(given.map(({ type }) => type))}) -> (${typesText(types)})`;
  w.line(`${head}func.call ${symbol}(${given.map((value) => value.name).join(', ')}) : ${signature}`);
  const own = last.flatMap(({ roots = [] }) =>
    roots.some((root) => !root.startsWith(symbol)) ? [`own${name}`] : [],
  );
  const roots = [...new Set([...given.flatMap((value) => value.roots ?? []), ...own])];
  w.bind(
    name,
    types.map((type) => ({ type, roots })),
  );
};

/** Ops, and a return of values of these types, which are in scope. */
export const functionBody = (
  w: EffectWriter,
  count: number,
  depth: number,
  types: readonly EffectType[],
): readonly EffectValue[] => {
  const outer = new Set(w.scope.map(({ name }) => name));
  for (let i = 0; i < count; i++) operation(w, { depth, outer });
  writeResults(w, outer);
  const values = types.map((type) => w.same(type));
  yields(w, 'return')(values);
  return values;
};

/** A loop that reads, adds to and writes one element or vector, as a sum does. */
const accumulation = (w: EffectWriter): void => {
  const { low, high, step, range } = drawBounds(w);
  const place: EffectValue = { name: w.fresh(), type: 'index', range };
  w.features.add('an accumulation');
  // The place does not depend on the loop; whether something else in it writes there, is up to the draw.
  const target = w.buffer(({ actual }) => actual.length > 0 && !actual.includes(0));
  if (target === undefined) return;
  const { name, type } = target;
  const at = w.indices(type.actual);
  const vector = { kind: 'vector', element: type.element, actual: [w.random.pick([1, 2, 4])] } as const;
  const [text, memory] = [textOf(vector), textOf(type)];
  const padding = w.scalar(type.element);
  w.line(`scf.for ${place.name} = ${low} to ${high} step ${step} {`);
  w.nested([place], () => {
    const other = w.random.chance(0.5);
    const read = w.define(vector, `vector.transfer_read ${name}[${at}], ${padding} : ${memory}, ${text}`);
    if (other) operation(w, { depth: 0, outer: new Set(w.scope.map((value) => value.name)) });
    const sum = w.define(
      vector,
      `arith.${isFloat(type.element) ? 'addf' : 'xori'} ${read}, ${read} : ${text}`,
    );
    w.line(`vector.transfer_write ${sum}, ${name}[${at}] : ${text}, ${memory}`);
    if (w.random.chance(0.3)) operation(w, { depth: 0, outer: new Set(w.scope.map((value) => value.name)) });
  });
  w.line('}');
};

/** A loop with a buffer of its own, of a size that may depend on the loop, which is freed in it or not. */
const bufferOfIteration = (w: EffectWriter): void => {
  const { low, high, step, range } = drawBounds(w);
  const variable: EffectValue = { name: w.fresh(), type: 'index', range };
  w.features.add('a buffer of an iteration');
  w.line(`scf.for ${variable.name} = ${low} to ${high} step ${step} {`);
  w.nested([variable], () => {
    const outer = new Set(w.scope.map(({ name }) => name));
    const size = w.define('index', `affine.min affine_map<(d0) -> (4, d0 + 1)>(${variable.name})`);
    const isDynamic = w.random.chance(0.5);
    const type = {
      kind: 'memref',
      element: w.element,
      known: [isDynamic ? undefined : 4],
      actual: [isDynamic ? Math.min(4, range[0] + 1) : 4],
    } as const;
    const op = w.random.pick(['memref.alloc', 'memref.alloca']);
    const name = w.fresh();
    w.line(`${name} = ${op}(${isDynamic ? size : ''}) : ${textOf(type)}`);
    w.line(`linalg.fill ins(${w.scalar(w.element)} : ${w.element}) outs(${name} : ${textOf(type)})`);
    w.scope.push({ name, type, roots: [`free${name}`] });
    subview(w, w.scope.at(-1) as EffectValue<typeof type>);
    for (let i = 0; i < 3; i++) operation(w, { depth: 0, outer });
    if (op === 'memref.alloc' && w.random.chance(0.6)) deallocate(w, outer);
  });
  w.line('}');
};

/** A buffer that is only written, or passes a value on. */
const temporary = (w: EffectWriter): void => {
  const value = allocate(w);
  w.features.add('a temporary');
  const { name, type } = value;
  if (type.actual.includes(0)) return;
  const at = w.indices(type.actual);
  w.line(`memref.store ${w.scalar(type.element)}, ${name}[${at}] : ${textOf(type)}`);
  if (w.random.chance(0.5)) w.define(type.element, `memref.load ${name}[${at}] : ${textOf(type)}`);
  w.remove(value.roots![0]!);
};

/** Results of these types for a function: scalars in scope, and sometimes a buffer or a tensor. */
export const returnTypes = (w: EffectWriter): readonly EffectType[] => {
  const { random } = w;
  const scalars = random
    .shuffled(w.scope.filter(({ type }) => isElement(type)))
    .slice(0, random.integer(0, 2));
  const buffer = random.chance(0.2) ? w.buffer() : undefined;
  const tensor = random.chance(0.7) ? w.tensor() : undefined;
  return [...scalars, buffer, tensor].flatMap((value) => value?.type ?? []);
};

/**
 * Random functions over arith, affine, scf, tensor and linalg that execute without faults, for testing cleanup passes.
 * Integers are negative, extreme, or small; floats are finite, -0, infinite or NaN; extents may be 0, and dynamic in
 * types.
 */
import {
  affineOperation,
  cast,
  comparison,
  floatOperation,
  integerOperation,
  selection,
} from './draw-scalars.ts';
import { slice, structured, tensorOperation } from './draw-tensors.ts';
import type { TensorShape, DrawnType, Drawn } from './function-writer.ts';
import { isTensor, typeText, FunctionWriter } from './function-writer.ts';
import type { Random } from './random.ts';

/** A function `@f`, and the requirements on its arguments. */
export interface DrawnFunction {
  readonly text: string;
  readonly arguments: readonly DrawnType[];
}

const operation = (w: FunctionWriter, depth: number): void => {
  const draw = w.random.weighted<() => void>([
    [6, () => integerOperation(w)],
    [3, () => floatOperation(w)],
    [2, () => comparison(w)],
    [2, () => selection(w)],
    [3, () => cast(w)],
    [2, () => affineOperation(w)],
    [4, () => tensorOperation(w)],
    [2, () => slice(w)],
    [1, () => structured(w)],
    [depth > 0 ? 2 : 0, () => condition(w, depth)],
    [depth > 0 ? 2 : 0, () => loop(w, depth)],
  ]);
  draw?.();
};

/** Writes a body that yields values of these types, as both branches of an `if` and loop bodies do. */
const body = (
  w: FunctionWriter,
  depth: number,
  types: readonly DrawnType[],
  given: readonly Drawn[],
): void => {
  w.nested(given, () => {
    const count = w.random.integer(0, 4);
    for (let i = 0; i < count; i++) operation(w, depth - 1);
    const names = types.map((type) =>
      isTensor(type)
        ? w.random.pick(w.scope.filter((value) => isTensor(value.type) && sameShape(value.type, type))).name
        : w.scalar(type),
    );
    w.line(`scf.yield ${names.join(', ')} : ${types.map(typeText).join(', ')}`);
  });
};

/** Types of results: scalars, and sometimes a tensor in scope. */
const resultTypes = (w: FunctionWriter): readonly DrawnType[] => {
  const types: DrawnType[] = Array.from({ length: w.random.integer(1, 2) }, () => w.scalarType());
  const source = w.tensor();
  return source !== undefined && w.random.chance(0.3) ? [...types, source.type] : types;
};

const condition = (w: FunctionWriter, depth: number): void => {
  const types = resultTypes(w);
  const condition = w.scalar('i1');
  const name = w.fresh();
  const count = types.length === 1 ? '' : `:${types.length}`;
  w.line(`${name}${count} = scf.if ${condition} -> (${types.map(typeText).join(', ')}) {`);
  body(w, depth, types, []);
  w.line('} else {');
  body(w, depth, types, []);
  w.line('}');
  results(w, name, types);
};

const results = (w: FunctionWriter, name: string, types: readonly DrawnType[]): void => {
  types.forEach((type, i) => w.scope.push({ name: types.length === 1 ? name : `${name}#${i}`, type }));
};

const loop = (w: FunctionWriter, depth: number): void => {
  const { random } = w;
  const types = resultTypes(w);
  const bounds = [random.integer(-1, 2), random.integer(-1, 5), random.integer(1, 3)].map((bound) =>
    w.constant('index', String(bound)),
  );
  const inits = types.map((type) =>
    isTensor(type)
      ? random.pick(w.scope.filter((value) => isTensor(value.type) && sameShape(value.type, type))).name
      : w.scalar(type),
  );
  const carried = types.map((type): Drawn => ({ name: w.fresh(), type }));
  const variable = w.fresh();
  const name = w.fresh();
  const count = types.length === 1 ? '' : `:${types.length}`;
  const pairs = carried.map((value, i) => `${value.name} = ${inits[i]!}`).join(', ');
  w.line(
    `${name}${count} = scf.for ${variable} = ${bounds[0]!} to ${bounds[1]!} step ${bounds[2]!} iter_args(${pairs}) -> (${types.map(typeText).join(', ')}) {`,
  );
  body(w, depth, types, [{ name: variable, type: 'index' }, ...carried]);
  w.line('}');
  results(w, name, types);
};

const sameShape = (a: TensorShape, b: TensorShape): boolean =>
  typeText(a) === typeText(b) && String(a.actual) === String(b.actual);

/** A function that executes without faults, overflow aside, on arguments of its types. */
export const drawFunction = (random: Random): DrawnFunction => {
  const w = new FunctionWriter(random);
  const types: DrawnType[] = [
    ...Array.from({ length: random.integer(2, 5) }, () => w.scalarType()),
    ...Array.from({ length: random.integer(0, 2) }, () => w.tensorType()),
  ];
  const given = types.map((type, i): Drawn => ({ name: `%arg${i}`, type }));
  w.scope = [...given];
  const count = random.integer(4, 24);
  for (let i = 0; i < count; i++) operation(w, 2);
  const returned = random.shuffled(w.scope).slice(0, random.integer(1, 3));
  const signature = given.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
  const results = returned.map(({ type }) => typeText(type)).join(', ');
  const text = [
    `func.func @f(${signature}) -> (${results}) {`,
    ...w.lines,
    `  return ${returned.map(({ name }) => name).join(', ')} : ${results}`,
    '}',
  ].join('\n');
  return { text, arguments: types };
};

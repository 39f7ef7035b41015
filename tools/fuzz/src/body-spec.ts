/** The scalar bodies of generated ops, as data and as text. */
import type { Element } from './payload-spec.ts';

/** A value that a body computes; all have the element type of the op. */
export type ScalarSpec =
  /** The element of an operand. */
  | { readonly kind: 'operand'; readonly operand: number }
  | { readonly kind: 'constant'; readonly value: number }
  /** A `linalg.index`, converted. */
  | { readonly kind: 'index'; readonly dim: number }
  /** A captured number: an argument of the function. */
  | { readonly kind: 'captured' }
  /** An element of an argument tensor of this shape, read at these dimensions. */
  | { readonly kind: 'extract'; readonly dims: readonly number[] }
  | {
      readonly kind: 'binary';
      readonly function: BinaryFunction;
      readonly lhs: ScalarSpec;
      readonly rhs: ScalarSpec;
    }
  /** `lhs < rhs ? lhs : other`. */
  | {
      readonly kind: 'select';
      readonly lhs: ScalarSpec;
      readonly rhs: ScalarSpec;
      readonly other: ScalarSpec;
    };

export type BinaryFunction = 'add' | 'sub' | 'mul' | 'max' | 'min' | 'and' | 'or' | 'xor' | 'compare';

/** What the body yields for each output. */
export interface BodySpec {
  readonly yields: readonly ScalarSpec[];
}

const floatNames: Readonly<Partial<Record<BinaryFunction, string>>> = {
  add: 'arith.addf',
  sub: 'arith.subf',
  mul: 'arith.mulf',
  max: 'arith.maximumf',
  min: 'arith.minimumf',
};

const integerNames: Readonly<Partial<Record<BinaryFunction, string>>> = {
  add: 'arith.addi',
  sub: 'arith.subi',
  mul: 'arith.muli',
  max: 'arith.maxsi',
  min: 'arith.minsi',
  and: 'arith.andi',
  or: 'arith.ori',
  xor: 'arith.xori',
  compare: 'arith.cmpi sle,',
};

const isFloat = (element: Element): boolean => element.startsWith('f');

/** The functions that an element type has. */
export const functionsOf = (element: Element): readonly BinaryFunction[] => {
  if (isFloat(element)) return ['add', 'sub', 'mul', 'max', 'min'];
  if (element === 'i1') return ['and', 'or', 'xor', 'compare'];
  return element === 'index'
    ? ['add', 'mul', 'max', 'min']
    : ['add', 'sub', 'mul', 'max', 'min', 'and', 'or', 'xor'];
};

/** The names used in a body. */
export interface BodyNames {
  /** The block argument of an operand. */
  readonly operand: (operand: number) => string;
  /** A fresh name. */
  readonly fresh: () => string;
  /** The function argument for a captured number. */
  readonly captured: (element: Element) => string;
  /** The function argument for a tensor with one element per iteration of these dimensions. */
  readonly tensor: (
    dims: readonly number[],
    element: Element,
  ) => { readonly name: string; readonly type: string };
}

const constantText = (value: number, element: Element): string => {
  if (element === 'i1') return value % 2 === 0 ? 'false' : 'true';
  return isFloat(element) ? `${value}.0 : ${element}` : `${value} : ${element}`;
};

const indexText = (from: string, element: Element, fresh: () => string, lines: string[]): string => {
  if (element === 'index') return from;
  const whole = fresh();
  const width = element === 'i64' || element === 'f64' ? 'i64' : 'i32';
  lines.push(`${whole} = arith.index_cast ${from} : index to ${width}`);
  if (element === width) return whole;
  const converted = fresh();
  lines.push(
    element === 'i1'
      ? `${converted} = arith.trunci ${whole} : ${width} to i1`
      : `${converted} = arith.sitofp ${whole} : ${width} to ${element}`,
  );
  return converted;
};

/** The lines that compute a scalar, and its name. */
const scalarText = (spec: ScalarSpec, element: Element, names: BodyNames, lines: string[]): string => {
  const recur = (inner: ScalarSpec): string => scalarText(inner, element, names, lines);
  switch (spec.kind) {
    case 'operand':
      return names.operand(spec.operand);
    case 'captured':
      return names.captured(element);
    case 'constant': {
      const name = names.fresh();
      lines.push(`${name} = arith.constant ${constantText(spec.value, element)}`);
      return name;
    }
    case 'index': {
      const name = names.fresh();
      lines.push(`${name} = linalg.index ${spec.dim} : index`);
      return indexText(name, element, names.fresh, lines);
    }
    case 'extract': {
      const tensor = names.tensor(spec.dims, element);
      const at = spec.dims.map((dim) => {
        const name = names.fresh();
        lines.push(`${name} = linalg.index ${dim} : index`);
        return name;
      });
      const name = names.fresh();
      lines.push(`${name} = tensor.extract ${tensor.name}[${at.join(', ')}] : ${tensor.type}`);
      return name;
    }
    case 'binary': {
      const [lhs, rhs] = [recur(spec.lhs), recur(spec.rhs)];
      const name = names.fresh();
      const op = (isFloat(element) ? floatNames : integerNames)[spec.function]!;
      lines.push(`${name} = ${op} ${lhs}, ${rhs} : ${element}`);
      return name;
    }
    case 'select': {
      const [lhs, rhs, other] = [recur(spec.lhs), recur(spec.rhs), recur(spec.other)];
      const [condition, name] = [names.fresh(), names.fresh()];
      const compare = isFloat(element) ? 'arith.cmpf olt' : 'arith.cmpi slt';
      lines.push(`${condition} = ${compare}, ${lhs}, ${rhs} : ${element}`);
      lines.push(`${name} = arith.select ${condition}, ${lhs}, ${other} : ${element}`);
      return name;
    }
  }
};

/** The lines of a body, `linalg.yield` included. */
export const bodyText = (
  { yields }: BodySpec,
  elements: readonly Element[],
  names: BodyNames,
): readonly string[] => {
  const lines: string[] = [];
  const values = yields.map((spec, i) => scalarText(spec, elements[i]!, names, lines));
  return [...lines, `linalg.yield ${values.join(', ')} : ${elements.join(', ')}`];
};

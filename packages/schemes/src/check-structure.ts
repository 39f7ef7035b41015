/** What is wrong with a scheme in itself, whatever it is for: its form, the order of specifiers, and variables. */
import { describeValue } from '@sconv/diagnostics';
import type { SchemeProblem } from './check-scheme.ts';
import type { Letters } from './dimensions.ts';
import { deepest } from './notation.ts';
import type { Scheme } from './scheme.ts';

/** More microkernels are more code than a loop nest has; and each `lambda` multiplies them. */
const mostKernels = 256;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

/** Malformed specifiers, at any depth; data may come from untyped code. */
export function* formProblems(scheme: unknown, path = 'scheme', depth = 0): Generator<SchemeProblem> {
  if (!Array.isArray(scheme) || scheme.length === 0 || depth > deepest) {
    const message =
      depth > deepest
        ? `more than ${deepest} schemes inside of each other`
        : `expected specifiers, not ${describeValue(scheme)}`;
    yield { code: 'scheme/form', path, message };
    return;
  }
  for (const [i, specifier] of (scheme as readonly unknown[]).entries()) {
    const own = `${path}[${i}]`;
    const message = formProblem(specifier);
    if (message !== undefined) yield { code: 'scheme/form', path: own, message };
    else if (isRecord(specifier) && specifier['kind'] === 'Seq')
      for (const [at, part] of (specifier['parts'] as readonly { readonly scheme: unknown }[]).entries())
        yield* formProblems(part.scheme, `${own}.parts[${at}].scheme`, depth + 1);
  }
}

const formProblem = (specifier: unknown): string | undefined => {
  if (!isRecord(specifier)) return `expected a specifier, not ${describeValue(specifier)}`;
  const { kind, dimension, count, variable, parts, operand } = specifier;
  const wrong = (what: string, value: unknown): string => `expected ${what}, not ${describeValue(value)}`;
  if (kind === 'P')
    return operand === 'input' || operand === 'filters'
      ? undefined
      : wrong('the input or the filters', operand);
  if (typeof dimension !== 'string') return wrong('a dimension', dimension);
  const partsProblem = (isPart: (part: Readonly<Record<string, unknown>>) => boolean): string | undefined =>
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.every((part: unknown) => isRecord(part) && isCount(part['count']) && isPart(part))
      ? undefined
      : wrong('parts with counts', parts);
  switch (kind) {
    case 'R':
      return undefined;
    case 'T':
    case 'U':
      return typeof count === 'string' || isCount(count) ? undefined : wrong('a count', count);
    case 'V':
      return isCount(count) ? undefined : wrong('a number of elements', count);
    case 'lambda':
      return typeof variable === 'string'
        ? partsProblem(({ size }) => isCount(size))
        : wrong('a variable', variable);
    case 'Seq':
      return partsProblem(() => true);
    default:
      return wrong('a specifier', kind);
  }
};

/** What the specifiers around a place have said. */
interface Around {
  readonly outside: ReadonlySet<string>;
  readonly packed: ReadonlySet<string>;
  /** The dimensions of variables. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Specifiers in a wrong order, and variables that are not bound, or not used. */
export const structureProblems = (scheme: Scheme, letters: Letters): readonly SchemeProblem[] => {
  const large = sizeProblem(scheme);
  if (large !== undefined) return [large];
  const around = {
    outside: new Set<string>(),
    packed: new Set<string>(),
    variables: new Map<string, string>(),
  };
  return [...listProblems(scheme, letters, 'scheme', around)];
};

/** That a scheme runs too many microkernels in sequence, if it does. */
export const sizeProblem = (scheme: Scheme): SchemeProblem | undefined => {
  const kernels = kernelsOf(scheme);
  if (kernels <= mostKernels) return undefined;
  const message = `${kernels} microkernels are too much code: at most ${mostKernels} in sequence`;
  return { code: 'scheme/size', path: 'scheme', message };
};

/** How many microkernels a scheme runs in sequence. */
const kernelsOf = (scheme: Scheme): number =>
  scheme.reduce((all, specifier) => {
    if (specifier.kind === 'lambda') return all * specifier.parts.length;
    if (specifier.kind !== 'Seq') return all;
    return all * specifier.parts.reduce((sum, part) => sum + kernelsOf(part.scheme), 0);
  }, 1);

function* listProblems(
  scheme: Scheme,
  letters: Letters,
  path: string,
  around: Around,
): Generator<SchemeProblem> {
  const [outside, packed] = [new Set(around.outside), new Set(around.packed)];
  const variables = new Map(around.variables);
  for (const [i, specifier] of scheme.entries()) {
    const own = `${path}[${i}]`;
    const problem = (code: SchemeProblem['code'], message: string) => ({ code, path: own, message });
    const isLast = i === scheme.length - 1;
    if (specifier.kind === 'P') {
      if (packed.has(specifier.operand))
        yield problem('scheme/order', `the ${specifier.operand} are packed already`);
      packed.add(specifier.operand);
      continue;
    }
    const { kind, dimension } = specifier;
    if (!Object.hasOwn(letters.dimensions, dimension)) {
      const known = Object.entries(letters.dimensions).map(([letter, of]) => `${letter} (${of})`);
      yield problem('scheme/dimension', `no dimension '${dimension}'; there are ${known.join(', ')}`);
      return;
    }
    switch (kind) {
      case 'R':
        if (outside.has(dimension)) {
          const message = `R(${dimension}) is the outermost of ${dimension}, and there is another one around`;
          yield problem('scheme/order', message);
        }
        break;
      case 'T':
      case 'U':
        if (typeof specifier.count === 'number') break;
        if (variables.get(specifier.count) !== dimension) {
          const message = `${specifier.count} is no variable here: a lambda over ${dimension} binds one, for one use`;
          yield problem('scheme/variable', message);
        }
        variables.delete(specifier.count);
        break;
      case 'V':
        if (!isLast) yield problem('scheme/order', 'vectors are innermost: nothing stands inside of V');
        if (letters.reduced.includes(dimension))
          yield problem(
            'scheme/vector',
            `sums are not added up across a vector: ${dimension} is summed over`,
          );
        break;
      case 'lambda':
        if (variables.has(specifier.variable))
          yield problem('scheme/variable', `the variable ${specifier.variable} is bound already`);
        variables.set(specifier.variable, dimension);
        break;
      case 'Seq':
        if (!isLast)
          yield problem('scheme/order', 'what stands inside of Seq is in its schemes: nothing follows it');
        outside.add(dimension);
        for (const [at, part] of specifier.parts.entries()) {
          const inner = { outside, packed, variables };
          yield* listProblems(part.scheme, letters, `${own}.parts[${at}].scheme`, inner);
        }
        return;
    }
    outside.add(dimension);
  }
  const [unused] = variables.keys();
  if (unused === undefined) return;
  const use = `U(${variables.get(unused)!},${unused})`;
  const message = `the variable ${unused} is not used: write ${use} inside of its lambda`;
  yield { code: 'scheme/variable', path: `${path}[${scheme.length - 1}]`, message };
}

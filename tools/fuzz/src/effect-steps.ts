/** Single steps for functions with effects: passes, pattern sets and transforms. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { Id, Module, Operation, Registry } from '@sconv/ir';
import { DYNAMIC, symbolNameOf, walk } from '@sconv/ir';
import { isTransformOp } from '@sconv/transform';
import { passScriptOf } from './cleanup-passes.ts';
import { focusTargets } from './draw-focus.ts';
import type { Template } from './effect-templates.ts';
import { patternOptions, templates } from './effect-templates.ts';
import type { Random } from './random.ts';

/** A pass, or a script of one transform. */
export interface EffectStep {
  /** What it is counted as. */
  readonly names: readonly string[];
  /** Runs the pass; undefined for a transform. */
  readonly pass?: (module: Module) => Diagnosed<Module>;
  /** A schedule for a module that has the step's ops; it returns `%func` and `%kept` if wanted. */
  readonly script: (module: Module, yields: boolean) => string;
  /** Whether `%func`, and `%kept` if there is one, must still refer to ops. */
  readonly keeps: boolean;
  /** Whether sums may be in another order. */
  readonly reorders: boolean;
  /** Whether results may change, since something is assumed or becomes a call of an unknown function. */
  readonly assumes?: boolean | undefined;
  /** The same without the patterns, to see whether they have applied. */
  readonly baseline?: ((module: Module) => string) | undefined;
}

/** Passes that are not run: schedules are fuzzed by themselves. */
const notRun = new Set(['transform-interpreter']);

const numbers = ['0', '1', '2', '8', '64', '1024'];

/** Options that only observe, stop or restrict. */
const isIgnored = /^(print|test-analysis|dump|disable|enable|dialect|max-iter|max-num)/;

/** Whether a pass assumes what a payload may not keep. */
const passAssumes = (name: string, module: Module): boolean =>
  // An op becomes a call of an unknown function.
  name === 'convert-linalg-to-std' ||
  // A function gives a copy of what it returned, which may have been an argument.
  (name === 'buffer-results-to-out-params' &&
    ops(module).some(
      (each) => each.name === 'func.call' && each.results.some(({ type }) => type.kind === 'memref'),
    ));

const drawPass = (random: Random, module: Module, registry: Registry, wanted?: string): EffectStep => {
  const all = [...registry.passes.values()].filter(({ name }) => !notRun.has(name));
  const pass = all.find(({ name }) => name === wanted) ?? random.pick(all);
  const options = Object.fromEntries(
    Object.entries(pass.options).flatMap(([name, { texts }]) => {
      if (!random.chance(0.3) || isIgnored.test(name)) return [];
      if (texts !== undefined) return [[name, random.pick(texts)] as const];
      return /size|rank|seed|alignment|threshold/.test(name) ? [[name, random.pick(numbers)] as const] : [];
    }),
  );
  const text = Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  const made = pass.fromText(options);
  return {
    names: [pass.name],
    pass: (now) => (made.status === 'success' ? made.value.run(now, { registry }) : made),
    script: () => passScriptOf(pass.name, text),
    keeps: false,
    reorders: false,
    assumes: passAssumes(pass.name, module),
  };
};

const any = '!transform.any_op';

/** Lines that name an op, by its position among those with its name; none for the module, which is `%root`. */
const handleTo = (handle: string, module: Module, id: Id): readonly string[] => {
  const all = ops(module);
  const name = all.find((each) => each.id === id)?.name;
  if (name === undefined || name === 'builtin.module') return [];
  const like = all.filter((each) => each.name === name);
  const [position, count] = [like.findIndex((each) => each.id === id), like.length];
  const matched = `transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}`;
  if (count === 1) return [`${handle} = ${matched}`];
  const parts = like.map((_, i) => (i === position ? handle : `${handle}x${i}`)).join(', ');
  const types = like.map(() => any).join(', ');
  return [
    `${handle}all = ${matched}`,
    `${parts} = transform.split_handle ${handle}all : (${any}) -> (${types})`,
  ];
};

const schedule = (lines: readonly string[], handles: readonly string[]): string => {
  const types = handles.map(() => any).join(', ');
  const end = handles.length === 0 ? 'transform.yield' : `transform.yield ${handles.join(', ')} : ${types}`;
  const results = handles.length === 0 ? '' : ` -> (${types})`;
  const effect = lines.some((line) => line.includes('one_shot_bufferize')) ? ' {transform.consumed}' : '';
  return `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: ${any}${effect})${results} {
${lines.map((line) => `    ${line}`).join('\n')}
    ${end}
  }
}
`;
};

/** The names of ops whose effects no cleanup removes, if nothing else is known of them. */
export const keptNames: readonly string[] = [
  'memref.store',
  'vector.transfer_write',
  'func.call',
  'memref.copy',
  'vector.scatter',
];

const keptList = keptNames.map((name) => `"${name}"`).join(', ');
const keptLine = `%kept = transform.structured.match ops{[${keptList}]} in %root : (${any}) -> ${any}`;

/** How often there is a handle to such ops: patterns that replace one by several ops are then refused. */
const trackedShare = 0.25;

/** The ops that steps may have as targets. */
const ops = (module: Module): readonly Operation[] =>
  [...walk(module.root)].filter(({ name }) => !/yield|return|condition/.test(name));

const reordering =
  /reduction|vectorize|pack|pad|tile|fuse|split|decompose|contraction|lower_|flatten|multi|scan/;

/** Pattern sets that are text alone. */
const isTextAlone = /\.gpu\.|test_patterns|narrow_types/;

/** One or two pattern sets. */
const drawPatterns = (random: Random, module: Module, registry: Registry, wanted?: string): EffectStep => {
  const all = [...registry.operations.keys()].filter(
    (name) => name.startsWith('transform.apply_patterns.') && !isTextAlone.test(name),
  );
  const names = wanted === undefined ? random.shuffled(all).slice(0, random.chance(0.7) ? 1 : 2) : [wanted];
  const patterns = names.map((name) => `  ${name}${patternOptions[name]?.(random) ?? ''}`);
  const { id } = ops(module).find((each) => each.name === 'func.func' && symbolNameOf(each) === 'f')!;
  const tracks = random.chance(trackedShare);
  const scriptOf = (now: Module, yields: boolean, given: readonly string[]): string =>
    schedule(
      [
        ...handleTo('%func', now, id),
        ...(tracks ? [keptLine] : []),
        'transform.apply_patterns to %func {',
        ...given,
        `} : ${any}`,
      ],
      yields ? ['%func', ...(tracks ? ['%kept'] : [])] : [],
    );
  return {
    names: ['transform.apply_patterns', ...names],
    script: (now, yields) => scriptOf(now, yields, patterns),
    baseline: names.length > 1 ? undefined : (now) => scriptOf(now, false, []),
    keeps: true,
    reorders: reordering.test(names.join()),
    assumes: patterns.some((pattern) => pattern.includes('force-in-bounds')),
  };
};

const drawTransform = (
  random: Random,
  module: Module,
  registry: Registry,
  wanted?: string,
): EffectStep | undefined => {
  const all = ops(module);
  const fitting = templates.flatMap((template) => {
    if (wanted !== undefined && template.name !== wanted) return [];
    const possible = all.filter(({ name }) => template.targets.test(name));
    const focused =
      wanted === undefined ? [] : possible.filter(({ name }) => focusTargets[wanted]?.test(name));
    const targets = focused.length > 0 ? focused : possible;
    return targets.length === 0 ? [] : [{ template, targets }];
  });
  if (fitting.length === 0) return undefined;
  const { template, targets } = random.pick(fitting);
  return transformStep(random, template, random.pick(targets), all, registry);
};

const transformStep = (
  random: Random,
  template: Template,
  target: Operation,
  all: readonly Operation[],
  registry: Registry,
): EffectStep => {
  const { name } = template;
  const line = template.text(random, target);
  // Given sizes of vectors are at least those of the payload, which unknown ones may not be; an unknown size that is
  // divided is not 0.
  const isDynamic = target.operands.some(({ type }) => 'shape' in type && type.shape.includes(DYNAMIC));
  const assumes = template.assumes === true || (/vector_sizes|multitile_sizes/.test(line) && isDynamic);
  const isModule = target.name === 'builtin.module';
  const isFunction = target.name === 'func.func';
  const other = line.includes('%t2') ? otherThan(random, target, all) : undefined;
  const definition = registry.operations.get(name);
  const consumes =
    definition !== undefined &&
    isTransformOp(definition) &&
    definition.transform.effects.includes('consumes');
  const keeps = !isModule && !(isFunction && consumes);
  const isTracked = isFunction && !consumes && random.chance(trackedShare);
  const parent = `%func = transform.get_parent_op %t {isolated_from_above} : (${any}) -> ${any}`;
  const yields = isTracked ? ['%t', '%kept'] : keeps ? [isFunction ? '%t' : '%func'] : [];
  return {
    names: [name],
    script: (now, wantsYields) =>
      schedule(
        [
          ...handleTo('%t', now, target.id),
          ...(other === undefined ? [] : handleTo('%t2', now, other.id)),
          ...(keeps && !isFunction ? [parent] : []),
          ...(isTracked ? [keptLine] : []),
          line,
        ],
        wantsYields ? yields : [],
      ),
    keeps,
    reorders: reordering.test(name),
    assumes,
  };
};

/** An op of the same name, or another one with regions. */
const otherThan = (random: Random, target: Operation, all: readonly Operation[]): Operation => {
  const others = all.filter(
    ({ id, name, regions }) =>
      id !== target.id && regions.length > 0 && name !== 'func.func' && name !== 'builtin.module',
  );
  const siblings = others.filter(({ name }) => name === target.name);
  if (siblings.length > 0) return random.pick(siblings);
  return others.length > 0 ? random.pick(others) : target;
};

/** A random step for a module; or the one of this name, if it has a target. */
export const drawEffectStep = (
  random: Random,
  module: Module,
  registry: Registry,
  wanted?: string,
): EffectStep => {
  const draw =
    wanted === undefined
      ? random.weighted([
          [5, drawPass],
          [4, drawPatterns],
          [7, drawTransform],
        ] as const)!
      : registry.passes.has(wanted)
        ? drawPass
        : wanted.startsWith('transform.apply_patterns.')
          ? drawPatterns
          : drawTransform;
  return draw(random, module, registry, wanted) ?? drawPass(random, module, registry);
};

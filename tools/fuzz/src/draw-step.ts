/**
 * Draws steps: an op that plausibly applies to a handle's payload, with suitable parameters; sometimes one that does
 * not.
 */
import type { Id, Operation } from '@sconv/ir';
import { bodyOf, walk } from '@sconv/ir';
import { slicedConvolution } from './draw-named.ts';
import {
  drawFuseInto,
  drawLowering,
  drawPack,
  drawPackGreedily,
  drawPackTranspose,
  drawPad,
  drawSizes,
  forLoop,
  generic,
  isGeneric,
  isStatic,
  isStructured,
  lowerings,
  onGenerics,
  rangesOf,
} from './draw-structured.ts';
import { cleanups, interchanges, lookups } from './draw-upkeep.ts';
import type { Random } from './random.ts';
import type { AttributeValue, HandleName, Step } from './script.ts';
import type { LiveHandle, View } from './session.ts';
import type { Candidate, Fresh } from './step-on.ts';
import { stepOn } from './step-on.ts';

/** Whether a loop's body is just another loop and its yield. */
const isPerfect = (loop: Operation): boolean => {
  const [inner, , more] = bodyOf(loop).operations;
  return inner?.name === forLoop && more === undefined;
};

const slicing = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate => [
  3.5,
  () => {
    const attributes: Record<string, AttributeValue> = {};
    const small = random.pick([
      [2, 2],
      [4, 2],
      [3, 1],
      [2, 3],
      [8, 2],
      [1, 1],
    ] as const);
    if (random.chance(0.9)) attributes['mkInfo'] = small;
    if (random.chance(0.6))
      attributes['archInfo'] = random.pick([
        [256, 1024, 4096, 64],
        [768, 1536, 4096, 64],
        [512, 0, 0, 32],
      ]);
    if (random.chance(0.2)) attributes['latency'] = [4, 12, 40, 200];
    if (random.chance(0.6)) attributes['schedule'] = random.pick(['is', 'ws']);
    if (random.chance(0.6)) attributes['edges'] = random.pick(['scalar', 'small']);
    // Panels of width 1 divide every tile, as do those as wide as the tile.
    if (random.chance(0.3))
      attributes['panels'] = random.pick([
        [1, 1],
        [small[0], 1],
        [1, small[1]],
      ]);
    return stepOn(random, fresh, 'structured.sconv', handle, attributes, [generic, forLoop]);
  },
];

/** The shapes that convolutions are planned for: extents of the first, sometimes others. */
const assertion = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate => [
  0.8,
  () => {
    const [batch = 1, filters = 1, height = 1, width = 1, channels = 1] = rangesOf(handle.operations[0]!);
    const windows = random.chance(0.9) ? height * width : height * width + 1;
    const extents = { batch, channels, windows, filters };
    return stepOn(random, fresh, 'structured.assert_extents', handle, extents, []);
  },
];

/** Steps without attributes on ops of these names. */
const rewrites: readonly (readonly [
  names: RegExp,
  weight: number,
  name: string,
  results: readonly (string | undefined)[],
])[] = [
  [/^linalg\.(depthwise_)?conv_2d_/, 1, 'convert_conv2d_to_img2col', [generic, undefined]],
  [/^linalg\.(conv_2d|depthwise_conv_2d_|pooling_n)/, 2, 'decompose', [undefined]],
  [/^linalg\.conv_2d_nhwc_fhwc/, 12, 'transpose_conv2d', [undefined]],
  [/^linalg\.conv_2d_ngchw_(fgchw|gfchw)$/, 12, 'drop_unit_group', [slicedConvolution]],
  [/^linalg\.(batch_)?matmul$/, 12, 'transpose_matmul', [undefined]],
  [/^linalg\.(mat|vecmat|dot|mmt4d|batch_reduce)/, 12, 'normalize_contraction', [generic]],
  [/^linalg\.(fill|copy|map|add|sub|mul|max|min|exp|elemwise_\w+)$/, 1, 'flatten_elementwise', [undefined]],
  [/^linalg\.generic$/, 0.3, 'specialize', [undefined]],
  [/^tensor\.(parallel_)?insert_slice$/, 1, 'insert_slice_to_copy', [undefined]],
  [/^tensor\.pad$/, 2, 'rewrite_in_destination_passing_style', [undefined]],
];

/** Steps on what one handle stands for. */
const onHandle = (
  random: Random,
  fresh: Fresh,
  handle: LiveHandle,
  inLoops: ReadonlySet<Id>,
  view: View,
): readonly Candidate[] => {
  const { operations } = handle;
  const [first] = operations;
  if (first === undefined) return [];
  const all = (test: (operation: Operation) => boolean): boolean => operations.every(test);
  const candidates: Candidate[] = [...lookups(random, fresh, handle), ...cleanups(random, fresh, handle)];
  if (operations.length > 1) {
    if (operations.length <= 5) {
      const results = operations.map(() => undefined);
      candidates.push([1, () => stepOn(random, fresh, 'split_handle', handle, {}, results)]);
    }
  }
  if (all(isGeneric)) {
    const ranks = operations.map((operation) => rangesOf(operation).length);
    candidates.push(
      ...onGenerics(random, fresh, handle, inLoops),
      ...interchanges(random, fresh, handle, ranks),
    );
  } else if (all(isStructured)) {
    candidates.push([4, () => stepOn(random, fresh, 'structured.generalize', handle, {}, [generic])]);
    const packing = drawPack(random, fresh, handle);
    if (packing !== undefined) candidates.push(packing);
  }
  if (all(isStructured) && all(isStatic))
    candidates.push(drawPad(random, fresh, handle), drawPackGreedily(random, fresh, handle));
  if (all(isStructured)) {
    const steps = [drawSizes(random, fresh, handle), drawFuseInto(random, fresh, handle, view)];
    candidates.push(...steps.filter((step) => step !== undefined));
  }
  if (all(({ name }) => /^tensor\.(un)?pack$/.test(name))) {
    const steps = [drawLowering(random, fresh, handle), drawPackTranspose(random, fresh, handle, view)];
    candidates.push(...steps.filter((step) => step !== undefined));
  }
  for (const [names, weight, name, results] of rewrites) {
    if (all((operation) => names.test(operation.name)))
      candidates.push([weight, () => stepOn(random, fresh, `structured.${name}`, handle, {}, results)]);
  }
  if (all(({ name }) => /^linalg\.conv_2d_(nchw_fchw|nhwc_(hwcf|fhwc)|ngchw_(fgchw|gfchw))$/.test(name)))
    candidates.push(slicing(random, fresh, handle));
  if (all(({ name }) => name === slicedConvolution)) candidates.push(assertion(random, fresh, handle));
  if (handle.promises === 'tensor.empty') {
    const allocation = 'bufferization.alloc_tensor';
    const name = 'bufferization.empty_tensor_to_alloc_tensor';
    const results = [{ name: fresh(), promises: allocation }];
    candidates.push([2, () => ({ ...stepOn(random, fresh, name, handle, {}, []), results })]);
  }
  if (all(({ name }) => name === forLoop)) {
    const weight = all(isPerfect) ? 1.5 : 0.03;
    candidates.push([weight, () => stepOn(random, fresh, 'loop.swap_induction_vars', handle, {}, [])]);
  }
  return candidates;
};

/** Matches ops of the payload, by all names, some, or none. */
const drawMatch = (random: Random, fresh: Fresh, handle: LiveHandle): Step => {
  const present = new Set<string>();
  for (const operation of handle.operations) for (const { name } of walk(operation)) present.add(name);
  const interesting = [...present].filter((name) =>
    /^linalg\.(?!yield|index)|^tensor\.((un)?pack|pad|insert_slice|empty)$/.test(name),
  );
  const names = interesting.length > 0 && random.chance(0.85) ? interesting : [...present, generic];
  const [name] = random.shuffled(names);
  const several = random.chance(0.25) ? random.shuffled(names).slice(0, 3) : [name!];
  const promised = several.length === 1 ? several : [undefined];
  return stepOn(random, fresh, 'structured.match', handle, { ops: several }, promised);
};

/** Casts a handle to the type of its payload, or to any. */
const drawCast = (random: Random, fresh: Fresh, handle: LiveHandle): Step => {
  const names = new Set(handle.operations.map(({ name }) => name));
  const [only] = names;
  const promises = names.size === 1 && random.chance(0.7) ? only : undefined;
  const step = stepOn(random, fresh, 'cast', handle, {}, []);
  return { ...step, results: [{ name: fresh(), promises }] };
};

/** Merges two handles, or one with itself. */
const drawMerge = (random: Random, fresh: Fresh, handles: readonly LiveHandle[]): Step => {
  const first = random.pick(handles);
  const others = handles.filter(({ promises }) => promises === first.promises);
  const operands = [first, random.pick(others)].map(({ name, promises }) => ({ name, promises }));
  return {
    transform: 'transform.merge_handles',
    operands,
    attributes: random.chance(0.7) ? { deduplicate: true } : {},
    results: [{ name: fresh(), promises: first.promises }],
  };
};

/** Bufferizes the root or, keeping function types, the function. */
export const drawBufferization = (random: Random, fresh: Fresh, view: View): Step => {
  const root = view.handles.find(({ operations }) => operations[0]?.name === 'builtin.module');
  const layout = random.pick(['identity-layout-map', 'fully-dynamic-layout-map', 'infer-layout-map']);
  return stepOn(
    random,
    fresh,
    'bufferization.one_shot_bufferize',
    root ?? random.pick(view.handles),
    {
      bufferizeFunctionBoundaries: random.chance(0.9),
      ...(random.chance(0.7) ? { functionBoundaryTypeConversion: layout } : {}),
      ...(random.chance(0.3) ? { allowReturnAllocsFromLoops: random.chance(0.5) } : {}),
      ...(random.chance(0.3) ? { memcpyOp: random.chance(0.5) ? 'linalg.copy' : 'memref.copy' } : {}),
    },
    [undefined],
  );
};

/** A step that probably does not apply: any op on any handle, with meaningless parameters, or a consumed handle. */
const drawWrong = (random: Random, fresh: Fresh, { handles, dead }: View): Step => {
  const isDead = dead.length > 0 && random.chance(0.3);
  const handle: HandleName = random.pick(isDead ? dead : handles);
  const number = (): number => random.pick([-1, 0, 1, 2, 3, 5, 64]);
  const forms: readonly (() => Step)[] = [
    ...['generalize', 'linearize', 'form_microkernel', 'multipack'].map(
      (name) => () => stepOn(random, fresh, `structured.${name}`, handle, {}, [undefined]),
    ),
    ...['pack_windows', 'pack_filters'].map(
      (name) => () => stepOn(random, fresh, `structured.${name}`, handle, {}, [undefined, undefined]),
    ),
    () => stepOn(random, fresh, 'structured.delinearize', handle, {}, []),
    () => stepOn(random, fresh, 'loop.swap_induction_vars', handle, {}, []),
    () => stepOn(random, fresh, 'structured.gather_operand', handle, { operand: number() }, [undefined]),
    () => ({
      ...stepOn(
        random,
        fresh,
        'structured.split',
        handle,
        { dimension: number(), staticChunkSizes: number() },
        [],
      ),
      results: [fresh(), fresh()].map((name) => ({ name, promises: handle.promises })),
    }),
    () => {
      const staticSizes = Array.from({ length: random.integer(1, 4) }, () => random.integer(0, 4));
      const loops = staticSizes.filter((size) => size > 0).map(() => undefined);
      const attributes = { staticSizes, ...(random.chance(0.5) ? { interchange: [1, 0] } : {}) };
      return stepOn(random, fresh, 'structured.tile_using_for', handle, attributes, [undefined, ...loops]);
    },
    () => {
      const staticTileSizes = Array.from({ length: random.integer(1, 4) }, () => random.integer(0, 4));
      return stepOn(random, fresh, 'structured.tile_using_forall', handle, { staticTileSizes }, [
        undefined,
        undefined,
      ]);
    },
    () =>
      stepOn(random, fresh, 'structured.sconv', handle, { mkInfo: [number(), number()] }, [
        undefined,
        undefined,
      ]),
    () => stepOn(random, fresh, 'split_handle', handle, {}, [undefined, undefined]),
  ];
  return random.pick(forms)();
};

/** Options for drawing steps. */
export interface StepOptions {
  /** The probability of a step that should be refused. */
  readonly wrong: number;
}

/** The next step, given the handles' current payloads. */
export const drawStep = (
  random: Random,
  view: View,
  fresh: Fresh,
  { wrong }: StepOptions,
): Step | undefined => {
  if (view.handles.length > 0 && random.chance(wrong)) return drawWrong(random, fresh, view);
  const loops = [...walk(view.module.root)].filter(({ name }) => name === forLoop);
  const inLoops = new Set(loops.flatMap((loop) => bodyOf(loop).operations.map(({ id }) => id)));
  const candidates: Candidate[] = view.handles.flatMap((handle) =>
    onHandle(random, fresh, handle, inLoops, view),
  );
  const [root] = view.handles;
  if (root === undefined) return undefined;
  const structures = view.handles.filter(({ operations }) => operations.some(isStructured));
  const packings = new Set(
    [...walk(view.module.root)].map(({ name }) => name).filter((name) => name in lowerings),
  );
  for (const ops of packings) {
    const results = [{ name: fresh(), promises: ops }];
    candidates.push([
      ops === 'tensor.unpack' ? 7 : 2,
      () => ({ ...stepOn(random, fresh, 'structured.match', root, { ops: [ops] }, []), results }),
    ]);
  }
  candidates.push([structures.length === 0 ? 12 : 0.8, () => drawMatch(random, fresh, root)]);
  const parents = view.handles.filter(({ operations }) =>
    operations.some(({ regions }) => regions.length > 0),
  );
  if (parents.length > 0) candidates.push([0.4, () => drawMatch(random, fresh, random.pick(parents))]);
  candidates.push([0.3, () => drawCast(random, fresh, random.pick(view.handles))]);
  if (view.handles.length > 1) candidates.push([0.8, () => drawMerge(random, fresh, view.handles.slice(1))]);
  return random.weighted(candidates)?.();
};

/** Draws steps on structured ops: splits, tilings, packings, and what leads to a microkernel. */
import { indexDimensions } from '@sconv/dialects';
import { genericView, structuredViews } from '@sconv/dialects/linalg';
import { pack, unpack } from '@sconv/dialects/tensor';
import type { Id, Operation } from '@sconv/ir';
import { bodyOf, DYNAMIC, isShaped, isStaticShape, terminatorOf, walk } from '@sconv/ir';
import type { Random } from './random.ts';
import type { Step } from './script.ts';
import type { LiveHandle, View } from './session.ts';
import type { Attributes, Candidate, Fresh } from './step-on.ts';
import { stepOn } from './step-on.ts';

export const generic = 'linalg.generic';
export const forLoop = 'scf.for';

export const isStructured = (operation: Operation): boolean => structuredViews.has(operation.name);

export const isGeneric = (operation: Operation): boolean => operation.name === generic;

/** The iteration dimensions of a structured op. */
export const rangesOf = (operation: Operation): readonly number[] =>
  structuredViews.get(operation.name)!(operation).loopRanges;

const hasExtract = (operation: Operation): boolean =>
  [...walk(operation)].some(({ name }) => name === 'tensor.extract');

const isElementwise = (operation: Operation): boolean =>
  genericView(operation).iteratorTypes.every((type) => type === 'parallel');

/** The text of an op's maps, by which packing recognizes forms. */
const mapsText = (operation: Operation): string =>
  genericView(operation)
    .indexingMaps.map((map) => map.results.join(' '))
    .join(', ');

/** Maps over the six dimensions of a linearised convolution, as packing expects them. */
const filters = 'd1 d3 d4 d5';
const output = 'd0 d1 d2';
const packedWindows = 'd0 d3 d4 d5 d2';
const packedFilters = 'd3 d4 d5 d1';

/** Whether all sizes are static. */
export const isStatic = (operation: Operation): boolean =>
  operation.operands.every(({ type }) => !isShaped(type) || (type.kind === 'tensor' && isStaticShape(type)));

/** Whether an op only copies elements. */
const isPacking = (operation: Operation): boolean => {
  const { inputs, outputs } = genericView(operation);
  const body = bodyOf(operation);
  const [yielded] = terminatorOf(body).operands;
  const read = body.operations.find(({ name }) => name === 'tensor.extract');
  return inputs.length === 0 && outputs.length === 1 && read?.results[0]!.id === yielded?.id;
};

/** The tensor inputs that are not needed to determine the extents. */
const gatherable = (operation: Operation): readonly number[] => {
  const { inputs, indexingMaps, iteratorTypes } = genericView(operation);
  return inputs.flatMap(({ type }, position) => {
    const told = new Set(
      indexingMaps
        .toSpliced(position, 1)
        .flatMap(({ results }) =>
          results.flatMap((result) => (result.kind === 'dim' ? [result.position] : [])),
        ),
    );
    return type.kind === 'tensor' && told.size === iteratorTypes.length ? [position] : [];
  });
};

const divisorsOf = (extent: number): readonly number[] =>
  Array.from({ length: extent }, (_, i) => i + 1).filter((size) => extent % size === 0);

const drawSplit = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const ranges = handle.operations.map(rangesOf);
  const indexed = new Set(handle.operations.flatMap((operation) => [...indexDimensions(operation)]));
  const least = ranges[0]!.map((_, dimension) => Math.min(...ranges.map((each) => each[dimension] ?? 0)));
  const exact = random.chance(0.5);
  const open = least.flatMap((extent, dimension) =>
    exact && (extent <= 1 || indexed.has(dimension)) ? [] : [dimension],
  );
  if (open.length === 0) return undefined;
  return [
    handle.operations.every(isStatic) ? 2 : 1,
    () => {
      const dimension = random.pick(open);
      const staticChunkSizes = random.integer(1, Math.max(1, least[dimension]! - 1));
      const attributes = { dimension, staticChunkSizes, ...(exact ? { exact } : {}) };
      const step = stepOn(random, fresh, 'structured.split', handle, attributes, []);
      const results = [fresh(), fresh()].map((name) => ({ name, promises: handle.promises }));
      return { ...step, results };
    },
  ];
};

/** A split of the first reduction of an op with one output. */
const drawSplitReduction = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const [first, ...others] = handle.operations;
  if (first === undefined || others.length > 0) return undefined;
  const { iteratorTypes, loopRanges, outputs } = genericView(first);
  const extent = loopRanges[iteratorTypes.indexOf('reduction')] ?? DYNAMIC;
  if (extent < 2 || outputs.length > 1) return undefined;
  return [
    1,
    () => {
      const type = outputs[0]!.type;
      const rank = type.kind === 'tensor' ? type.shape.length : 0;
      const byScaling = random.chance(0.4);
      const attributes: Attributes = {
        splitFactor: random.pick(divisorsOf(extent).slice(1)),
        insertSplitDimension: random.integer(0, rank),
        ...(byScaling ? { useScalingAlgorithm: true } : random.chance(0.5) ? { innerParallel: true } : {}),
        ...(random.chance(0.3) ? { useAlloc: true } : {}),
      };
      const results = [undefined, 'linalg.fill', generic, generic];
      return stepOn(random, fresh, 'structured.split_reduction', handle, attributes, results);
    },
  ];
};

/** A tiling of the one reduction of an op with one output. */
const drawTileReduction = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const [first, ...others] = handle.operations;
  if (first === undefined || others.length > 0) return undefined;
  const { iteratorTypes, loopRanges, outputs } = genericView(first);
  const reduced = iteratorTypes.indexOf('reduction');
  const count = iteratorTypes.filter((type) => type === 'reduction').length;
  const extent = loopRanges[reduced] ?? DYNAMIC;
  if (count !== 1 || extent < 1 || outputs.length > 1) return undefined;
  const sizes = loopRanges.map((range, dimension) =>
    dimension === reduced ? random.integer(1, extent) : range > 1 && random.chance(0.2) ? 2 : 0,
  );
  const results = [undefined, undefined, undefined, undefined];
  return [
    1,
    () =>
      random.chance(0.5)
        ? stepOn(random, fresh, 'structured.tile_reduction_using_for', handle, { tileSizes: sizes }, results)
        : stepOn(
            random,
            fresh,
            'structured.tile_reduction_using_forall',
            handle,
            { numThreads: sizes.map((size) => (size > 0 ? random.pick(divisorsOf(size)) : 0)) },
            results,
          ),
  ];
};

/** Vectors of an op's exact size: longer ones are masked, which does not bufferize yet. */
const drawVectorize = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const [first, ...others] = handle.operations.map(rangesOf);
  if (first === undefined || others.length > 0 || first.includes(DYNAMIC)) return undefined;
  return [
    1,
    () => {
      const attributes = random.chance(0.5) ? { staticVectorSizes: first } : {};
      return stepOn(random, fresh, 'structured.vectorize', handle, attributes, []);
    },
  ];
};

/** Tile sizes for many or few dimensions, mostly dividing them, and sometimes a loop order. */
const drawTile = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const ranges = handle.operations.map(rangesOf);
  const [first] = ranges;
  if (first === undefined || first.length === 0 || first.includes(DYNAMIC)) return undefined;
  if (ranges.some((each) => each.length !== first.length)) return undefined;
  return [
    handle.operations.every(isStatic) ? 3.5 : 1.5,
    () => {
      const density = random.pick([0.3, 0.6, 1]);
      const uneven = random.chance(0.2);
      const sizes = first.map((extent, dimension) => {
        if (!random.chance(density)) return 0;
        if (uneven) return random.integer(1, extent + 1);
        const sizes = divisorsOf(extent).filter((size) =>
          ranges.every((each) => each[dimension]! % size === 0),
        );
        return sizes.length === 0 ? 1 : random.pick(sizes);
      });
      const loops = sizes.filter((size) => size > 0).length;
      const interchange = random.shuffled(first.map((_, i) => i));
      const attributes: Attributes = {
        staticSizes: random.chance(0.1) ? sizes.slice(0, sizes.findLastIndex((size) => size > 0) + 1) : sizes,
        ...(random.chance(0.3) ? { interchange } : {}),
        ...(!uneven && random.chance(0.5) ? { exact: true } : {}),
      };
      const results = [generic, ...Array.from({ length: loops }, () => forLoop)];
      if (random.chance(0.15))
        return stepOn(random, fresh, 'structured.fuse', handle, { tileSizes: sizes }, results);
      const step = stepOn(random, fresh, 'structured.tile_using_for', handle, attributes, results);
      // A parameter has one value, hence one target.
      const position = (attributes['staticSizes'] as readonly number[]).findIndex((size) => size > 0);
      const byParameter = handle.operations.length === 1 && position >= 0 && random.chance(0.15);
      return byParameter ? { ...step, parameter: { name: fresh(), position } } : step;
    },
  ];
};

/** Tile sizes or tile counts along some dimensions; mostly parallel ones that they divide. */
const drawForall = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const [first, ...others] = handle.operations.map(genericView);
  if (first === undefined || others.length > 0 || first.loopRanges.includes(DYNAMIC)) return undefined;
  const open = first.loopRanges.flatMap((extent, dimension) =>
    first.iteratorTypes[dimension] === 'parallel' && extent > 0 ? [dimension] : [],
  );
  if (open.length === 0) return undefined;
  return [
    handle.operations.every(isStatic) ? 1.5 : 0.5,
    () => {
      const tiled = random.chance(0.5) ? open : [random.pick(open)];
      const numbers = first.loopRanges.map((extent, dimension) =>
        tiled.includes(dimension) ? random.pick(divisorsOf(extent)) : 0,
      );
      const attributes = {
        [random.pick(['staticNumThreads', 'staticTileSizes'])]: numbers,
        ...(random.chance(0.5) ? { exact: true } : {}),
      };
      const results = [undefined, undefined];
      return stepOn(random, fresh, 'structured.tile_using_forall', handle, attributes, results);
    },
  ];
};

/** Moves the read of an input into the body; sometimes an input whose suitability is uncertain. */
const drawGather = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const { operations } = handle;
  const [first] = operations;
  const sound = operations.reduce(
    (left, operation) => left.filter((position) => gatherable(operation).includes(position)),
    gatherable(first!),
  );
  const { length } = genericView(first!).inputs;
  if (length === 0) return undefined;
  const isLinearized = operations.every((operation) => {
    const text = mapsText(operation);
    return text.includes('floordiv') && text.endsWith(`${filters}, ${output}`);
  });
  return [
    isLinearized ? 20 : sound.length > 0 ? 1.3 : 0.15,
    () => {
      const operand = isLinearized
        ? 0
        : random.pick(sound.length > 0 ? sound : [random.integer(0, length - 1)]);
      return stepOn(random, fresh, 'structured.gather_operand', handle, { operand }, [generic]);
    },
  ];
};

/** Packs one op, mostly with small sizes. */
export const drawPack = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const [first, ...others] = handle.operations;
  // Padding of a dynamic size has no buffer.
  if (first === undefined || others.length > 0 || !isStatic(first)) return undefined;
  return [
    isGeneric(first) ? 0.9 : 2,
    () => {
      const staticPackedSizes = rangesOf(first).map(() => random.pick([0, 0, 1, 2, 3]));
      return stepOn(random, fresh, 'structured.pack', handle, { staticPackedSizes }, [generic]);
    },
  ];
};

/** A packing of products by sizes of their innermost dimensions. */
export const drawPackGreedily = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate => [
  0.2,
  () => {
    const staticMatmulPackedSizes = [random.integer(1, 3), random.integer(1, 3), random.integer(1, 3)];
    const attributes = { staticMatmulPackedSizes, matmulInnerDimsOrder: random.shuffled([0, 1, 2]) };
    return stepOn(random, fresh, 'structured.pack_greedily', handle, attributes, [undefined]);
  },
];

/** A padding of some dimensions to small multiples. */
export const drawPad = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate => [
  0.4,
  () => {
    const ranges = rangesOf(handle.operations[0]!);
    const paddingDimensions = ranges.flatMap((_, dimension) => (random.chance(0.4) ? [dimension] : []));
    const staticPadToMultipleOf = paddingDimensions.map(() => random.integer(1, 3));
    const packPaddings = [random.integer(0, 1), random.integer(0, 1)];
    // The third way writes to arguments, which may have no writable buffers.
    const copyBackOp = random.pick(['linalg.copy', 'none']);
    const attributes = { paddingDimensions, staticPadToMultipleOf, packPaddings, copyBackOp };
    return stepOn(random, fresh, 'structured.pad', handle, attributes, [undefined, undefined, undefined]);
  },
];

/** Tile sizes of one op as payload arithmetic. */
export const drawSizes = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const [first, ...others] = handle.operations;
  const ranges = first === undefined ? [] : rangesOf(first);
  if (others.length > 0 || ranges.length === 0) return undefined;
  const attributes = { dimension: random.integer(0, ranges.length - 1), targetSize: random.integer(1, 4) };
  const sizes = (name: string, count: number): Step => ({
    ...stepOn(random, fresh, `structured.${name}`, handle, attributes, []),
    results: Array.from({ length: count }, () => ({ name: fresh(), promises: undefined })),
  });
  return [0.4, () => (random.chance(0.5) ? sizes('continuous_tile_sizes', 2) : sizes('multitile_sizes', 3))];
};

/** Fuses a producer into a loop that reads it. */
export const drawFuseInto = (
  random: Random,
  fresh: Fresh,
  handle: LiveHandle,
  { handles }: View,
): Candidate | undefined => {
  const [producer, ...others] = handle.operations;
  if (producer === undefined || others.length > 0) return undefined;
  const made = new Set(producer.results.map(({ id }) => id));
  const loops = handles.filter(({ operations: [loop, ...more] }) => {
    if (loop === undefined || more.length > 0 || !/^scf\.for(all)?$/.test(loop.name)) return false;
    return [...walk(loop)].some(({ operands }) => operands.some(({ id }) => made.has(id)));
  });
  if (loops.length === 0) return undefined;
  return [
    15,
    () => {
      const results = [undefined, undefined];
      const step = stepOn(random, fresh, 'structured.fuse_into_containing_op', handle, {}, results);
      const { name, promises } = random.pick(loops);
      return { ...step, operands: [...step.operands, { name, promises }] };
    },
  ];
};

/** Permutes outer or inner dimensions of a packing of another handle's op. */
export const drawPackTranspose = (
  random: Random,
  fresh: Fresh,
  handle: LiveHandle,
  { handles }: View,
): Candidate | undefined => {
  const [packing, ...more] = handle.operations;
  const uses = handles.filter(({ operations: [op, ...others] }) => {
    if (op === undefined || packing === undefined || others.length > 0) return false;
    return packing.name === 'tensor.pack'
      ? op.operands.some(({ id }) => id === packing.results[0]!.id)
      : op.results.some(({ id }) => id === packing.operands[0]!.id);
  });
  if (more.length > 0 || uses.length === 0) return undefined;
  return [
    40,
    () => {
      const { shape } = (
        packing!.name === 'tensor.pack' ? pack.operands(packing!).source : unpack.operands(packing!).dest
      ).type;
      const outerPerm = random.shuffled(shape.map((_, i) => i));
      const step = stepOn(random, fresh, 'structured.pack_transpose', handle, { outerPerm }, [
        undefined,
        undefined,
        undefined,
      ]);
      const { name, promises } = random.pick(uses);
      return { ...step, operands: [...step.operands, { name, promises }] };
    },
  ];
};

/** The lowerings of packings, with the names of all their results. */
export const lowerings: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  'tensor.pack': ['structured.lower_pack', ['tensor.pad', 'tensor.expand_shape', 'linalg.transpose']],
  'tensor.unpack': [
    'structured.lower_unpack',
    ['tensor.empty', 'linalg.transpose', 'tensor.collapse_shape', 'tensor.extract_slice'],
  ],
};

export const drawLowering = (random: Random, fresh: Fresh, handle: LiveHandle): Candidate | undefined => {
  const lowering = lowerings[handle.promises ?? ''];
  if (lowering === undefined) return undefined;
  const [name, promised] = lowering;
  return [
    20,
    () => ({
      ...stepOn(random, fresh, name, handle, {}, []),
      results: promised.map((promises) => ({ name: fresh(), promises })),
    }),
  ];
};

/** Steps on handles with only generic ops. */
export const onGenerics = (
  random: Random,
  fresh: Fresh,
  handle: LiveHandle,
  inLoops: ReadonlySet<Id>,
): readonly Candidate[] => {
  const simple = (weight: number, name: string, results: readonly string[]): Candidate => [
    weight,
    () => stepOn(random, fresh, `structured.${name}`, handle, {}, results),
  ];
  const { operations } = handle;
  const maps = operations.map(mapsText);
  const every = (wanted: string): boolean => maps.every((text) => text === wanted);
  const reads = operations.every(hasExtract);
  const isInLoop = operations.every(({ id }) => inLoops.has(id));
  const multipackWeight = !reads ? 0.03 : !isInLoop ? 0.1 : operations.every(isPacking) ? 30 : 1.5;
  const candidates: readonly (Candidate | undefined)[] = [
    drawSplit(random, fresh, handle),
    drawSplitReduction(random, fresh, handle),
    drawTileReduction(random, fresh, handle),
    drawVectorize(random, fresh, handle),
    drawTile(random, fresh, handle),
    drawForall(random, fresh, handle),
    [0.2, () => stepOn(random, fresh, 'structured.scalarize', handle, {}, [generic])],
    drawGather(random, fresh, handle),
    drawPack(random, fresh, handle),
    simple(0.2, 'generalize', [generic]),
    simple(reads ? 1.2 : 0.1, 'delinearize', []),
    simple(reads ? 1.2 : 0.1, 'fold_pad', []),
    // Non-elementwise ops stay, with a warning.
    simple(handle.operations.every(isElementwise) ? 1 : 0.02, 'fuse_epilogue', [generic]),
    maps.every((text) => text.endsWith('d1 d4 d5 d6, d0 d1 d2 d3'))
      ? simple(30, 'linearize', [generic])
      : undefined,
    every(`${filters}, ${output}`) && reads ? simple(15, 'pack_windows', [generic, generic]) : undefined,
    every(`${packedWindows}, ${filters}, ${output}`)
      ? simple(40, 'pack_filters', [generic, generic])
      : undefined,
    every(`${packedWindows}, ${packedFilters}, ${output}`)
      ? simple(40, 'form_microkernel', [generic])
      : undefined,
    simple(multipackWeight, 'multipack', [generic]),
  ];
  return candidates.filter((candidate) => candidate !== undefined);
};

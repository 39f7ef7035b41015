/**
 * Chains of elementwise ops as one op, which reads each tensor once and keeps what lies between in registers.
 *
 *     %b = linalg.add ins(%a, %three)                %d = linalg.generic ins(%a, %three, %six) {
 *     %c = linalg.min ins(%b, %six)            →       … arith.addf … arith.minimumf … arith.mulf …
 *     %d = linalg.mul ins(%a, %c)                    }
 *
 * An op that follows a sum can be fused into the loops of that only if nothing else reads the sum: here `%a` has two
 * readers before, and one after. Nothing is computed twice: the ops in between have no other readers, and are read
 * where they are written.
 */
import { compose, equals, isIdentity, isPermutation, makeMap } from '@sconv/affine';
import type { AffineMap } from '@sconv/affine';
import { elementTypeOf, indexDimensions, isTensorValue } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { generic, structured } from '@sconv/dialects/linalg';
import { success } from '@sconv/diagnostics';
import type { Location } from '@sconv/diagnostics';
import type { DraftBlock, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { definePass, edit, effectsBelow, isStaticShape, terminatorOf } from '@sconv/ir';

/** Fuses all chains of elementwise ops on tensors of static shape below `root`. */
export const fuseElementwise = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    let consumer = operation;
    for (;;) {
      const view = elementwise(rewriter, consumer);
      const producer = view && producerToFuse(rewriter, consumer, view);
      if (view === undefined || producer === undefined) break;
      consumer = fused(rewriter, consumer, view, producer);
    }
  }
};

/** An elementwise op, as a structured op with a body. */
type Elementwise = StructuredOp & { readonly body: DraftBlock };

const elementwise = (rewriter: Rewriter, operation: DraftOperation): Elementwise | undefined => {
  const [result, ...others] = operation.results;
  if (result === undefined || others.length > 0 || !isTensorValue(result) || !isStaticShape(result.type))
    return undefined;
  const view = structured(rewriter.registry, operation);
  if (view?.body === undefined || view.iteratorTypes.some((type) => type !== 'parallel')) return undefined;
  const written = view.indexingMaps.at(-1)!;
  const isPlain = view.indexingMaps.every(({ results }) =>
    results.every((expr) => expr.kind === 'dim' || (expr.kind === 'constant' && expr.value === 0)),
  );
  if (!isPlain || !isPermutation(written) || indexDimensions(operation).length > 0) return undefined;
  return effectsBelow(rewriter.registry, operation)?.length === 0 ? (view as Elementwise) : undefined;
};

/** An elementwise op, all of whose results are read by a consumer, each where it is written. */
interface Producer {
  readonly operation: DraftOperation;
  readonly view: Elementwise;
  /** The consumer's iteration dimension of each of the producer's. */
  readonly dims: AffineMap;
}

const producerToFuse = (
  rewriter: Rewriter,
  consumer: DraftOperation,
  view: Elementwise,
): Producer | undefined => {
  const read = new Set(view.inputs.filter((value) => isTensorValue(value)));
  for (const value of read) {
    const operation = rewriter.definingOperation(value);
    if (operation === undefined || operation.block !== consumer.block) continue;
    if (view.outputs.includes(value) || [...rewriter.users(value)].some((user) => user !== consumer))
      continue;
    const own = elementwise(rewriter, operation);
    if (own === undefined) continue;
    const maps = view.inputs.flatMap((input, i) => (input === value ? [view.indexingMaps[i]!] : []));
    const [map, ...others] = maps.map((each) => dimsThrough(own.indexingMaps.at(-1)!, each));
    if (map === undefined || others.some((each) => each === undefined || !equals(each, map))) continue;
    if (transposes(own, map)) continue;
    return { operation, view: own, dims: map };
  }
  return undefined;
};

/** The iteration dimensions of a reader by those of the writer; undefined unless each element is read once. */
const dimsThrough = (written: AffineMap, read: AffineMap): AffineMap | undefined => {
  if (!isPermutation(read)) return undefined;
  const positions = written.results.map((expr) => (expr.kind === 'dim' ? expr.position : -1));
  return makeMap(
    read.numDims,
    0,
    positions.map((_, dimension) => read.results[positions.indexOf(dimension)]!),
  );
};

/** Whether a tensor would be read in another order than it is written: what follows is then slower than a copy. */
const transposes = ({ indexingMaps }: Elementwise, dims: AffineMap): boolean =>
  indexingMaps.slice(0, -1).some((map) => {
    const read = compose(map, dims);
    return isPermutation(read) && !isIdentity(read);
  });

/** An operand of the fused op, and the argument of its body. */
interface Read {
  readonly value: Value;
  readonly map: AffineMap;
}

/** Replaces a consumer and a producer by one op. */
const fused = (
  rewriter: Rewriter,
  consumer: DraftOperation,
  view: Elementwise,
  { operation, view: made, dims }: Producer,
): DraftOperation => {
  const inputs: Read[] = [];
  const positionOf = (read: Read): number => {
    const known = inputs.findIndex(({ value, map }) => value === read.value && equals(map, read.map));
    return known >= 0 ? known : inputs.push(read) - 1;
  };
  const [product] = operation.results;
  // What the producer reads of its destination becomes an input.
  const ofProducer = readsOf(made).map((read) =>
    read === undefined ? undefined : positionOf({ value: read.value, map: compose(read.map, dims) }),
  );
  const all = readsOf(view);
  const ofConsumer = all.map((read, i) =>
    read === undefined || read.value === product || i >= view.inputs.length ? undefined : positionOf(read),
  );
  rewriter.setInsertionPointBefore(consumer);
  const [destination] = view.outputs;
  const result = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: inputs.map(({ value }) => value), outputs: [destination!] },
      attributes: {
        indexingMaps: [...inputs.map(({ map }) => map), view.indexingMaps.at(-1)!],
        iteratorTypes: view.iteratorTypes,
      },
      bodies: [undefined],
      location: bothLocations(operation.location, consumer.location),
    }),
  );
  const types = [...inputs.map(({ value }) => value), destination!].map(({ type }) => elementTypeOf(type));
  const body = rewriter.createBlock(result.regions[0]!, types);
  const argument = (position: number | undefined): Value => body.arguments[position ?? inputs.length]!;
  rewriter.setInsertionPointToEnd(body);
  const yielded = inline(rewriter, made.body, ofProducer.map(argument));
  const values = all.map((read, i) => (read?.value === product ? yielded : argument(ofConsumer[i])));
  rewriter.inlineBlock(view.body, values.slice(0, view.body.arguments.length));
  rewriter.replaceOperation(consumer, result.results, [result]);
  rewriter.eraseOperation(operation);
  return result;
};

/** The value that a body yields, whose other operations are moved to the insertion point. */
const inline = (rewriter: Rewriter, block: DraftBlock, values: readonly Value[]): Value => {
  const terminator = terminatorOf(block);
  rewriter.inlineBlock(block, values.slice(0, block.arguments.length));
  const [yielded] = terminator.operands;
  rewriter.eraseOperation(terminator);
  return yielded!;
};

/** What each argument of a body is an element of; undefined if the body does not use it. */
const readsOf = ({ inputs, outputs, indexingMaps, body }: Elementwise): readonly (Read | undefined)[] => {
  const used = new Set(body.operations.flatMap(({ operands }) => operands.map(({ id }) => id)));
  return [...inputs, ...outputs].map((value, i) => {
    const argument = body.arguments[i];
    return argument !== undefined && used.has(argument.id) ? { value, map: indexingMaps[i]! } : undefined;
  });
};

/** The location of an op that does the work of two. */
const bothLocations = (a: Location, b: Location): Location => {
  const [first, second] = [a, b].map((each) => (each.kind === 'fused' ? each.locations : [each]));
  return { kind: 'fused', locations: [...first!, ...second!] };
};

/** `fuseElementwise` as a pass. */
export const fuseElementwisePass = definePass({
  name: 'fuse-elementwise',
  title: 'FuseElementwise',
  summary: 'fuse chains of elementwise ops on tensors, computing nothing twice',
  options: {},
  run: (module, _options, { registry }) =>
    success(edit(module, { registry }, (rewriter) => fuseElementwise(rewriter, rewriter.root)).module),
});

/** `scf.forall`: iterations insert into the buffers that they share. */
import { runsAtLeastOnce } from '@sconv/dialects';
import { firstInit, forall, forallBounds } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import type { ModelContext, OpModel } from '../op-model.ts';
import { entryBlock } from '../rewriting/entry-block.ts';
import { carrierOf, constantOf, positionOf } from './scf-parts.ts';

const sharedBy = (loop: DraftOperation): readonly Value[] =>
  entryBlock(loop).arguments.slice(entryBlock(loop).arguments.length - loop.results.length);

const repeats = (operation: DraftOperation, context: ModelContext): boolean =>
  forallBounds(operation).some(({ lower, upper, step }) => {
    const [first, last, by] = [lower, upper, step].map((index) => constantOf(context, index));
    return first === undefined || last === undefined || by === undefined || first + by < last;
  });

export const forallModel: OpModel = {
  holdsTensors: true,
  // Elements that no iteration inserts keep their value.
  reads: () => true,
  writes: () => true,
  aliases: (operand) => [{ value: carrierOf(operand), relation: 'same' }],
  isWritable: () => true,
  upstream: {
    reads: ({ operation, index }, state) => {
      const runs = forallBounds(operation).every((each) =>
        runsAtLeastOnce(each, (bound) => constantOf(state, bound)),
      );
      return !runs || state.isRead(sharedBy(operation)[index - firstInit(operation)]!);
    },
    isRepetitive: (operation, _region, state) => repeats(operation, state),
    isParallel: (operation, _region, state) => repeats(operation, state),
  },
  bufferType: (value, loop, types) => {
    const position = Math.max(positionOf(sharedBy(loop), value), positionOf(loop.results, value));
    return types.ofBuffer(loop.operands[firstInit(loop) + position]!);
  },
  bufferize: (loop, b) => {
    const { rewriter } = b;
    const { outputs, ...bounds } = forall.operands(loop);
    const buffers = outputs.map((value) => b.buffer(value));
    const body = entryBlock(loop);
    rewriter.setInsertionPointBefore(loop);
    const created = rewriter.create(
      forall.state<Rewriter>({
        operands: { ...bounds, outputs: [] },
        attributes: forall.attributes(loop),
        extra: discardable(loop),
        resultTypes: [],
        bodies: [
          {
            argumentTypes: body.arguments
              .slice(0, body.arguments.length - buffers.length)
              .map(({ type }) => type),
            build: (builder, ...counters) => {
              const shared = buffers.map((buffer) => b.bridged(buffer));
              builder.inlineBlock(body, [...counters, ...shared]);
            },
          },
        ],
        location: loop.location,
      }),
    );
    b.bufferizeRegions(created);
    b.replace(loop, buffers, [created]);
  },
};

/** The discardable attributes of a loop: those that its definition does not declare. */
const discardable = ({ attributes }: DraftOperation): DraftOperation['attributes'] => {
  const own = ['staticLowerBound', 'staticUpperBound', 'staticStep', 'mapping', 'operandSegmentSizes'];
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !own.includes(name)));
};

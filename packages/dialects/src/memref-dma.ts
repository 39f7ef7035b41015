/** DMA ops: their operands are accesses (a buffer and its indices), one after another. */
import type { Operation, UnresolvedOperand, Value } from '@sconv/ir';
import { anyType, defineOp, index, indexType, one, variadic } from '@sconv/ir';
import { memref, shapeOf } from './constraints.ts';

/** A buffer and its indices, starting at operand `start`, as far as they exist. */
interface Access {
  readonly buffer: Value | undefined;
  readonly indices: readonly Value[];
  readonly end: number;
}

const accessAt = (operands: readonly Value[], start: number): Access => {
  const buffer = operands[start];
  const rank = buffer?.type.kind === 'memref' ? buffer.type.shape.length : 0;
  const end = start + 1 + rank;
  return { buffer, indices: operands.slice(start + 1, end), end };
};

/** Source, destination, number of elements, tag, and optionally a stride and the number of elements per stride. */
const partsOf = (operands: readonly Value[]) => {
  const source = accessAt(operands, 0);
  const dest = accessAt(operands, source.end);
  const tag = accessAt(operands, dest.end + 1);
  return { source, dest, count: operands[dest.end], tag, stride: operands.slice(tag.end) };
};

const areIndices = (values: readonly Value[]): boolean => values.every(({ type }) => type.kind === 'index');

function* transferErrors({ operands }: Operation): Generator<string> {
  const { source, dest, count, tag, stride } = partsOf(operands);
  const tooFew = (wanted: number): boolean => operands.length < wanted;
  const few = (wanted: number): string => `expected at least ${wanted} operands`;
  if (tooFew(4)) yield few(4);
  else if (source.buffer?.type.kind !== 'memref') yield 'expected source to be of memref type';
  else if (tooFew(source.end + 3)) yield few(source.end + 3);
  else if (!areIndices(source.indices)) yield 'expected source indices to be of index type';
  else if (dest.buffer?.type.kind !== 'memref') yield 'expected destination to be of memref type';
  else if (tooFew(dest.end + 2)) yield few(dest.end + 2);
  else if (!areIndices(dest.indices)) yield 'expected destination indices to be of index type';
  else if (count?.type.kind !== 'index') yield 'expected num elements to be of index type';
  else if (tag.buffer?.type.kind !== 'memref') yield 'expected tag to be of memref type';
  else if (tooFew(tag.end)) yield few(tag.end);
  else if (!areIndices(tag.indices)) yield 'expected tag indices to be of index type';
  else if (stride.length !== 0 && stride.length !== 2) yield 'incorrect number of operands';
  else if (!areIndices(stride)) yield 'expected stride and num elements per stride to be of type index';
}

/** `memref.dma_start %src[%i], %dst[%j], %n, %tag[%k] : memref<8xf32>, memref<8xf32, 2>, memref<1xi32>`. */
export const dmaStart = defineOp({
  name: 'memref.dma_start',
  summary: 'begins a transfer',
  operands: { operands: variadic(anyType) },
  assembly: {
    parse: (parser) => {
      const access = (): readonly [UnresolvedOperand, readonly UnresolvedOperand[]] => [
        parser.operand(),
        parser.list('square', () => parser.operand()),
      ];
      const source = access();
      parser.expect(',');
      const dest = access();
      parser.expect(',');
      const count = parser.operand();
      parser.expect(',');
      const tag = access();
      const stride: UnresolvedOperand[] = [];
      while (parser.accept(',')) stride.push(parser.operand());
      if (stride.length !== 0 && stride.length !== 2)
        parser.fail('expected two stride related operands', parser.location);
      const attributes = parser.optionalAttrDict();
      const types = parser.colonTypeList();
      if (types.length !== 3) parser.fail('fewer/more types expected', parser.location);
      const resolved = ([buffer, indices]: ReturnType<typeof access>, i: number): readonly Value[] => [
        parser.resolve(buffer, types[i]!),
        ...indices.map((operand) => parser.resolve(operand, indexType)),
      ];
      const numbers = (operands: readonly UnresolvedOperand[]): readonly Value[] =>
        operands.map((operand) => parser.resolve(operand, indexType));
      return {
        attributes,
        operands: [
          ...resolved(source, 0),
          ...resolved(dest, 1),
          ...numbers([count]),
          ...resolved(tag, 2),
          ...numbers(stride),
        ],
      };
    },
    print: (printer, operation) => {
      const { source, dest, count, tag, stride } = partsOf(operation.operands);
      const access = ({ buffer, indices }: Access): void => {
        if (buffer !== undefined) printer.operand(buffer);
        printer.text('[');
        printer.operands(indices);
        printer.text(']');
      };
      printer.text(' ');
      access(source);
      printer.text(', ');
      access(dest);
      printer.text(', ');
      if (count !== undefined) printer.operand(count);
      printer.text(', ');
      access(tag);
      for (const value of stride) {
        printer.text(', ');
        printer.operand(value);
      }
      printer.optionalAttrDict(operation);
      printer.text(' : ');
      printer.types([source, dest, tag].flatMap(({ buffer }) => (buffer === undefined ? [] : [buffer.type])));
    },
  },
  verify: ({ operation }) => transferErrors(operation),
});

/** `memref.dma_wait %tag[%i], %n : memref<1xi32>`. */
export const dmaWait = defineOp({
  name: 'memref.dma_wait',
  summary: 'waits for a transfer',
  operands: { tagMemRef: one(memref), tagIndices: variadic(index), numElements: one(index) },
  assembly: { format: '$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)' },
  *verify({ operands: { tagMemRef, tagIndices } }) {
    const { length: rank } = shapeOf(tagMemRef.type) ?? [];
    if (tagIndices.length !== rank)
      yield (
        'expected tagIndices to have the same number of elements as the tagMemRef rank, expected ' +
        `${rank}, but got ${tagIndices.length}`
      );
  },
});

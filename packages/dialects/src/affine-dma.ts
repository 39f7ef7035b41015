/**
 * DMA ops of the affine dialect. Their maps are plain attributes: upstream does not define these ops in ODS, so the
 * generic form shows no properties.
 */
import type { OpAsmParser, OpAsmPrinter, Operation, UnresolvedOperand, Value } from '@sconv/ir';
import { anyType, defineOp, indexType, variadic } from '@sconv/ir';
import { parseAccess, printAccess, resolveAccess } from './affine-text.ts';

/** Splits an op's operands into the accesses through the maps of these names, and the rest. */
const accessesOf = (
  operation: Operation,
  names: readonly string[],
): { readonly accesses: readonly (readonly Value[])[]; readonly rest: readonly Value[] } => {
  let next = 0;
  const accesses = names.map((name) => {
    const map = operation.attributes[name];
    const indices = map?.kind === 'affine-map' ? map.map.numDims + map.map.numSymbols : 0;
    const access = operation.operands.slice(next, next + 1 + indices);
    next += access.length;
    return access;
  });
  return { accesses, rest: operation.operands.slice(next) };
};

const parseTransfer = (parser: OpAsmParser, names: readonly string[]) => {
  const accesses = names.map((_, i) => {
    if (i > 0) parser.expect(',');
    return parseAccess(parser);
  });
  const sizes: UnresolvedOperand[] = [];
  while (parser.accept(',')) sizes.push(parser.operand());
  const location = parser.here();
  const types = parser.colonTypeList();
  if (types.length !== accesses.length) parser.fail('expected one type for each buffer', location);
  const operands = accesses.flatMap((access, i) => resolveAccess(parser, access, types[i]!));
  return {
    operands: [...operands, ...sizes.map((size) => parser.resolve(size, indexType))],
    attributes: Object.fromEntries(accesses.map((access, i) => [names[i]!, access.map])),
  };
};

const printTransfer = (printer: OpAsmPrinter, operation: Operation, names: readonly string[]): void => {
  const { accesses, rest } = accessesOf(operation, names);
  accesses.forEach(([buffer, ...indices], i) => {
    if (buffer === undefined) return;
    printer.text(i === 0 ? ' ' : ', ');
    printer.operand(buffer);
    printAccess(printer, operation.attributes[names[i]!], indices);
  });
  for (const value of rest) {
    printer.text(', ');
    printer.operand(value);
  }
  printer.text(' : ');
  printer.types(accesses.flatMap(([buffer]) => (buffer === undefined ? [] : [buffer.type])));
};

const transfer = (mnemonic: string, summary: string, names: readonly string[]) =>
  defineOp({
    name: `affine.${mnemonic}`,
    summary,
    operands: { operands: variadic(anyType) },
    assembly: {
      parse: (parser) => parseTransfer(parser, names),
      print: (printer, operation) => {
        printTransfer(printer, operation, names);
      },
    },
    *verify({ operation }) {
      const missing = names.find((name) => operation.attributes[name]?.kind !== 'affine-map');
      if (missing !== undefined) {
        yield `requires an affine map attribute '${missing}'`;
        return;
      }
      const { accesses, rest } = accessesOf(operation, names);
      // The number of elements, and for a start optionally a stride and the number of elements per stride.
      const counts = names.length === 1 ? [1] : [1, 3];
      const buffers = accesses.map(([buffer]) => buffer?.type.kind);
      const indices = [...accesses.flatMap((access) => access.slice(1)), ...rest];
      if (!counts.includes(rest.length)) yield 'incorrect number of operands';
      else if (buffers.some((kind) => kind !== 'memref')) yield 'expected buffers to be of memref type';
      else if (indices.some(({ type }) => type.kind !== 'index'))
        yield "indices and sizes must have 'index' type";
    },
  });

/** `affine.dma_start %src[%i], %dst[%j], %tag[0], %n : memref<8xf32>, memref<8xf32, 2>, memref<1xi32>`. */
export const affineDmaStart = transfer('dma_start', 'begins a transfer', ['src_map', 'dst_map', 'tag_map']);
/** `affine.dma_wait %tag[0], %n : memref<1xi32>`. */
export const affineDmaWait = transfer('dma_wait', 'waits for a transfer', ['tag_map']);

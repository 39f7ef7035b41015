/** Parsed payloads and schedules, with the transforms that the tests use. */
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import type { Module } from '@sconv/ir';
import { createRegistry, extendRegistry, parseModule } from '@sconv/ir';
import { transforms as normalization } from '@sconv/normalization/transforms';
import { transforms as splitting } from '@sconv/splitting/transforms';
import { transforms as tiling } from '@sconv/tiling/transforms';
import { transformDialect, transformDialectOf } from '@sconv/transform';
import { exampleConvolution, sequenceText } from '@sconv/transform/testing';
import type { RunDocument } from '../../src/index.ts';
import { recordRun } from '../../src/index.ts';
import { faults } from './faults.ts';

export const registry = extendRegistry(createRegistry([...payloadDialects, transformDialect]), [
  transformDialectOf([...normalization, ...splitting, ...tiling, ...faults]),
]);

export const parse = (text: string, fileName: string): Module =>
  unwrap(parseModule(text, { registry, fileName }));

export const convolution = parse(exampleConvolution, 'payload.mlir');

/** The lines of a sequence on `%root`. */
export const script = (lines: string): Module => parse(sequenceText(lines), 'schedule.mlir');

/** The document of a run of these lines. */
export const recorded = (lines: string, payload: Module = convolution): RunDocument => {
  const text = sequenceText(lines);
  return recordRun(parse(text, 'schedule.mlir'), payload, {
    registry,
    times: false,
    payloadSource: { name: 'payload.mlir', text: '' },
    scheduleSource: { name: 'schedule.mlir', text },
  }).document;
};

/** Script lines: the convolution, as `%generic`. */
export const generic = `%conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
%generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op`;

/** Script lines: tiles it. */
export const tiled = `${generic}
%tiled, %loops:2 = transform.structured.tile_using_for %generic tile_sizes [0, 2, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)`;

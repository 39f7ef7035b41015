/** Upstream's transform ops are refused in its words. */
import { expect, it } from 'vitest';
import { parseModule } from '@sconv/ir';
import { hasMlirOpt, refusalOf } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { transformRefusals } from './support/transform-refusals.ts';

const lineOf = (text: string): string => text.split('\n').find((line) => line.includes('error: ')) ?? text;

it.each(transformRefusals)('%s is refused', (script, message) => {
  const { diagnostics } = parseModule(script, { registry });
  expect(diagnostics[0]?.message).toContain(message);
});

it.runIf(hasMlirOpt).each(transformRefusals)('mlir-opt-19 refuses %s', (script, message) => {
  expect(lineOf(refusalOf(script))).toContain(message);
});

import { describe, expect, it } from 'vitest';
import { printModule } from '@sconv/ir';
import { cases, listing1 } from './support/convolutions.ts';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { stagesOfCase } from './support/stages.ts';

const trimmed = (texts: readonly string[]) => texts.map((text) => text.trim());

describe.skipIf(!hasMlirOpt)('mlir-opt-19 reads, verifies and prints as we do', () => {
  it.each([...cases, ...listing1])('every stage of $name', (each) => {
    const modules = stagesOfCase(each).map(({ module }) => module);
    for (const generic of [false, true]) {
      const printed = modules.map((module) => printModule(module, { registry, generic }));
      const theirs = mlirOpt(printed, generic ? ['--mlir-print-op-generic'] : []);
      expect(trimmed(theirs)).toEqual(trimmed(printed));
    }
  });
});

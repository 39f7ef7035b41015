import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { printModule, verify } from '@sconv/ir';
import { hasBehaviour, isTransformOp, runSchedule, schedule, transformDialect } from '@sconv/transform';
import { examples } from './support/examples.ts';
import { registry } from './support/registry.ts';
import { parse, sequence } from './support/stages.ts';

const definitions = [...registry.operations.values()].filter(isTransformOp).filter(hasBehaviour);

const core = new Set(transformDialect.operations.map(({ name }) => name));

const named = Object.entries(examples).flatMap(([name, own]) =>
  own!.map((example) => ({ ...example, name })),
);

describe('the examples', () => {
  it('exist for every transform of a pass', () => {
    // The core's ops are covered by the tests of their package.
    expect(definitions.filter(({ name }) => !core.has(name) && examples[name] === undefined)).toEqual([]);
  });

  it.each(named)('$name: $title', ({ payload, script, record }) => {
    const module = parse(payload, 'payload.mlir');
    const asText = unwrap(runSchedule(parse(sequence(script), 'script.mlir'), module, { registry })).module;
    const asCode = unwrap(schedule(record).run(module, { registry })).module;
    expect(printModule(asCode, { registry })).toBe(printModule(asText, { registry }));
    expect(printModule(asText, { registry })).not.toBe(printModule(module, { registry }));
    expect(verify(asText, registry)).toEqual([]);
  });
});

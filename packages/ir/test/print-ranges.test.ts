import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { TextRange } from '../src/index.ts';
import { parseModule, printModule, printModuleWithRanges, printOperation, walk } from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const source = `#map = affine_map<(d0) -> (d0 + 1)>
test.func @f(%x: index, %flag: i1) {
  %a:2 = "a.b"(%x) {m = #map} : (index) -> (i32, i32)
  %low, %high, %rest:3 = test.pair : index, index, index
  "a.branch"(%a#1)[^next] : (i32) -> ()
^next:
  "a.region"(%rest#2) ({
  ^bb0(%y: i32):
    "a.use"(%y, %a#0, %flag) : (i32, i32, i1) -> ()
  }) : (index) -> ()
  return
}`;

describe('the places of what is printed', () => {
  const module = parse(source);

  it.each([{}, { generic: true }, { debugInfo: true }, { debugInfo: true, localScope: true }])(
    'with %j are those of the text',
    (options) => {
      const { text, ranges } = unwrap(printModuleWithRanges(module, { registry, ...options }));
      expect(text).toBe(printModule(module, { registry, ...options }));
      const at = ({ start, end }: TextRange): string => text.slice(start, end);
      for (const operation of walk(module.root)) {
        const { name, ...range } = ranges.operations.get(operation.id)!;
        expect(at(name).replaceAll('"', '')).toMatch(/^(builtin\.)?(module|test|a\.|return|pair)/);
        expect(operation.name).toContain(at(name).replaceAll('"', ''));
        const printed = at(range);
        expect(printed).toMatch(/^["%a-z]/);
        expect(printed.at(-1)).toMatch(/[)}\w]/);
        for (const { id } of operation.operands) {
          const { definition, uses } = ranges.values.get(id)!;
          const isHere = uses.some((use) => range.start <= use.start && use.end <= range.end);
          expect(isHere).toBe(true);
          for (const use of uses) expect(at(use).replace(/#\d+$/, '')).toBe(at(definition!));
        }
      }
      const [block] = [...ranges.blocks.values()].filter(({ uses }) => uses.length > 0);
      expect([block!.definition!, ...block!.uses].map(at)).toEqual(['^bb1', '^bb1']);
    },
  );

  it('include each name of several results', () => {
    const { text, ranges } = unwrap(printModuleWithRanges(module, { registry }));
    const pair = [...walk(module.root)].find(({ name }) => name === 'test.pair')!;
    const names = pair.results.map(({ id }) => ranges.values.get(id)!.definition!);
    expect(names.map(({ start, end }) => text.slice(start, end))).toEqual([
      '%low',
      '%high',
      '%1',
      '%1',
      '%1',
    ]);
  });

  it('are missing for what the text leaves out', () => {
    const { ranges } = unwrap(printModuleWithRanges(module, { registry, skipRegions: true }));
    expect(ranges.operations.size).toBe(1);
    expect(ranges.values.size).toBe(0);
  });
});

describe('constants above a size', () => {
  const text = `"a.b"() {
    few = dense<[1, 2]> : tensor<2xi32>,
    many = dense<[1, 2, 3]> : tensor<3xi32>,
    one = dense<1> : tensor<300xi32>
  } : () -> ()`;
  const elided =
    '{few = dense<[1, 2]> : tensor<2xi32>, many = dense_resource<__elided__> : tensor<3xi32>, one = ';

  it('are elided on request, as upstream elides them', () => {
    const module = parse(text);
    expect(printModule(module, { registry, elideElementsAbove: 2 })).toContain(elided);
    expect(printModule(module, { registry, elideElementsAbove: 2, localScope: true })).toContain(elided);
    expect(printModule(module, { registry, elideElementsAbove: 3 })).not.toContain('__elided__');
    expect(printModule(module, { registry })).not.toContain('__elided__');
  });

  it('are elided in the text of one operation', () => {
    const operation = parse(text).root.regions[0]!.blocks[0]!.operations[0]!;
    expect(printOperation(operation, { registry, elideElementsAbove: 2 })).toContain(elided);
  });

  it('have the key of an elided constant, which is read as a resource without bytes', () => {
    const printed = printModule(parse(text), { registry, elideElementsAbove: 1 });
    expect(parseModule(printed, { registry, allowUnregisteredDialects: true }).status).toBe('success');
  });
});

/** Upstream's transform ops print as in `mlir-opt-19` after parsing. */
import { describe, expect, it } from 'vitest';
import { printModule } from '@sconv/ir';
import { isTransformOp } from '@sconv/transform';
import { examples } from './support/examples.ts';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';
import { transformTexts } from './support/transform-texts.ts';

const op = '!transform.any_op';
const others = [
  [`@matcher(%arg0: ${op} {transform.readonly}) -> ${op}`, `transform.yield %arg0 : ${op}`],
  [`@action(%arg0: ${op} {transform.readonly})`, 'transform.yield '],
  [
    `@matcher2(%arg0: ${op} {transform.readonly}, %arg1: ${op} {transform.readonly}) -> ${op}`,
    `transform.yield %arg0 : ${op}`,
  ],
  [`@action2(%arg0: ${op} {transform.readonly}) -> ${op}`, `transform.yield %arg0 : ${op}`],
].map(([head, body]) => `  transform.named_sequence ${head!} {\n    ${body!}\n  }\n`);

/** A script of these lines in printed form. */
const script = (lines: string): string =>
  `module attributes {transform.with_named_sequence} {
${others.join('')}  transform.named_sequence @__transform_main(%arg0: ${op} {transform.consumed}, %arg1: !transform.any_value {transform.readonly}, %arg2: !transform.param<i64> {transform.readonly}) {
    ${lines}
    transform.yield 
  }
}
`;

const printed = (text: string, generic: boolean): string =>
  printModule(parse(text, 'script.mlir'), { registry, generic });
const scripts = transformTexts.map(script);

/** Ops of upstream's own tests, and of dialects that are not supported. */
const isElsewhere = (name: string): boolean =>
  /^transform\.(test|pdl_match|with_pdl_patterns|irdl)/.test(name);

/** Ops whose texts are tested in their package. */
const withTests = new Set(
  [
    ...['alternatives', 'cast', 'foreach', 'include', 'merge_handles', 'named_sequence', 'param.constant'],
    ...['sequence', 'split_handle', 'structured.match', 'yield', 'tune.knob', 'tune.alternatives'],
  ].map((name) => `transform.${name}`),
);

describe('a transform op', () => {
  it('is among these texts, the examples of its package or those of its tests', () => {
    const missing = [...registry.operations.values()]
      .filter(
        (definition) =>
          isTransformOp(definition) &&
          !withTests.has(definition.name) &&
          (examples[definition.name] ?? []).length === 0,
      )
      .map(({ name }) => name)
      .filter(
        (name) =>
          !isElsewhere(name) &&
          !transformTexts.some((text) => text.includes(`${name} `) || text.trim() === name),
      );
    expect(missing).toEqual([]);
  });

  it.each(scripts.map((text, i) => [transformTexts[i]!, text]))('is printed as it is read: %s', (_, text) => {
    expect(printed(text, false)).toBe(text);
    expect(printed(printed(text, true), false)).toBe(text);
  });

  it.each([
    [
      `%0:2 = transform.structured.fuse %arg0 {tile_sizes = [4]} : (${op}) -> (${op}, ${op})`,
      `%transformed, %loops = transform.structured.fuse %arg0 [4] : (${op}) -> (${op}, ${op})`,
    ],
    [
      `transform.match.structured %arg0 : ${op} { ^bb0(%x: ${op}): }`,
      `transform.match.structured %arg0 : ${op} {\n    ^bb0(%arg3: ${op}):\n    }`,
    ],
  ])('is read in other words: %s', (written, canonical) => {
    expect(printed(script(written), false)).toContain(canonical);
  });

  it.runIf(hasMlirOpt)('is printed as by mlir-opt-19', () => {
    // Its complaint about a consumed argument is not an error, but its standard error is not read here.
    expect(mlirOpt(scripts)).toEqual(scripts.map((text) => `${text}\n`));
    expect(mlirOpt(scripts, ['--mlir-print-op-generic'])).toEqual(
      scripts.map((text) => `${printed(text, true)}\n`),
    );
  });
});

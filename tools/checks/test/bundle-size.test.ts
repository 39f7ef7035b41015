/**
 * What a page loads for a convolution, a plan, maps or a single step, and the dialects without their text:
 * `@sconv/data`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { minifiedSize } from '../support/bundle.ts';
import { output } from '../support/command.ts';
import { emptyFolder, install } from '../support/folder.ts';
import { closureOf, readPackages } from '../support/packages.ts';

const packages = readPackages();
const folder = emptyFolder(afterAll);
beforeAll(async () => {
  await install(folder, closureOf('sconv', packages), inject('tarballs'));
});

const split = `export { splitExactlyOp } from '@sconv/splitting';
  export { createRegistry, tryEdit } from '@sconv/ir';`;
/** A convolution or matrix product as a linalg.generic, and the ops that a split creates. */
const operations = `export { funcOp, returnOp } from '@sconv/dialects/func';
  export { addf, mulf } from '@sconv/dialects/arith';
  export { extractSlice, insertSlice } from '@sconv/dialects/tensor';
  export { generic, index, yieldOp } from '@sconv/dialects/linalg';`;
const dialects = ['func', 'arith', 'affine', 'tensor', 'linalg']
  .map((name) => `export { ${name}Dialect } from '@sconv/dialects/${name}';`)
  .join('\n');

const convolution = `export { compileConvolution } from 'sconv';`;
const maps = `export { affineMap, equivalent, simplify } from '@sconv/affine';
  export { absoluteInputMap, filterPackingMap } from '@sconv/packing-equations';`;
const plan = `export { convolution, planConvolution } from '@sconv/csa';`;
const model = `export { compileModel } from 'sconv/model';`;
/** All that is asked of integer sets, without text and maps: what decides. */
const sets = `export {
    basicSet, card, coalesce, complement, compose, domain, emptyRelation, emptySet, findCollision, gist, identityOn,
    image, intersect, intersectDomain, intersectRange, inverse, isDisjoint, isEmpty, isEqual, isFunction, isInjective,
    isPresburgerError, isSubset, isSurjective, lexmax, lexmaxPoint, lexmin, lexminPoint, pairs, preimage,
    presburgerSet, project, range, relation, relationSpace, removeRedundant, sample, setSpace, subtract, symbolsToDims,
    union, universeRelation, universeSet, withDivisions, withinSteps,
  } from '@sconv/presburger';`;
const setsOfText = `export { isSubset, lexmin, parseSet, print } from '@sconv/presburger';`;
const blas = `export { lowerToBlasOp } from '@sconv/blas';
  export { createRegistry, tryEdit } from '@sconv/ir';`;

describe('bytes of a page', () => {
  // A change that needs more has to raise the limit here.
  it.each([
    ['a convolution', convolution, [], 947_800],
    ['a saved program', `export { loadModel } from 'sconv/load';`, [], 35_000],
    ['a convolution with dialects as data', convolution, ['@sconv/data'], 816_800],
    ['a model with dialects as data', model, ['@sconv/data'], 1_600_000],
    ['maps and packing equations', maps, [], 40_850],
    ['integer sets', sets, [], 40_900],
    ['integer sets of text', setsOfText, [], 65_900],
    ['integer sets and maps, with text', `export * from '@sconv/presburger';`, [], 107_000],
    ['a plan', plan, [], 28_550],
    ['calls of BLAS', blas, [], 107_700],
    ['split', split, [], 83_850],
    ['split, and the operations that it meets', split + operations, [], 93_950],
    ['split as data', split, ['@sconv/data'], 65_750],
    ['split as data, and the operations that it meets', split + operations, ['@sconv/data'], 71_700],
    ['split as data, and five dialects', split + dialects, ['@sconv/data'], 119_500],
  ])('%s', async (_, text, conditions, limit) => {
    const size = await minifiedSize(folder, text, conditions);
    expect(size).toBeLessThan(limit);
    // Far below the limit, the limit should be lowered.
    expect(size).toBeGreaterThan(0.95 * limit);
  });
});

/** The output of a module in the folder. */
const written = (text: string, ...options: readonly string[]): Promise<string> => {
  const file = join(folder, 'program.js');
  writeFileSync(file, text);
  return output(folder, process.execPath, ...options, file);
};

const withData = '--conditions=@sconv/data';

describe('dialects without text', () => {
  /** One line per definition: whether it has text, and everything else. */
  const listDefinitions = `import { payloadDialects } from '@sconv/dialects';
    const text = ['assembly', 'resultName', 'blockArgumentNames', 'verify'];
    const plain = (key, value) =>
      value instanceof Set ? [...value]
      : value instanceof Map ? Object.fromEntries(value)
      : typeof value === 'function' ? 'function'
      : typeof value === 'bigint' ? String(value)
      : value;
    for (const { summary, ...definition } of payloadDialects.flatMap(({ operations }) => operations)) {
      const rest = { ...definition };
      for (const key of text) delete rest[key];
      rest.attributeSpecs = rest.attributeSpecs.map(({ syntax, ...spec }) => spec);
      const hasText = text.some((key) => definition[key] !== undefined);
      console.log((hasText ? 'text ' : 'data ') + JSON.stringify(rest, plain));
    }`;

  it('declare the same operations, and have none of the text', async () => {
    const whole = (await written(listDefinitions)).trim().split('\n');
    const data = (await written(listDefinitions, withData)).trim().split('\n');
    expect(whole.filter((line) => line.startsWith('text'))).not.toHaveLength(0);
    expect(data.filter((line) => line.startsWith('text'))).toEqual([]);
    const content = (line: string | undefined): string | undefined => line?.slice('data '.length);
    expect(data.filter((line, i) => content(line) !== content(whole[i]))).toEqual([]);
    expect(data).toHaveLength(whole.length);
  });

  it('split into the same', async () => {
    const program = `import { unwrap } from '@sconv/diagnostics';
      import { buildPayload, payloadDialects } from '@sconv/dialects';
      import { addf } from '@sconv/dialects/arith';
      import { generic, yieldOp } from '@sconv/dialects/linalg';
      import { dim, makeMap } from '@sconv/affine';
      import { createRegistry, f32, parseModule, printModule, tensorType, tryEdit, walk } from '@sconv/ir';
      import { splitExactlyOp } from '@sconv/splitting';
      const registry = createRegistry(payloadDialects);
      const type = tensorType([8], f32);
      const map = makeMap(1, 0, [dim(0)]);
      const module = unwrap(buildPayload(registry, ({ func }) =>
        func('twice', [type, type], (b, from, to) =>
          b(generic, { inputs: [from], outputs: [to], indexingMaps: [map, map], iteratorTypes: ['parallel'] }, {
            bodies: [{
              argumentTypes: [f32, f32],
              build: (b, x) => b(yieldOp, { values: [b(addf, { lhs: x, rhs: x })] }),
            }],
          }),
        ),
      ));
      const operation = [...walk(module.root)].find((each) => generic.is(each));
      const { module: parts } = unwrap(
        tryEdit(module, { registry }, (r) => splitExactlyOp(r, r.find(operation), 0, 3)),
      );
      const text = printModule(parts, { registry, generic: true });
      console.log(text, printModule(unwrap(parseModule(text, { registry })), { registry, generic: true }) === text);`;
    const text = await written(program);
    expect(text.match(/"linalg\.generic"/g)).toHaveLength(2);
    expect(text.trim()).toMatch(/true$/);
    expect(await written(program, withData)).toBe(text);
  });
});

import { expect, it } from 'vitest';
import type { Attributes, Module, Operation, Region } from '@sconv/ir';
import { i32, verify } from '@sconv/ir';
import { main, parse, registry } from './support.ts';

const one = '!transform.any_op';
const body = (yields = '') => `{\n^bb0(%b: ${one}):\n ${yields}\n}`;
const yielding = body(`transform.yield %b : ${one}`);

/** Each op once, with all of its parts. */
const ops: readonly (readonly [name: string, line: string])[] = [
  ['transform.structured.match', `%x = transform.structured.match ops{["test.a"]} in %all : (${one}) -> ${one}`],
  ['transform.merge_handles', `%x = transform.merge_handles deduplicate %all, %all : ${one}`],
  ['transform.cast', `%x = transform.cast %all : ${one} to ${one}`],
  ['transform.param.constant', `%x = transform.param.constant 32 : i64 -> !transform.param<i64>`],
  ['transform.split_handle', `%x:2 = transform.split_handle %all {overflow_result = 1 : i64} : (${one}) -> (${one}, ${one})`],
  ['transform.include', `%x = transform.include @step failures(suppress) (%all) : (${one}) -> ${one}`],
  ['transform.foreach', `%x = transform.foreach %all : ${one} -> ${one} ${yielding}`],
  ['transform.alternatives', `%x = transform.alternatives %all : ${one} -> ${one} ${yielding}, ${yielding}`],
  ['transform.sequence', `%x = transform.sequence %all : ${one} -> ${one} failures(suppress) ${yielding}`],
  ['transform.named_sequence', ''],
]; // prettier-ignore

const step = `transform.named_sequence @step(%b: ${one} {transform.readonly}) -> ${one} { transform.yield %b : ${one} }`;

const without = (attributes: Attributes, name: string): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name));

/** A module with the first op of this name changed by `change`. */
const changed = (module: Module, name: string, change: (operation: Operation) => Operation): Module => {
  let isDone = false;
  const visit = (operation: Operation): Operation => {
    if (!isDone && operation.name === name) {
      isDone = true;
      return change(operation);
    }
    const regions = operation.regions.map((region): Region => ({
      ...region,
      blocks: region.blocks.map((block) => ({ ...block, operations: block.operations.map(visit) })),
    }));
    return { ...operation, regions };
  };
  return { ...module, root: visit(module.root) };
};

const emptied = (region: Region): Region => ({ ...region, blocks: [] });
const withBlock = (
  region: Region,
  change: (block: Region['blocks'][number]) => Region['blocks'][number],
): Region => ({
  ...region,
  blocks: region.blocks.map((block, i) => (i === 0 ? change(block) : block)),
});

/** Ways to break an op: a missing part, or an extra one. */
const changesOf = (operation: Operation): readonly (readonly [what: string, Operation])[] => {
  const { operands, results, regions, attributes } = operation;
  const [region] = regions;
  return [
    ...Object.keys(attributes).map(
      (name) => [`no ${name}`, { ...operation, attributes: without(attributes, name) }] as const,
    ),
    ...Object.keys(attributes).map(
      (name) =>
        [
          `another ${name}`,
          { ...operation, attributes: { ...attributes, [name]: { kind: 'unit' } as const } },
        ] as const,
    ),
    ...(operands.length > 0
      ? [
          ['no operands', { ...operation, operands: [] }] as const,
          ['one operand more', { ...operation, operands: [...operands, operands[0]!] }] as const,
          ['an operand of i32', { ...operation, operands: [{ ...operands[0]!, type: i32 }] }] as const,
        ]
      : []),
    ...(results.length > 0
      ? [
          ['no results', { ...operation, results: [] }] as const,
          ['one result more', { ...operation, results: [...results, { ...results[0]!, id: 9999 }] }] as const,
          [
            'a result of i32',
            { ...operation, results: results.map((result) => ({ ...result, type: i32 })) },
          ] as const,
        ]
      : []),
    ...(region === undefined
      ? []
      : [
          ['no regions', { ...operation, regions: [] }] as const,
          ['one region more', { ...operation, regions: [...regions, emptied(region)] }] as const,
          ['an empty region', { ...operation, regions: [emptied(region)] }] as const,
          [
            'an empty block',
            { ...operation, regions: [withBlock(region, (block) => ({ ...block, operations: [] }))] },
          ] as const,
          [
            'two blocks',
            {
              ...operation,
              regions: [
                {
                  ...region,
                  blocks: [
                    ...region.blocks,
                    ...region.blocks.map((block) => ({ ...block, id: 9998, arguments: [] })),
                  ],
                },
              ],
            },
          ] as const,
          [
            'no block arguments',
            { ...operation, regions: [withBlock(region, (block) => ({ ...block, arguments: [] }))] },
          ] as const,
          [
            'a yield of nothing',
            {
              ...operation,
              regions: [
                withBlock(region, (block) => ({
                  ...block,
                  operations: block.operations.map((each, i, { length }) =>
                    i === length - 1 ? { ...each, operands: [] } : each,
                  ),
                })),
              ],
            },
          ] as const,
        ]),
  ];
};

const told = (name: string, line: string): readonly string[] => {
  const module = parse(main(line, step));
  expect(verify(module, registry)).toEqual([]);
  const found: string[] = [];
  let original: Operation | undefined;
  changed(module, name, (operation) => (original = operation));
  for (const [i, [what]] of changesOf(original!).entries()) {
    const wrong = changed(module, name, (operation) => changesOf(operation)[i]![1]);
    const [first] = verify(wrong, registry);
    found.push(`${what}: ${first?.message ?? 'fine'}`);
  }
  return found;
};

it('tells what is wrong with an op: a part that is missing, or is another', async () => {
  const all = Object.fromEntries(ops.map(([name, line]) => [name, told(name, line)]));
  await expect(`${JSON.stringify(all, undefined, 2)}\n`).toMatchFileSnapshot('verify.json');
});

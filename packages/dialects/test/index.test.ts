/**
 * All operations of all dialects: `operations/` holds at least one of each with every optional part, as mlir-opt-19
 * prints them in the custom and in the generic form; `refused.mlir` holds what it rejects, with its messages, and
 * `refused-in-own-words.mlir` what it rejects with other messages, reports elsewhere, or accepts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { render, unwrap } from '@sconv/diagnostics';
import type { Attribute, Module, Operation, Trait, Type, Value, ValueSpec } from '@sconv/ir';
import {
  dialectAttribute,
  parseAttribute,
  parseModule,
  printAttribute,
  printModule,
  printOperation,
  unitAttribute,
  verify,
  walk,
} from '@sconv/ir';
import { payloadDialects } from '../src/index.ts';
import { registry } from './support.ts';

const folder = join(import.meta.dirname, 'operations');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const names = readdirSync(folder).flatMap((name) => /^([a-z-]+)\.mlir$/.exec(name)?.[1] ?? []);

// Attributes of non-builtin dialects are carried unparsed.
const parseAny = (text: string): Module => {
  const parsed = parseModule(text, { registry, allowUnregisteredDialects: true });
  if (parsed.status !== 'success') throw new Error(parsed.diagnostics.map((d) => render(d)).join('\n'));
  return parsed.value;
};

it('operations/ has every operation', () => {
  const seen = new Set(
    names.flatMap((name) =>
      [...walk(parseAny(read(`${name}.mlir`)).root)].map((operation) => operation.name),
    ),
  );
  const registered = payloadDialects.flatMap((dialect) => dialect.operations.map(({ name }) => name));
  expect(registered.filter((name) => !seen.has(name))).toEqual([]);
});

describe.each(names)('%s', (name) => {
  const [custom, generic] = [read(`${name}.mlir`), read(`${name}.generic.mlir`)];

  it('parses and prints in the custom form', () => {
    expect(printModule(parseAny(custom), { registry })).toBe(custom);
  });

  it('prints in the generic form', () => {
    expect(printModule(parseAny(custom), { registry, generic: true })).toBe(generic);
  });

  it('keeps an attribute of another dialect on each operation', () => {
    // As upstream: trivial terminators and bodies of named operations are elided; transfers and outer products
    // without a third operand have no place for attributes.
    const isTagged = ({ name: opName, operands, regions }: Operation): boolean =>
      !opName.startsWith('affine.dma_') &&
      !(opName === 'vector.outerproduct' && operands.length === 2) &&
      !(
        registry.operations.get(opName)!.traits.has('terminator') &&
        operands.length === 0 &&
        regions.every(({ blocks }) => blocks.every(({ operations: inner }) => inner.length === 0))
      );
    const hasBody = (opName: string): boolean =>
      opName !== 'vector.mask' && (!opName.startsWith('linalg.') || opName === 'linalg.generic');
    const tagged = (operation: Operation): Operation => ({
      ...operation,
      attributes: isTagged(operation)
        ? { ...operation.attributes, 'odd.tag': unitAttribute }
        : operation.attributes,
      regions: operation.regions.map(({ blocks }) => ({
        blocks: blocks.map((block) => ({
          ...block,
          operations: hasBody(operation.name) ? block.operations.map(tagged) : block.operations,
        })),
      })),
    });
    const module = parseAny(custom);
    const root = tagged(module.root);
    const again = parseAny(printModule({ ...module, root }, { registry }));
    expect(printModule(again, { registry, generic: true })).toBe(
      printModule({ ...module, root }, { registry, generic: true }),
    );
  });

  it('infers the types of results where no one says them', () => {
    for (const { name: opName, operands, attributes, results } of walk(parseAny(custom).root)) {
      // A slice may have a lower rank than inferred.
      if (opName === 'tensor.extract_slice') continue;
      const inferred = registry.operations.get(opName)?.inferResultTypes?.(operands, attributes);
      if (inferred !== undefined)
        expect([opName, inferred]).toEqual([opName, results.map(({ type }) => type)]);
    }
  });

  it('parses the generic form', () => {
    expect(printModule(parseAny(generic), { registry })).toBe(custom);
    expect(printModule(parseAny(generic), { registry, generic: true })).toBe(generic);
  });
});

const operations = payloadDialects.flatMap((dialect) => dialect.operations);
const withTrait = (trait: Trait, prefix = ''): readonly string[] =>
  operations
    .filter(({ name, traits }) => name.startsWith(prefix) && traits.has(trait))
    .map(({ name }) => name);
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const refersToSymbol = ({ attributes }: Operation): boolean =>
  Object.values(attributes).some(({ kind }) => kind === 'symbol-ref');

describe('declarations', () => {
  const none: Type = { kind: 'none' };

  /** What of `module` holds the operation with this id, changed. */
  const changed = (module: Module, id: number, change: (operation: Operation) => Operation): Module => {
    const within = (operation: Operation): Operation =>
      operation.id === id
        ? change(operation)
        : {
            ...operation,
            regions: operation.regions.map((region) => ({
              blocks: region.blocks.map((block) => ({ ...block, operations: block.operations.map(within) })),
            })),
          };
    const { root } = module;
    if (root.id === id) return { ...module, root: change(root) };
    // Without what stands beside it: the verifier would look through hundreds of operations for each change.
    const block = root.regions[0]!.blocks[0]!;
    const holding = block.operations.filter((each) => [...walk(each)].some((inner) => inner.id === id));
    const refersToOthers = holding.some((each) => [...walk(each)].some(refersToSymbol));
    const kept = refersToOthers ? block.operations : holding;
    const blocks = [{ ...block, operations: kept.map(within) }];
    return { ...module, root: { ...root, regions: [{ blocks }] } };
  };
  const messagesOf = (module: Module): readonly string[] =>
    verify(module, registry, { allowUnregisteredDialects: true }).map(({ message }) => message);

  it.each(names)('of the operations of %s are enforced', (name) => {
    const module = parseAny(read(`${name}.mlir`));
    const seen = new Set<string>();
    for (const operation of walk(module.root)) {
      const definition = registry.operations.get(operation.name)!;
      if (seen.has(operation.name)) continue;
      seen.add(operation.name);
      const expectError = (change: Partial<Operation>, message: string) => {
        const wrong = changed(module, operation.id, (original) => ({ ...original, ...change }));
        expect(messagesOf(wrong)).toContainEqual(
          expect.stringContaining(`'${operation.name}' op ${message}`),
        );
      };
      const wrongTypes = (values: readonly Value[]) => values.map((value) => ({ ...value, type: none }));
      for (const [key, specs] of [
        ['operands', definition.operandSpecs],
        ['results', definition.resultSpecs],
      ] as const) {
        const [first] = specs;
        if (first?.arity === 'one' && !first.type.test(none))
          expectError(
            { [key]: wrongTypes(operation[key]) },
            `${key.slice(0, -1)} #0 must be ${first.type.description}`,
          );
        if (specs.length > 0 && specs.every(({ arity }) => arity === 'one'))
          expectError({ [key]: [...operation[key], { id: -1, type: none }] }, '');
      }
      for (const spec of definition.attributeSpecs) {
        const { [spec.name]: given, ...rest } = operation.attributes;
        if (spec.presence === 'required')
          expectError({ attributes: rest }, `requires attribute '${spec.name}'`);
        const odd = dialectAttribute('odd', spec.name);
        if (given !== undefined && spec.decode(odd) === undefined)
          expectError(
            { attributes: { ...rest, [spec.name]: odd } },
            `attribute '${spec.name}' failed to satisfy constraint: ${spec.description}`,
          );
      }
    }
  });
});

it('declarations say these', async () => {
  const values = (specs: readonly (ValueSpec & { readonly name: string })[]) =>
    specs.map(({ name, arity, type, equalSize }) =>
      [name, arity, equalSize === true ? 'of equal size' : '', type.description].filter(Boolean).join(' '),
    );
  const text = operations.map((definition) => {
    const { name, summary, operandSpecs, resultSpecs, attributeSpecs, parents, destinations } = definition;
    const attributes = attributeSpecs.map(
      (spec) =>
        `${spec.key} (${spec.name}) ${spec.presence} ${spec.storesDefault === true ? 'stored ' : ''}${spec.description}`,
    );
    const lines: readonly (readonly [string, readonly string[]])[] = [
      ['operands', values(operandSpecs)],
      ['results', values(resultSpecs)],
      ['attributes', attributes],
      [
        'regions',
        definition.regions.map((region) => region + (definition.bodies.includes(region) ? '!' : '')),
      ],
      ['successors', definition.successors],
      ['traits', [...definition.traits]],
      ['interfaces', [...definition.models.keys()]],
      ['parents', parents ?? []],
      ['destinations', destinations === undefined ? [] : [destinations]],
      ['relations', definition.typeRelations.map(({ description }) => description)],
      ['dialect inside', definition.defaultDialect === undefined ? [] : [definition.defaultDialect]],
    ];
    const said = lines.filter(([, entries]) => entries.length > 0);
    return [`${name}: ${summary}`, ...said.map(([what, entries]) => `  ${what}: ${entries.join('; ')}`)].join(
      '\n',
    );
  });
  await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('declarations.txt');
});

it.each(names)(
  'operations of %s without their regions, or the blocks of these, are printed in the generic form',
  (name) => {
    for (const operation of walk(parseAny(read(`${name}.mlir`)).root)) {
      if (operation.regions.length === 0) continue;
      const { regions, bodies } = registry.operations.get(operation.name)!;
      const generic = expect.stringContaining(`"${operation.name}"(`) as string;
      if (regions.some((region) => !region.endsWith('...')))
        expect(printOperation({ ...operation, regions: [] }, { registry })).toEqual(generic);
      const emptied = operation.regions.map(() => ({ blocks: [] }));
      if (bodies.length > 0)
        expect(printOperation({ ...operation, regions: emptied }, { registry })).toEqual(generic);
    }
  },
);

describe('traits', () => {
  // What mlir-opt-19 does not erase with --cse when unused, except reads and allocations.
  it('all operations are pure but these', () => {
    const impure = operations.filter(({ traits }) => !traits.has('pure')).map(({ name }) => name);
    expect(impure.filter((name) => !name.startsWith('linalg.'))).toEqual(
      words(`builtin.module func.func func.call func.call_indirect
        affine.for affine.if affine.parallel affine.load affine.store affine.prefetch affine.vector_load
        affine.vector_store affine.dma_start affine.dma_wait
        scf.for scf.if scf.while scf.execute_region scf.index_switch scf.parallel scf.reduce scf.forall cf.assert
        tensor.generate tensor.parallel_insert_slice
        memref.alloc memref.alloca memref.realloc memref.dealloc memref.load memref.store memref.copy
        memref.assume_alignment memref.atomic_rmw memref.generic_atomic_rmw memref.prefetch memref.global
        memref.alloca_scope memref.dma_start memref.dma_wait memref.reshape
        bufferization.to_tensor bufferization.alloc_tensor bufferization.materialize_in_destination
        bufferization.dealloc_tensor bufferization.clone bufferization.dealloc
        vector.transfer_read vector.transfer_write vector.load vector.store vector.maskedload vector.maskedstore
        vector.gather vector.scatter vector.expandload vector.compressstore vector.mask vector.print
        vector.warp_execute_on_lane_0 llvm.call_intrinsic llvm.fence kernel.microkernel kernel.contract
        kernel.pack`),
    );
    expect(withTrait('pure', 'linalg.')).toEqual(['linalg.index', 'linalg.yield']);
  });

  it.each<[Trait, string]>([
    [
      'commutative',
      `arith.addi arith.muli arith.andi arith.ori arith.xori arith.maxsi arith.minsi arith.maxui arith.minui arith.addf
      arith.mulf arith.maximumf arith.minimumf arith.maxnumf arith.minnumf arith.mulsi_extended arith.mului_extended
      arith.addui_extended
      index.add index.mul index.maxs index.maxu index.mins index.minu index.and index.or index.xor`,
    ],
    [
      'associative',
      `arith.addi arith.muli arith.andi arith.ori arith.xori arith.maxsi arith.minsi arith.maxui arith.minui arith.addf
      arith.mulf arith.maximumf arith.minimumf arith.maxnumf arith.minnumf`,
    ],
    [
      'terminator',
      `func.return affine.yield scf.yield scf.condition scf.reduce scf.reduce.return scf.forall.in_parallel cf.br
      cf.cond_br cf.switch tensor.yield memref.atomic_yield memref.alloca_scope.return linalg.yield vector.yield`,
    ],
    [
      'return-like',
      'func.return affine.yield scf.yield tensor.yield memref.alloca_scope.return linalg.yield vector.yield',
    ],
    [
      'recursive-effects',
      `affine.for affine.if affine.parallel scf.for scf.if scf.while scf.index_switch scf.parallel scf.reduce scf.forall
      tensor.generate memref.generic_atomic_rmw memref.alloca_scope vector.mask vector.warp_execute_on_lane_0`,
    ],
    [
      'automatic-allocation-scope',
      'func.func affine.for affine.parallel scf.for scf.parallel scf.forall memref.alloca_scope',
    ],
    [
      'cast',
      `builtin.unrealized_conversion_cast arith.extsi arith.extui arith.trunci arith.index_cast arith.index_castui
      arith.sitofp arith.uitofp arith.fptosi arith.fptoui arith.bitcast arith.extf arith.truncf tensor.cast tensor.bitcast
      memref.cast memref.memory_space_cast`,
    ],
    ['symbol', 'builtin.module func.func memref.global'],
    ['symbol-table', 'builtin.module'],
    ['affine-scope', 'builtin.module func.func'],
    ['isolated-from-above', 'builtin.module func.func'],
    ['graph-region', 'builtin.module scf.forall.in_parallel'],
    ['no-terminator', 'builtin.module scf.forall.in_parallel'],
    ['same-operands-type', 'arith.cmpi arith.cmpf'],
  ])('%s', (trait, names) => {
    expect([...withTrait(trait)].sort()).toEqual([...words(names)].sort());
  });

  it('regions have at most one block but in functions, scf.execute_region and atomic updates', () => {
    const withRegions = operations.filter(({ regions }) => regions.length > 0);
    expect(withRegions.filter(({ traits }) => !traits.has('single-block')).map(({ name }) => name)).toEqual([
      'func.func',
      'scf.execute_region',
    ]);
  });

  it('all of arith and math is elementwise, save constants, and vector.fma', () => {
    const scalar = operations
      .filter(({ name }) => /^((arith|math)\.|vector\.fma$)/.test(name))
      .map(({ name }) => name);
    expect(withTrait('elementwise')).toEqual(scalar.filter((name) => name !== 'arith.constant'));
  });
});

describe('attribute kinds', () => {
  const kinds = new Map(
    operations.flatMap(({ name, attributeSpecs }) =>
      // Attribute kinds of vector are distinguished from others by their dialect alone.
      attributeSpecs.map((spec) => [
        `${name.startsWith('vector.') ? 'vector ' : ''}${spec.description}`,
        spec,
      ]),
    ),
  );
  const samples: readonly Attribute[] = [
    unitAttribute,
    ...['0', '3', '-1', '64', '3 : i32', '0 : i32', '8 : i32', '3 : index', '0 : index', 'true'],
    ...['1.0 : f32', '"add"', '""', '@f', '@f::@g', 'f32', 'memref<4xf32>', '() -> ()', 'tensor<4xf32>'],
    ...['[]', '[0]', '["x"]', '[[0, 1], [2]]', '[[0], 1]', '[["x"]]', '[{}]', '[{a = 1}]', '{}', '{a = 1}'],
    ...['array<i64>', 'array<i64: 0, 1>', 'array<i64: 1, 0>', 'array<i32: 0>', 'array<i1: true>'],
    ...['affine_map<(d0) -> (d0)>', '[affine_map<(d0) -> (d0)>]', 'affine_set<(d0) : (d0 >= 0)>'],
    ...['dense<1> : tensor<2xi64>', 'dense<1> : tensor<2xi32>', 'dense<1.0> : vector<2xf32>'],
    ...['#arith.fastmath<nnan>', '#arith.fastmath<none>', '#arith.fastmath<odd>', '#arith.overflow<nsw>'],
    ...[
      '#linalg.iterator_type<parallel>',
      '[#linalg.iterator_type<reduction>]',
      '[#linalg.iterator_type<odd>]',
    ],
    ...['#vector.kind<add>', '[#vector.iterator_type<parallel>]', '#vector.punctuation<comma>'],
    ...['#llvm.fastmath<fast>', '#llvm.fastmath<nnan, contract>', '#llvm.fastmath<odd>'],
    ...['#linalg.unary_fn<exp>', '#linalg.binary_fn<add>', '#linalg.type_fn<cast_signed>', '#odd.one<x>'],
    ...['[#odd.one<x>]', 'strided<[1], offset: 2>', 'loc("x")'],
  ].map((text) =>
    typeof text === 'string'
      ? unwrap(parseAttribute(text, { registry, allowUnregisteredDialects: true }))
      : text,
  );

  const taken = [...kinds.values()].map((spec) => ({
    spec,
    attributes: samples.filter((sample) => spec.decode(sample) !== undefined),
  }));

  it('take these', async () => {
    const text = taken.map(({ spec, attributes }) =>
      [spec.description, ...attributes.map((attribute) => `  ${printAttribute(attribute)}`)].join('\n'),
    );
    await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('attribute-kinds.txt');
  });

  it('write what they take as it was', () => {
    for (const { spec, attributes } of taken)
      expect([spec.description, attributes.map((each) => spec.encode(spec.decode(each) as never))]).toEqual([
        spec.description,
        attributes,
      ]);
  });
});

describe.each(['refused.mlir', 'refused-in-own-words.mlir'])('%s', (file) => {
  const chunks = readFileSync(join(import.meta.dirname, file), 'utf8').split(/^\/\/ -----\n/m);
  const expected = /expected-error @(?:below|\+(\d+)) \{\{(.*)\}\}$/;

  it.each(
    chunks.map((text, i) => {
      const lines = text.split('\n');
      const line = lines.findIndex((candidate) => expected.test(candidate));
      const [, distance = '1', message] = expected.exec(lines[line] ?? '') ?? [];
      return { i, text, line: line + 1 + Number(distance), message };
    }),
  )('$i: $message', ({ text, line, message }) => {
    const parsed = parseModule(text, { registry });
    const [first] = parsed.status === 'success' ? [] : parsed.diagnostics;
    expect(first?.message).toBe(message);
    expect(first?.location).toMatchObject({ line });
  });
});

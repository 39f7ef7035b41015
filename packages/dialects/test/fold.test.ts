/** Folds of operations and of their near misses, with unknown and with constant operands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Attribute, Operation, Type, Value } from '@sconv/ir';
import {
  denseElementsAttribute,
  floatAttribute,
  foldOperation,
  integerAttribute,
  isShaped,
  isStaticShape,
  parseModule,
  printAttribute,
  verify,
  walk,
} from '@sconv/ir';
import { isolate, nearMissesOf } from './near-misses.ts';
import { registry } from './support.ts';

const folder = join(import.meta.dirname, 'operations');
const options = { registry, allowUnregisteredDialects: true };

/** A constant of this type, a splat if it is shaped. */
const constantOf = (type: Type, value: number): Attribute | undefined => {
  if (type.kind === 'index' || type.kind === 'integer') return integerAttribute(value, type);
  if (type.kind === 'float') return floatAttribute(value, type);
  if (!isShaped(type) || !isStaticShape(type)) return undefined;
  return denseElementsAttribute([type.elementType.kind === 'float' ? value : BigInt(value)], type);
};

const foldOf = (operation: Operation, value: number | undefined): string | undefined => {
  const constants = operation.operands.map(({ type }) =>
    value === undefined ? undefined : constantOf(type, value),
  );
  const folded = foldOperation(registry.operations.get(operation.name)!, operation, constants);
  if (folded === undefined) return undefined;
  const nameOf = (value: Value): string =>
    `operand #${operation.operands.findIndex(({ id }) => id === value.id)}`;
  if (folded.kind === 'in-place') {
    const attributes = Object.entries(folded.attributes ?? {}).map(
      ([name, attribute]) => `${name} = ${printAttribute(attribute)}`,
    );
    return `in place: ${[...(folded.operands ?? []).map(nameOf), ...attributes].join(', ')}`;
  }
  return folded.results
    .map((result) => ('kind' in result ? printAttribute(result) : nameOf(result)))
    .join(', ');
};

// Arithmetic has tables of its own; other dialects have no folds.
it.each(['affine', 'memref', 'tensor'])('%s', async (name) => {
  const module = unwrap(parseModule(readFileSync(join(folder, `${name}.mlir`), 'utf8'), options));
  const lines = isolate(module)
    .filter(({ operation }) => registry.operations.get(operation.name)?.fold !== undefined)
    .flatMap(({ operation, module: own }) =>
      [{ change: 'as it is', module: own }, ...nearMissesOf(own, operation, false)].flatMap(
        ({ change, module: near }) => {
          const changed = [...walk(near.root)].find(({ id }) => id === operation.id);
          if (changed === undefined || verify(near, registry, options).length > 0) return [];
          const folds = [undefined, 0, 1, 2, 5].flatMap((value) => {
            const folded = foldOf(changed, value);
            return folded === undefined ? [] : [`  of ${value ?? 'unknown'}: ${folded}\n`];
          });
          return folds.length === 0 ? [] : [`${operation.name}, ${change}\n${folds.join('')}`];
        },
      ),
    );
  expect(lines.join('')).not.toContain('#-1');
  await expect(lines.join('')).toMatchFileSnapshot(`folds/${name}.txt`);
});

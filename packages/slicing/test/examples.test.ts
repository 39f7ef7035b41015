import { expect, it } from 'vitest';
import { firstDifference } from '@sconv/interpreter/testing';
import { exampleTester } from '@sconv/transform/testing';
import { transforms as normalization } from '@sconv/normalization';
import { transforms as packing } from '@sconv/packing';
import { transforms as splitting } from '@sconv/splitting';
import { transforms as tiling } from '@sconv/tiling';
import { transforms } from '../src/index.ts';

const run = exampleTester([...normalization, ...splitting, ...tiling, ...packing, ...transforms], {
  difference: firstDifference,
});

const examples = transforms.flatMap(({ definition }) => {
  const own = definition.transform.examples();
  expect(own.length, definition.name).toBeGreaterThan(0);
  return own;
});

it.each(examples)('as text and as code: $title', (example) => {
  const { asText, asCode } = run(example);
  expect(asText).toMatchObject({ status: 'success', diagnostics: '' });
  expect(asCode).toEqual(asText);
});

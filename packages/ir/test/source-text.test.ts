import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileLocation } from '@sconv/diagnostics';
import { SourceText } from '../src/source-text.ts';

it('locates characters by line and column, in whatever order they are asked for', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', ' '), maxLength: 30 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(30), { maxLength: 8 }), (given, offsets) => {
      const source = new SourceText(given, 'f');
      for (const offset of offsets.map((each) => Math.min(each, given.length))) {
        const before = given.slice(0, offset).split('\n');
        expect(source.locationAt(offset)).toEqual(
          fileLocation('f', before.length, before.at(-1)!.length + 1),
        );
      }
    }),
  );
});

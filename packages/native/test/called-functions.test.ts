import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, edit, parseModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { argumentsApart, definedFunctions } from '../src/called-functions.ts';

const registry = createRegistry(payloadDialects);

/** Which arguments of `@callee` share no memory with what it writes: those at `written`, if that is known. */
const apart = (calls: string, written?: readonly number[], visibility = 'private'): readonly number[] => {
  const text = `func.func ${visibility} @callee(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  return
}
func.func @caller(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %m = memref.alloc() : memref<4xf32>
  %k = memref.alloc() : memref<4xf32>
  ${calls}
  return
}`;
  return edit(unwrap(parseModule(text, { registry })), { registry }, (rewriter) => {
    const functions = definedFunctions(rewriter).toReversed();
    const found = argumentsApart(rewriter, functions, new Set(['callee']), new Set(['caller']), () =>
      written === undefined ? undefined : new Set(written),
    );
    const callee = functions.find(
      (each) =>
        each.attributes['sym_name']?.kind === 'string' && each.attributes['sym_name'].value === 'callee',
    )!;
    return callee.regions[0]!.blocks[0]!.arguments.flatMap(({ id }, i) => (found.has(id) ? [i] : []));
  }).results;
};

describe('arguments of a called function share no memory', () => {
  const call = (a: string, b: string): string =>
    `call @callee(${a}, ${b}, %n) : (memref<4xf32>, memref<4xf32>, index) -> ()`;

  it.each([
    ['if the caller has made both', call('%m', '%k')],
    ['if the caller has made one', call('%x', '%m')],
    ['if they are others in each call', `${call('%m', '%k')}\n${call('%k', '%m')}`],
  ])('%s', (_, calls) => {
    expect(apart(calls)).toEqual([0, 1]);
  });

  it.each([
    ['if it is given one buffer twice', call('%m', '%m')],
    ['if it is, in one of its calls', `${call('%m', '%k')}\n${call('%m', '%m')}`],
    ['if the caller was given both', call('%x', '%y')],
  ])('unless %s', (_, calls) => {
    expect(apart(calls)).toEqual([]);
  });

  it('that is written, where they are only read', () => {
    expect(apart(call('%m', '%m'), [])).toEqual([0, 1]);
    expect(apart(call('%m', '%m'), [1])).toEqual([]);
  });

  it('that is known, where others may call it', () => {
    expect(apart(call('%m', '%k'), undefined, '')).toEqual([]);
  });
});

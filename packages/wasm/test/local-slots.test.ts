import { describe, expect, it } from 'vitest';
import type { CodeScope, LocalAccess } from '../src/local-slots.ts';
import { assignSlots } from '../src/local-slots.ts';

/**
 * Scopes and accesses as text: `w0` writes local 0, `r0` reads it; `{`, `[` begin a block and a loop. Positions are
 * counted in words.
 */
const placesOf = (text: string, count: number, parameters = 0): readonly number[] => {
  const scopes: CodeScope[] = [{ start: 0, end: Infinity, isLoop: false, parent: 0 }];
  const accesses: LocalAccess[] = [];
  let scope = 0;
  text.split(' ').forEach((word, position) => {
    if (word === '{' || word === '[')
      scope = scopes.push({ start: position, end: Infinity, isLoop: word === '[', parent: scope }) - 1;
    else if (word === '}' || word === ']') {
      scopes[scope]!.end = position;
      scope = scopes[scope]!.parent;
    } else accesses.push({ position, local: Number(word.slice(1)), isWrite: word.startsWith('w'), scope });
  });
  const types = Array.from({ length: count }, () => 'i32' as const);
  return assignSlots(types, parameters, scopes, accesses).slotOf;
};

describe('locals', () => {
  it.each([
    ['one after the other share a place', 'w0 r0 w1 r1', [0, 0]],
    ['that are needed together have places of their own', 'w0 w1 r0 r1', [0, 1]],
    ['are needed to the end of a loop that reads them', 'w0 [ r0 w1 r1 ] w2 r2', [0, 1, 0]],
    ['are needed to the end of the outermost loop behind their write', 'w0 [ [ r0 ] w1 r1 ]', [0, 1]],
    ['of a round are not needed in the next one', '[ w0 r0 w1 r1 ]', [0, 0]],
    ['of a block are not needed to the end of the loop around it', '[ { w0 r0 } w1 r1 ]', [0, 0]],
    ['that are read first are 0, or of the round before', '[ r0 w0 ] w1 r1 w2 r2', [0, 1, 1]],
    ['that are read behind the block of their write may be of a round before', '[ { w0 } r0 w1 r1 ]', [0, 1]],
    ['of another arm are not written here', '{ w0 r0 } { r0 w1 r1 }', [0, 1]],
    ['of one arm share places with those of the other', '{ w0 r0 } { w1 r1 }', [0, 0]],
    ['that are only written take a place for that', 'w0 w1 r1', [0, 0]],
  ])('%s', (_, text, places) => {
    expect(placesOf(text, places.length)).toEqual(places);
  });

  it('are behind the parameters, and of one type', () => {
    expect(placesOf('w0 r0 w2 r2', 3, 2)).toEqual([0, 1, 2]);
    const accesses = [0, 1].map((local) => ({ position: local, local, isWrite: true, scope: 0 }));
    const whole = [{ start: 0, end: 2, isLoop: false, parent: 0 }];
    expect(assignSlots(['i32', 'f32'], 0, whole, accesses)).toEqual({
      slotOf: [0, 1],
      types: ['i32', 'f32'],
    });
  });
});

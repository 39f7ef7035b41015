import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { whenDropped } from '../src/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Objects that nothing refers to afterwards; `keep` stops the release of some. */
const drop = (released: string[]): void => {
  for (const name of ['one', 'two', 'kept']) {
    const keep = whenDropped({ name }, () => {
      released.push(name);
    });
    if (name === 'kept') keep();
  }
};

it('what is dropped is released, unless that was stopped', async () => {
  const released: string[] = [];
  drop(released);
  for (let i = 0; i < 50 && released.length < 2; i++) {
    collect();
    await setImmediate();
  }
  expect(released.toSorted()).toEqual(['one', 'two']);
});

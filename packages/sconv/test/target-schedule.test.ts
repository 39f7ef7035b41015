import { unwrap } from '@sconv/diagnostics';
import { parseModule, walk } from '@sconv/ir';
import { targets } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { defaultRegistry } from '../src/default-registry.ts';
import { convolutionsOf, targetSchedule } from '../src/target-schedule.ts';
import { payload } from './support/capture.ts';

const [avx512] = targets.filter(({ name }) => name === 'avx512');

const moduleOf = (text: string) => unwrap(parseModule(text, { registry: defaultRegistry }));

describe('the schedule for a target', () => {
  it('says once that there is no full tile', () => {
    // One window and one filter.
    const small = moduleOf(payload('1x3x3x3', '1x3x3x3', '1x1x1x1'));
    const planned = targetSchedule(small, avx512!);
    expect(planned.diagnostics).toEqual([]);
    const { diagnostics } = unwrap(planned).run(small, { registry: defaultRegistry });
    expect(diagnostics.map(({ code }) => code)).toEqual(['csa/fewer-than-a-tile', 'csa/fewer-than-a-tile']);
  });

  it('leaves convolutions on buffers as they are, wherever they stand', () => {
    const onBuffers = payload()
      .replaceAll(/tensor<(\S+xf32)>/g, 'memref<$1>')
      .replaceAll(/ -> memref<\S+>/g, '')
      .replace('%0 = ', '')
      .replace(/return .*/, 'return')
      .replace(/@\w+/, '@buffers');
    for (const text of [`${onBuffers}\n${payload()}`, `${payload()}\n${onBuffers}`]) {
      const module = moduleOf(text);
      const schedule = unwrap(targetSchedule(module, avx512!));
      const { module: after } = unwrap(schedule.run(module, { registry: defaultRegistry }));
      const left = [...walk(after.root)].filter(({ name }) => name === 'linalg.conv_2d_nchw_fchw');
      expect(left.map(({ results }) => results.length)).toEqual([0]);
    }
  });

  it('plans what is on tensors', () => {
    const onBuffers = payload()
      .replaceAll(/tensor<(\S+xf32)>/g, 'memref<$1>')
      .replaceAll(/ -> memref<\S+>/g, '')
      .replace('%0 = ', '')
      .replace(/return .*/, 'return');
    expect(convolutionsOf(moduleOf(onBuffers))).toEqual([]);
    expect(convolutionsOf(moduleOf(payload())).map(({ name }) => name)).toEqual(['linalg.conv_2d_nchw_fchw']);
  });
});

import { describe, expect, it } from 'vitest';
import { codeExamples } from './code-examples.ts';
import { disassemble } from './disassemble.ts';
import { emitted } from './emit.ts';

// What is computed where, and what is not recomputed: visible in times, not in results.
describe('the code', () => {
  it.each(Object.keys(codeExamples))('of %s', async (name) => {
    const { bytes, traps, scratchBytes } = emitted(codeExamples[name]!);
    expect(WebAssembly.validate(bytes)).toBe(true);
    const reasons = traps.map(({ code, message }, i) => `trap ${i + 1}: ${code}: ${message}\n`);
    const text = `${disassemble(bytes)}scratch: ${scratchBytes} bytes\n${reasons.join('')}`;
    await expect(text).toMatchFileSnapshot(`code/${name}.txt`);
  });

  it('of a microkernel with relaxed instructions multiplies and adds at once', () => {
    const { bytes } = emitted(codeExamples['macro-kernel']!, { relaxed: true });
    const fused = disassemble(bytes).replaceAll(
      /f32x4\.relaxed_madd\((\$\d+), (\$\d+), (\$\d+)\)/g,
      'f32x4.add(f32x4.mul($1, $2), $3)',
    );
    expect(fused).toBe(disassemble(emitted(codeExamples['macro-kernel']!).bytes));
  });
});

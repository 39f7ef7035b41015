import { unwrap } from '@sconv/diagnostics';
import { derive, mma, wasm } from '@sconv/targets';
import { expect, it } from 'vitest';
import { channelsInHalf, measureFamily } from '../src/kernels/measure-family.ts';

const plain = { channels: 1, tapRows: 1, tapColumns: 1 };

it('measures each kernel that the registers hold, over two depths', async () => {
  const few = derive(wasm, (draft) => {
    draft.machine.vector!.registers = 5;
    draft.microkernel = draft.otherMicrokernels.pop()!;
    draft.otherMicrokernels = [];
  });
  const { target, kernels, deep } = unwrap(await measureFamily(few, { unrolls: [plain], samples: 1 }));
  expect({ target, lanes: kernels.lanes }).toEqual({ target: 'wasm', lanes: 4 });
  for (const [grid] of [kernels.grids, deep]) {
    expect(grid!.shares.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
    expect(Math.max(...grid!.shares.flat())).toBe(1);
  }
  expect(kernels.fingerprint).toContain(process.versions.v8);
});

it('fails where the code does not run', async () => {
  const { diagnostics } = await measureFamily(mma);
  expect(diagnostics.map(({ code }) => code)).toEqual([
    expect.stringMatching(/^(?:sconv\/emulated|native\/.*)$/) as string,
  ]);
});

it.each([
  // 16 KB: 4 * 2 * 16 bytes of sums; 4 * (16 + 2) of each channel.
  [plain, 2, 225],
  [{ ...plain, channels: 4 }, 2, 224],
  // At least what is unrolled.
  [{ channels: 2, tapRows: 7, tapColumns: 7 }, 14, 2],
])('takes as many channels as fit half of L1 (%#)', (unroll, height, channels) => {
  expect(channelsInHalf({ unroll, vectors: height, height: 2 }, 8, 32 * 1024)).toBe(channels);
});

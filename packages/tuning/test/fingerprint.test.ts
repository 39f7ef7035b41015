import { expect, it } from 'vitest';
import { printFingerprint, processorOf, protocolText } from '../src/index.ts';

it.each([
  [
    'x86',
    'vendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: EPYC\nstepping\t: 1\n',
    'AuthenticAMD 26 2 1',
  ],
  [
    'Arm',
    'CPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n',
    '0x41 0xd0c 0x3 1',
  ],
  ['another', 'cpu\t\t: POWER10\n', undefined],
  ['nothing', '', undefined],
])('the processor of %s', (_, cpuinfo, expected) => {
  expect(processorOf(cpuinfo)).toBe(expected);
});

it('is one line', () => {
  const print = { processor: 'p', caches: 'l1 1', cores: 2, threads: 1, target: 'wasm', compiler: 'V8 1' };
  expect(printFingerprint(print)).toBe('p; l1 1; 2 cores; 1 threads; wasm; V8 1');
});

it('is of a protocol, which its version, the temperature and what is chosen name', () => {
  expect(protocolText('cold')).toBe('1 cold');
  expect(protocolText('warm', 'bound', 'processor')).toBe('1 warm bound processor');
});

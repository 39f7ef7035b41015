/** `--target`: the target to generate code for, by one of the Node backends. */
import { servedTargets } from '@sconv/backend';
import type { Target } from '@sconv/targets';
import { target as targetNamed } from '@sconv/targets';
import type { Option } from 'commander';
import { detectHost } from '../host-machine.ts';
import { nodeBackends } from '../node-backends.ts';
import { nameOption } from './name-option.ts';

export const targetOption = (): Option =>
  nameOption('--target <name>', 'what to compile for', 'backend for target', [
    ...servedTargets(nodeBackends).map(({ name }) => name),
    'host',
  ]).default('wasm');

/** The named target; `host` is this machine. */
export const targetOf = (name: string): Target => (name === 'host' ? detectHost().target : targetNamed(name));

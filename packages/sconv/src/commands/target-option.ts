/** `--target`: the target to generate code for, by one of the Node backends. */
import { servedTargets } from '@sconv/backend';
import type { Target } from '@sconv/targets';
import { target as targetNamed } from '@sconv/targets';
import type { Option } from 'commander';
import { detectHost } from '../host-machine.ts';
import { nodeBackends } from '../node-backends.ts';
import { nameOption } from './name-option.ts';

/** The targets that there is a backend for, and this machine. */
export const targetChoices: readonly string[] = [
  ...servedTargets(nodeBackends).map(({ name }) => name),
  'host',
];

export const targetOption = (): Option =>
  nameOption('--target <name>', 'what to compile for', 'backend for target', targetChoices).default('wasm');

/** The named target; `host` is this machine. */
export const targetOf = (name: string): Target => (name === 'host' ? detectHost().target : targetNamed(name));

/** Options that name what is measured beside ours, and where the user has installed it. */
import type { Option } from 'commander';
import { onnxruntimeNames } from '../bench/onnxruntime.ts';
import { peerFolders } from '../bench/peer-packages.ts';
import { nameOption } from './name-option.ts';

/** `--compare`: another runtime for a model. */
export const modelPeerOption = (description: string): Option =>
  nameOption('--compare <runtime>', description, 'runtime', onnxruntimeNames);

/** `--peers-from`: for `Command.option`. */
export const peersFromOption: [flags: string, description: string, folders: string[]] = [
  '--peers-from <folders...>',
  'where peers are installed',
  [...peerFolders],
];

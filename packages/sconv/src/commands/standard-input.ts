/** The standard input as a file of a command. */
import type { Command } from 'commander';
import { badUsage } from '../console.ts';

/** Refuses `-`, the standard input, as more than one of the files: it is read once. */
export const checkStandardInput = (command: Command, files: readonly (string | undefined)[]): void => {
  if (files.filter((file) => file === '-').length > 1) {
    command.error('error: the standard input, -, can be one file only', { exitCode: badUsage });
  }
};

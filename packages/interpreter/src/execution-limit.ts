/** Whether an execution failed for what executes it, or for what it executes. */

const limits: Readonly<Record<string, ExecutionLimit>> = {
  'interpreter/aborted': 'limit',
  'interpreter/call-depth': 'limit',
  'interpreter/nesting-too-deep': 'limit',
  'interpreter/resource': 'unsupported',
  'interpreter/step-limit': 'limit',
  'interpreter/too-large': 'limit',
  'interpreter/unknown-function': 'unsupported',
  'interpreter/unsupported-op': 'unsupported',
  'interpreter/unsupported-type': 'unsupported',
};

/** It would take more than it may, or what the interpreter does not have. */
export type ExecutionLimit = 'limit' | 'unsupported';

/** Why the failure with this code says nothing about the program; undefined if the program is wrong. */
export const executionLimit = (code: string): ExecutionLimit | undefined =>
  Object.hasOwn(limits, code) ? limits[code] : undefined;

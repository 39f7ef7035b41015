/** The message of a failure of the file system, without the system call and the path. */
export const whyOf = (problem: unknown): string =>
  (problem as Error).message.replace(/, [a-z]+(?: '.*)?$/s, '');

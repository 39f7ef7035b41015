/** The message of a failure of Node or the language, which throw only errors. */
export const reason = (problem: unknown): string => (problem as Error).message;

/** Why a call of Node or of the language failed, which throw nothing but errors. */
export const reason = (problem: unknown): string => (problem as Error).message;

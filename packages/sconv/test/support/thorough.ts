/** Whether tests take all that they have, as in `.ci/run`, or some of it, as in `npm test`: see CONTRIBUTING.md. */
export const isThorough = process.env['THOROUGH'] !== undefined;

/**
 * Set-up of every test file: random tests draw the same values in every run, so that a failure is reproducible and a
 * mutant is not killed by luck. `SEED=7 npx vitest run` draws others.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });

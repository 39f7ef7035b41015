/** Dependences of loop nests, and what schedules and tiles make of them: `@sconv/presburger/dependences`. */
export { dependences } from './dependences/dependences.ts';
export type { Access, Dependence, Statement } from './dependences/dependences.ts';
export { legality, violations } from './dependences/legality.ts';
export type { Legality } from './dependences/legality.ts';
export {
  fusedSchedules,
  permutedSchedule,
  sequentialSchedule,
  tiledSchedule,
} from './dependences/schedule.ts';
export { nestSchedules } from './dependences/nest-schedules.ts';
export type { NestChanges } from './dependences/nest-schedules.ts';
export { parseStatements } from './dependences/parse-statements.ts';
export { lexicographicallyBefore } from './lexicographically-before.ts';
export { constantDistance, differences, footprint, reuses, tiles } from './dependences/footprint.ts';

export { combinations, coveringOf, isCovered } from './combinations.ts';
export type { Combinations, Covering, TileRun } from './combinations.ts';
export { SpaceError } from './errors.ts';
export type { KernelGroup, KernelRoles, SpaceKernel } from './kernel-groups.ts';
export { loopOrders } from './loop-orders.ts';
export type { NestStep } from './nest-space.ts';
export { schemeSpace } from './scheme-space.ts';
export type { SchemeSpace, SpaceElement, SpaceOptions } from './scheme-space.ts';

/** How many operations canonicalization leaves in functions, here and in LLVM's mlir-opt. */
import { canonicalize } from '@sconv/canonicalization';
import { unwrap } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule, walk } from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import { optimizedByMlirOpt } from './mlir-opt.ts';

export interface SizeComparison {
  readonly functions: number;
  /** Functions in which at most as many operations remain as in mlir-opt's. */
  readonly atMost: number;
  readonly smaller: number;
  /** The other functions, by what they have more or less of. */
  readonly larger: Readonly<Record<string, number>>;
}

const countsOf = (module: Module): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { name } of walk(module.root)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** `+1 arith.select -1 arith.cmpi`, sorted by name. */
const difference = (ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): string =>
  [...new Set([...ours.keys(), ...theirs.keys()])]
    .sort()
    .flatMap((name) => {
      const more = (ours.get(name) ?? 0) - (theirs.get(name) ?? 0);
      return more === 0 ? [] : [`${more > 0 ? '+' : ''}${more} ${name}`];
    })
    .join(' ');

/** Canonicalizes each of these functions on both sides. Throws if one is invalid. */
export const compareSizes = (functions: readonly string[]): SizeComparison => {
  const parse = (text: string): Module => unwrap(parseModule(text, { registry }));
  const pass = canonicalize();
  const theirs = optimizedByMlirOpt(functions, '--canonicalize').map((text) => countsOf(parse(text)));
  const larger: Record<string, number> = {};
  let [atMost, smaller] = [0, 0];
  functions.forEach((text, i) => {
    const ours = countsOf(unwrap(pass.run(parse(text), { registry })));
    const more = total(ours) - total(theirs[i]!);
    if (more < 0) smaller++;
    if (more <= 0) atMost++;
    else {
      const kind = difference(ours, theirs[i]!);
      larger[kind] = (larger[kind] ?? 0) + 1;
    }
  });
  return { functions: functions.length, atMost, smaller, larger };
};

/** `--mlir-timing`: how long each part of the work took. */

/** Sums up wall time by name, in the order in which the names first come up. */
export interface Timing {
  readonly time: <T>(name: string, work: () => T) => T;
  readonly add: (name: string, milliseconds: number) => void;
  /** The table, as upstream draws it. */
  readonly report: () => string;
}

const rule = `===-${'-'.repeat(73)}-===`;
const title = '... Execution time report ...';

export const createTiming = (): Timing => {
  const start = performance.now();
  const spent = new Map<string, number>();
  const add = (name: string, milliseconds: number): void => {
    spent.set(name, (spent.get(name) ?? 0) + milliseconds);
  };
  return {
    add,
    time: (name, work) => {
      const from = performance.now();
      try {
        return work();
      } finally {
        add(name, performance.now() - from);
      }
    },
    report: () => {
      const total = performance.now() - start;
      const rest = total - [...spent.values()].reduce((sum, each) => sum + each, 0);
      const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(4);
      const line = ([name, each]: readonly [string, number]) =>
        `  ${seconds(each).padStart(8)} (${((100 * each) / total).toFixed(1).padStart(5)}%)  ${name}`;
      return [
        rule,
        `${' '.repeat((rule.length - title.length) / 2)}${title}`,
        rule,
        `  Total Execution Time: ${seconds(total)} seconds`,
        '',
        '  ----Wall Time----  ----Name----',
        ...[...spent].map(line),
        line(['Rest', rest]),
        line(['Total', total]),
        '',
      ].join('\n');
    },
  };
};

/** Where figures were measured. */
import { cpus } from 'node:os';

export interface ThisMachine {
  /** As in 2020-12-31. */
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly v8: string;
}

export const thisMachine = (): ThisMachine => ({
  date: new Date().toISOString().slice(0, 10),
  cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
  cores: cpus().length,
  node: process.versions.node,
  v8: process.versions.v8,
});

export const machineText = ({ date, cpu, cores, node, v8 }: ThisMachine): string =>
  `${date}, ${cpu}, ${cores} cores, Node ${node}, V8 ${v8}`;

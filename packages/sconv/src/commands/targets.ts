/** `sconv targets`: the shipped machines and microkernels, and this machine. */

import { unknownName } from '@sconv/diagnostics';
import {
  cacheNames,
  findTarget,
  microkernels,
  microkernelShape,
  registerUse,
  targets,
  type Target,
} from '@sconv/targets';
import { Command } from 'commander';
import { jsonDocument } from '../json-document.ts';
import { detectHost, type Host } from '../host-machine.ts';

/** Writes a command's result. */
export type Write = (text: string) => void;

/** The names that commands accept. */
export const targetNames: readonly string[] = targets.map(({ name }) => name);

const bytes = (value: number): string => {
  const mebibyte = 1024 ** 2;
  return value >= mebibyte
    ? `${Number((value / mebibyte).toFixed(2))} MiB`
    : `${Number((value / 1024).toFixed(2))} KiB`;
};

const caches = (target: Target): string =>
  cacheNames
    .flatMap((name) => {
      const cache = target.machine.cache[name];
      return cache === undefined ? [] : [`${name.toUpperCase()} ${bytes(cache.bytes)}`];
    })
    .join(', ');

const describeCaches = ({ machine }: Target): readonly string[] =>
  cacheNames.flatMap((name) => {
    const cache = machine.cache[name];
    if (cache === undefined) return [`  ${name.toUpperCase()}  none`];
    const ways = cache.ways === undefined ? '' : `, ${cache.ways} ways`;
    return [
      `  ${name.toUpperCase()}  ${bytes(cache.bytes)}, lines of ${cache.lineBytes}${ways}, ` +
        `${cache.latency} cycles, one per ${cache.sharing}`,
    ];
  });

const describeKernels = (target: Target): readonly string[] =>
  microkernels(target).map((kernel) => {
    const use = registerUse(kernel, target.machine);
    const registers = use === undefined ? '' : `, ${use.needed} of ${use.available} registers`;
    const panels = `${kernel.panels.windows} and ${kernel.panels.filters}`;
    const how =
      kernel.symbol === undefined ? kernel.generation : `${kernel.symbol} for transform.lower.to_blas`;
    return (
      `  ${microkernelShape(kernel).padEnd(6)}  ${how}, ${kernel.elementType}, panels of ${panels}${registers}` +
      `\n          ${kernel.source}`
    );
  });

/** Everything about one target, one fact per line. */
const describe = (target: Target): string => {
  const { machine } = target;
  const units = [
    ...(machine.vector === undefined
      ? []
      : [`${machine.vector.extension}, ${machine.vector.bits} bits, ${machine.vector.registers} registers`]),
    ...(machine.matrix === undefined
      ? []
      : [
          `${machine.matrix.extension}, ${machine.matrix.accumulators} accumulators of ` +
            `${machine.matrix.rows} x ${machine.matrix.columns}`,
        ]),
  ];
  return [
    `${target.name}: ${machine.title} (${machine.isa})`,
    ...describeCaches(target),
    `  memory  ${machine.memoryLatency} cycles`,
    ...(machine.frequencyGhz === undefined ? [] : [`  clock  ${machine.frequencyGhz} GHz`]),
    ...(machine.flopPerCycle === undefined ? [] : [`  peak  ${machine.flopPerCycle} flop per cycle`]),
    ...units.map((unit) => `  unit  ${unit}`),
    'microkernels, windows x filters:',
    ...describeKernels(target),
    'sources:',
    ...Object.entries(machine.sources).map(([field, source]) => `  ${field}: ${source}`),
    '',
  ].join('\n');
};

const describeHost = ({ target, extensions, unknown }: Host): string =>
  `${describe(target)}extensions: ${extensions.join(', ') || 'none known'}\nunknown:\n` +
  unknown.map((line) => `  ${line}\n`).join('');

const list = (): string => {
  const width = Math.max(...targets.map(({ name }) => name.length));
  return targets
    .map(
      (target) =>
        `${target.name.padEnd(width)}  ${microkernelShape(target.microkernel).padEnd(6)}` +
        `  ${target.machine.title}; ${caches(target)}\n`,
    )
    .join('');
};

interface TargetsOptions {
  readonly host?: true;
  readonly json?: true;
}

/** The command `targets [name]`. */
export const targetsCommand = (write: Write): Command => {
  const command = new Command('targets')
    .description('list the machines and microkernels to plan and generate code for')
    .argument('[name]', 'show all about this one')
    .option('--host', 'show this machine, and what could not be determined about it')
    .option('--json', 'one JSON document');
  command.action((name: string | undefined, options: TargetsOptions) => {
    if (options.host === true && name !== undefined) {
      command.error('error: give a name or --host, not both', { exitCode: 2 });
    }
    if (options.host === true) {
      const host = detectHost();
      write(options.json === true ? jsonDocument(host) : describeHost(host));
      return;
    }
    if (name === undefined) {
      write(options.json === true ? jsonDocument({ targets }) : list());
      return;
    }
    const found = findTarget(name);
    if (found === undefined) {
      return command.error(`error: ${unknownName('target', name, targetNames)}`, { exitCode: 2 });
    }
    write(options.json === true ? jsonDocument(found) : describe(found));
  });
  return command;
};

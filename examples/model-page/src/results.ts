/** What is shown of a model that has run. */
import { element, table } from './element.ts';
import type { Answer, Output, Part } from './messages.ts';

const number = (value: number): string => String(Number(value.toPrecision(4)));
const time = (seconds: number): string =>
  // The clock of a page may tick every 0.1 ms.
  seconds === 0
    ? '0 ms'
    : seconds < 0.9995
      ? `${(1000 * seconds).toPrecision(3)} ms`
      : `${seconds.toFixed(1)} s`;

/** Times, outputs and classes. */
export const resultOf = (
  { outputs, threads, seconds, calls }: Extract<Answer, { readonly kind: 'result' }>,
  isolated: boolean,
): readonly HTMLElement[] => [
  element('h2', {}, 'Times'),
  element(
    'p',
    { id: 'times' },
    `${time(seconds.steady)}, median of ${calls} calls, by ${threadsText(threads, isolated)}. ` +
      `Ready after ${time(seconds.load)}; the first call took ${time(seconds.first)}.`,
  ),
  element('h2', {}, 'Outputs'),
  table(
    'All outputs, from seeded inputs or the image',
    [
      { title: 'name' },
      { title: 'shape' },
      ...['least', 'greatest', 'mean'].map((title) => ({ title, numeric: true })),
      { title: 'elements' },
    ],
    outputs.map((output) => [
      output.name,
      `${output.shape.join(' x ')} ${output.type}`,
      number(output.least),
      number(output.greatest),
      number(output.mean),
      download(output),
    ]),
  ),
  ...outputs
    .filter(({ classes }) => classes.length > 0)
    .map(({ name, classes }) =>
      table(
        `The greatest of ${name}`,
        [
          { title: 'class', numeric: true },
          { title: 'value', numeric: true },
        ],
        classes.map(({ index, value }) => [String(index), number(value)]),
      ),
    ),
];

const threadsText = (threads: number, isolated: boolean): string => {
  if (!isolated) return 'one thread: this page is not cross-origin isolated';
  return threads === 1 ? 'one thread' : `${threads} threads`;
};

/** A link that saves an output, little-endian. */
const download = ({ name, bytes }: Output): HTMLElement =>
  element('a', { href: URL.createObjectURL(new Blob([bytes])), download: `${name}.bin` }, 'save');

/** The table of the parts, in the order in which they run. */
export const profileOf = (parts: readonly Part[]): HTMLElement => {
  const most = Math.max(...parts.map(({ share }) => share));
  const rows = parts.map(({ nodes, seconds, gflops, share }) => [
    nodes.join(', '),
    time(seconds),
    gflops === undefined ? '' : gflops.toFixed(1),
    `${(100 * share).toFixed(1)} %`,
    element('meter', { max: most, value: share, ariaHidden: 'true' }),
  ]);
  return element(
    'section',
    { id: 'profile' },
    element('h2', {}, 'Where the time goes'),
    table(
      'Each part by itself, by one thread: a loop nest, with the nodes that are fused with it',
      [
        { title: 'nodes' },
        { title: 'time', numeric: true },
        { title: 'GFLOP/s', numeric: true },
        { title: 'share', numeric: true },
        { title: '' },
      ],
      rows,
    ),
  );
};

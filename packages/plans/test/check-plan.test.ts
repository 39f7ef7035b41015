import { describe, expect, it } from 'vitest';
import { extents, kernel, openExtents, openKernel, pack, problemsOf } from './plan-nodes.ts';

const windows = (body: unknown, fields: object = {}) => ({
  kind: 'loop',
  dimension: 'windows',
  step: 4,
  count: 2,
  body,
  ...fields,
});
const packed = (body: unknown) => pack('filters', pack('input', body));
const good = pack('filters', windows(pack('input', kernel())));
const scalar = (fields: object = {}) => ({ kind: 'scalar', extents: { ...extents, ...fields } });
const whole = { firstWindow: 0, windows: 4, firstFilter: 0, filters: 4 };
/** A kernel of four windows with vectors of filters. */
const ofFilters = ({ filters }: { readonly filters: number } = { filters: 4 }) =>
  kernel({
    lanes: 'filters',
    extents: { ...extents, windows: 4, filters },
    tiles: [{ ...whole, filters }],
  });
const split = (...parts: readonly (readonly [unknown, unknown])[]) => ({
  kind: 'split',
  dimension: 'windows',
  parts: parts.map(([size, body]) => ({ size, body })),
});

const loopOf = (dimension: string, count: number, step: number, body: unknown) => ({
  kind: 'loop',
  dimension,
  count,
  step,
  body,
});
/** A loop over two groups; to be held against itself. */
const groups = (body: unknown) => loopOf('group', 1, 1, body);
/** Four windows. */
const tiled = loopOf('windows', 1, 4, pack('input', loopOf('filters', 1, 4, pack('filters', kernel()))));
const ofOneChannel = kernel({ extents: { ...extents, windows: 4, channels: 1 } });

describe('planProblems', () => {
  it.each([
    ['a nest', good],
    ['scalar code', scalar()],
    ['parts', split([4, scalar({ windows: 4 })], [4, packed(kernel())])],
    ['several tiles packed at once', pack('input', pack('filters', windows(kernel())), { tiles: 2 })],
    ['filters padded to whole vectors', pack('filters', windows(ofFilters()), { padded: 8 })],
    ['groups, one by one', groups(good)],
    ['a split inside of a loop', loopOf('batch', 1, 1, split([4, tiled], [4, tiled]))],
    ['loops around scalar code', windows(scalar({ windows: 4 }))],
    [
      'a packing in a split of what the loop around does not move',
      loopOf('filters', 1, 4, split([4, pack('input', pack('filters', kernel()))], [4, tiled])),
    ],
  ])('finds nothing wrong with %s', (_, plan) => {
    expect(problemsOf(plan)).toEqual([]);
  });

  it.each([
    [
      'parts that do not add up',
      split([4, scalar({ windows: 4 })], [3, scalar({ windows: 3 })]),
      'plan: the parts add up to 7, not to the 8 of windows here [plan/parts]',
    ],
    [
      'a loop that runs too seldom',
      pack('filters', windows(pack('input', kernel()), { count: 1 })),
      'plan.body: 1 steps of 4 are not the 8 of windows here [plan/loop]',
    ],
    [
      'a leaf that leaves something out',
      split([4, scalar({ windows: 4 })], [4, scalar({ windows: 4, channels: 1 })]),
      'plan.parts[1].body: this scalar covers 1 of channels, of which there is 2 here [plan/coverage]',
    ],
    [
      'a leaf over another dimension',
      scalar({ rows: 3 }),
      'plan: extents are of batch, group, channels, windows, filters, not of rows [plan/node]',
    ],
    [
      'a leaf that leaves out a dimension',
      { kind: 'scalar', extents: { ...extents, batch: undefined } },
      'plan: extents.batch is a positive integer, not undefined [plan/node]',
    ],
    [
      'a kernel for several images',
      packed({ ...kernel({ extents: { ...extents, batch: 2 } }) }),
      'plan.body.body: a microkernel computes one batch, not 2: loop over them by 1 [plan/kernel]',
      { ...extents, batch: 2 },
    ],
    [
      'a kernel for several groups',
      packed(kernel({ extents: { ...extents, group: 2 } })),
      'plan.body.body: a microkernel computes one group, not 2: loop over them by 1 [plan/kernel]',
      { ...extents, group: 2 },
    ],
    [
      'groups inside of another loop',
      loopOf('batch', 1, 1, loopOf('group', 2, 1, good)),
      'plan.body: groups are computed one by one, in the outermost loop [plan/group]',
      { ...extents, group: 2 },
    ],
    [
      'two groups at once',
      loopOf('group', 1, 2, scalar({ group: 2 })),
      [
        'plan: groups are computed one by one, in the outermost loop [plan/group]',
        'plan.body: groups are computed one by one, in the outermost loop [plan/group]',
      ],
      { ...extents, group: 2 },
    ],
    [
      'groups in parts',
      {
        kind: 'split',
        dimension: 'group',
        parts: [1, 1].map((size) => ({ size, body: scalar() })),
      },
      'plan: groups are computed one by one, in the outermost loop [plan/group]',
      { ...extents, group: 2 },
    ],
    [
      'a packing that is made more often than it has to be',
      windows(pack('filters', pack('input', kernel()))),
      'plan.body: the filters do not depend on the loop over windows: pack them outside of it [plan/pack]',
    ],
    [
      'one that neither the loop around nor the split in it moves',
      windows(split([2, pack('filters', scalar({ windows: 2 }))], [2, scalar({ windows: 2 })])),
      [
        'plan.body.parts[0].body: the filters do not depend on the loop over windows: pack them outside of it [plan/pack]',
        'plan.body.parts[0].body.body: scalar code reads the filters where they are, not the packed ones [plan/pack]',
      ],
    ],
    [
      'tiles for several loops',
      pack('filters', pack('input', windows(loopOf('channels', 2, 1, ofOneChannel)), { tiles: 2 })),
      [
        'plan.body.body.body: tiles of the input are packed for one loop over the windows, with as many ' +
          'iterations as tiles: 2 [plan/pack]',
        'plan.body.body.body: tiles of the filters are packed for one loop over the filters, with as many ' +
          'iterations as tiles: 1 [plan/pack]',
      ],
    ],
    [
      'a split below a packing',
      pack('filters', split([4, pack('input', kernel())], [4, pack('input', kernel())])),
      'plan.body: a split below the packing of the filters: pack in each of the parts [plan/pack]',
    ],
    [
      'a packing for scalar code',
      pack('input', scalar()),
      'plan.body: scalar code reads the input where they are, not the packed ones [plan/pack]',
    ],
    [
      'a kernel on tiles of another width',
      pack('filters', pack('input', windows(kernel()))),
      [
        'plan.body.body: tiles of the input are packed for one loop over the windows, with as many ' +
          'iterations as tiles: 1 [plan/pack]',
        'plan.body.body.body: the input are packed in tiles of 8 windows, and this reads 4 [plan/kernel]',
      ],
    ],
    [
      'an operand packed twice',
      pack('filters', windows(packed(kernel()))),
      'plan.body.body: the filters are packed already [plan/pack]',
    ],
    [
      'tiles that do not divide',
      pack('filters', windows(pack('input', kernel(), { tiles: 3 }))),
      'plan.body.body: 3 tiles do not divide 4 windows [plan/pack]',
    ],
    [
      'padding of the input',
      windows(pack('input', kernel(), { padded: 16 })),
      'plan.body: the input is not padded: filters are [plan/pack]',
    ],
    [
      'padding of several tiles',
      pack('filters', loopOf('filters', 2, 2, windows(ofFilters({ filters: 2 }))), { tiles: 2, padded: 8 }),
      'plan: 2 tiles of filters are not padded: split the last one off [plan/pack]',
    ],
    [
      'less padding than nothing',
      pack('filters', windows(ofFilters()), { padded: 3 }),
      'plan: 4 filters are padded to 4-67, not to 3 [plan/pack]',
    ],
    [
      'more than vectors have',
      pack('filters', windows(ofFilters()), { padded: 68 }),
      'plan: 4 filters are padded to 4-67, not to 68 [plan/pack]',
    ],
    [
      'padding in words',
      pack('filters', windows(ofFilters()), { padded: 'all' }),
      "plan: padded is a positive integer, not 'all' [plan/node]",
    ],
    [
      'padding for vectors of windows',
      pack('filters', windows(kernel({ tiles: [whole] })), { padded: 8 }),
      'plan.body.body: the filters are padded for vectors along them, and for a kernel that decides its tiles [plan/kernel]',
    ],
    [
      'padding for a microkernel of the target',
      pack('filters', windows(kernel({ lanes: 'filters' })), { padded: 8 }),
      'plan.body.body: the filters are padded for vectors along them, and for a kernel that decides its tiles [plan/kernel]',
    ],
    ['no plan', 'loop', "plan: expected a node of a plan, not 'loop' [plan/node]"],
    [
      'a body that is missing',
      windows(undefined),
      'plan.body: expected a node of a plan, not undefined [plan/node]',
    ],
    ['a list', [], 'plan: expected a node of a plan, not [] [plan/node]'],
    [
      'another kind of node',
      { kind: 'tile' },
      "plan: kind is loop or split or pack or kernel or scalar, not 'tile' [plan/node]",
    ],
    [
      'a loop over another dimension',
      windows(kernel(), { dimension: 'rows' }),
      "plan: dimension is batch or group or channels or windows or filters, not 'rows' [plan/node]",
    ],
    [
      'a split of another dimension',
      { kind: 'split', dimension: 7, parts: [] },
      'plan: dimension is batch or group or channels or windows or filters, not 7 [plan/node]',
    ],
    [
      'a step of nothing',
      windows(kernel(), { step: 0 }),
      'plan: step is a positive integer, not 0 [plan/node]',
    ],
    [
      'half a turn',
      windows(kernel(), { count: 0.5 }),
      'plan: count is a positive integer, not 0.5 [plan/node]',
    ],
    ['a split into nothing', split(), 'plan: expected parts, not [] [plan/node]'],
    [
      'parts that are none',
      { kind: 'split', dimension: 'windows', parts: [4, 4] },
      'plan: expected parts, not [4, 4] [plan/node]',
    ],
    [
      'parts of nothing',
      split([8, scalar()], [0, scalar()]),
      'plan: the size of a part is a positive integer, not 0 [plan/node]',
    ],
    [
      'a packing of another operand',
      pack('output', kernel()),
      "plan: operand is input or filters, not 'output' [plan/node]",
    ],
    [
      'no tiles',
      pack('input', kernel(), { tiles: 0 }),
      'plan: tiles is a positive integer, not 0 [plan/node]',
    ],
    [
      'lanes along channels',
      kernel({ lanes: 'channels' }),
      "plan: lanes is windows or filters, not 'channels' [plan/node]",
    ],
    ['a kernel of no extents', kernel({ extents: 4 }), 'plan: expected extents, not 4 [plan/node]'],
    ['scalar code of no extents', { kind: 'scalar' }, 'plan: expected extents, not undefined [plan/node]'],
  ])('refuses %s', (_, plan: unknown, problems: string | readonly string[], whole: object = extents) => {
    expect(problemsOf(plan, { extents: whole })).toEqual([problems].flat());
  });

  it('looks at the packed buffers together, where there is a cache for them', () => {
    const packedBytes = (operand: string) => (operand === 'input' ? 100 : 50);
    expect(problemsOf(good, { extents, packedBytes, room: 150 })).toEqual([]);
    expect(problemsOf(good, { extents, packedBytes, room: 149 })).toEqual([
      'plan.body.body: the packed buffers take 150 bytes, and the largest cache has room for 149 [plan/cache]',
    ]);
    expect(problemsOf(good, { extents, packedBytes })).toEqual([]);
  });

  it('goes on behind a problem', () => {
    expect(problemsOf(split([1, scalar()], [2, scalar()]))).toEqual([
      expect.stringMatching(/^plan: .*plan\/parts]$/),
      expect.stringMatching(/^plan\.parts\[0]\.body: .*plan\/coverage]$/),
      expect.stringMatching(/^plan\.parts\[1]\.body: .*plan\/coverage]$/),
    ]);
  });

  it('says nothing else where a node is none', () => {
    expect(problemsOf(split([1, { kind: 'x' }], [2, windows(7)]))).toEqual([
      expect.stringMatching(/^plan\.parts\[0]\.body: .*plan\/node]$/),
      expect.stringMatching(/^plan\.parts\[1]\.body\.body: .*plan\/node]$/),
    ]);
  });

  it('holds a plan against itself where nothing else is given', () => {
    expect(problemsOf(good, {})).toEqual([]);
    expect(problemsOf(split([1, scalar({ windows: 1 })], [2, scalar()]), {})).toEqual([
      'plan.parts[1].body: this scalar covers 8 of windows, of which there is 2 here [plan/coverage]',
    ]);
    expect(problemsOf({ kind: 'loop', dimension: 'rows' }, {})).toEqual([
      "plan: dimension is batch or group or channels or windows or filters, not 'rows' [plan/node]",
    ]);
  });
});

const part = (firstWindow: number, width: number, firstFilter: number, filters: number) => ({
  firstWindow,
  windows: width,
  firstFilter,
  filters,
});

describe('a plan of rows and columns', () => {
  const limits = { extents: openExtents };

  it.each([
    ['a kernel', openKernel()],
    ['one with filters in lanes', openKernel({ lanes: 'filters' })],
    ['unrolled taps', openKernel({ unroll: { tapRows: 3, channels: 2 } })],
    ['register tiles', openKernel({ tiles: [part(3, 3, 0, 4), part(0, 3, 0, 1), part(0, 3, 1, 3)] })],
    [
      'loops over all of its dimensions',
      loopOf(
        'tapRows',
        3,
        1,
        pack(
          'filters',
          loopOf(
            'rows',
            2,
            1,
            pack(
              'input',
              loopOf(
                'filters',
                2,
                2,
                openKernel({
                  extents: { ...openExtents, tapRows: 1, rows: 1, filters: 2 },
                }),
              ),
            ),
          ),
          { tiles: 2 },
        ),
      ),
    ],
    ['scalar code', { kind: 'scalar', extents: openExtents }],
  ])('may be %s', (_, plan) => {
    expect(problemsOf(plan, limits)).toEqual([]);
  });

  it.each([
    [
      'a loop over windows',
      loopOf('windows', 1, 6, openKernel()),
      'plan: dimension is batch or group or channels or rows or columns or filters or tapRows or tapColumns, ' +
        "not 'windows' [plan/node]",
    ],
    [
      'windows beside rows',
      openKernel({ extents: { ...openExtents, windows: 6 } }),
      "plan: lanes is windows or filters, not 'columns' [plan/node]",
    ],
    [
      'the input in tiles',
      pack('input', openKernel(), { tiles: 2 }),
      'plan: rows and columns of the input are packed as one tile, not as 2 [plan/pack]',
    ],
    [
      'filters packed for each tap, outside of the taps',
      pack('filters', loopOf('tapRows', 3, 1, openKernel({ extents: { ...openExtents, tapRows: 1 } }))),
      'plan.body: tiles of the filters are packed for one loop over the filters, with as many iterations as ' +
        'tiles: 1 [plan/pack]',
    ],
    [
      'a factor that does not divide',
      openKernel({ unroll: { tapRows: 2 } }),
      'plan: unrolling by 2 does not divide the 3 of tapRows [plan/kernel]',
    ],
    [
      'unrolled rows',
      openKernel({ unroll: { rows: 2 } }),
      'plan: rows are not summed over: what is unrolled is channels or tapRows or tapColumns [plan/kernel]',
    ],
    [
      'half a factor',
      openKernel({ unroll: { tapRows: 1.5 } }),
      'plan: unroll.tapRows is a positive integer, not 1.5 [plan/node]',
    ],
    ['no factors', openKernel({ unroll: 3 }), 'plan: expected factors by dimension, not 3 [plan/node]'],
    [
      'a tile too few',
      openKernel({ tiles: [part(0, 6, 0, 3)] }),
      'plan: register tiles cover 18 of the 24 results, in 18: each once [plan/kernel]',
    ],
    [
      'a tile twice',
      openKernel({ tiles: [part(0, 6, 0, 4), part(0, 1, 0, 1)] }),
      'plan: register tiles cover 24 of the 24 results, in 25: each once [plan/kernel]',
    ],
    [
      'a tile beyond the end',
      openKernel({ tiles: [part(0, 7, 0, 4)] }),
      'plan: a register tile reaches beyond the 6 windows or the 4 filters [plan/kernel]',
    ],
    ['no tiles', openKernel({ tiles: [4] }), 'plan: expected tiles, not [4] [plan/node]'],
    [
      'a tile before the first',
      openKernel({ tiles: [part(-1, 7, 0, 4)] }),
      'plan: firstWindow is an integer from 0, not -1 [plan/node]',
    ],
  ])('refuses %s', (_, plan, problem) => {
    expect(problemsOf(plan, limits)).toEqual([problem]);
  });

  it('refuses more than registers and code can be made for', () => {
    const many = { ...openExtents, channels: 128, rows: 64, columns: 64 };
    expect(
      problemsOf(openKernel({ extents: many, unroll: { channels: 128 }, tiles: [] }), { extents: many }),
    ).toEqual([
      'plan: 128 steps are too much code: at most 64 are unrolled [plan/kernel]',
      'plan: register tiles of 16384 results: at most 4096 are divided [plan/kernel]',
    ]);
  });
});

/** A convolution of 3 x 1 taps, by strides of the columns, with its operands' dimensions in these orders. */

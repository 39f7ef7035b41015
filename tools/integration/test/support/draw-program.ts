/** Random programs on buffers: allocations, views, loops, branches and calls, of which each reads only what was written. */

/** Numbers from a seed, each below a bound. */
const drawing = (seed: number) => {
  let state = seed >>> 0 || 1;
  return (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
};

/** A buffer of the program: its name, type and length; the allocation or argument that it is a view of. */
interface Named {
  readonly name: string;
  readonly type: string;
  readonly length: number;
  readonly root: string;
}

const lengths = [4, 8, 24];

/** The length of the argument and of the result of the functions. */
export const programLength = 24;

/** The text of functions `@program(input, output, flag)` and those that it calls. `scale` is a factor of all lengths. */
export const drawProgram = (seed: number, scale = 1): string => {
  const draw = drawing(seed);
  let count = 0;
  const fresh = (): string => `%v${count++}`;
  const plain = (name: string, length: number): Named => ({
    name,
    type: `memref<${length * scale}xf32>`,
    length,
    root: name,
  });
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)]!;

  const combine = (a: Named, b: Named, to: Named): string =>
    `linalg.${pick(['add', 'sub', 'max'])} ins(${a.name}, ${b.name} : ${a.type}, ${b.type}) outs(${to.name} : ${to.type})`;

  /** Statements in a block where these buffers can be used; adds its own to them. */
  const block = (buffers: Named[], size: number, depth: number, callees: readonly string[]): string[] => {
    const lines: string[] = [];
    const alike = (length: number): readonly Named[] => buffers.filter((each) => each.length === length);
    const allocate = (length: number): Named => {
      const made = plain(fresh(), length);
      lines.push(`${made.name} = memref.alloc() : ${made.type}`);
      const sources = alike(length);
      if (sources.length === 0) lines.push(`linalg.fill ins(%one : f32) outs(${made.name} : ${made.type})`);
      else lines.push(combine(pick(sources), pick(sources), made));
      buffers.push(made);
      return made;
    };
    const nested = (carried: readonly Named[] = []): string =>
      block([...buffers, ...carried], 1 + draw(3), depth + 1, callees).join('\n');
    for (let i = 0; i < size; i++) {
      const own = buffers.filter(({ root }) => root !== '%x');
      switch (depth > 1 ? draw(4) : draw(9)) {
        case 0:
        case 1:
          allocate(pick(lengths));
          break;
        case 2: {
          const from = pick(buffers);
          const length = pick(lengths.filter((each) => each <= from.length));
          if (from.root !== from.name || length === from.length) break;
          const [name, at] = [fresh(), draw(from.length - length + 1) * scale];
          const type = `memref<${length * scale}xf32, strided<[1]${at === 0 ? '' : `, offset: ${at}`}>>`;
          lines.push(
            `${name} = memref.subview ${from.name}[${at}] [${length * scale}] [1] : ${from.type} to ${type}`,
          );
          buffers.push({ name, type, length, root: from.root });
          break;
        }
        case 3: {
          if (own.length === 0) break;
          const to = pick(own);
          const sources = alike(to.length).filter((each) => each.name === to.name || each.root !== to.root);
          lines.push(combine(pick(sources), pick(sources), to));
          break;
        }
        case 4:
          lines.push(`scf.for ${fresh()} = %c0 to %c${1 + draw(3)} step %c1 {\n${nested()}\n}`);
          break;
        case 5:
          lines.push(`scf.if %flag {\n${nested()}\n} else {\n${nested()}\n}`);
          break;
        case 6: {
          const length = pick(lengths);
          const [first, second] = [allocate(length), allocate(length)];
          const [p, q, results] = [plain(fresh(), length), plain(fresh(), length), fresh()];
          lines.push(
            `${results}:2 = scf.for ${fresh()} = %c0 to %c3 step %c1 iter_args(${p.name} = ${first.name}, ${q.name} = ${second.name}) -> (${p.type}, ${q.type}) {
              linalg.add ins(${p.name}, ${p.name} : ${p.type}, ${p.type}) outs(${q.name} : ${q.type})
              scf.yield ${q.name}, ${p.name} : ${q.type}, ${p.type}
            }`,
          );
          const sum = plain(fresh(), length);
          lines.push(
            `${sum.name} = memref.alloc() : ${sum.type}`,
            `linalg.sub ins(${results}#0, ${results}#1 : ${p.type}, ${p.type}) outs(${sum.name} : ${sum.type})`,
          );
          buffers.push(sum);
          break;
        }
        case 7: {
          const to = plain(fresh(), 8);
          const part = `memref<${scale}xf32, strided<[1], offset: ?>>`;
          const [n, at, own, view] = [fresh(), fresh(), fresh(), fresh()];
          lines.push(
            `${to.name} = memref.alloc() : ${to.type}`,
            `scf.forall (${n}) in (8) {
              ${at} = affine.apply affine_map<(d0) -> (d0 * ${scale})>(${n})
              ${own} = memref.alloc() : memref<${scale}xf32>
              linalg.fill ins(%one : f32) outs(${own} : memref<${scale}xf32>)
              ${view} = memref.subview ${to.name}[${at}] [${scale}] [1] : ${to.type} to ${part}
              linalg.add ins(${own}, ${own} : memref<${scale}xf32>, memref<${scale}xf32>) outs(${view} : ${part})
            }`,
          );
          buffers.push(to);
          break;
        }
        default: {
          const sources = alike(programLength).filter(({ name, root }) => name === root);
          if (callees.length === 0 || sources.length === 0) break;
          const to = plain(fresh(), programLength);
          lines.push(
            `${to.name} = memref.alloc() : ${to.type}`,
            `func.call ${pick(callees)}(${pick(sources).name}, ${to.name}, %flag) : (${to.type}, ${to.type}, i1) -> ()`,
          );
          buffers.push(to);
        }
      }
    }
    return lines;
  };

  const declare = (name: string, isPrivate: boolean, callees: readonly string[]): string => {
    const [x, out] = [plain('%x', programLength), plain('%out', programLength)];
    const buffers = [x];
    const lines = block(buffers, 3 + draw(7), 0, callees);
    for (const [i, each] of buffers.entries()) {
      const view = `memref<${each.length * scale}xf32, strided<[1]>>`;
      lines.push(
        `%o${i} = memref.subview %out[0] [${each.length * scale}] [1] : ${out.type} to ${view}`,
        `linalg.sub ins(${each.name}, %o${i} : ${each.type}, ${view}) outs(%o${i} : ${view})`,
      );
    }
    return `func.func ${isPrivate ? 'private ' : ''}${name}(%x: ${x.type}, %out: ${out.type}, %flag: i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      linalg.fill ins(%zero : f32) outs(%out : ${out.type})
      ${lines.join('\n')}
      return
    }`;
  };
  const [inner, outer] = ['@inner', '@outer'];
  return [
    declare(inner, true, []),
    declare(outer, draw(2) === 0, [inner]),
    declare('@program', false, [inner, outer]),
  ].join('\n');
};

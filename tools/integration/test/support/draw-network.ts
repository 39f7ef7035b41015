/** Random networks of convolutions, poolings, elementwise ops, and branches that are added or concatenated. */
import type { Draw } from './draw-packed-function.ts';

interface Image {
  readonly name: string;
  readonly channels: number;
  readonly size: number;
}

/** The text of a function of 3 to 8 layers over images of 4 to 8 rows, whose channels are multiples of `block`. */
export const drawNetwork = (draw: Draw, block: number): string => {
  const parameters: string[] = [];
  const lines: string[] = ['%zero = arith.constant 0 : i32'];
  let count = 0;
  const fresh = (): string => `%v${count++}`;
  const type = ({ channels, size }: Omit<Image, 'name'>): string =>
    `tensor<1x${channels}x${size}x${size}xi32>`;
  const channels = (): number => block * (1 + draw(3));
  const argument = (text: string): string => {
    const name = fresh();
    parameters.push(`${name}: ${text}`);
    return name;
  };
  const filled = (shape: Omit<Image, 'name'>, value: string): string => {
    const [empty, full] = [fresh(), fresh()];
    lines.push(`${empty} = tensor.empty() : ${type(shape)}`);
    lines.push(`${full} = linalg.fill ins(${value} : i32) outs(${empty} : ${type(shape)}) -> ${type(shape)}`);
    return full;
  };

  const convolved = (image: Image): Image => {
    const taps = draw(2) === 0 ? 1 : 3;
    let input = image;
    if (taps === 3) {
      input = { name: fresh(), channels: image.channels, size: image.size + 2 };
      lines.push(
        `${input.name} = tensor.pad ${image.name} low[0, 0, 1, 1] high[0, 0, 1, 1] {`,
        '^bb0(%n: index, %c: index, %h: index, %w: index):',
        '  tensor.yield %zero : i32',
        `} : ${type(image)} to ${type(input)}`,
      );
    }
    const made = { name: fresh(), channels: channels(), size: image.size };
    const filter = `tensor<${made.channels}x${image.channels}x${taps}x${taps}xi32>`;
    lines.push(
      `${made.name} = linalg.conv_2d_nchw_fchw ins(${input.name}, ${argument(filter)} : ${type(input)}, ${filter}) ` +
        `outs(${filled(made, '%zero')} : ${type(made)}) -> ${type(made)}`,
    );
    return made;
  };

  const pooled = (image: Image): Image => {
    const made = { name: fresh(), channels: image.channels, size: image.size / 2 };
    const window = fresh();
    const init = filled(made, '%zero');
    lines.push(
      `${window} = tensor.empty() : tensor<2x2xi32>`,
      `${made.name} = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ` +
        `ins(${image.name}, ${window} : ${type(image)}, tensor<2x2xi32>) ` +
        `outs(${init} : ${type(made)}) -> ${type(made)}`,
    );
    return made;
  };

  /** A bias and a maximum with 0. */
  const activated = (image: Image): Image => {
    const made = { ...image, name: fresh() };
    const [empty, bias] = [fresh(), `tensor<${image.channels}xi32>`];
    const all = 'affine_map<(n, c, h, w) -> (n, c, h, w)>';
    lines.push(
      `${empty} = tensor.empty() : ${type(image)}`,
      `${made.name} = linalg.generic {indexing_maps = [${all}, affine_map<(n, c, h, w) -> (c)>, ${all}], ` +
        'iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ' +
        `ins(${image.name}, ${argument(bias)} : ${type(image)}, ${bias}) outs(${empty} : ${type(image)}) {`,
      '^bb0(%x: i32, %b: i32, %o: i32):',
      '  %s = arith.addi %x, %b : i32',
      '  %m = arith.maxsi %s, %zero : i32',
      '  linalg.yield %m : i32',
      `} -> ${type(image)}`,
    );
    return made;
  };

  const added = (a: Image, b: Image): Image => {
    const made = { ...a, name: fresh() };
    const empty = fresh();
    lines.push(
      `${empty} = tensor.empty() : ${type(a)}`,
      `${made.name} = linalg.add ins(${a.name}, ${b.name} : ${type(a)}, ${type(a)}) ` +
        `outs(${empty} : ${type(a)}) -> ${type(a)}`,
    );
    return made;
  };

  const joined = (a: Image, b: Image): Image => {
    const made = { name: fresh(), channels: a.channels + b.channels, size: a.size };
    lines.push(
      `${made.name} = tensor.concat dim(1) ${a.name}, ${b.name} : (${type(a)}, ${type(b)}) -> ${type(made)}`,
    );
    return made;
  };

  const shape = { channels: channels(), size: 4 + 2 * draw(3) };
  const first = { ...shape, name: argument(type(shape)) };
  const images = [convolved(first)];
  for (let i = 1 + draw(6); i > 0; i--) {
    const last = images.at(-1)!;
    const alike = images.filter(({ size }) => size === last.size);
    const equal = alike.filter((each) => each.channels === last.channels);
    const choice = draw(8);
    if (choice < 2) images.push(convolved(last));
    else if (choice < 4) images.push(activated(last));
    else if (choice === 4 && last.size % 2 === 0) images.push(pooled(last));
    else if (choice === 5 && last.channels <= 4 * block)
      images.push(joined(last, alike[draw(alike.length)]!));
    else images.push(added(equal[draw(equal.length)]!, last));
  }
  const result = convolved(images.at(-1)!);
  return [
    `func.func @network(${parameters.join(', ')}) -> ${type(result)} {`,
    ...lines.map((line) => `  ${line}`),
    `  return ${result.name} : ${type(result)}`,
    '}',
  ].join('\n');
};

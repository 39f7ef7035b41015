/**
 * A module's code as readable text: `$2 = i32.add($0, 8)` for a local, `@0` for a global. Follows the core
 * specification (§5), independently of the encoder.
 */

const names = (first: number, text: string): readonly (readonly [number, string])[] =>
  text.split(' ').map((name, i) => [first + i, name]);

const loads = new Map(
  names(
    0x28,
    'i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u',
  ),
);

const stores = new Map(
  names(
    0x36,
    'i32.store i64.store f32.store f64.store i32.store8 i32.store16 i64.store8 i64.store16 i64.store32',
  ),
);

const comparisons = (type: string): string =>
  ['eq', 'ne', 'lt_s', 'lt_u', 'gt_s', 'gt_u', 'le_s', 'le_u', 'ge_s', 'ge_u']
    .map((name) => `${type}.${name}`)
    .join(' ');
const orders = (type: string): string =>
  ['eq', 'ne', 'lt', 'gt', 'le', 'ge'].map((name) => `${type}.${name}`).join(' ');
const integers = (type: string): string =>
  'add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr'
    .split(' ')
    .map((name) => `${type}.${name}`)
    .join(' ');
const floats = (type: string): string =>
  'add sub mul div min max copysign'
    .split(' ')
    .map((name) => `${type}.${name}`)
    .join(' ');
const roundings = (type: string): string =>
  'abs neg ceil floor trunc nearest sqrt'
    .split(' ')
    .map((name) => `${type}.${name}`)
    .join(' ');

const unary = new Map([
  ...names(0x45, 'i32.eqz'),
  ...names(0x50, 'i64.eqz'),
  ...names(0x8b, roundings('f32')),
  ...names(0x99, roundings('f64')),
  ...names(
    0xa7,
    'i32.wrap_i64 i32.trunc_f32_s i32.trunc_f32_u i32.trunc_f64_s i32.trunc_f64_u i64.extend_i32_s i64.extend_i32_u i64.trunc_f32_s i64.trunc_f32_u i64.trunc_f64_s i64.trunc_f64_u f32.convert_i32_s f32.convert_i32_u f32.convert_i64_s f32.convert_i64_u f32.demote_f64 f64.convert_i32_s f64.convert_i32_u f64.convert_i64_s f64.convert_i64_u f64.promote_f32 i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64',
  ),
]);

const binary = new Map([
  ...names(0x46, comparisons('i32')),
  ...names(0x51, comparisons('i64')),
  ...names(0x5b, orders('f32')),
  ...names(0x61, orders('f64')),
  ...names(0x6a, integers('i32')),
  ...names(0x7c, integers('i64')),
  ...names(0x92, floats('f32')),
  ...names(0xa0, floats('f64')),
]);

/** Opcodes after the prefix 0xfd. */
const vectorLoads = new Map([
  [0x00, 'v128.load'],
  [0x03, 'v128.load16x4_s'],
  [0x04, 'v128.load16x4_u'],
  [0x07, 'v128.load8_splat'],
  [0x08, 'v128.load16_splat'],
  [0x0a, 'v128.load64_splat'],
  [0x09, 'v128.load32_splat'],
  [0x5c, 'v128.load32_zero'],
  [0x5d, 'v128.load64_zero'],
]);
const vectorLaneAccesses = new Map([
  [0x54, 'v128.load8_lane'],
  [0x55, 'v128.load16_lane'],
  [0x56, 'v128.load32_lane'],
  [0x57, 'v128.load64_lane'],
  [0x58, 'v128.store8_lane'],
  [0x59, 'v128.store16_lane'],
  [0x5a, 'v128.store32_lane'],
  [0x5b, 'v128.store64_lane'],
]);
const vectorUnary = new Map([
  [0x4d, 'v128.not'],
  [0x87, 'i16x8.extend_low_i8x16_s'],
  [0xa7, 'i32x4.extend_low_i16x8_s'],
  [0x0f, 'i8x16.splat'],
  [0x10, 'i16x8.splat'],
  [0x11, 'i32x4.splat'],
  [0x13, 'f32x4.splat'],
  [0x14, 'f64x2.splat'],
  [0xe1, 'f32x4.neg'],
  [0xed, 'f64x2.neg'],
]);
const extrema = (type: string): string =>
  ['min_s', 'min_u', 'max_s', 'max_u'].map((name) => `${type}.${name}`).join(' ');
const vectorBinary = new Map([
  ...names(0x41, orders('f32x4')),
  ...names(0x47, orders('f64x2')),
  [0xab, 'i32x4.shl'],
  [0xad, 'i32x4.shr_u'],
  ...names(0x4e, 'v128.and v128.andnot v128.or v128.xor'),
  [0x6e, 'i8x16.add'],
  [0x71, 'i8x16.sub'],
  ...names(0x76, extrema('i8x16')),
  [0x8e, 'i16x8.add'],
  [0x91, 'i16x8.sub'],
  ...names(0x95, `i16x8.mul ${extrema('i16x8')}`),
  [0xae, 'i32x4.add'],
  [0xb1, 'i32x4.sub'],
  ...names(0xb5, `i32x4.mul ${extrema('i32x4')}`),
  ...names(0xe4, 'f32x4.add f32x4.sub f32x4.mul f32x4.div f32x4.min f32x4.max f32x4.pmin f32x4.pmax'),
  ...names(0xf0, 'f64x2.add f64x2.sub f64x2.mul f64x2.div f64x2.min f64x2.max f64x2.pmin f64x2.pmax'),
]);

class Reader {
  position: number;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, position: number) {
    this.bytes = bytes;
    this.position = position;
    this.view = new DataView(bytes.buffer, bytes.byteOffset);
  }

  byte(): number {
    return this.bytes[this.position++]!;
  }

  signed(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(Number(shift) + 7, value);
    }
  }

  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  float(bytes: 4 | 8): number {
    const at = this.position;
    this.position += bytes;
    return bytes === 4 ? this.view.getFloat32(at, true) : this.view.getFloat64(at, true);
  }

  /** Alignment, which is a hint, and the offset as a suffix. */
  offset(): string {
    this.unsigned();
    const offset = this.unsigned();
    return offset === 0 ? '' : `+${offset}`;
  }

  list<T>(item: () => T): T[] {
    return Array.from({ length: this.unsigned() }, item);
  }
}

/** The statements of one body, one per line. `parametersOf` gives a callee's parameter count. */
const linesOf = (reader: Reader, parametersOf: (callee: number) => number): readonly string[] => {
  const lines: string[] = [];
  const stack: string[] = [];
  let depth = 0;
  const statement = (text: string): void => {
    lines.push(`${'  '.repeat(depth + 1)}${text}`);
  };
  const pop = (): string => stack.pop() ?? '?';
  const popped = (count: number): string => stack.splice(stack.length - count, count).join(', ');
  const open = (text: string): void => {
    statement(text);
    depth += 1;
  };
  const vector = (): void => {
    const opcode = reader.unsigned();
    const laneAccess = vectorLaneAccesses.get(opcode);
    const load = vectorLoads.get(opcode);
    if (load !== undefined) stack.push(`${load}${reader.offset()}(${pop()})`);
    else if (opcode === 0x0b) statement(`v128.store${reader.offset()}(${popped(2)})`);
    else if (laneAccess !== undefined) {
      const text = `${laneAccess}${reader.offset()}[${reader.byte()}](${popped(2)})`;
      if (laneAccess.includes('load')) stack.push(text);
      else statement(text);
    } else if (opcode === 0x0d) {
      const bytes = Array.from({ length: 16 }, () => reader.byte());
      const words = bytes.filter((_, i) => i % 4 === 0).map((byte) => byte / 4);
      const lanes = words.every(Number.isInteger) ? words : bytes;
      stack.push(`shuffle[${lanes.join(' ')}](${popped(2)})`);
    } else if (vectorUnary.has(opcode)) stack.push(`${vectorUnary.get(opcode)}(${pop()})`);
    else if (vectorBinary.has(opcode)) stack.push(`${vectorBinary.get(opcode)}(${popped(2)})`);
    else if (opcode === 0x1c) stack.push(`i32x4.replace_lane[${reader.byte()}](${popped(2)})`);
    else if (opcode === 0x52) stack.push(`v128.bitselect(${popped(3)})`);
    else if (opcode === 0x105) stack.push(`f32x4.relaxed_madd(${popped(3)})`);
    else throw new Error(`vector instruction 0x${opcode.toString(16)}`);
  };
  for (;;) {
    const opcode = reader.byte();
    if (loads.has(opcode)) stack.push(`${loads.get(opcode)}${reader.offset()}(${pop()})`);
    else if (stores.has(opcode)) statement(`${stores.get(opcode)}${reader.offset()}(${popped(2)})`);
    else if (unary.has(opcode)) stack.push(`${unary.get(opcode)}(${pop()})`);
    else if (binary.has(opcode)) stack.push(`${binary.get(opcode)}(${popped(2)})`);
    else {
      switch (opcode) {
        case 0x00:
          statement('unreachable');
          break;
        case 0x02:
        case 0x03:
          reader.byte();
          open(opcode === 0x02 ? 'block' : 'loop');
          break;
        case 0x04:
          reader.byte();
          open(`if ${pop()}`);
          break;
        case 0x05:
          depth -= 1;
          open('else');
          break;
        case 0x0b:
          if (depth === 0) return [...lines, ...stack.map((value) => `  ${value}`)];
          depth -= 1;
          break;
        case 0x0c:
          statement(`br ${reader.unsigned()}`);
          break;
        case 0x0d:
          statement(`br_if ${reader.unsigned()} ${pop()}`);
          break;
        case 0x0f:
          statement(`return ${stack.splice(0).join(', ')}`.trimEnd());
          break;
        case 0x10: {
          const callee = reader.unsigned();
          statement(`call f${callee}(${popped(parametersOf(callee))})`);
          break;
        }
        case 0x1b:
          stack.push(`select(${popped(3)})`);
          break;
        case 0x20:
          stack.push(`$${reader.unsigned()}`);
          break;
        case 0x21:
          statement(`$${reader.unsigned()} = ${pop()}`);
          break;
        case 0x23:
          stack.push(`@${reader.unsigned()}`);
          break;
        case 0x24:
          statement(`@${reader.unsigned()} = ${pop()}`);
          break;
        case 0x41:
          stack.push(String(reader.signed()));
          break;
        case 0x42:
          stack.push(`${reader.signed()}n`);
          break;
        case 0x43:
        case 0x44:
          stack.push(`${opcode === 0x43 ? 'f32' : 'f64'} ${reader.float(opcode === 0x43 ? 4 : 8)}`);
          break;
        case 0xfc:
          reader.position += 3;
          statement(`memory.copy(${popped(3)})`);
          break;
        case 0xfd:
          vector();
          break;
        default:
          throw new Error(`instruction 0x${opcode.toString(16)}`);
      }
    }
  }
};

/** The functions of a module that the encoder wrote, in order. */
export const disassemble = (bytes: Uint8Array): string => {
  const reader = new Reader(bytes, 8);
  let types: { readonly parameters: number }[] = [];
  let functions: number[] = [];
  const text: string[] = [];
  const list = (): number => reader.list(() => reader.byte()).length;
  while (reader.position < bytes.length) {
    const section = reader.byte();
    const end = reader.unsigned() + reader.position;
    if (section === 1) {
      types = reader.list(() => {
        reader.byte();
        const parameters = list();
        list();
        return { parameters };
      });
    } else if (section === 3) functions = reader.list(() => reader.unsigned());
    else if (section === 10) {
      const count = reader.unsigned();
      for (let i = 0; i < count; i += 1) {
        reader.unsigned();
        reader.list(() => [reader.unsigned(), reader.byte()]);
        const parametersOf = (callee: number): number => types[functions[callee]!]!.parameters;
        text.push(`f${i}:`, ...linesOf(reader, parametersOf));
      }
    }
    reader.position = end;
  }
  return `${text.join('\n')}\n`;
};

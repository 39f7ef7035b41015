/** The binary formats of MLIR's float types: rounding, bit patterns, and MLIR's decimal text. */

interface FloatFormat {
  readonly exponentBits: number;
  /** The number of stored fraction bits. */
  readonly fractionBits: number;
  readonly bias: number;
  /**
   * The meaning of the largest exponent: infinities and NaNs (`ieee`); finite numbers and one NaN per sign (`fn`);
   * finite numbers, with the NaN at the pattern of negative zero (`fnuz`).
   */
  readonly specials: 'ieee' | 'fn' | 'fnuz';
  /** x87: the leading bit of the significand is stored. */
  readonly explicitLeadingBit?: boolean;
}

const ieee = (exponentBits: number, fractionBits: number): FloatFormat => ({
  exponentBits,
  fractionBits,
  bias: 2 ** (exponentBits - 1) - 1,
  specials: 'ieee',
});

const formats: ReadonlyMap<string, FloatFormat> = new Map([
  ['f16', ieee(5, 10)],
  ['bf16', ieee(8, 7)],
  ['tf32', ieee(8, 10)],
  ['f32', ieee(8, 23)],
  ['f64', ieee(11, 52)],
  ['f80', { ...ieee(15, 63), explicitLeadingBit: true }],
  ['f128', ieee(15, 112)],
  ['f8E5M2', ieee(5, 2)],
  ['f8E4M3', ieee(4, 3)],
  ['f8E4M3FN', { exponentBits: 4, fractionBits: 3, bias: 7, specials: 'fn' }],
  ['f8E5M2FNUZ', { exponentBits: 5, fractionBits: 2, bias: 16, specials: 'fnuz' }],
  ['f8E4M3FNUZ', { exponentBits: 4, fractionBits: 3, bias: 8, specials: 'fnuz' }],
  ['f8E4M3B11FNUZ', { exponentBits: 4, fractionBits: 3, bias: 11, specials: 'fnuz' }],
]);

/** The names of the float types. */
export const floatTypeNames: ReadonlySet<string> = new Set(formats.keys());

const formatOf = (name: string): FloatFormat => {
  const format = formats.get(name);
  if (format === undefined) throw new Error(`${name} is not a float type`);
  return format;
};

const storedBits = (format: FloatFormat): number =>
  1 + format.exponentBits + format.fractionBits + (format.explicitLeadingBit === true ? 1 : 0);

/** Width in bits of the float type `name`; tf32 is kept in 32 bits, of which it uses 19. */
export const floatWidth = (name: string): number => (name === 'tf32' ? 32 : storedBits(formatOf(name)));

/** The exponent of the leading bit of a finite non-zero number. */
const binaryExponent = (magnitude: number): number => {
  const exponent = Math.floor(Math.log2(magnitude));
  // The logarithm is rounded; near a power of two it may be off by one.
  if (2 ** exponent > magnitude) return exponent - 1;
  return 2 ** (exponent + 1) <= magnitude ? exponent + 1 : exponent;
};

const roundHalfEven = (value: number): number => {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest === 0.5) return floor % 2 === 0 ? floor : floor + 1;
  return rest < 0.5 ? floor : floor + 1;
};

const largestFinite = (format: FloatFormat): number => {
  const topExponent = 2 ** format.exponentBits - 1 - format.bias;
  const step = 2 ** -format.fractionBits;
  if (format.specials === 'ieee') return 2 ** (topExponent - 1) * (2 - step);
  return 2 ** topExponent * (2 - (format.specials === 'fn' ? 2 * step : step));
};

/** The largest finite number of the float type `name`. */
export const largestFloat = (name: string): number => largestFinite(formatOf(name));

/** `value` rounded to the nearest number of the float type `name`, ties to even; infinity or NaN out of range. */
export const roundToFloat = (value: number, name: string): number => {
  if (name === 'f32') return Math.fround(value);
  const format = formatOf(name);
  if (format.fractionBits >= 52) return value;
  if (!Number.isFinite(value)) return format.specials === 'ieee' ? value : NaN;
  // Types without -0 use 0 instead.
  const zero = format.specials === 'fnuz' ? 0 : -0;
  const magnitude = Math.abs(value);
  if (magnitude === 0) return value + zero;
  const unit = 2 ** (Math.max(binaryExponent(magnitude), 1 - format.bias) - format.fractionBits);
  const rounded = roundHalfEven(magnitude / unit) * unit;
  if (rounded > largestFinite(format)) return format.specials === 'ieee' ? value * Infinity : NaN;
  return (value < 0 ? -rounded : rounded) + zero;
};

const quietNaN = (format: FloatFormat): bigint => {
  const fraction = BigInt(format.fractionBits);
  const ones = (1n << BigInt(format.exponentBits)) - 1n;
  switch (format.specials) {
    case 'ieee':
      return format.explicitLeadingBit === true
        ? (ones << (fraction + 1n)) | (3n << (fraction - 1n))
        : (ones << fraction) | (1n << (fraction - 1n));
    case 'fn':
      return (ones << fraction) | ((1n << fraction) - 1n);
    case 'fnuz':
      return 1n << (fraction + BigInt(format.exponentBits));
  }
};

/** The bit pattern of a value of the float type `name`; NaN maps to the quiet NaN. */
export const floatToBits = (value: number, name: string): bigint => {
  const format = formatOf(name);
  if (Number.isNaN(value)) return quietNaN(format);
  const fractionBits = BigInt(format.fractionBits);
  const significandBits = format.explicitLeadingBit === true ? fractionBits + 1n : fractionBits;
  const negative = value < 0 || (Object.is(value, -0) && format.specials !== 'fnuz');
  const sign = (negative ? 1n : 0n) << (significandBits + BigInt(format.exponentBits));
  const magnitude = Math.abs(value);
  if (magnitude === 0) return sign;
  const leading = format.explicitLeadingBit === true ? 1n << fractionBits : 0n;
  if (magnitude === Infinity)
    return sign | (((1n << BigInt(format.exponentBits)) - 1n) << significandBits) | leading;
  const exponent = binaryExponent(magnitude);
  const biased = exponent + format.bias;
  // In two steps, since 2 ** 1074 overflows.
  const scaled = magnitude / 2 ** (biased > 0 ? exponent : 1 - format.bias);
  const fraction =
    BigInt(scaled * 2 ** Math.min(format.fractionBits, 52)) << BigInt(Math.max(format.fractionBits - 52, 0));
  if (biased <= 0) return sign | fraction;
  return sign | (BigInt(biased) << significandBits) | leading | (fraction & ((1n << fractionBits) - 1n));
};

/** The value of a bit pattern of the float type `name`, rounded if a double cannot represent it. */
export const floatFromBits = (bits: bigint, name: string): number => {
  const format = formatOf(name);
  const significandBits = format.fractionBits + (format.explicitLeadingBit === true ? 1 : 0);
  const topExponent = 2 ** format.exponentBits - 1;
  const sign = (bits >> BigInt(significandBits + format.exponentBits)) & 1n ? -1 : 1;
  const biased = Number((bits >> BigInt(significandBits)) & BigInt(topExponent));
  const fraction = Number(bits & ((1n << BigInt(format.fractionBits)) - 1n)) / 2 ** format.fractionBits;
  const largestFraction = 1 - 2 ** -format.fractionBits;
  if (format.specials === 'fnuz' && sign === -1 && biased === 0 && fraction === 0) return NaN;
  if (format.specials === 'fn' && biased === topExponent && fraction === largestFraction) return NaN;
  if (format.specials === 'ieee' && biased === topExponent) return fraction === 0 ? sign * Infinity : NaN;
  if (biased === 0) return sign * fraction * 2 ** (1 - format.bias);
  return sign * (1 + fraction) * 2 ** (biased - format.bias);
};

/** The hexadecimal literal of a bit pattern. */
const hexadecimal = (bits: bigint): string => `0x${bits.toString(16).toUpperCase()}`;

/** A decimal number: `digits` without trailing zeros, times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** A finite non-zero double as an odd integer times a power of two. */
const decompose = (magnitude: number): { readonly significand: bigint; readonly exponent: number } => {
  let exponent = Math.max(binaryExponent(magnitude), -1022) - 52;
  // In two steps, since 2 ** 1074 overflows.
  let significand = BigInt(
    exponent < -1000 ? magnitude * 2 ** 1000 * 2 ** (-exponent - 1000) : magnitude / 2 ** exponent,
  );
  const trailing = significand.toString(2).length - significand.toString(2).replace(/0+$/, '').length;
  significand >>= BigInt(trailing);
  exponent += trailing;
  return { significand, exponent };
};

/**
 * The value to `precision` significant digits, as LLVM's `APFloat::toString` computes it: surplus digits are
 * truncated first (keeping enough bits), and only the remainder is rounded, half up. So 7.8, which is slightly less,
 * has the six digits 7.79999.
 */
const toDecimal = (magnitude: number, precision: number): Decimal => {
  const { significand, exponent: binary } = decompose(magnitude);
  let integer = binary >= 0 ? significand << BigInt(binary) : significand * 5n ** BigInt(-binary);
  let exponent = Math.min(binary, 0);
  const bits = integer.toString(2).length;
  const bitsRequired = Math.floor((precision * 196 + 58) / 59);
  const removable = bits <= bitsRequired ? 0 : Math.floor(((bits - bitsRequired) * 59) / 196);
  integer /= 10n ** BigInt(removable);
  exponent += removable;
  const all = integer.toString();
  const surplus = Math.max(all.length - precision, 0);
  const kept =
    BigInt(all.slice(0, all.length - surplus)) + (surplus > 0 && all[all.length - surplus]! >= '5' ? 1n : 0n);
  const digits = kept.toString();
  const significant = digits.replace(/0+$/, '');
  return { digits: significant, exponent: exponent + surplus + digits.length - significant.length };
};

/** `1.250000e+00`: six significant digits, padded, as `APFloat::toString(6, 0, false)`. */
const sixDigits = (value: number): string => {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === 0) return `${sign}0.000000e+00`;
  const { digits, exponent } = toDecimal(Math.abs(value), 6);
  const leading = exponent + digits.length - 1;
  const power = `${leading < 0 ? '-' : '+'}${String(Math.abs(leading)).padStart(2, '0')}`;
  return `${sign}${digits[0]!}.${digits.slice(1).padEnd(6, '0')}e${power}`;
};

/** `APFloat::toString()`: as many digits as the format may need, scientific if that is shorter. */
const enoughDigits = (value: number, format: FloatFormat): string => {
  const precision = 2 + Math.floor(((format.fractionBits + 1) * 59) / 196);
  const maxPadding = 3;
  const { digits, exponent } = toDecimal(Math.abs(value), precision);
  const sign = value < 0 ? '-' : '';
  const leading = exponent + digits.length - 1;
  const scientific =
    exponent >= 0
      ? exponent > maxPadding || digits.length + exponent > precision
      : leading < 0 && -leading > maxPadding;
  if (scientific)
    return `${sign}${digits[0]!}.${digits.slice(1) || '0'}E${leading < 0 ? '-' : '+'}${Math.abs(leading)}`;
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const whole = leading + 1;
  if (whole > 0) return `${sign}${digits.slice(0, whole)}.${digits.slice(whole)}`;
  return `${sign}0.${'0'.repeat(-whole)}${digits}`;
};

/** Prints a value of the float type `name` as MLIR does; also returns whether that is hexadecimal. */
export const printFloat = (
  value: number,
  name: string,
  bits?: bigint,
): { readonly text: string; readonly isHexadecimal: boolean } => {
  if (Number.isFinite(value)) {
    const short = sixDigits(value);
    if (Object.is(roundToFloat(Number(short), name), value)) return { text: short, isHexadecimal: false };
    const long = enoughDigits(value, formatOf(name));
    if (long.includes('.')) return { text: long, isHexadecimal: false };
  }
  return { text: hexadecimal(bits ?? floatToBits(value, name)), isHexadecimal: true };
};

/** The bits, if they are a NaN other than the one that a NaN without explicit bits represents. */
export const bitsOfNaN = (bits: bigint, name: string): bigint | undefined => {
  const format = formatOf(name);
  const used = BigInt.asUintN(storedBits(format), bits);
  return used !== quietNaN(format) && Number.isNaN(floatFromBits(used, name)) ? used : undefined;
};

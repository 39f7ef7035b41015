/** Numbers as people read them. */

/** 1536 → `1.5 KiB`. */
export const size = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB'];
  return `${Number(value.toFixed(1))} ${unit}`;
};

/** 11232 → `11,232`. */
export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** 0.955 → `95.5 %`. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** 23918400 → `23.9M`. */
export const short = (value: number): string => {
  const [scaled, unit] =
    value >= 1e9
      ? [value / 1e9, 'G']
      : value >= 1e6
        ? [value / 1e6, 'M']
        : value >= 1e3
          ? [value / 1e3, 'k']
          : [value, ''];
  return `${Number(scaled.toPrecision(3))}${unit}`;
};

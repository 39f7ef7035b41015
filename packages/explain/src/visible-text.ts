/** Text of a payload or a schedule for a person: what would not be seen, or would act on what shows it, is spelt. */

/** With control characters, and those that order or hide others, as `\u{202E}`; tabs and spaces stay. */
export const visibleText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\t' ? character : `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  );

/** The resources of a text while it is parsed: attributes refer to them first, their bytes follow the module. */
import type { Resource } from './resource.ts';

type Draft = { -readonly [K in keyof Resource]: Resource[K] };

export class ParsedResources {
  private readonly byKey = new Map<string, Draft>();

  /** The resource with this key, complete after `finish`. */
  get(key: string): Resource {
    return this.draftOf(key);
  }

  define(key: string, bytes: Uint8Array, alignment: number): void {
    Object.assign(this.draftOf(key), { bytes, alignment });
  }

  /** Ends the text. */
  finish(): void {
    for (const draft of this.byKey.values()) Object.freeze(draft);
  }

  private draftOf(key: string): Draft {
    let draft = this.byKey.get(key);
    if (draft === undefined) this.byKey.set(key, (draft = { key, bytes: undefined, alignment: 0 }));
    return draft;
  }
}

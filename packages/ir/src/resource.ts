/**
 * Blobs that attributes refer to by key: `dense_resource<key>`. Weights are such: bytes of the caller, which nothing
 * here copies, walks or turns into numbers.
 */

/** What a key stands for. Attributes that share bytes are equal where their types are. */
export interface Resource {
  /** A bare identifier; made unique where a module is printed. */
  readonly key: string;
  /** Elements in row-major order, least significant byte first, never written; undefined if the text lacks them. */
  readonly bytes: Uint8Array | undefined;
  /** The alignment in bytes that readers may ask for, a power of two; 0 for none. Not that of `bytes` in its buffer. */
  readonly alignment: number;
}

/** Whether two stand for the same: the same bytes, or without bytes the same key. */
export const sameResource = (a: Resource, b: Resource): boolean =>
  a.bytes === b.bytes && (a.bytes !== undefined || a.key === b.key);

/** Keys for the resources of a text: their own, with a number behind it where another one has it already. */
export class ResourceKeys {
  private readonly keys = new Map<Uint8Array | string, string>();
  private readonly taken = new Map<string, Resource>();

  /** The resources in the order of their first use, by key. */
  get used(): ReadonlyMap<string, Resource> {
    return this.taken;
  }

  add(resource: Resource): void {
    const identity = resource.bytes ?? resource.key;
    if (this.keys.has(identity)) return;
    let { key } = resource;
    for (let i = 1; this.taken.has(key); i += 1) key = `${resource.key}_${i}`;
    this.keys.set(identity, key);
    this.taken.set(key, resource);
  }

  keyOf(resource: Resource): string {
    return this.keys.get(resource.bytes ?? resource.key) ?? resource.key;
  }
}

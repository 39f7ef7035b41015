/** WebAssembly as what tests put in its place sees it: Node's types do not have it. */
export const engine = Reflect.get(globalThis, 'WebAssembly') as {
  readonly Memory: new () => object;
  readonly Module: new (bytes: Uint8Array) => object;
  validate(): boolean;
};

/** WebAssembly as tests replace it; Node's types lack it. */
export const engine = Reflect.get(globalThis, 'WebAssembly') as {
  readonly Memory: new () => object;
  readonly Module: new (bytes: Uint8Array) => object;
  validate(): boolean;
};

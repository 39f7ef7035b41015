/** Artifacts whose arrays live elsewhere: on a device, in another process, in a worker. */
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { Artifact } from './artifact.ts';
import { checkArguments } from './check-arguments.ts';
import { createArtifact } from './create-artifact.ts';
import type { ElementArrays, Elements } from './elements.ts';
import { arrayTypeOf, copyElements, elementSize } from './elements.ts';
import type { BufferSignature, FunctionSignature, RunValue } from './signature.ts';

/** A buffer or number as the device takes and gives it. */
export type DeviceValue<Handle extends object> = Handle | number | bigint;

/**
 * What a device provides. A handle stands for a buffer that only the device can read; it may be any object. Failures
 * are values: a promise that rejects is a bug.
 */
export interface DeviceCore<Handle extends object> {
  readonly functions: readonly FunctionSignature[];
  /** Bytes of an index in a buffer. */
  readonly indexBytes: 4 | 8;
  /** A buffer with these elements. */
  upload(elements: Elements): Promise<Diagnosed<Handle>>;
  /** Fills an array of the same length with the buffer's elements. */
  download(handle: Handle, into: Elements): Promise<Diagnosed<undefined>>;
  /**
   * Calls an existing function. A buffer of the result is either one of the arguments, then it is that handle, or a new
   * one.
   */
  call(
    name: string,
    values: readonly DeviceValue<Handle>[],
  ): Promise<Diagnosed<readonly DeviceValue<Handle>[]>>;
  /** Frees a buffer. */
  release(handle: Handle): void;
  /** Frees everything else, all buffers included; called once, when no call is under way. */
  dispose?(): void;
}

/**
 * The artifact of a device, whose calls are only asynchronous. Users pass typed arrays, as anywhere: a call uploads its
 * arguments, downloads what it has written and returned, and frees them. Constants stay on the device from the first
 * call after `bind` to the binding's `dispose`. If a step fails, so does the call, and the caller's arrays stay as they
 * are.
 */
export const createDeviceArtifact = <Handle extends object>(core: DeviceCore<Handle>): Artifact => {
  const signatures = new Map(core.functions.map((signature) => [signature.name, signature]));
  /** The copies of constants, and the buffers of those that a call has used. */
  const constants = new Map<Elements, Handle | undefined>();
  let running: Promise<unknown> = Promise.resolve();
  const arrayFor = (signature: BufferSignature): Elements => {
    const { length, elementBytes } = signature;
    return new (arrayTypeOf(signature))(new ArrayBuffer(length * elementBytes));
  };

  const call = async (name: string, values: readonly RunValue[]): Promise<Diagnosed<readonly RunValue[]>> => {
    const signature = signatures.get(name)!;
    checkArguments(signature, values);
    const temporary = new Set<Handle>();
    try {
      // 1. Upload the arguments that are not there.
      const uploaded = new Map<RunValue, Handle>();
      for (const value of values) {
        if (typeof value !== 'object' || uploaded.has(value)) continue;
        const known = constants.get(value);
        const result = known === undefined ? await core.upload(value) : success(known);
        if (result.status !== 'success') return result;
        uploaded.set(value, result.value);
        if (constants.has(value)) constants.set(value, result.value);
        else temporary.add(result.value);
      }
      // 2. Call.
      const given = values.map((value) => (typeof value === 'object' ? uploaded.get(value)! : value));
      const called = await core.call(name, given);
      if (called.status !== 'success') return called;
      const { value: returned, diagnostics } = called;
      for (const each of returned) if (typeof each === 'object' && !given.includes(each)) temporary.add(each);
      // 3. Download what is written and what is new, then hand it out.
      const downloads: { readonly handle: Handle; readonly array: Elements; readonly to?: Elements }[] = [];
      for (const [i, parameter] of signature.parameters.entries()) {
        if (parameter.kind === 'buffer' && parameter.written)
          downloads.push({
            handle: given[i] as Handle,
            array: arrayFor(parameter),
            to: values[i] as Elements,
          });
      }
      const results = returned.map((each, i): RunValue => {
        if (typeof each !== 'object') return each;
        const argument = values[given.indexOf(each)];
        if (argument !== undefined) return argument;
        const array = arrayFor(signature.results[i] as BufferSignature);
        downloads.push({ handle: each, array });
        return array;
      });
      for (const { handle, array } of downloads) {
        const result = await core.download(handle, array);
        if (result.status !== 'success') return result;
      }
      for (const { to, array } of downloads) if (to !== undefined) copyElements(to, array);
      return success(results, diagnostics);
    } finally {
      for (const handle of temporary) core.release(handle);
    }
  };

  return createArtifact({
    functions: core.functions,
    callAsync: (name, values) => {
      const result = call(name, values);
      running = result.catch(() => undefined);
      return result;
    },
    allocate: (element, length) =>
      // Only the type knows which array class an element name stands for.
      arrayFor({
        kind: 'buffer',
        shape: [length],
        length,
        ...elementSize(element, core.indexBytes),
      }) as ElementArrays[typeof element],
    keep: (_, bound) => {
      for (const value of bound.values()) if (typeof value === 'object') constants.set(value, undefined);
      return undefined;
    },
    release: (elements) => {
      const handle = constants.get(elements);
      constants.delete(elements);
      if (handle !== undefined) core.release(handle);
    },
    dispose: () => void running.then(() => core.dispose?.()),
  });
};

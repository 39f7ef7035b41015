/** One measurement at a time on a machine, and no compilation meanwhile, whichever processes do either. */
import { rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { availableParallelism, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TuningSignal } from './measuring-process.ts';

/** What the processes of a machine agree by. Both wait for their turn; the signal ends the waiting, not the work. */
export interface MachineLock {
  /** Works while no other process measures or compiles. */
  readonly measuring: <T>(work: () => Promise<T>) => Promise<T>;
  /** Works while no other process measures; as many at once as the machine has threads. */
  readonly compiling: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Of which machine: processes with the same name agree. */
export interface MachineLockOptions {
  readonly name?: string;
  readonly signal?: TuningSignal | undefined;
}

/** For work that nobody else is on the machine for. */
export const noLock: MachineLock = { measuring: (work) => work(), compiling: (work) => work() };

/**
 * The lock of this machine. It is a name that one process listens on: the system frees it, however that process ends,
 * and tells those that are connected, so that nobody asks again and again. Both sides take their own name first and
 * look at the other's then, so that one of them sees the other. Where the system has no such names, nobody waits.
 */
export const machineLock = ({ name = 'sconv-tuning', signal }: MachineLockOptions = {}): MachineLock => {
  const measurement = addressOf(`${name}-measuring`);
  const compilations = Array.from({ length: availableParallelism() }, (_, i) =>
    addressOf(`${name}-compiling-${i}`),
  );
  return {
    measuring: async (work) => {
      const release = await takeOneOf([measurement], signal);
      try {
        for (const compilation of compilations) await untilFree(compilation, signal);
        return await work();
      } finally {
        release();
      }
    },
    compiling: async (work) => {
      for (;;) {
        await untilFree(measurement, signal);
        const release = await takeOneOf(compilations, signal);
        try {
          if (signal?.aborted === true || !(await isTaken(measurement))) return await work();
        } finally {
          release();
        }
      }
    },
  };
};

/** A local address: one that is no file where there are such, and so disappears with who listens. */
const addressOf = (name: string): string => {
  if (platform() === 'linux') return `\0${name}`;
  return platform() === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.socket`);
};

type Release = () => void;

const takeOneOf = async (
  addresses: readonly string[],
  signal: TuningSignal | undefined,
): Promise<Release> => {
  for (;;) {
    for (const address of addresses) {
      const release = await listenOn(address);
      if (release !== undefined) return release;
    }
    if (signal?.aborted === true) return () => undefined;
    await untilFree(addresses[Math.floor(Math.random() * addresses.length)]!, signal);
  }
};

/** Undefined if another listener has the address. */
const listenOn = (address: string): Promise<Release | undefined> =>
  new Promise((resolve) => {
    const waiting = new Set<Socket>();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on('error', () => undefined).on('close', () => waiting.delete(socket));
    });
    server.on('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'EADDRINUSE' ? undefined : () => undefined);
    });
    server.listen(address, () => {
      resolve(() => {
        server.close();
        for (const socket of waiting) socket.destroy();
      });
    });
  });

/** Connects to who has an address, if anybody has. */
const connectTo = (address: string): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const file = fileAt(address);
    const socket = connect(address);
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      // A process that was killed leaves the file of its address. Who saw that first may listen on a new one by now.
      if (code === 'ECONNREFUSED' && file !== undefined && file === fileAt(address))
        rmSync(address, { force: true });
      resolve(undefined);
    });
    socket.on('connect', () => {
      resolve(socket);
    });
  });

/** Which file an address is at the moment, if it is one. */
const fileAt = (address: string): string | undefined => {
  if (platform() === 'linux' || platform() === 'win32') return undefined;
  const found = statSync(address, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.ino} ${found.ctimeNs}`;
};

const isTaken = async (address: string): Promise<boolean> => {
  const socket = await connectTo(address);
  socket?.destroy();
  return socket !== undefined;
};

const untilFree = async (address: string, signal: TuningSignal | undefined): Promise<void> => {
  if (signal?.aborted === true) return;
  const socket = await connectTo(address);
  if (socket === undefined) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      signal?.removeEventListener?.('abort', end);
      socket.destroy();
      resolve();
    };
    signal?.addEventListener?.('abort', end);
    socket.on('close', end).resume();
    if (signal?.aborted === true) end();
  });
};

/** A Redis server of a test's own, which keeps what it is told on disk; and whether there is one. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface RedisServer {
  readonly url: string;
  /** Kills it, without a chance to write, and starts another one on what is on disk. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const startRedis = async (...words: readonly string[]): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const start = async (): Promise<ChildProcess> => {
    const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', ...words];
    const child = spawn('redis-server', [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      ...settings,
    ]);
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        if (String(text).includes('Ready to accept connections')) resolve();
      });
      child.on('exit', () => {
        reject(new Error('redis-server has ended'));
      });
    });
    return child;
  };
  const end = (child: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      child.on('exit', () => {
        resolve();
      });
      child.kill('SIGKILL');
    });
  let child = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    restart: async () => {
      await end(child);
      child = await start();
    },
    stop: async () => {
      await end(child);
      rmSync(folder, { recursive: true });
    },
  };
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });

/** A server that gives the same answers whatever it is asked: what clients ask of Redis before they use it. */
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** A string as Redis sends it. */
export const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;

/** Answers by command; other commands are unknown. */
export const startFakeRedis = async (
  answers: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      // Each command is an array of strings, its name the first.
      for (const [, name] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
        socket.write(answers[name!.toUpperCase()] ?? '-ERR unknown command\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
    },
  };
};

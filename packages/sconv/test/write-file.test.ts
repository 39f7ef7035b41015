import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { writeFile } from '../src/write-file.ts';
import { fileWith, temporaryFolder } from './support/capture.ts';

/** The disk is full while this is true: files are written by half. */
const disk = { isFull: false };
const { writeFileSync } = fs;
fs.writeFileSync = (path, data) => {
  writeFileSync(path, disk.isFull ? 'ha' : data);
  if (disk.isFull) throw new Error('ENOSPC: no space left on device');
};
syncBuiltinESMExports();
afterAll(() => {
  fs.writeFileSync = writeFileSync;
  syncBuiltinESMExports();
});

const done = { status: 'success', value: undefined, diagnostics: [] };

describe('a plain file', () => {
  it('is made, with nothing beside it', () => {
    const path = join(temporaryFolder(), 'new');
    expect(writeFile(path, 'text')).toEqual(done);
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(readdirSync(dirname(path))).toEqual(['new']);
  });
  it('is replaced as a whole: who has it open still sees the old one', () => {
    const path = fileWith('old');
    const other = `${path}.other`;
    linkSync(path, other);
    expect(writeFile(path, 'new')).toEqual(done);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readFileSync(other, 'utf8')).toBe('old');
  });
  it('keeps its permissions', () => {
    const path = fileWith('old');
    chmodSync(path, 0o640);
    writeFile(path, 'new');
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });
});

describe('a symbolic link', () => {
  it('to a file is followed', () => {
    const file = fileWith('old');
    const link = join(temporaryFolder(), 'link');
    symlinkSync(file, link);
    expect(writeFile(link, 'new')).toEqual(done);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(dirname(link))).toEqual(['link']);
  });
  it('to what is not there yet is followed', () => {
    const folder = temporaryFolder();
    const link = join(folder, 'link');
    symlinkSync('file', link);
    expect(writeFile(link, 'new')).toEqual(done);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new');
  });
  it('to a device is written through', () => {
    const link = join(temporaryFolder(), 'null');
    symlinkSync('/dev/null', link);
    expect(writeFile(link, 'gone')).toEqual(done);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(link).isCharacterDevice()).toBe(true);
  });
});

it('a pipe is written through', () => {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  // Opened for both, so that neither end waits for the other.
  const reader = openSync(path, constants.O_RDWR);
  try {
    expect(writeFile(path, 'text')).toEqual(done);
    const bytes = Buffer.alloc(16);
    expect(bytes.toString('utf8', 0, readSync(reader, bytes))).toBe('text');
  } finally {
    closeSync(reader);
  }
  expect(lstatSync(path).isFIFO()).toBe(true);
});

describe('what cannot be written', () => {
  const folder = (): string => {
    const path = join(temporaryFolder(), 'folder');
    mkdirSync(path);
    return path;
  };
  const loop = (): string => {
    const path = join(temporaryFolder(), 'loop');
    symlinkSync('loop', path);
    return path;
  };
  it.each([
    ['a folder', folder, 'EISDIR: illegal operation on a directory'],
    [
      'a path through no folder',
      () => join(temporaryFolder(), 'none', 'file'),
      'ENOENT: no such file or directory',
    ],
    ['a link to itself', loop, 'ELOOP: too many symbolic links encountered'],
    ['no path', () => '', 'ENOENT: no such file or directory'],
  ])('is a failure: %s', (_, make, reason) => {
    const path = make();
    const result = writeFile(path, 'text');
    expect(result).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'sconv/cannot-write', location: { file: path } }],
    });
    expect(result.diagnostics[0]!.message).toBe(`cannot write: ${reason}`);
  });
  it.each([
    ['a new file', () => join(temporaryFolder(), 'new'), []],
    ['a file', () => fileWith('old', 'input'), ['input']],
  ])('is not written by half: %s', (_, make, left) => {
    const path = make();
    disk.isFull = true;
    onTestFinished(() => {
      disk.isFull = false;
    });
    expect(writeFile(path, 'half')).toMatchObject({
      diagnostics: [{ message: 'cannot write: ENOSPC: no space left on device' }],
    });
    expect(readdirSync(dirname(path))).toEqual(left);
    if (left.length > 0) expect(readFileSync(path, 'utf8')).toBe('old');
  });
  it('leaves no draft behind', () => {
    expect(writeFile('', 'text').status).toBe('definite');
    expect(readdirSync('.').filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

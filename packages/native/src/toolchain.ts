/** Finds the installed LLVM tools. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isExecutable, pathFolders } from './find-program.ts';

const run = promisify(execFile);

/** The required LLVM release. */
const release = 19;

const toolNames = ['mlir-opt', 'mlir-translate', 'clang'] as const;
export type ToolName = (typeof toolNames)[number];

/** The paths of the tools, and their versions. */
export interface Toolchain {
  readonly paths: Readonly<Record<ToolName, string>>;
  /** All versions, as one line. */
  readonly version: string;
}

/** Folders besides PATH: Debian's, and Homebrew's for LLVM IR that is built on a Mac. */
const folders = [
  `/usr/lib/llvm-${release}/bin`,
  `/opt/homebrew/opt/llvm@${release}/bin`,
  `/usr/local/opt/llvm@${release}/bin`,
];

/** Candidate paths of a tool; if `SCONV_LLVM` names a folder, only there. */
const candidates = (name: ToolName): readonly string[] => {
  const own = process.env['SCONV_LLVM'];
  const searched = own === undefined ? [...pathFolders(), ...folders] : [own];
  return [`${name}-${release}`, name].flatMap((file) =>
    searched.filter((folder) => folder !== '').map((folder) => join(folder, file)),
  );
};

/** The first candidate of the right release, with its version text. */
const findTool = async (name: ToolName): Promise<readonly [string, string] | undefined> => {
  for (const path of candidates(name).filter(isExecutable)) {
    try {
      const { stdout } = await run(path, ['--version'], { timeout: 60_000 });
      const version = /version (\d+)[^\s]*/.exec(stdout);
      if (version?.[1] === String(release)) return [path, version[0]];
    } catch {
      // Not an LLVM tool, or a broken one.
    }
  }
  return undefined;
};

/** Searches of this process, by the folders: those that found all tools, or have not ended. */
const searches = new Map<string, Promise<Toolchain | readonly ToolName[]>>();

/**
 * The tools; or the names of the missing ones. Tools are searched for once in a process, unless PATH or `SCONV_LLVM`
 * changes, or one of them is removed.
 */
export const findToolchain = async (): Promise<Toolchain | readonly ToolName[]> => {
  const { PATH, SCONV_LLVM } = process.env;
  const folders = JSON.stringify([PATH, SCONV_LLVM]);
  const search = searches.get(folders) ?? searchToolchain();
  searches.set(folders, search);
  const found = await search;
  const isComplete = 'paths' in found;
  if (isComplete && Object.values(found.paths).every(isExecutable)) return found;
  if (searches.get(folders) === search) searches.delete(folders);
  return isComplete ? findToolchain() : found;
};

const searchToolchain = async (): Promise<Toolchain | readonly ToolName[]> => {
  const found = await Promise.all(toolNames.map(findTool));
  const missing = toolNames.filter((_, i) => found[i] === undefined);
  if (missing.length > 0) return missing;
  const paths = Object.fromEntries(toolNames.map((name, i) => [name, found[i]![0]])) as Record<
    ToolName,
    string
  >;
  return { paths, version: found.map((each) => each![1]).join(', ') };
};

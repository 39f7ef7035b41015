/** Where user code called a function that records an op. */
import type { Location } from '@sconv/diagnostics';
import { fileLocation, filePosition, unknownLocation } from '@sconv/diagnostics';

/** Where a line of a stack trace points to. */
const positionIn = (
  frame: string,
): { readonly file: string; readonly line: number; readonly column: number } | undefined => {
  const match = /(?:\(|at )(?:file:\/\/)?([^()]+):(\d+):(\d+)\)?$/.exec(frame);
  return match === null ? undefined : { file: match[1]!, line: Number(match[2]), column: Number(match[3]) };
};

const stackFrames = () => (new Error().stack ?? '').split('\n').flatMap((frame) => positionIn(frame) ?? []);

const folderOf = (file: string): string => file.replace(/[^/\\]*$/, '');

/** Where the modules of this package are: that of the innermost frame while this one is loaded. */
const ownFolder = stackFrames()
  .slice(0, 1)
  .map(({ file }) => folderOf(file))[0];

/** Where those of ir are, which calls back what it is given. */
const folderOfIr = ownFolder?.replace(/transform(?=[/\\][^/\\]*[/\\]$)/, 'ir');

/**
 * Where user code called the function that records an op: the first frame of the stack outside this package, and outside
 * of the folders of `helpers`, files whose functions record ops for others. Called while a file is loaded, it is there.
 */
export const callSite = (...helpers: readonly Location[]): Location => {
  const inside = [
    ownFolder,
    folderOfIr,
    ...helpers.map((helper) => folderOf(filePosition(helper)?.file ?? '')),
  ];
  const frame = stackFrames().find(({ file }) => !inside.includes(folderOf(file)));
  return frame === undefined ? unknownLocation : fileLocation(frame.file, frame.line, frame.column);
};

/** Where user code called a function that records an op. */
import type { Location } from '@sconv/diagnostics';
import { fileLocation, filePosition, unknownLocation } from '@sconv/diagnostics';

/** A place that a line of a stack trace points to. */
interface FramePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const positionIn = (frame: string): FramePosition | undefined => {
  const match = /(?:\(|at )(?:file:\/\/)?([^()]+):(\d+):(\d+)\)?$/.exec(frame);
  return match === null ? undefined : { file: match[1]!, line: Number(match[2]), column: Number(match[3]) };
};

/** The innermost frame of the stack that is in none of these folders. */
const frameOutside = (folders: readonly (string | undefined)[]): FramePosition | undefined => {
  for (const line of (new Error().stack ?? '').split('\n')) {
    const position = positionIn(line);
    if (position !== undefined && !folders.includes(folderOf(position.file))) return position;
  }
  return undefined;
};

const folderOf = (file: string): string => file.replace(/[^/\\]*$/, '');

const innermost = frameOutside([]);

/** Where the modules of this package are: that of the innermost frame while this one is loaded. */
const ownFolder = innermost && folderOf(innermost.file);

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
  const frame = frameOutside(inside);
  return frame === undefined ? unknownLocation : fileLocation(frame.file, frame.line, frame.column);
};

/** Finds where user code called a recording function. */
import type { Location } from '@sconv/diagnostics';
import { fileLocation, filePosition, unknownLocation } from '@sconv/diagnostics';

/** The source position of a stack frame. */
interface FramePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const positionIn = (frame: string): FramePosition | undefined => {
  const match = /(?:\(|at )(?:file:\/\/)?([^()]+):(\d+):(\d+)\)?$/.exec(frame);
  return match === null ? undefined : { file: match[1]!, line: Number(match[2]), column: Number(match[3]) };
};

/** The innermost stack frame outside of these folders. */
const frameOutside = (folders: readonly (string | undefined)[]): FramePosition | undefined => {
  for (const line of (new Error().stack ?? '').split('\n')) {
    const position = positionIn(line);
    if (position !== undefined && !folders.includes(folderOf(position.file))) return position;
  }
  return undefined;
};

const folderOf = (file: string): string => file.replace(/[^/\\]*$/, '');

const innermost = frameOutside([]);

/** The folder of this package's modules: that of the innermost frame while this module loads. */
const ownFolder = innermost && folderOf(innermost.file);

/** The folder of ir's modules, which may call back into user code. */
const folderOfIr = ownFolder?.replace(/transform(?=[/\\][^/\\]*[/\\]$)/, 'ir');

/**
 * Where user code called a recording function: the innermost stack frame outside this package, and outside the
 * folders of `helpers`, files whose functions record ops for others. At module load, it returns the loading file.
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

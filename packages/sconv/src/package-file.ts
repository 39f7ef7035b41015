/**
 * The URL of a file of this package, by its path from the package's folder. In one place, because it holds only for
 * modules right below that folder: those of `src` and `bundle`, and those in `bin` that the commands start from.
 */
export const packageFile = (path: string): URL => new URL(`../${path}`, import.meta.url);

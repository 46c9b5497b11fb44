/** A file that the build wrote, with its size in bytes before and after gzip. */
export interface BuiltFile {
  readonly output: string;
  readonly bytes: number;
  readonly gzipped: number;
}

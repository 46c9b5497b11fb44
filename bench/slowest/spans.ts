/** Something that took time in the server's process. Times are milliseconds of the process's monotonic clock. */
export interface Span {
  /** `request`: from the head of a request to the end of its response; the other kinds are what may delay requests. */
  readonly kind: 'request' | 'event loop' | 'garbage' | 'connection' | 'statement';
  /** Method and path of a request, or name or beginning of a statement. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Name of the file that the server writes. */
export const SPANS_FILE = 'spans.json';

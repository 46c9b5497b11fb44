import type { ErrorSource } from '../errors.ts';

/** A request that causes an error, as the documentation shows it. */
export interface ExampleRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Headers that differ from a usual request. Null: the header is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** JSON, or text that is sent unchanged. */
  readonly body?: unknown;
}

/** The part of an error object that differs between two errors of a code. */
export interface ExampleError {
  /** Without it, the error depends on stored records or on the state of the server. */
  readonly request?: ExampleRequest;
  readonly detail: string;
  readonly source?: ErrorSource;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Documentation of an error code. The texts are Markdown. */
export interface ErrorHelp {
  /** Heading of its page. */
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly example: ExampleError;
}

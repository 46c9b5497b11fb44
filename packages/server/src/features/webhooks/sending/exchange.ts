import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';

/** Bytes of a body that are read. The status decides the outcome, so more is not needed. */
const BODY_READ_MAX = 16_384;
/** Milliseconds that the body may take after the headers. */
const BODY_WAIT_MS = 1_000;

/** A POST request. `path` includes the query. */
interface Post {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Response with the beginning of its body, which may be too long, endless or cut off. */
interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

class ResponseTimeoutError extends Error {
  override name = 'TimeoutError';
}

/**
 * Sends a request. Rejects if no headers come until `ends_at`, a value of `performance.now()`. Uses undici's handlers,
 * because its promises and streams take twice as much processor time.
 */
export const exchange = (agent: Agent, post: Post, ends_at: number): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    agent.dispatch({ ...post, method: 'POST' }, new ExchangeHandler(resolve, reject, ends_at));
  });

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: ReceivedResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #ends_at: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<ReceivedResponse, 'body'> | undefined;
  #isOver = false;

  constructor(
    resolve: (response: ReceivedResponse) => void,
    reject: (error: Error) => void,
    ends_at: number,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#ends_at = ends_at;
    this.#timer = this.#stopAt(ends_at);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(timeoutError());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Informational responses precede the response.
    if (status < 200 || this.#isOver) return;
    this.#head = { status, headers };
    clearTimeout(this.#timer);
    this.#timer = this.#stopAt(Math.min(this.#ends_at, performance.now() + BODY_WAIT_MS));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= BODY_READ_MAX) this.#stop();
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  #stopAt(at: number): NodeJS.Timeout {
    return setTimeout(() => this.#stop(), at - performance.now());
  }

  /** Closes the connection, even if the request is only sent later. */
  #stop(): void {
    const error = timeoutError();
    this.#end(error);
    this.#controller?.abort(error);
  }

  /** After the headers, an error cuts off the body only. */
  #end(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#head) this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks) });
    else this.#reject(error ?? new Error('the response has no headers'));
  }
}

const timeoutError = (): Error => new ResponseTimeoutError('the receiver did not respond in time');

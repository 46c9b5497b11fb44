import { lookup } from 'node:dns';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { PlainFailure } from '../kernel/plain-failure.ts';

const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 4 * 1024 * 1024;

export interface PlainResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Names below `localhost` mean this machine (RFC 6761, 6.3), but not every resolver supports them. */
const lookUp: LookupFunction = (name, options, callback) =>
  lookup(name.endsWith('.localhost') ? 'localhost' : name, options, callback);

/** Fetches an address without following redirects. Throws `PlainFailure` if no complete response arrives in time. */
export async function fetchPlain(url: URL, timeout_ms = TIMEOUT_MS): Promise<PlainResponse> {
  const signal = AbortSignal.timeout(timeout_ms);
  try {
    const response = await send(url, signal);
    const { statusCode = 0, headers } = response;
    return { status: statusCode, headers, body: await bodyOf(response) };
  } catch (error) {
    const reason = signal.aborted
      ? `no complete answer within ${timeout_ms} ms`
      : (error as Error).message;
    throw new PlainFailure(`${url.href} cannot be fetched: ${reason}.`);
  }
}

async function send(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    lookup: lookUp,
    signal,
  });
  const responseEvent = once(request, 'response') as Promise<[IncomingMessage]>;
  request.end();
  const [response] = await responseEvent;
  // The reader of the body handles errors after the headers.
  request.on('error', () => {});
  return response;
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('it is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

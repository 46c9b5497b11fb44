import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { PlainFailure } from '../kernel/plain-failure.ts';

const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 4 * 1024 * 1024;

export interface Fetched {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Names below `localhost` are this machine (RFC 6761, 6.3), which not every resolver knows. */
const lookUp: LookupFunction = (name, options, found) =>
  lookup(name.endsWith('.localhost') ? 'localhost' : name, options, found);

/** Gets an address as it is served, without following it anywhere. Throws `PlainFailure` where no answer comes. */
export function fetchPlain(url: URL): Promise<Fetched> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new PlainFailure(`${url.href} ${why}.`));
    const request = send(url, { lookup: lookUp, timeout: TIMEOUT_MS });
    request.on('timeout', () => request.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    request.on('error', ({ message }) => fail(`cannot be had: ${message}`));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX) request.destroy(new Error('it is too large'));
        chunks.push(chunk);
      });
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks) });
      });
    });
    request.end();
  });
}

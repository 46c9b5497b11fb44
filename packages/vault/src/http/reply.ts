import type { ServerResponse } from 'node:http';
import type { VaultError } from '@florin/contract/protocol/vault.ts';
import { VaultRefusal } from '../kernel/errors.ts';

export function replyJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** 400 for a request of the wrong form, 422 for one that is refused, 500 for a fault of the vault. */
export function replyError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
  } else if (error instanceof VaultRefusal) {
    const body: VaultError = { error: error.code, detail: error.detail };
    replyJson(response, error.code === 'bad_request' ? 400 : 422, body);
  } else {
    replyJson(response, 500, { error: 'internal', detail: 'The vault failed.' });
  }
}

/** Opens an answer of JSON lines, each written as it comes. Lines for a caller who has left are dropped. */
export function startLines(response: ServerResponse): (line: unknown) => void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  return (line) => {
    if (!response.destroyed) response.write(`${JSON.stringify(line)}\n`);
  };
}

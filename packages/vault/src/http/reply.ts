import type { ServerResponse } from 'node:http';
import type { VaultError } from '@florin/contract/protocol/vault.ts';
import { VaultRefusal } from '../kernel/errors.ts';

export function replyJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Responds 400 to malformed requests, 422 to refused ones, 500 to failures of the vault. */
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

/** Starts a response of JSON lines, each written immediately. Drops lines after the caller disconnects. */
export function startLines(response: ServerResponse): (line: unknown) => void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  return (line) => {
    if (!response.destroyed) response.write(`${JSON.stringify(line)}\n`);
  };
}

import type { ServerResponse } from 'node:http';
import type { VaultError, VaultErrorCode } from '@florin/contract/protocol/vault.ts';
import { VaultRefusal } from '../kernel/errors.ts';

export function replyJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const STATUS_OF: Readonly<Partial<Record<VaultErrorCode, number>>> = {
  bad_request: 400,
  limited: 429,
};

/** Responds 400 to malformed requests, 429 beyond a limit, 422 to refused ones, 500 to failures of the vault. */
export function replyError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
  } else if (error instanceof VaultRefusal) {
    const body: VaultError = { error: error.code, detail: error.detail };
    replyJson(response, STATUS_OF[error.code] ?? 422, body);
  } else {
    replyJson(response, 500, { error: 'internal', detail: 'The vault failed.' });
  }
}

/** A response of JSON lines. */
export interface Lines {
  /** Adds a line. Lines of one turn of the event loop are sent together, at its end. */
  write(line: unknown): void;
  /** Sends the last lines and ends the response. */
  end(): void;
}

/** Starts a response of JSON lines. Drops lines after the caller disconnects. */
export function startLines(response: ServerResponse): Lines {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  let waiting = '';
  const send = (): void => {
    if (waiting !== '' && !response.destroyed) response.write(waiting);
    waiting = '';
  };
  return {
    write(line) {
      if (waiting === '') setImmediate(send);
      waiting += `${JSON.stringify(line)}\n`;
    },
    end() {
      send();
      response.end();
    },
  };
}

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { standardSignature } from '@florin/contract/protocol/webhook.ts';

/** A merchant's server, which counts webhook messages by their signatures. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Adds the newest secret. Messages that were signed before stay valid. */
  addSecret(secret_key: string): void;
  counts(): SignatureCounts;
}

export interface SignatureCounts {
  /** Messages that one of the secrets signed. */
  readonly signed: number;
  /** Messages that the newest secret signed. */
  readonly newest: number;
  readonly forged: number;
}

export async function startReceiver(): Promise<Receiver> {
  const counts = { signed: 0, newest: 0, forged: 0 };
  const secrets: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const signers = secrets.filter((secret) => hasSignature(request, body, secret));
    const isSigned = signers.length > 0;
    counts[isSigned ? 'signed' : 'forged'] += 1;
    if (isSigned && signers.at(-1) === secrets.at(-1)) counts.newest += 1;
    response.writeHead(isSigned ? 204 : 401).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    counts: () => ({ ...counts }),
    addSecret(secret_key) {
      secrets.push(secret_key);
      counts.newest = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function hasSignature({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const { idHeader, timestampHeader, header, signedText, format } = standardSignature;
  const signed = signedText(String(headers[idHeader]), Number(headers[timestampHeader]), body);
  const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(signed).digest('base64');
  return String(headers[header]).split(' ').includes(format(mac));
}

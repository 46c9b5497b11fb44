import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { standardSignature } from '@florin/contract/protocol/webhook.ts';

/** A merchant's server, which counts webhook messages by whether the secret that it has signed them. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  useSecret(secret_key: string): void;
  counts(): { readonly signed: number; readonly forged: number };
}

export async function startReceiver(): Promise<Receiver> {
  const counts = { signed: 0, forged: 0 };
  let secret = '';
  const server = createServer(async (request, response) => {
    const isSigned = hasSignature(request, await text(request), secret);
    counts[isSigned ? 'signed' : 'forged'] += 1;
    response.writeHead(isSigned ? 204 : 401).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    counts: () => ({ ...counts }),
    useSecret(secret_key) {
      secret = secret_key;
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

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const sendJson = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const REPORT_LINE =
  'QFQTPCQ8HXSKGK82,0190f3c2-7b4e-7abc-8def-0123456789ab,8835511210681324,24.99\n';
/** More than a response may have that is no file. One cell has a card number. */
export const REPORT_FILE = `${REPORT_LINE.repeat(2_000)}memo,4242424242424242,,\n`;
/** A file with a card number that fits into any response. */
export const SMALL_FILE = `${REPORT_LINE}memo,4242424242424242,,\n`;

type Behaviour = (request: ReceivedRequest, response: ServerResponse) => void;

/** Responses of the network by request path. */
const behaviours: Readonly<Record<string, Behaviour>> = {
  '/approve': (_request, response) => sendJson(response, 200, { result: 'approved' }),
  '/decline': (_request, response) =>
    sendJson(response, 402, { result: 'declined', response_code: '51' }),
  '/echo': ({ body }, response) => sendJson(response, 200, { saw: JSON.parse(body) }),
  '/refuse-echo': ({ body }, response) => sendJson(response, 422, { saw: JSON.parse(body) }),
  '/fail-echo': ({ body }, response) => sendJson(response, 500, { saw: JSON.parse(body) }),
  '/raw-echo': ({ body, headers }, response) =>
    response.writeHead(200, { 'content-type': headers['content-type'] }).end(body),
  '/xml': (_request, response) =>
    response.end('<answer id="7"><result>approved</result><fee>1</fee><fee>2</fee></answer>'),
  '/doctype': (_request, response) => response.end('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
  '/form': (_request, response) => response.end('result=approved&text=all+good'),
  '/hang': () => {},
  '/garbage': (_request, response) => response.end('<html>'),
  '/huge': (_request, response) => sendJson(response, 200, { text: 'x'.repeat(100_000) }),
  '/file': (_request, response) => response.end(REPORT_FILE),
  '/small-file': (_request, response) => response.end(SMALL_FILE),
  '/part': (_request, response) => response.writeHead(206).end('memo,42424242'),
  '/endless': (_request, response) => {
    const write = (): void => void response.write('x'.repeat(1 << 20), () => setImmediate(write));
    write();
  },
  '/reset': (_request, response) => response.socket?.resetAndDestroy(),
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"result":');
    setImmediate(() => response.destroy());
  },
  '/empty': (_request, response) => response.writeHead(401, { 'request-id': 'r-1' }).end(),
  '/redirect': (_request, response) => response.writeHead(307, { location: '/approve' }).end(),
};

/** A processor on a local port that records its requests. */
export async function startNetwork() {
  const received: ReceivedRequest[] = [];
  const heldResponses: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const receivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    received.push(receivedRequest);
    if (receivedRequest.path === '/hold') heldResponses.push(response);
    behaviours[receivedRequest.path]?.(receivedRequest, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Approves the held requests to `/hold`. */
    release() {
      for (const response of heldResponses.splice(0))
        sendJson(response, 200, { result: 'approved' });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { SampleRequest } from '../../src/samples/request.ts';

/** A request as its receiver sees it. */
interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: unknown;
}

/** Id of the record in the response to a request, which is counted from 0. */
const idOf = (index: number): string => `record-${index}`;

/** Records all requests. Each response is a record with an id of its own. */
export async function recordRequests() {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const index = received.length;
    const body = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'];
    received.push({
      method,
      path: url,
      key: String(headers.authorization),
      body: body ? await json(request) : undefined,
    });
    response.setHeader('content-type', 'application/vnd.api+json');
    response.end(JSON.stringify({ data: { id: idOf(index) } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Requests that a receiver gets from the samples of pages, in order. */
export function expectedRequests(
  pages: readonly (readonly SampleRequest[])[],
): readonly ReceivedRequest[] {
  let index = 0;
  return pages.flatMap((requests) => {
    const ids = new Map<string, string>();
    return requests.map((request) => {
      const received = fillIds(request, ids);
      if (request.capture) ids.set(request.capture, idOf(index));
      index += 1;
      return received;
    });
  });
}

const fillIds = (
  { method, path, body }: SampleRequest,
  ids: ReadonlyMap<string, string>,
): ReceivedRequest =>
  JSON.parse(
    JSON.stringify({ method, path, key: 'Bearer ept_sandbox_s', body }).replaceAll(
      /\{\{(\w+)\}\}/g,
      (_, name: string) => ids.get(name) ?? `no ${name}`,
    ),
  );

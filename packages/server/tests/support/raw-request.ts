import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Answer, MEDIA_TYPE } from './client.ts';
import { recordOperation } from './seen.ts';

export interface RawRequest {
  readonly method?: string;
  /** Path to send unchanged; `fetch` would encode and normalise the path. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends exactly the given request, without even a User-Agent. `text` is the response body. */
export function rawRequest(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<Answer & { text: string }> {
  const { port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      async (response) => {
        recordOperation(method, path, response.statusCode ?? 0);
        try {
          const bodyText = await text(response);
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(
              Object.entries(response.headers).map(([name, value]): [string, string] => [
                name,
                String(value),
              ]),
            ),
            text: bodyText,
            body:
              response.headers['content-type'] === MEDIA_TYPE ? JSON.parse(bodyText) : undefined,
          });
        } catch (error) {
          reject(error);
        }
      },
    );
    clientRequest.on('error', reject);
    clientRequest.end(body);
  });
}

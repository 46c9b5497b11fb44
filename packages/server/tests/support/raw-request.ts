import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Answer, MEDIA_TYPE } from './client.ts';
import { noteSeen } from './seen.ts';

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
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      async (response) => {
        noteSeen(method, path, response.statusCode ?? 0);
        try {
          const answer = await text(response);
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(
              Object.entries(response.headers).map(([name, value]): [string, string] => [
                name,
                String(value),
              ]),
            ),
            text: answer,
            body: response.headers['content-type'] === MEDIA_TYPE ? JSON.parse(answer) : undefined,
          });
        } catch (error) {
          reject(error);
        }
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

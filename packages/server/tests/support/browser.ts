import { exchange } from './exchange.ts';
import { recordOperation } from './seen.ts';

/** A browser on a dashboard page, as the server sees it: stores cookies and sends its origin. */
export interface Browser {
  /** The session cookie in its sent form; undefined before sign-in. */
  cookie: string | undefined;
  /** The cookie by which the server knows the browser; undefined before the first sign-in. */
  device: string | undefined;
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | null>,
  ): Promise<BrowserAnswer>;
  get(path: string, headers?: Record<string, string | null>): Promise<BrowserAnswer>;
}

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape, asserted by the tests themselves
  readonly body: any;
}

/** Opens a browser. A header that is null is not sent. */
export function openBrowser(base_url: string, cookie?: string): Browser {
  const browser: Browser = {
    cookie,
    device: undefined,
    get: (path, headers) => browser.send('GET', path, undefined, headers),
    async send(method, path, body, headers = {}) {
      const sentHeaders = {
        'user-agent': 'Mozilla/5.0 (tests)',
        'florin-dashboard': '1',
        origin: new URL(base_url).origin,
        'sec-fetch-site': 'same-origin',
        ...cookieHeader(browser),
        ...(body !== undefined && {
          'content-type': path.startsWith('/v2/') ? 'application/vnd.api+json' : 'application/json',
        }),
        ...headers,
      };
      const answer = await exchange(new URL(path, base_url), {
        method,
        headers: sentHeaders,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const { status, headers: receivedHeaders, text } = answer;
      recordOperation(method, path, status);
      keepCookie(browser, receivedHeaders.getSetCookie());
      const isJson = /json/.test(receivedHeaders.get('content-type') ?? '');
      return { status, headers: receivedHeaders, body: text && isJson ? JSON.parse(text) : text };
    },
  };
  return browser;
}

function keepCookie(browser: Browser, setCookies: readonly string[]): void {
  for (const cookie of setCookies) {
    const [pair = ''] = cookie.split(';', 1);
    if (/^(?:__Host-)?florin_device=/.test(pair)) browser.device = pair;
    else browser.cookie = /Max-Age=0(?:;|$)/.test(cookie) ? undefined : pair;
  }
}

function cookieHeader({ cookie, device }: Browser) {
  const cookies = [cookie, device].filter(Boolean);
  return cookies.length > 0 && { cookie: cookies.join('; ') };
}

/** Signs in with a new browser. Throws with the response if the sign-in is refused. */
export async function signIn(
  base_url: string,
  { email, password }: { readonly email: string; readonly password: string | null },
): Promise<Browser> {
  const browser = openBrowser(base_url);
  const answer = await browser.send('POST', '/dashboard/api/session', { email, password });
  if (answer.status !== 201) throw new Error(`sign-in: ${JSON.stringify(answer.body)}`);
  return browser;
}

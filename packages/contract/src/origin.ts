/** Whether the host of an http or https URL is this computer, which nobody else can reach. */
export const isLocalUrl = (url: string): boolean =>
  /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]|$)/i.test(url);

/** Origin at which this computer reaches its own server on `host`, which may be all addresses. */
export function localOrigin(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Whether a text has the form of an http or https origin. Excludes characters with a meaning in a
 * Content-Security-Policy: `*`, `;`, comma and quotes.
 */
export const hasOriginShape = (text: string): boolean =>
  /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text);

/**
 * Address forms that clients of this interface are known to send: the `/api` prefix, a doubled or a
 * missing version. All of them become `/v2/…`; anything else stays as it is.
 */
export function rewritePath(url: string, isType: (segment: string) => boolean): string {
  const path = url.replace(/^\/api(?=\/|$|\?)/, '').replace(/^(?:\/v2)+(?=\/|$|\?)/, '');
  const first = /^\/([a-z_]+)/.exec(path)?.[1] ?? '';
  return isType(first) ? `/v2${path}` : url;
}

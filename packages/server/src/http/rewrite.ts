/** What the interface has, for addresses that are written otherwise. */
interface Known {
  isType(segment: string): boolean;
  /** Whether the type has a relationship of this name, and no action of it. */
  isRelation(type: string, name: string): boolean;
}

/** `/customers/{id}/addresses`, whatever follows. */
const SHORT = /^\/([a-z_]+)\/([^/?]+)\/([a-z_]+)(?=\/?(?:\?|$))/;

/**
 * Address forms that clients of this interface are known to send: the `/api` prefix, a doubled or a missing version, a
 * relationship without `/relationships`. All of them become `/v2/…`; anything else stays as it is.
 */
export function rewritePath(url: string, known: Known): string {
  const path = url.replace(/^\/api(?=\/|$|\?)/, '').replace(/^(?:\/v2)+(?=\/|$|\?)/, '');
  const first = /^\/([a-z_]+)/.exec(path)?.[1] ?? '';
  if (!known.isType(first)) return url;
  const [, type = '', id, name = ''] = SHORT.exec(path) ?? [];
  if (!known.isRelation(type, name)) return `/v2${path}`;
  return `/v2${path.replace(SHORT, `/${type}/${id}/relationships/${name}`)}`;
}

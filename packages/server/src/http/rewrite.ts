/** Types and relationships of the interface, for rewriting addresses. */
interface Known {
  isType(segment: string): boolean;
  /** Whether the type has a relationship, and no action, of this name. */
  isRelation(type: string, name: string): boolean;
}

/** `/customers/{id}/addresses`, whatever follows. */
const SHORT = /^\/([a-z_]+)\/([^/?]+)\/([a-z_]+)(?=\/?(?:\?|$))/;

/**
 * Rewrites address forms that existing clients send: the `/api` prefix, a doubled or missing
 * version, a relationship without `/relationships`. All become `/v2/…`; anything else stays.
 */
export function rewritePath(url: string, known: Known): string {
  const path = url.replace(/^\/api(?=\/|$|\?)/, '').replace(/^(?:\/v2)+(?=\/|$|\?)/, '');
  const first = /^\/([a-z_]+)/.exec(path)?.[1] ?? '';
  if (!known.isType(first)) return url;
  const [, type = '', id, name = ''] = SHORT.exec(path) ?? [];
  if (!known.isRelation(type, name)) return `/v2${path}`;
  return `/v2${path.replace(SHORT, `/${type}/${id}/relationships/${name}`)}`;
}

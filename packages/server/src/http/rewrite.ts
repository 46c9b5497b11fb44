/** Resource types and relationships of the API, for rewriting addresses. */
interface KnownNames {
  isType(segment: string): boolean;
  /** Whether the type has a relationship of this name. Actions do not count. */
  isRelation(type: string, name: string): boolean;
}

/** Matches `/customers/{id}/addresses` and the same with a suffix. */
const SHORT_ADDRESS = /^\/([a-z_]+)\/([^/?]+)\/([a-z_]+)(?=\/?(?:\?|$))/;

/**
 * Rewrites address forms of existing clients to `/v2/…`: the `/api` prefix, a doubled or missing version, a
 * relationship without `/relationships`. Other addresses stay unchanged.
 */
export function rewritePath(url: string, knownNames: KnownNames): string {
  const path = url.replace(/^\/api(?=\/|$|\?)/, '').replace(/^(?:\/v2)+(?=\/|$|\?)/, '');
  const firstSegment = /^\/([a-z_]+)/.exec(path)?.[1] ?? '';
  if (!knownNames.isType(firstSegment)) return url;
  const [, type = '', id, name = ''] = SHORT_ADDRESS.exec(path) ?? [];
  if (!knownNames.isRelation(type, name)) return `/v2${path}`;
  return `/v2${path.replace(SHORT_ADDRESS, `/${type}/${id}/relationships/${name}`)}`;
}

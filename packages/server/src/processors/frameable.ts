import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';

const TIMEOUT_MS = 2_000;
const ANSWER_BYTES_MAX = 256 * 1024;
const CONNECTIONS_PER_ORIGIN_MAX = 8;

/** Resolves names below `localhost` to this host (RFC 6761, 6.3), which some resolvers cannot. */
const lookUp: LookupFunction = (name, options, callback) =>
  lookup(name.endsWith('.localhost') ? 'localhost' : name, options, callback);

const agent = new Agent({
  connections: CONNECTIONS_PER_ORIGIN_MAX,
  maxResponseSize: ANSWER_BYTES_MAX,
  connect: { lookup: lookUp },
});

/**
 * Whether a page forbids other sites to frame it. Browsers do not report blocked frames, so the server
 * requests the page first. A page that does not respond, or refuses this request, counts as frameable.
 */
export async function forbidsFrames(url: string): Promise<boolean> {
  try {
    const { headers, body } = await request(url, {
      dispatcher: agent,
      method: 'GET',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await body.dump();
    return isForbidden(headers['x-frame-options'], headers['content-security-policy']);
  } catch {
    return false;
  }
}

type Header = string | readonly string[] | undefined;
const textOf = (header: Header): string => [header ?? []].flat().join(',').toLowerCase();

/**
 * Whether a page's headers forbid frames. A policy that names ancestors overrides X-Frame-Options (Content
 * Security Policy Level 3, 6.4.2.2).
 */
export function isForbidden(frame_options: Header, security_policy: Header): boolean {
  const [, ancestors] =
    /(?:^|[;,])\s*frame-ancestors\s+([^;,]*)/.exec(textOf(security_policy)) ?? [];
  if (ancestors !== undefined) return /^('none'|'self')?$/.test(ancestors.trim());
  return /^\s*(deny|sameorigin)\s*$/.test(textOf(frame_options));
}

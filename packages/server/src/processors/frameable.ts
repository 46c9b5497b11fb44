import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';

const TIMEOUT_MS = 2_000;
const ANSWER_BYTES_MAX = 256 * 1024;
const CONNECTIONS_PER_ORIGIN_MAX = 8;

/** Names below `localhost` are the local host (RFC 6761, 6.3), which not every resolver knows. */
const lookUp: LookupFunction = (name, options, found) =>
  lookup(name.endsWith('.localhost') ? 'localhost' : name, options, found);

const agent = new Agent({
  connections: CONNECTIONS_PER_ORIGIN_MAX,
  maxResponseSize: ANSWER_BYTES_MAX,
  connect: { lookup: lookUp },
});

/**
 * Whether a page forbids other sites to frame it. Browsers do not report a blocked frame, so the
 * server checks the page first. A page that does not answer, or refuses this request, counts as
 * frameable.
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
 * If both headers exist, the policy decides when it names ancestors (Content Security Policy Level
 * 3, 6.4.2.2).
 */
export function isForbidden(frame_options: Header, security_policy: Header): boolean {
  const [, ancestors] =
    /(?:^|[;,])\s*frame-ancestors\s+([^;,]*)/.exec(textOf(security_policy)) ?? [];
  if (ancestors !== undefined) return /^('none'|'self')?$/.test(ancestors.trim());
  return /^\s*(deny|sameorigin)\s*$/.test(textOf(frame_options));
}

import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';

/**
 * Throws `forbidden` (403) if a browser reports another site as the origin, because cookies
 * accompany every request. Other programs send no such header, and have no other person's cookies.
 */
export function requireOwnPage(
  { headers }: Pick<FastifyRequest, 'headers'>,
  public_url: string,
): void {
  const { origin } = headers;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  const isOwnOrigin = origin === undefined || origin === new URL(public_url).origin;
  if (isOwnOrigin && site === 'same-origin') return;
  throw problem('forbidden', 'Only pages of this server may send this request.', {
    header: isOwnOrigin ? 'Sec-Fetch-Site' : 'Origin',
  });
}

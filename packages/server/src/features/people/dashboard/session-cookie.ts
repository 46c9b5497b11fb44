import type { FastifyRequest } from 'fastify';
import { LIFE_SECONDS } from '../accounts/sessions.ts';

/**
 * With https, browsers accept this prefix only from the origin itself, with `Secure` and `Path=/`.
 */
const nameAt = (public_url: string): string =>
  public_url.startsWith('https:') ? '__Host-florin_session' : 'florin_session';

/**
 * Session token of a request; undefined without the session cookie, or if the request has it twice.
 */
export function sessionTokenOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  public_url: string,
): string | undefined {
  const name = `${nameAt(public_url)}=`;
  const pairs = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  return pairs.length === 1 ? pairs[0]?.slice(name.length) : undefined;
}

/** `Set-Cookie` header that sets or removes the session's token. */
export function cookieOf(public_url: string, token: string | undefined): string {
  const age = token === undefined ? 0 : LIFE_SECONDS;
  const secure = public_url.startsWith('https:') ? '; Secure' : '';
  return `${nameAt(public_url)}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

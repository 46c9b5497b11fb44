import type { FastifyRequest } from 'fastify';
import { LIFE_SECONDS } from '../accounts/sessions.ts';

/** On https browsers take the name only from the origin itself, and only with `Secure` and `Path=/`. */
const nameAt = (public_url: string): string =>
  public_url.startsWith('https:') ? '__Host-florin_session' : 'florin_session';

/** The token of the session that a request shows; undefined where it has no cookie of ours, or more than one. */
export function sessionTokenOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  public_url: string,
): string | undefined {
  const name = `${nameAt(public_url)}=`;
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  return found.length === 1 ? found[0]?.slice(name.length) : undefined;
}

/** The `Set-Cookie` header that hands a browser the token of its session, or takes it away. */
export function cookieOf(public_url: string, token: string | undefined): string {
  const age = token === undefined ? 0 : LIFE_SECONDS;
  const secure = public_url.startsWith('https:') ? '; Secure' : '';
  return `${nameAt(public_url)}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

import type { FastifyRequest } from 'fastify';
import { LIFE_SECONDS } from '../accounts/sessions.ts';

/**
 * With https, browsers accept this prefix only from the origin itself, with `Secure` and `Path=/`.
 */
const nameAt = (public_url: string, name: string): string =>
  public_url.startsWith('https:') ? `__Host-${name}` : name;

const SESSION = 'florin_session';

/**
 * Session token of a request; undefined without the session cookie, or if the request has it twice.
 */
export const sessionTokenOf = (
  request: Pick<FastifyRequest, 'headers'>,
  public_url: string,
): string | undefined => cookieValueOf(request, public_url, SESSION);

/** Value of a cookie; undefined without it, or if the request has it twice. */
export function cookieValueOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  public_url: string,
  cookie: string,
): string | undefined {
  const name = `${nameAt(public_url, cookie)}=`;
  const pairs = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  return pairs.length === 1 ? pairs[0]?.slice(name.length) : undefined;
}

/** `Set-Cookie` header that sets or removes the session's token. */
export const cookieOf = (public_url: string, token: string | undefined): string =>
  cookieText(public_url, {
    name: SESSION,
    value: token ?? '',
    age_seconds: token === undefined ? 0 : LIFE_SECONDS,
  });

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly age_seconds: number;
}

/** `Set-Cookie` header of a cookie that scripts and other sites cannot read. */
export function cookieText(public_url: string, { name, value, age_seconds }: Cookie): string {
  const secure = public_url.startsWith('https:') ? '; Secure' : '';
  return `${nameAt(public_url, name)}=${value}; Path=/; Max-Age=${age_seconds}; HttpOnly; SameSite=Strict${secure}`;
}

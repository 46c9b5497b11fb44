import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import { hasOriginShape } from '@florin/contract/origin.ts';
import type { WriteInput } from '../../jsonapi/behaviour.ts';
import type { KeyContext } from '../../platform/caller.ts';
import type { Scope } from '../../platform/database/scope.ts';

/** Throws a `ProblemError` with all validation errors of the origins of a key. */
export function checkOrigins(
  mode: Scope['mode'],
  context: KeyContext,
  { origins }: WriteInput['attributes'],
): void {
  if (!Array.isArray(origins) || origins.length === 0) return;
  const problems = context === 'secret' ? [SECRET_KEY_PROBLEM] : problemsOf(mode, origins);
  if (problems.length > 0) throw new ProblemError(problems);
}

const SECRET_KEY_PROBLEM: Problem = {
  code: 'invalid',
  detail: 'Only publishable keys have origins. Leave origins out.',
  source: { pointer: '/data/attributes/origins' },
};

const problemsOf = (mode: Scope['mode'], origins: readonly unknown[]): Problem[] =>
  origins.flatMap((origin, at) => {
    const detail = refusalOf(mode, origin as string);
    return detail
      ? { code: 'invalid', detail: `origins ${at} ${detail}`, source: pointerOf(at) }
      : [];
  });

const pointerOf = (at: number) => ({ pointer: `/data/attributes/origins/${at}` });

/** Why a key may not allow an origin. Undefined if it may. */
function refusalOf(mode: Scope['mode'], origin: string): string | undefined {
  const url = URL.parse(origin);
  if (!hasOriginShape(origin) || url?.origin !== origin) {
    return 'must be an origin: scheme, host and port without a path, such as https://shop.example.com.';
  }
  if (url.protocol === 'http:' && mode === 'live' && !isLocalHost(url.hostname)) {
    return 'must be https, except on localhost.';
  }
  return undefined;
}

/** Whether a host name is the local host, which needs no https. */
export const isLocalHost = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);

import { setTimeout as sleep } from 'node:timers/promises';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { authenticate } from './authenticate.ts';
import type { BookStore } from './books.ts';
import { decide } from './decide.ts';
import { delayOf, type FaultOf } from './faults.ts';
import { checkReference, parseAuthentication, parseAuthorisation } from './parse.ts';

/** What goes back over the wire; the last two are faults. */
export type Reply = { readonly status: number; readonly body: unknown } | 'hang_up' | 'garbage';

export interface NetworkParts {
  readonly books: BookStore;
  readonly faultOf: FaultOf;
  readonly now: () => Date;
  /** Ends the wait of delayed requests. */
  readonly closing: AbortSignal;
}

export type Network = (method: string, path: string, body: unknown) => Promise<Reply>;

const ok = (body: unknown): Reply => ({ status: 200, body });
const notFound = (error: string): Reply => ({ status: 404, body: { error } });

const REFERENCE_PATH = new RegExp(`^${networkPaths.authorisations}/([^/]+)(/reverse)?$`);

/** The network's behaviour by method and path, apart from how messages travel. */
export function createNetwork(parts: NetworkParts): Network {
  return async (method, path, body) => {
    const call = `${method} ${path}`;
    if (call === `POST ${networkPaths.authorisations}`) return authorise(parts, body);
    if (call === `POST ${networkPaths.authentications}`)
      return ok(authenticate(parseAuthentication(body)));
    if (call === `GET ${networkPaths.books}`) return ok(parts.books.counts());
    if (call === `GET ${networkPaths.health}`) return ok({ status: 'ok' });
    const [, reference, reversal] = REFERENCE_PATH.exec(path) ?? [];
    if (reference !== undefined) {
      if (method === 'GET' && !reversal) return inquire(parts, checkReference(reference));
      if (method === 'POST' && reversal)
        return ok(await parts.books.reverse(checkReference(reference)));
    }
    return notFound('There is no such path.');
  };
}

async function authorise(
  { books, faultOf, now, closing }: NetworkParts,
  body: unknown,
): Promise<Reply> {
  const request = parseAuthorisation(body);
  const fault = faultOf(request);
  if (fault === 'reset') return 'hang_up';
  const delay = delayOf(fault);
  if (delay > 0) await sleep(delay, undefined, { signal: closing });
  const answer = await books.authorise(request, () => decide(request, now()));
  if (fault === 'lose_answer') return 'hang_up';
  return fault === 'garbage' ? 'garbage' : ok(answer);
}

function inquire({ books }: NetworkParts, reference: string): Reply {
  const answer = books.find(reference);
  return answer ? ok(answer) : notFound('This reference is not known.');
}

import type { CheckoutAccount } from './accounts.ts';
import { type CheckoutAnswer, invalid, notFound, rateLimited, unauthorised } from './answer.ts';
import type { CheckoutCall, CheckoutServices } from './call.ts';
import { membersOf, textOf } from './members.ts';
import { type CheckoutRoute, routeOf } from './routes.ts';

/** A request as it arrives, with its body as parsed JSON. */
export interface CheckoutRequest {
  readonly method: string;
  /** Path after the stand-in's prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
  readonly base: string;
}

export type Dispatch = (request: CheckoutRequest) => Promise<CheckoutAnswer>;

/** Serves requests: authenticates, finds the operation, and keeps responses for repeated keys. */
export function createDispatch(services: CheckoutServices): Dispatch {
  const running = new Set<string>();
  return async (request) => {
    const opened = openedAccounts(services, request);
    const [first] = opened;
    if (!first) return unauthorised;
    const { route, parts } = routeOf(request.method, request.path) ?? {};
    if (!route || !parts) return notFound;
    const account = route.isForChannel ? chosenAccount(opened, request.body) : first;
    if ('status' in account) return account;
    const call = { ...request, account, opened, parts };
    if (!route.isIdempotent || request.idempotencyKey === undefined)
      return services.books.commit(() => route.run(services, call));
    const flight = `${first.keyHash} ${request.idempotencyKey} ${request.path}`;
    if (running.has(flight)) return rateLimited;
    running.add(flight);
    try {
      return await services.books.commit(() => runOnce(services, route, call, request));
    } finally {
      running.delete(flight);
    }
  };
}

const BEARER = /^Bearer (\S{1,200})$/;

function openedAccounts(
  { books }: CheckoutServices,
  { authorization = '' }: CheckoutRequest,
): readonly CheckoutAccount[] {
  const secretKey = BEARER.exec(authorization)?.[1];
  return secretKey === undefined ? [] : books.accounts.opened(secretKey);
}

/** The account of a new payment. A key of several channels needs a channel in the request. */
function chosenAccount(
  opened: readonly CheckoutAccount[],
  body: unknown,
): CheckoutAccount | CheckoutAnswer {
  const channel = textOf(membersOf(body).processing_channel_id);
  const [first] = opened;
  if (channel === undefined) {
    const isRequired = opened.length > 1 || first?.settings.requires_channel;
    return isRequired || !first ? invalid(['processing_channel_id_required']) : first;
  }
  const account = opened.find((candidate) => candidate.channel === channel);
  return account ?? invalid(['processing_channel_id_invalid']);
}

/** Returns the kept response of an idempotency key, or runs the operation. Only 2xx responses are kept. */
function runOnce(
  services: CheckoutServices,
  route: CheckoutRoute,
  call: CheckoutCall,
  { idempotencyKey = '', path }: CheckoutRequest,
): CheckoutAnswer {
  const { keptAnswers } = services.books;
  const { keyHash, settings } = call.account;
  const key = { keyHash, idempotencyKey, path };
  const kept = keptAnswers.find(key, services.now() - settings.idempotency_ms);
  if (kept) return kept;
  const answer = route.run(services, call);
  if (answer.status < 300) keptAnswers.keep(key, answer, services.now());
  return answer;
}

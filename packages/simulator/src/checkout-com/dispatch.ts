import { notFound, rateLimited, type StandInAnswer, unauthorised } from '../stand-in/answer.ts';
import { commitRequest } from '../stand-in/commit-request.ts';
import type { KeptAnswerKey } from '../stand-in/kept-answers.ts';
import { membersOf, textOf } from '../stand-in/members.ts';
import type { StandInRequest } from '../stand-in/transport.ts';
import type { CheckoutAccount } from './accounts.ts';
import { invalid } from './answer.ts';
import type { CheckoutCall, CheckoutServices } from './call.ts';
import { type CheckoutRoute, routeOf } from './routes.ts';

/** Serves requests: authenticates, finds the operation, and keeps responses for repeated keys. */
export function createDispatch(
  services: CheckoutServices,
): (request: StandInRequest) => Promise<StandInAnswer> {
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
    const idempotencyKey = request.headers['cko-idempotency-key']?.toString();
    if (!route.isIdempotent || idempotencyKey === undefined)
      return commitRequest(services.books, request, () => route.run(services, call));
    const key = { scope: `${first.name} ${request.path}`, idempotencyKey };
    const flight = `${key.scope} ${idempotencyKey}`;
    if (running.has(flight)) return rateLimited;
    running.add(flight);
    try {
      return await commitRequest(services.books, request, () =>
        runOnce(services, route, call, key),
      );
    } finally {
      running.delete(flight);
    }
  };
}

const BEARER = /^Bearer (\S{1,200})$/;

function openedAccounts(
  { books }: CheckoutServices,
  { headers }: StandInRequest,
): readonly CheckoutAccount[] {
  const secretKey = BEARER.exec(headers.authorization ?? '')?.[1];
  return secretKey === undefined ? [] : books.accounts.opened(secretKey);
}

/** The account of a new payment. A key of several channels needs a channel in the request. */
function chosenAccount(
  opened: readonly CheckoutAccount[],
  body: unknown,
): CheckoutAccount | StandInAnswer {
  const channel = textOf(membersOf(body).processing_channel_id);
  const [first] = opened;
  if (channel === undefined) {
    const isRequired = opened.length > 1 || first?.settings.requires_channel;
    return isRequired || !first ? invalid(['processing_channel_id_required']) : first;
  }
  const account = opened.find((candidate) => candidate.name === channel);
  return account ?? invalid(['processing_channel_id_invalid']);
}

/** Returns the kept response of an idempotency key, or runs the operation. Only 2xx responses are kept. */
function runOnce(
  services: CheckoutServices,
  route: CheckoutRoute,
  call: CheckoutCall,
  key: KeptAnswerKey,
): StandInAnswer {
  const { keptAnswers } = services.books;
  const { settings } = call.account;
  const kept = keptAnswers.find(key, services.now() - settings.idempotency_ms);
  if (kept) return kept;
  const answer = route.run(services, call);
  if (answer.status < 300) keptAnswers.keep(key, answer, services.now());
  return answer;
}

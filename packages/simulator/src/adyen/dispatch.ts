import type { StandInAnswer } from '../stand-in/answer.ts';
import { commitRequest } from '../stand-in/commit-request.ts';
import { isJsonObject } from '../stand-in/members.ts';
import type { StandInRequest } from '../stand-in/transport.ts';
import type { AdyenAccount } from './accounts.ts';
import {
  asTransient,
  inProgress,
  isTransient,
  noSuchOperation,
  serviceError,
  unreadable,
  wrongKey,
  wrongMerchant,
} from './answers.ts';
import type { AdyenServices } from './call.ts';
import { disputeOperationOf } from './disputes/operations.ts';
import { downloadReport } from './reports/operations.ts';
import { operationOf } from './routes.ts';

const KEY_HEADER = 'idempotency-key';
const KEY_LENGTH_MAX = 64;
const keyStoreDown = asTransient(
  serviceError(503, '703', 'The idempotency store is not available', 'internal'),
);

/** Serves requests: authenticates, finds the operation, and keeps responses for repeated keys. */
export function createAdyenDispatch(
  services: AdyenServices,
): (request: StandInRequest) => Promise<StandInAnswer> {
  const running = new Set<string>();
  return async (request) => {
    const target = targetOf(services, request);
    if ('status' in target) return target;
    const { account, run } = target;
    const idempotencyKey = request.headers[KEY_HEADER]?.toString();
    if (idempotencyKey === undefined) return commitRequest(services.books, request, run);
    if (idempotencyKey.length > KEY_LENGTH_MAX) return unreadable('Idempotency-Key is too long');
    if (account.settings.key_store_down) return keyStoreDown;
    const key = { scope: account.settings.company, idempotencyKey };
    const flight = `${key.scope} ${idempotencyKey}`;
    if (running.has(flight)) return inProgress;
    running.add(flight);
    try {
      return await commitRequest(services.books, request, () => {
        const since = services.now() - account.settings.idempotency_ms;
        const kept = services.books.keptAnswers.find(key, since);
        if (kept) return kept;
        const answer = run();
        const replay = { ...answer, headers: { ...answer.headers, [KEY_HEADER]: idempotencyKey } };
        if (!isTransient(answer)) services.books.keptAnswers.keep(key, replay, services.now());
        return answer;
      });
    } finally {
      running.delete(flight);
    }
  };
}

/** The operation of a request with its account, or the response that refuses the request. */
function targetOf(
  services: AdyenServices,
  request: StandInRequest,
): { readonly account: AdyenAccount; readonly run: () => StandInAnswer } | StandInAnswer {
  const { headers, method, path, body, base, decline } = request;
  const opened = services.books.accounts.opened(headers['x-api-key']?.toString() ?? '');
  if (opened.length === 0) return wrongKey;
  const report = method === 'GET' ? downloadReport(services, opened, path) : undefined;
  if (report) return report;
  const operation = method === 'POST' ? anyOperationOf(path) : undefined;
  if (!operation) return noSuchOperation;
  if (!isJsonObject(body)) return unreadable('Unable to parse message');
  const account = opened.find(({ name }) => name === body[operation.accountMember]);
  if (!account) return wrongMerchant;
  const call = { account, body, base, decline, paymentPsp: operation.paymentPsp };
  return { account, run: () => operation.run(services, call) };
}

/** The operation of a path in either service, with the member of the body that names the account. */
function anyOperationOf(path: string) {
  const operation = operationOf(path);
  return operation ? { ...operation, accountMember: 'merchantAccount' } : disputeOperationOf(path);
}

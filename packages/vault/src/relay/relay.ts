import { maskLoneCards } from '@florin/contract/card/scan.ts';
import type { RelayAnswer, RelayRequest, VaultFault } from '@florin/contract/protocol/vault.ts';
import type { Audit, AuditEntry } from '../audit/audit.ts';
import type { Refusals } from '../audit/refusals.ts';
import { countOtherMode } from '../cards/other-mode.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { Limits } from '../limits/limits.ts';
import { answerReaders } from './codecs/codecs.ts';
import { type CredentialsDeps, loadCredentials } from './credentials.ts';
import { type Batch, type PrepareDeps, prepareRequest } from './prepare-request.ts';
import { isCounted, RelayRefusal } from './refusal.ts';
import { type ScrubbedSecrets, scrub } from './scrub.ts';
import { type BatchSecrets, loadSecrets, type SecretsDeps } from './secrets.ts';
import type { Sender, SendResult } from './sender.ts';

/** HTTP status 206, of a part of a file. */
const PARTIAL_CONTENT = 206;

/** Maximum requests in flight in all batches. Further requests are refused and not sent. */
export const RELAY_IN_FLIGHT_MAX = 4096;

export interface RelayDeps extends SecretsDeps, CredentialsDeps, PrepareDeps {
  readonly sender: Sender;
  readonly audit: Audit;
  readonly log: Log;
  readonly limits: Pick<Limits, 'allows'>;
  readonly refusals: Pick<Refusals, 'countMessage' | 'countCall'>;
}

/** Sends a batch and calls `onAnswer` as soon as each response arrives. Never throws for a single request. */
export type Relay = (
  requests: readonly RelayRequest[],
  onAnswer: (answer: RelayAnswer) => void,
) => Promise<void>;

export function createRelay(deps: RelayDeps): Relay {
  let inFlight = 0;
  return async (requests, onAnswer) => {
    const counts = { answered: 0, not_sent: 0, lost: 0 };
    const sendAnswer = (answer: RelayAnswer): void => {
      counts[answer.outcome] += 1;
      onAnswer(answer);
    };
    if (inFlight + requests.length > RELAY_IN_FLIGHT_MAX || !deps.audit.isBelowLimit()) {
      for (const { id } of requests) sendAnswer(vaultFaultAnswer(id, 'vault_busy'));
    } else {
      const { true: allowed = [], false: refused = [] } = Object.groupBy(
        requests,
        (request) => `${deps.limits.allows('relay', request)}`,
      );
      for (const { id } of refused) sendAnswer(vaultFaultAnswer(id, 'vault_busy'));
      inFlight += allowed.length;
      await relayBatch(deps, allowed, sendAnswer).finally(() => {
        inFlight -= allowed.length;
      });
    }
    deps.log({ event: 'relayed', requests: requests.length, ...counts });
  };
}

const notSentAnswer = (id: string, why: string): RelayAnswer => ({ id, outcome: 'not_sent', why });
const vaultFaultAnswer = (id: string, why: VaultFault): RelayAnswer => notSentAnswer(id, why);
const noResponseAnswer = (id: string, why: string): RelayAnswer => ({ id, outcome: 'lost', why });

async function relayBatch(
  deps: RelayDeps,
  requests: readonly RelayRequest[],
  onAnswer: (answer: RelayAnswer) => void,
): Promise<void> {
  const finish = (request: RelayRequest, answer: RelayAnswer): void => {
    // A message without a card may carry the login of an account all the same.
    if (request.card_pan_token !== undefined || request.credentials || isRefused(answer))
      deps.audit.enqueue(auditEntryOf(request, answer));
    onAnswer(answer);
  };
  // Late messages use no verification values, because other requests may still need them.
  const isLate = ({ not_after }: RelayRequest): boolean => deps.clock() >= not_after;
  const { true: lateRequests = [], false: requestsInTime = [] } = Object.groupBy(
    requests,
    (request) => `${isLate(request)}`,
  );
  for (const request of lateRequests) finish(request, notSentAnswer(request.id, 'too_late'));
  if (requestsInTime.length > 0) await relayInTime(deps, requestsInTime, finish);
}

async function relayInTime(
  deps: RelayDeps,
  requests: readonly RelayRequest[],
  finish: (request: RelayRequest, answer: RelayAnswer) => void,
): Promise<void> {
  const batch = await loadBatch(deps, requests).catch((error: unknown) => {
    deps.log({ event: 'request_failed', path: '/relay', fault: faultOf(error) });
    return undefined;
  });
  await Promise.all(
    requests.map(async (request) => {
      const answer = batch
        ? await relayOne(deps, batch, request)
        : vaultFaultAnswer(request.id, 'vault_unavailable');
      if (answer.outcome === 'not_sent') await restoreSecrets(deps, batch?.secrets, request);
      finish(request, answer);
    }),
  );
}

/** Reads credentials first, because reading the secrets uses up verification values. */
async function loadBatch(deps: RelayDeps, requests: readonly RelayRequest[]): Promise<Batch> {
  const credentials = await loadCredentials(deps, requests);
  return { credentials, secrets: await loadSecrets(deps, requests) };
}

/** Whether the message breaks a rule, as those of a server that was taken over do. */
const isRefused = (answer: RelayAnswer): boolean =>
  answer.outcome === 'not_sent' && answer.detail !== undefined;

const auditEntryOf = (request: RelayRequest, answer: RelayAnswer): AuditEntry => ({
  actor: 'server',
  verb: request.consumes_cvv ? 'authorise' : 'relay',
  merchant_id: request.merchant_id,
  mode: request.mode,
  ...(request.card_pan_token !== undefined && { token: request.card_pan_token }),
  outcome: describeOutcome(request, answer),
});

/** Longest address in an entry. */
const TARGET_CHARS_MAX = 300;

/** Names account and address, so that a reader sees where cards and secrets went. The simulated network has no account. */
function describeOutcome({ method, url, credentials }: RelayRequest, answer: RelayAnswer): string {
  const why = 'why' in answer && isRefused(answer) ? `: ${answer.why}` : '';
  if (!credentials) return `${answer.outcome}${why}`;
  const address = URL.parse(url);
  const target = address ? `${address.origin}${address.pathname}` : 'no address';
  return `${answer.outcome}${why}, ${method} ${target.slice(0, TARGET_CHARS_MAX)}, account ${credentials.account_id}`;
}

/** Stores unused verification values again: no byte was sent, so the next attempt may use them. */
async function restoreSecrets(
  { log }: RelayDeps,
  batchSecrets: BatchSecrets | undefined,
  request: RelayRequest,
): Promise<void> {
  await batchSecrets
    ?.restore(request)
    .catch((error: unknown) => log({ event: 'cvv_not_restored', fault: faultOf(error) }));
}

async function relayOne(
  deps: RelayDeps,
  batch: Batch,
  request: RelayRequest,
): Promise<RelayAnswer> {
  const prepared = await prepareRequest(deps, batch, request).catch(toRefusal);
  if (prepared instanceof RelayRefusal) {
    if (prepared.why === 'unknown_token') void countUnknownCard(deps, request);
    return refusalAnswer(deps.refusals, request.id, prepared);
  }
  const result = await deps.sender.send(prepared.outgoingRequest);
  return readAnswer(request, result, prepared.secrets);
}

/** The answer neither depends on the count nor waits for it. */
const countUnknownCard = (deps: RelayDeps, request: RelayRequest): Promise<void> =>
  countOtherMode(deps, request, request.card_pan_token ?? '').catch(() => {});

/** Other errors are those of a body that cannot be written, such as too many levels. */
const toRefusal = (error: unknown): RelayRefusal =>
  error instanceof RelayRefusal ? error : new RelayRefusal('body_unusable');

/** Counts and logs refusals of messages that their adapter or the configuration must mend. */
function refusalAnswer(
  refusals: RelayDeps['refusals'],
  id: string,
  refusal: RelayRefusal,
): RelayAnswer {
  if (!isCounted(refusal)) return notSentAnswer(id, refusal.why);
  const { why, detail } = refusal;
  refusals.countMessage(why, detail);
  return { id, outcome: 'not_sent', why, detail };
}

function readAnswer(
  { id, answer_codec = 'json', answer_headers }: RelayRequest,
  result: SendResult,
  secrets: ScrubbedSecrets,
): RelayAnswer {
  if (result.outcome !== 'answered') return { id, ...result };
  const { status, text, headers } = result;
  // The vault never follows a redirect, so nobody knows whether the message was executed.
  if (status >= 300 && status < 400) return noResponseAnswer(id, 'redirected');
  if (status === PARTIAL_CONTENT) return noResponseAnswer(id, 'unreadable_answer');
  // A file may repeat a card that another message sent, so that no secret of this message masks it.
  const safeText = answer_codec === 'text' ? maskLoneCards(text) : text;
  try {
    const body = safeText === '' ? null : scrub(answerReaders[answer_codec](safeText), secrets);
    if (!answer_headers) return { id, outcome: 'answered', status, body };
    const picked = scrub(pickHeaders(headers, answer_headers), secrets);
    return { id, outcome: 'answered', status, body, headers: picked as Record<string, string> };
  } catch {
    return noResponseAnswer(id, 'unreadable_answer');
  }
}

/** The named headers that a response has. Repeated headers are joined, as HTTP allows. */
const pickHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );

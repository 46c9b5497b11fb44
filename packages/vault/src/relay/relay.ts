import type {
  CardRefusal,
  RelayAnswer,
  RelayRequest,
  VaultFault,
} from '@florin/contract/protocol/vault.ts';
import type { Alarms } from '../audit/alarms.ts';
import type { Audit, AuditEntry } from '../audit/audit.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import {
  type BatchCredentials,
  type CredentialsDeps,
  type FilledCredentials,
  loadCredentials,
} from './credentials.ts';
import { fillCard } from './fill.ts';
import { type ScrubbedSecrets, scrub } from './scrub.ts';
import { type BatchSecrets, type CardSecrets, loadSecrets, type SecretsDeps } from './secrets.ts';
import type { OutgoingRequest, Sender, SendResult } from './sender.ts';

/** Maximum requests in flight in all batches. Further requests are refused and not sent. */
export const RELAY_IN_FLIGHT_MAX = 4096;

export interface RelayDeps extends SecretsDeps, CredentialsDeps {
  readonly sender: Sender;
  readonly audit: Audit;
  readonly alarms: Alarms;
  readonly egress: ReadonlySet<string>;
  readonly log: Log;
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
      inFlight += requests.length;
      await relayBatch(deps, requests, sendAnswer).finally(() => {
        inFlight -= requests.length;
      });
    }
    deps.log({ event: 'relayed', requests: requests.length, ...counts });
  };
}

const notSentAnswer = (id: string, why: string): RelayAnswer => ({ id, outcome: 'not_sent', why });
const vaultFaultAnswer = (id: string, why: VaultFault): RelayAnswer => notSentAnswer(id, why);
const cardRefusalAnswer = (id: string, why: CardRefusal): RelayAnswer => notSentAnswer(id, why);
const noResponseAnswer = (id: string, why: string): RelayAnswer => ({ id, outcome: 'lost', why });

async function relayBatch(
  deps: RelayDeps,
  requests: readonly RelayRequest[],
  onAnswer: (answer: RelayAnswer) => void,
): Promise<void> {
  const finish = (request: RelayRequest, answer: RelayAnswer): void => {
    if (request.card_pan_token !== undefined) deps.audit.enqueue(auditEntryOf(request, answer));
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

/** Data of a batch from the database. */
interface Batch {
  readonly credentials: BatchCredentials;
  readonly secrets: BatchSecrets;
}

/** Reads credentials first, because reading the secrets uses up verification values. */
async function loadBatch(deps: RelayDeps, requests: readonly RelayRequest[]): Promise<Batch> {
  const credentials = await loadCredentials(deps, requests);
  return { credentials, secrets: await loadSecrets(deps, requests) };
}

const auditEntryOf = (request: RelayRequest, { outcome }: RelayAnswer): AuditEntry => ({
  actor: 'server',
  verb: request.consumes_cvv ? 'authorise' : 'relay',
  merchant_id: request.merchant_id,
  mode: request.mode,
  ...(request.card_pan_token !== undefined && { token: request.card_pan_token }),
  outcome,
});

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
  const url = allowedUrl(request.url, deps.egress);
  if (!url) return notSentAnswer(request.id, 'egress_not_allowed');
  const credentials = await batch.credentials
    .fill(request, url.origin)
    .catch(() => 'credential_unreadable' as const);
  if (typeof credentials === 'string') return notSentAnswer(request.id, credentials);
  const secrets = await batch.secrets.open(request).catch(() => 'unreadable' as const);
  if (secrets === 'unreadable') {
    deps.alarms.countUnreadable('record_unreadable');
    return notSentAnswer(request.id, 'record_unreadable');
  }
  if (!secrets) return cardRefusalAnswer(request.id, 'unknown_token');
  if (lacksCryptogram(request, secrets)) return cardRefusalAnswer(request.id, 'cryptogram_missing');
  if (request.requires_cvv && !secrets.cvv) return cardRefusalAnswer(request.id, 'cvv_missing');
  const outgoingRequest = prepareRequest(request, url, secrets, credentials);
  if (!outgoingRequest) return notSentAnswer(request.id, 'body_unusable');
  const result = await deps.sender.send(outgoingRequest);
  return readAnswer(request, result, { ...secrets, credentials: credentials.secrets });
}

/** Whether the cryptogram is missing. Without it the processor would charge a card that nobody authenticated. */
const lacksCryptogram = ({ card_fields }: RelayRequest, { cryptogram }: CardSecrets): boolean =>
  cryptogram === undefined && Object.values(card_fields).includes('cryptogram');

/** Parses a URL. Undefined if its origin is not allowed or it contains a login. */
function allowedUrl(text: string, egress: ReadonlySet<string>): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && egress.has(url.origin) && !url.username && !url.password ? url : undefined;
}

function prepareRequest(
  request: RelayRequest,
  url: URL,
  secrets: CardSecrets,
  credentials: FilledCredentials,
): OutgoingRequest | undefined {
  const { method, card_fields, timeout_ms, not_after } = request;
  const headers = {
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...request.headers,
    ...credentials.headers,
  };
  try {
    const body =
      request.body === undefined
        ? null
        : JSON.stringify(fillCard(request.body, card_fields, secrets));
    return { method, url, headers, body, timeout_ms, not_after };
  } catch {
    return undefined;
  }
}

function readAnswer(
  { id, answer_headers }: RelayRequest,
  result: SendResult,
  secrets: ScrubbedSecrets,
): RelayAnswer {
  if (result.outcome !== 'answered') return { id, ...result };
  const { status, text } = result;
  // The vault never follows a redirect, so nobody knows whether the message was executed.
  if (status >= 300 && status < 400) return noResponseAnswer(id, 'redirected');
  try {
    const body = text === '' ? null : scrub(JSON.parse(text), secrets);
    if (!answer_headers) return { id, outcome: 'answered', status, body };
    const headers = scrub(pickHeaders(result.headers, answer_headers), secrets);
    return { id, outcome: 'answered', status, body, headers: headers as Record<string, string> };
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

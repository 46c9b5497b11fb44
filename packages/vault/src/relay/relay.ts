import type {
  CardRefusal,
  RelayAnswer,
  RelayRequest,
  VaultFault,
} from '@florin/contract/protocol/vault.ts';
import type { Alarms } from '../audit/alarms.ts';
import type { Audit, AuditEntry } from '../audit/audit.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import { fillCard } from './fill.ts';
import { scrub } from './scrub.ts';
import { type BatchSecrets, type CardSecrets, loadSecrets, type SecretsDeps } from './secrets.ts';
import type { OutgoingRequest, Sender, SendResult } from './sender.ts';

/** Maximum requests in flight in all batches. Further requests are refused and not sent. */
export const RELAY_IN_FLIGHT_MAX = 4096;

export interface RelayDeps extends SecretsDeps {
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
    const sendAnswer = (one: RelayAnswer): void => {
      counts[one.outcome] += 1;
      onAnswer(one);
    };
    if (inFlight + requests.length > RELAY_IN_FLIGHT_MAX || !deps.audit.isBelowLimit()) {
      for (const { id } of requests) sendAnswer(vaultFault(id, 'vault_busy'));
    } else {
      inFlight += requests.length;
      await relayBatch(deps, requests, sendAnswer).finally(() => {
        inFlight -= requests.length;
      });
    }
    deps.log({ event: 'relayed', requests: requests.length, ...counts });
  };
}

const notSent = (id: string, why: string): RelayAnswer => ({ id, outcome: 'not_sent', why });
const vaultFault = (id: string, why: VaultFault): RelayAnswer => notSent(id, why);
const cardRefusal = (id: string, why: CardRefusal): RelayAnswer => notSent(id, why);
const noResponse = (id: string, why: string): RelayAnswer => ({ id, outcome: 'lost', why });

async function relayBatch(
  deps: RelayDeps,
  requests: readonly RelayRequest[],
  answer: (answer: RelayAnswer) => void,
): Promise<void> {
  const finish = (request: RelayRequest, one: RelayAnswer): void => {
    deps.audit.note(entryOf(request, one));
    answer(one);
  };
  // Late messages use no verification values, because other requests may still need them.
  const isLate = ({ not_after }: RelayRequest): boolean => deps.clock() >= not_after;
  const { true: late = [], false: inTime = [] } = Object.groupBy(
    requests,
    (one) => `${isLate(one)}`,
  );
  for (const request of late) finish(request, notSent(request.id, 'too_late'));
  if (inTime.length > 0) await relayInTime(deps, inTime, finish);
}

async function relayInTime(
  deps: RelayDeps,
  requests: readonly RelayRequest[],
  finish: (request: RelayRequest, answer: RelayAnswer) => void,
): Promise<void> {
  const batch = await loadSecrets(deps, requests).catch((error: unknown) => {
    deps.log({ event: 'request_failed', path: '/relay', fault: faultOf(error) });
    return undefined;
  });
  await Promise.all(
    requests.map(async (request) => {
      const one = batch
        ? await relayOne(deps, batch, request)
        : vaultFault(request.id, 'vault_unavailable');
      if (one.outcome === 'not_sent') await restoreSecrets(deps, batch, request);
      finish(request, one);
    }),
  );
}

const entryOf = (request: RelayRequest, { outcome }: RelayAnswer): AuditEntry => ({
  actor: 'server',
  verb: request.consumes_cvv ? 'authorise' : 'relay',
  merchant_id: request.merchant_id,
  mode: request.mode,
  token: request.card_pan_token,
  outcome,
});

/** Stores unused verification values again: no byte was sent, so the next attempt may use them. */
async function restoreSecrets(
  { log }: RelayDeps,
  batch: BatchSecrets | undefined,
  request: RelayRequest,
): Promise<void> {
  await batch
    ?.restore(request)
    .catch((error: unknown) => log({ event: 'cvv_not_restored', fault: faultOf(error) }));
}

async function relayOne(
  deps: RelayDeps,
  batch: BatchSecrets,
  request: RelayRequest,
): Promise<RelayAnswer> {
  const url = allowedUrl(request.url, deps.egress);
  if (!url) return notSent(request.id, 'egress_not_allowed');
  const secrets = await batch.open(request).catch(() => 'unreadable' as const);
  if (secrets === 'unreadable') {
    deps.alarms.unreadable('record_unreadable');
    return notSent(request.id, 'record_unreadable');
  }
  if (!secrets) return cardRefusal(request.id, 'unknown_token');
  if (lacksCryptogram(request, secrets)) return cardRefusal(request.id, 'cryptogram_missing');
  if (request.requires_cvv && !secrets.cvv) return cardRefusal(request.id, 'cvv_missing');
  const outgoing = prepare(request, url, secrets);
  if (!outgoing) return notSent(request.id, 'body_unusable');
  return readAnswer(request.id, await deps.sender.send(outgoing), secrets);
}

/** Whether the cryptogram is missing. Without it the processor would charge a card that nobody authenticated. */
const lacksCryptogram = ({ card_fields }: RelayRequest, { cryptogram }: CardSecrets): boolean =>
  cryptogram === undefined && Object.values(card_fields).includes('cryptogram');

/** Parses a URL. Undefined if its origin is not allowed or it contains a login. */
function allowedUrl(text: string, egress: ReadonlySet<string>): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && egress.has(url.origin) && !url.username && !url.password ? url : undefined;
}

function prepare(
  request: RelayRequest,
  url: URL,
  secrets: CardSecrets,
): OutgoingRequest | undefined {
  const { card_fields, timeout_ms, not_after } = request;
  const headers = { 'content-type': 'application/json', ...request.headers };
  try {
    const body = JSON.stringify(fillCard(request.body, card_fields, secrets)) ?? '';
    return { url, headers, body, timeout_ms, not_after };
  } catch {
    return undefined;
  }
}

function readAnswer(id: string, sent: SendResult, secrets: CardSecrets): RelayAnswer {
  if (sent.outcome !== 'answered') return { id, ...sent };
  try {
    const body = scrub(JSON.parse(sent.text), secrets);
    return { id, outcome: 'answered', status: sent.status, body };
  } catch {
    return noResponse(id, 'unreadable_answer');
  }
}

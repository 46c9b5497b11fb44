import type {
  EgressRequest,
  ProcessorAccountRef,
  ProcessorAccountRequest,
  SignatureRequest,
} from '@florin/contract/protocol/processor-accounts.ts';
import {
  type CardDescription,
  type CardRequest,
  type IngestRequest,
  LARGE_ANSWER_BYTES_MAX,
  RELAY_BATCH_MAX,
  type RelayAnswer,
  type RelayRequest,
  type SealingKey,
  type VaultError,
  type VaultFault,
  vaultPaths,
  type WalletKeys,
} from '@florin/contract/protocol/vault.ts';
import { VAULT_BUSY_STATUS } from '@florin/contract/protocol/vault-connections.ts';
import type { Dispatcher } from 'undici';
import {
  currentTracer,
  type OpenSpan,
  traced,
  traceHeaders,
} from '../../platform/telemetry/tracing.ts';
import { LINE_CHARS_MAX, parseJsonLines } from './json-lines.ts';
import type { VaultWatch } from './vault-watch.ts';
import type { VaultResponse, Vaults } from './vaults.ts';
import { failedToConnect, faultOf } from './wire-error.ts';

const CALL_TIMEOUT_MS = 10_000;
/** Additional time that a message may wait in the vault's queue. */
export const RELAY_MARGIN_MS = 5_000;
/** JSON writes a character of a large text as at most six. */
const LARGE_LINE_CHARS_MAX = 6 * LARGE_ANSWER_BYTES_MAX + LINE_CHARS_MAX;

/** The vault did not respond, or its response is malformed. */
export class VaultUnavailable extends Error {
  override name = 'VaultUnavailable';
}

/** Client of the vault. Sends encrypted card data and receives only tokens and descriptions. */
export interface Relay {
  /**
   * Sends messages through the vault and never rejects. Calls `onAnswer` exactly once per request: with
   * `not_sent` or `lost` if no response arrives. `onAnswer` must not throw.
   */
  relay(requests: readonly RelayRequest[], onAnswer: (answer: RelayAnswer) => void): Promise<void>;
  /** Stores a card. Returns a refusal as a value; throws `VaultUnavailable`. */
  ingest(request: IngestRequest): Promise<CardDescription | VaultError>;
  describe(request: CardRequest): Promise<CardDescription | VaultError>;
  /** Stores the card of a payment method that is being created. */
  attach(request: CardRequest): Promise<VaultError | Record<string, never>>;
  /** Destroys a card. Returns `unknown_token` if the card was destroyed before. */
  destroy(request: CardRequest): Promise<VaultError | Record<string, never>>;
  /** Public keys for encrypting card data, newest first. */
  keys(): Promise<readonly SealingKey[]>;
  /** Public keys that wallets use for encryption, by mode. */
  walletKeys(): Promise<readonly WalletKeys[]>;
  /** Stores an account's secrets, which cannot be read back. */
  storeProcessorAccount(
    request: ProcessorAccountRequest,
  ): Promise<{ readonly secrets: readonly string[] } | VaultError>;
  /** Replaces rules and merchant of an account that the vault has. A vault of an earlier release names no merchant. */
  storeEgressRules(
    request: EgressRequest,
  ): Promise<VaultError | { readonly merchant_id?: string | null }>;
  /** Removes an account's secrets. Does nothing if there are none. */
  removeProcessorAccount(account: ProcessorAccountRef): Promise<VaultError | Record<string, never>>;
  /** Whether a signature matches one of the named secrets. An error if the account has none of them. */
  verifySignature(request: SignatureRequest): Promise<{ readonly valid: boolean } | VaultError>;
}

export interface RelayConfig {
  readonly vaults: Pick<Vaults, 'request'>;
  /** Circuit breaker that counts successes and failures of messages. */
  readonly watch?: MessageWatch;
}

type MessageWatch = Pick<VaultWatch, 'recordSuccess' | 'recordLoss'>;

const NO_WATCH: MessageWatch = {
  recordSuccess() {},
  recordLoss() {},
};

export function createRelay({ vaults, watch = NO_WATCH }: RelayConfig): Relay {
  return {
    async relay(requests, onAnswer) {
      const spans = startSpans(requests);
      const receive = (answer: RelayAnswer): void => {
        spans.get(answer.id)?.end({ 'florin.outcome': answer.outcome });
        onAnswer(answer);
      };
      await Promise.all(
        batchesOf(requests).map((batch) => relayBatch(vaults, watch, batch, receive)),
      );
    },
    ingest: (request) => callVault(vaults, 'POST', vaultPaths.ingest, request),
    describe: (request) => callVault(vaults, 'POST', vaultPaths.describe, request),
    attach: (request) => callVault(vaults, 'POST', vaultPaths.attach, request),
    destroy: (request) => callVault(vaults, 'POST', vaultPaths.destroy, request),
    keys: () => callVault(vaults, 'GET', vaultPaths.keys),
    walletKeys: () => callVault(vaults, 'GET', vaultPaths.walletKeys),
    storeProcessorAccount: (request) =>
      callVault(vaults, 'POST', vaultPaths.storeProcessorAccount, request),
    storeEgressRules: (request) => callVault(vaults, 'POST', vaultPaths.storeEgressRules, request),
    removeProcessorAccount: (account) =>
      callVault(vaults, 'POST', vaultPaths.removeProcessorAccount, account),
    verifySignature: (request) => callVault(vaults, 'POST', vaultPaths.verifySignature, request),
  };
}

/** Spans of messages to processors, by id, if the process exports traces. */
function startSpans(requests: readonly RelayRequest[]): ReadonlyMap<string, OpenSpan> {
  const tracer = currentTracer();
  if (!tracer) return NO_SPANS;
  return new Map(
    requests.map(({ id, merchant_id, mode, consumes_cvv }) => [
      id,
      tracer.start(consumes_cvv ? 'processor authorise' : 'processor message', {
        'florin.merchant_id': merchant_id,
        'florin.mode': mode,
      }),
    ]),
  );
}

const NO_SPANS: ReadonlyMap<string, OpenSpan> = new Map();

/** Batches for one call each. A message with a file is alone. */
function batchesOf(requests: readonly RelayRequest[]): (readonly RelayRequest[])[] {
  const others = requests.filter(({ has_file }) => !has_file);
  const batches = requests.filter(({ has_file }) => has_file).map((request) => [request]);
  for (let start = 0; start < others.length; start += RELAY_BATCH_MAX)
    batches.push(others.slice(start, start + RELAY_BATCH_MAX));
  return batches;
}

async function relayBatch(
  vaults: RelayConfig['vaults'],
  watch: MessageWatch,
  requests: readonly RelayRequest[],
  onAnswer: (answer: RelayAnswer) => void,
): Promise<void> {
  const unansweredIds = new Set(requests.map(({ id }) => id));
  let outcome: 'not_sent' | 'lost' = 'lost';
  let reason = 'The vault ended without an answer.';
  let response: VaultResponse | undefined;
  try {
    response = await traced('vault relay', { 'florin.messages': requests.length }, () =>
      postBatch(vaults, requests),
    );
    if (response.statusCode !== 200) {
      // The vault refuses a complete batch before it sends any message of it.
      if (response.statusCode < 500) outcome = 'not_sent';
      throw await readUnexpected(response);
    }
    let canSend = false;
    const isLarge = requests.some(({ large_answer }) => large_answer);
    const lineCharsMax = isLarge ? LARGE_LINE_CHARS_MAX : LINE_CHARS_MAX;
    for await (const line of parseJsonLines(response.body, lineCharsMax)) {
      const answer = line as RelayAnswer;
      canSend ||= !cannotSend(answer);
      if (canSend) watch.recordSuccess();
      if (unansweredIds.delete(answer.id)) onAnswer(answer);
    }
    if (!canSend) leave(response, watch);
  } catch (error) {
    if (outcome === 'lost') leave(response, watch);
    reason = reasonOf(error, response);
    if (failedToConnect(error)) outcome = 'not_sent';
  }
  for (const id of unansweredIds) onAnswer({ id, outcome, why: reason });
}

function reasonOf(error: unknown, response: VaultResponse | undefined): string {
  if (failedToConnect(error)) return 'vault_unreached' satisfies VaultFault;
  if (response?.statusCode === VAULT_BUSY_STATUS) return 'vault_busy' satisfies VaultFault;
  return error instanceof VaultUnavailable ? error.message : faultOf(error);
}

/** Hands over to another vault. Without a response, `Vaults` has already left the vault. */
function leave(response: VaultResponse | undefined, watch: MessageWatch): void {
  response?.distrust();
  watch.recordLoss();
}

/**
 * Whether the vault cannot send because its database is unreachable. A merely busy vault still sends other
 * messages.
 */
const cannotSend = (answer: RelayAnswer): boolean =>
  answer.outcome === 'not_sent' && answer.why === ('vault_unavailable' satisfies VaultFault);

function postBatch(
  vaults: RelayConfig['vaults'],
  requests: readonly RelayRequest[],
): Promise<VaultResponse> {
  const timeoutMs = Math.max(...requests.map(({ timeout_ms }) => timeout_ms)) + RELAY_MARGIN_MS;
  const options = {
    method: 'POST',
    path: requests[0]?.has_file ? vaultPaths.relayFile : vaultPaths.relay,
    headers: { 'content-type': 'application/json', ...traceHeaders() },
    body: JSON.stringify({ requests }),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  } as const;
  const hasCard = requests.some(({ card_pan_token }) => card_pan_token !== undefined);
  return vaults.request(options, hasCard ? 'cards' : 'cardless');
}

async function readUnexpected({
  statusCode,
  body,
}: Dispatcher.ResponseData): Promise<VaultUnavailable> {
  await body.dump();
  return new VaultUnavailable(`The vault answered ${statusCode}.`);
}

const isRefusal = (status: number): boolean => status === 400 || status === 422;

const callVault = <Answer>(
  vaults: RelayConfig['vaults'],
  method: 'GET' | 'POST',
  path: string,
  request?: unknown,
): Promise<Answer> =>
  traced(
    () => `vault ${path}`,
    {},
    () => postToVault(vaults, method, path, request),
  );

async function postToVault<Answer>(
  vaults: RelayConfig['vaults'],
  method: 'GET' | 'POST',
  path: string,
  request?: unknown,
): Promise<Answer> {
  try {
    const response = await vaults.request({
      method,
      path,
      headers: { 'content-type': 'application/json', ...traceHeaders() },
      body: request === undefined ? null : JSON.stringify(request),
      headersTimeout: CALL_TIMEOUT_MS,
      bodyTimeout: CALL_TIMEOUT_MS,
    });
    if (response.statusCode !== 200 && !isRefusal(response.statusCode))
      throw await readUnexpected(response);
    return (await response.body.json()) as Answer;
  } catch (error) {
    if (error instanceof VaultUnavailable) throw error;
    throw new VaultUnavailable(`The vault cannot be reached: ${faultOf(error)}.`, { cause: error });
  }
}

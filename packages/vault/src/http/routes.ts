import type { ServerResponse } from 'node:http';
import {
  type CardRequest,
  FILE_MESSAGE_BYTES_MAX,
  type RelayRequest,
  vaultPaths,
} from '@florin/contract/protocol/vault.ts';
import { VAULT_BUSY_STATUS } from '@florin/contract/protocol/vault-connections.ts';
import type { VaultHealth } from '@florin/contract/protocol/vault-health.ts';
import type { Refusals } from '../audit/refusals.ts';
import { attachCard, describeCard, findCard } from '../cards/card-store.ts';
import { type DestroyDeps, destroyCard } from '../cards/destroy.ts';
import { countOtherMode } from '../cards/other-mode.ts';
import type { CountPending } from '../consent/pending-accounts.ts';
import { type IngestDeps, ingest } from '../ingest/ingest.ts';
import { parseIngestRequest } from '../ingest/parse-request.ts';
import { badRequest, VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { KeyStatus, KeyWatch } from '../keys/key-watch.ts';
import { findVaultId } from '../keys/vault-id.ts';
import type { WalletKeys } from '../keys/wallet-keys.ts';
import type { Limits } from '../limits/limits.ts';
import {
  type AccountStoreDeps,
  removeAccount,
  storeAccount,
  storeEgressRules,
} from '../processor-accounts/account-store.ts';
import {
  parseAccountRef,
  parseAccountRequest,
  parseEgressRequest,
  parseSignatureRequest,
} from '../processor-accounts/parse-request.ts';
import { type VerifyDeps, verifySignature } from '../processor-accounts/verify-signature.ts';
import { parseRelayRequests } from '../relay/parse-request.ts';
import type { Relay } from '../relay/relay.ts';
import type { Sender } from '../relay/sender.ts';
import type { Rotator } from '../rotation/rotator.ts';
import { readJson } from './body.ts';
import { TOKEN_CHARS_MAX, toObject, toScope, toText } from './input.ts';
import { replyJson, startLines } from './reply.ts';
import type { Handler, Routes } from './server.ts';
import type { TlsListener } from './tls-listener.ts';

/** Messages with files that a vault reads or sends at once. */
const FILE_MESSAGES_MAX = 4;

export interface RouteDeps extends IngestDeps, DestroyDeps, AccountStoreDeps, VerifyDeps {
  readonly keyWatch: Pick<KeyWatch, 'status'>;
  readonly limits: Limits;
  readonly refusals: Refusals;
  readonly rotator: Pick<Rotator, 'countNeededRoots'>;
  /** Absent where accounts need no operator. */
  readonly countPending?: CountPending | undefined;
  /** Times that the supervisor restarted this vault. */
  readonly restarts: number;
  readonly sender: Pick<Sender, 'closeAccount'>;
  readonly walletKeys: Pick<WalletKeys, 'hasForged'>;
  readonly tls?: Pick<TlsListener, 'health'> | undefined;
}

/** All routes that the server may call. None returns a card number. */
export const createRoutes = (deps: RouteDeps, relay: Relay): Routes => ({
  [`GET ${vaultPaths.hello}`]: async (_request, response) => void response.writeHead(204).end(),
  [`GET ${vaultPaths.health}`]: (_request, response) => answerHealth(deps, response),
  [`GET ${vaultPaths.keys}`]: async (_request, response) =>
    replyJson(response, 200, await deps.sealingKeys.loadPublicKeys()),
  [`GET ${vaultPaths.walletKeys}`]: async (_request, response) =>
    replyJson(response, 200, await deps.wallets.loadPublicKeys()),
  [`POST ${vaultPaths.ingest}`]: async (request, response) => {
    const ingestRequest = parseIngestRequest(await readJson(request));
    deps.limits.require('ingest', ingestRequest);
    if (!deps.audit.isBelowLimit()) throw new Error('The audit cannot be written.');
    replyJson(response, 200, await ingest(deps, ingestRequest));
  },
  [`POST ${vaultPaths.describe}`]: async (request, response) => {
    const { card_pan_token, ...scope } = parseCardRequest(await readJson(request));
    deps.limits.require('describe', scope);
    const card = await findCard(deps.db, scope, card_pan_token);
    if (!card) throw await refuseUnknown(deps, scope, card_pan_token);
    replyJson(response, 200, describeCard(card));
  },
  [`POST ${vaultPaths.attach}`]: async (request, response) => {
    const { card_pan_token, ...scope } = parseCardRequest(await readJson(request));
    deps.limits.require('attach', scope);
    const isAttached = await attachCard(deps.db, scope, card_pan_token, deps.clock());
    if (!isAttached) throw await refuseUnknown(deps, scope, card_pan_token);
    replyJson(response, 200, {});
  },
  [`POST ${vaultPaths.destroy}`]: async (request, response) => {
    const { card_pan_token, ...scope } = parseCardRequest(await readJson(request));
    deps.limits.require('destroy', scope);
    const entry = { actor: 'server', verb: 'destroy_card', token: card_pan_token } as const;
    await deps.audit.record({ ...entry, ...scope, outcome: 'requested' });
    await destroyCard(deps, scope, card_pan_token, 'server').catch(async (error: unknown) => {
      await countOtherMode(deps, scope, card_pan_token);
      throw error;
    });
    replyJson(response, 200, {});
  },
  [`POST ${vaultPaths.storeProcessorAccount}`]: async (request, response) => {
    const accountRequest = parseAccountRequest(await readJson(request));
    const secrets = await storeAccount(deps, accountRequest, 'server');
    deps.sender.closeAccount(accountRequest);
    replyJson(response, 200, { secrets });
  },
  [`POST ${vaultPaths.storeEgressRules}`]: async (request, response) => {
    const egressRequest = parseEgressRequest(await readJson(request));
    await storeEgressRules(deps, egressRequest, 'server');
    replyJson(response, 200, { merchant_id: egressRequest.merchant_id ?? null });
  },
  [`POST ${vaultPaths.removeProcessorAccount}`]: async (request, response) => {
    const account = parseAccountRef(await readJson(request));
    await removeAccount(deps, account, 'server');
    deps.sender.closeAccount(account);
    replyJson(response, 200, {});
  },
  [`POST ${vaultPaths.verifySignature}`]: async (request, response) => {
    const signatureRequest = parseSignatureRequest(await readJson(request));
    replyJson(response, 200, { valid: await verifySignature(deps, signatureRequest) });
  },
  [`POST ${vaultPaths.relayFile}`]: countBadRequests(deps, relayFiles(relay)),
  [`POST ${vaultPaths.relay}`]: countBadRequests(deps, async (request, response) => {
    const requests = parseRelayRequests(await readJson(request));
    await answerLines(relay, requests, response);
  }),
});

/** Counts malformed messages, which no server of this version sends. */
const countBadRequests =
  ({ refusals }: RouteDeps, handle: Handler): Handler =>
  async (request, response) => {
    try {
      await handle(request, response);
    } catch (error) {
      if (error instanceof VaultRefusal) refusals.countCall('bad_request', error.detail);
      throw error;
    }
  };

async function answerHealth(deps: RouteDeps, response: ServerResponse): Promise<void> {
  const vault_id = await findVaultId(deps.db);
  if (!deps.audit.isBelowLimit()) throw new Error('The audit cannot be written.');
  const forged = {
    ...(deps.sealingKeys.hasForged() && { forged_sealing_keys: true as const }),
    ...(deps.walletKeys.hasForged() && { forged_wallet_keys: true as const }),
  };
  replyJson(response, 200, {
    ...healthOf(
      { ...deps.keyWatch.status(), still_needed: deps.rotator.countNeededRoots() },
      deps.clock(),
      forged,
    ),
    ...(deps.tls && { tls: deps.tls.health() }),
    calls: deps.limits.calls(),
    limited: deps.limits.refused(),
    refused_messages: deps.refusals.counts(),
    ...(deps.countPending && { pending_accounts: await deps.countPending() }),
    restarts: deps.restarts,
    vault_id,
  });
}

/** Relays messages and sends their answers, each as soon as it is there. */
async function answerLines(
  relay: Relay,
  requests: readonly RelayRequest[],
  response: ServerResponse,
): Promise<void> {
  const lines = startLines(response);
  await relay(requests, lines.write);
  lines.end();
}

/** Relays files, a few at a time: each is in memory several times. A refusal means that nothing was sent. */
function relayFiles(relay: Relay): Routes[string] {
  let count = 0;
  return async (request, response) => {
    if (count >= FILE_MESSAGES_MAX)
      return replyJson(response, VAULT_BUSY_STATUS, {
        error: 'busy',
        detail: 'Too many files at once.',
      });
    count += 1;
    try {
      const requests = parseRelayRequests(await readJson(request, FILE_MESSAGE_BYTES_MAX));
      if (requests.length > 1 || requests[0]?.card_pan_token !== undefined)
        throw badRequest('requests must be one request without a card.');
      await answerLines(relay, requests, response);
    } finally {
      count -= 1;
    }
  };
}

/** Health without host and directory names, which only the vault's log and operators may contain. */
const healthOf = (
  { lacks, staged, is_due, key_ages, still_needed }: KeyStatus & { still_needed: number },
  now: number,
  forged: Pick<VaultHealth, 'forged_sealing_keys' | 'forged_wallet_keys'>,
): VaultHealth => ({
  now,
  status: lacks.length > 0 || Object.keys(forged).length > 0 ? 'degraded' : 'ok',
  key_ages,
  ...forged,
  root_keys: { lacks, waits_for: staged?.waits_for.length ?? 0, is_due, still_needed },
});

async function refuseUnknown(deps: RouteDeps, scope: Scope, token: string): Promise<VaultRefusal> {
  await countOtherMode(deps, scope, token);
  return new VaultRefusal('unknown_token', 'card_pan_token is not known.');
}

function parseCardRequest(body: unknown): CardRequest {
  const input = toObject(body, 'The body');
  const card_pan_token = toText(input.card_pan_token, 'card_pan_token', TOKEN_CHARS_MAX);
  return { ...toScope(input), card_pan_token };
}

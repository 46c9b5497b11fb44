import type {
  CardDescription,
  IngestRequest,
  Mode,
  VaultErrorCode,
} from '@florin/contract/protocol/vault.ts';
import type { Alarms, UnreadableEvent } from '../audit/alarms.ts';
import type { Audit } from '../audit/audit.ts';
import type { ClearCard } from '../cards/clear-card.ts';
import { type CardStoreDeps, storeCard } from '../cards/store-card.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { Scope } from '../kernel/scope.ts';
import type { SealingKeys } from '../keys/sealing-keys.ts';
import type { Wallets } from '../wallets/wallets.ts';
import { checkCvv, checkExpiry, checkNumber } from './check-card.ts';
import { checkSeal } from './claims.ts';
import { openNetworkToken } from './open-network-token.ts';
import { openSealed } from './open-sealed.ts';
import { openWallet } from './open-wallet.ts';
import { cardOfTestToken } from './test-token.ts';

export interface IngestDeps extends CardStoreDeps {
  readonly sealingKeys: SealingKeys;
  readonly wallets: Wallets;
  readonly audit: Audit;
  readonly alarms: Alarms;
  readonly log: Log;
}

/** Stores a card of any source, and returns tokens. Throws `VaultRefusal`. */
export async function ingest(deps: IngestDeps, request: IngestRequest): Promise<CardDescription> {
  const { merchant_id, mode, source } = request;
  const scope = { merchant_id, mode };
  try {
    const description = await storeCard(deps, scope, await openSource(deps, scope, source));
    const token = description.card_pan_token;
    deps.audit.enqueue({ actor: 'server', verb: 'ingest', ...scope, token, outcome: 'stored' });
    deps.log({ event: 'card_ingested', ...scope });
    return description;
  } catch (error) {
    if (error instanceof VaultRefusal) {
      deps.audit.enqueue({ actor: 'server', verb: 'ingest', ...scope, outcome: error.code });
      deps.log({ event: 'ingest_refused', ...scope, outcome: error.code });
      const { code } = error;
      if (isUnreadable(code)) deps.alarms.countUnreadable(code);
    }
    throw error;
  }
}

const isUnreadable = (code: VaultErrorCode): code is UnreadableEvent & VaultErrorCode =>
  code.endsWith('_unreadable');

async function openSource(
  deps: IngestDeps,
  scope: Scope,
  source: IngestRequest['source'],
): Promise<ClearCard> {
  switch (source.kind) {
    case 'sealed':
      return openSealedCard(deps, scope.mode, source);
    case 'wallet':
      return openWallet(deps.wallets, scope, source, deps.clock());
    case 'network_token':
      return openNetworkToken(deps.sealingKeys, scope, source, deps.clock());
    case 'test_token':
      return cardOfTestToken(scope.mode, source, deps.clock());
  }
}

type SealedSource = Extract<IngestRequest['source'], { kind: 'sealed' }>;

async function openSealedCard(
  deps: IngestDeps,
  mode: Mode,
  source: SealedSource,
): Promise<ClearCard> {
  const { pan_jwe, cvv_jwe, sid } = source;
  const now = deps.clock();
  const openClaims = (name: 'pan_jwe' | 'cvv_jwe', jwe: string) =>
    openSealed(deps.sealingKeys, name, jwe, { mode, sid });

  const claims = await openClaims('pan_jwe', pan_jwe);
  const seal = checkSeal('pan_jwe', claims, sid, now);
  const number = checkNumber(claims.pan);
  const card = { number, seal, ...checkExpiry(claims.expiry_month, claims.expiry_year, now) };
  if (cvv_jwe === undefined) return card;

  const cvvClaims = await openClaims('cvv_jwe', cvv_jwe);
  const cvvSeal = checkSeal('cvv_jwe', cvvClaims, sid, now);
  return { ...card, cvv: { text: checkCvv(cvvClaims.cvv, number), seal: cvvSeal } };
}

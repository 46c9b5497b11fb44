import type { CardDescription, IngestRequest, Mode } from '@florin/contract/protocol/vault.ts';
import type { Audit } from '../audit/audit.ts';
import { type CardStoreDeps, type ClearCard, storeCard } from '../cards/store-card.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { SealingKeys } from '../keys/sealing-keys.ts';
import { checkCvv, checkExpiry, checkNumber } from './check-card.ts';
import { checkSeal } from './claims.ts';
import { openSealed } from './open-sealed.ts';
import { cardOfTestToken } from './test-token.ts';

export interface IngestDeps extends CardStoreDeps {
  readonly sealingKeys: SealingKeys;
  readonly audit: Audit;
  readonly log: Log;
}

/** Turns a sealed card or a named test token into tokens. Throws `VaultRefusal`. */
export async function ingest(deps: IngestDeps, request: IngestRequest): Promise<CardDescription> {
  const { merchant_id, mode, source } = request;
  const scope = { merchant_id, mode };
  try {
    const card =
      source.kind === 'sealed'
        ? await openSealedCard(deps, mode, source)
        : cardOfTestToken(mode, source, deps.clock());
    const description = await storeCard(deps, scope, card);
    const token = description.card_pan_token;
    deps.audit.note({ actor: 'server', verb: 'ingest', ...scope, token, outcome: 'stored' });
    deps.log({ event: 'card_ingested', ...scope });
    return description;
  } catch (error) {
    if (error instanceof VaultRefusal) {
      deps.audit.note({ actor: 'server', verb: 'ingest', ...scope, outcome: error.code });
      deps.log({ event: 'ingest_refused', ...scope, outcome: error.code });
    }
    throw error;
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
  const open = (name: 'pan_jwe' | 'cvv_jwe', jwe: string) =>
    openSealed(deps.sealingKeys, name, jwe, { mode, sid });

  const claims = await open('pan_jwe', pan_jwe);
  const seal = checkSeal('pan_jwe', claims, sid, now);
  const number = checkNumber(claims.pan);
  const card = { number, seal, ...checkExpiry(claims.expiry_month, claims.expiry_year, now) };
  if (cvv_jwe === undefined) return card;

  const cvvClaims = await open('cvv_jwe', cvv_jwe);
  const cvvSeal = checkSeal('cvv_jwe', cvvClaims, sid, now);
  return { ...card, cvv: { digits: checkCvv(cvvClaims.cvv, number), seal: cvvSeal } };
}

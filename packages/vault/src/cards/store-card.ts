import { brandOf } from '@florin/contract/card/networks.ts';
import type { CardDescription } from '@florin/contract/protocol/vault.ts';
import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { CvvEpochs, Epoch } from '../keys/cvv-epochs.ts';
import type { Fingerprint, Fingerprints } from '../keys/fingerprints.ts';
import type { Kek, Keks } from '../keys/keks.ts';
import { type CountedNumber, INSTALLATION } from '../limits/counted-number.ts';
import type { NumberTries } from '../limits/number-tries.ts';
import type { Database, Db } from '../store/db.ts';
import { type CardRow, describeCard, findCard, insertCard } from './card-store.ts';
import { type Claims, claimSeals } from './claims.ts';
import type { ClearCard, ClearValue } from './clear-card.ts';
import { insertCvv, type SingleUsePurpose } from './cvv-store.ts';
import { findFingerprintId, fingerprintIdOf, UNLIMITED } from './fingerprint-ids.ts';
import { sealRecord } from './record.ts';
import { type ClaimedToken, replayedRefusal } from './seal-store.ts';

export interface CardStoreDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly cvvEpochs: CvvEpochs;
  readonly fingerprints: Fingerprints;
  readonly clock: Clock;
  /** Absent in measurements. */
  readonly limits?: NumberTries;
}

interface WriteContext extends Scope {
  readonly tx: Db;
  readonly kek: Kek;
  readonly epoch?: Epoch;
  readonly now: number;
}

/**
 * Stores a card and its single-use values under tokens, in one transaction. Throws `limited` if too many numbers were
 * tried, and the code of a seal that is repeated for another card. The counts and the used seals stay.
 */
export async function storeCard(
  deps: CardStoreDeps,
  scope: Scope,
  card: ClearCard,
): Promise<CardDescription> {
  const { db, keks, cvvEpochs, clock } = deps;
  const kek = await keks.current(scope);
  const epoch = (card.cvv ?? card.cryptogram) && (await cvvEpochs.current(scope.mode));
  const number = await markNumber(deps, scope, card.number);
  const stored = await db.transaction(async (tx) => {
    const context: WriteContext = { ...scope, tx, kek, ...(epoch && { epoch }), now: clock() };
    return storeCardIn(deps, context, card, number);
  });
  if (stored instanceof VaultRefusal) throw stored;
  return stored;
}

/**
 * A refusal is a result, so that its counts are stored. All seals come first: a repeated one must neither tell another
 * merchant about its card, nor end the transaction after a number was looked up.
 */
async function storeCardIn(
  { limits = UNLIMITED }: CardStoreDeps,
  context: WriteContext,
  card: ClearCard,
  number: MarkedNumber,
): Promise<CardDescription | VaultRefusal> {
  const claims = await claimSeals(context, card, number.markOf);
  const cardRow = claims.pan.isNew
    ? await storeNumber(
        context,
        claims.pan.token,
        card,
        await fingerprintIdOf(context.tx, number, limits),
      )
    : await findFirstUse({ ...context, limits }, claims, card, number);
  if (cardRow instanceof VaultRefusal) return cardRow;
  await storeSingleUse(context, cardRow.token, 'cvv', card.cvv, claims.cvv);
  await storeSingleUse(context, cardRow.token, 'cryptogram', card.cryptogram, claims.cryptogram);
  return {
    ...describeCard(cardRow),
    ...(claims.cvv && { card_cvv_token: claims.cvv.token }),
    ...(claims.cryptogram && { card_cryptogram_token: claims.cryptogram.token }),
  };
}

const limitedRefusal = (): VaultRefusal =>
  new VaultRefusal('limited', 'The merchant entered too many new cards today.');

/** A number with its marks. Opens the keys before the transaction, which then needs no second connection. */
async function markNumber(
  { fingerprints, clock }: CardStoreDeps,
  { merchant_id, mode }: Scope,
  number: string,
): Promise<MarkedNumber> {
  const markOf = await fingerprints.open(merchant_id);
  const installationMarkOf = await fingerprints.open(INSTALLATION);
  const alike = alikeText(number);
  return {
    ...{ merchant_id, mode, now: clock(), markOf },
    mark: markOf(number),
    alike_mark: markOf(alike),
    installation_mark: installationMarkOf(alike),
  };
}

interface MarkedNumber extends CountedNumber {
  readonly markOf: Fingerprint;
}

/** The digits of a number that the server knows. */
const alikeText = (number: string): string => `alike:${number.slice(0, 6)}:${number.slice(-4)}`;

/** Stores the number under a fingerprint; undefined: beyond the limits. */
async function storeNumber(
  context: WriteContext,
  token: string,
  card: ClearCard,
  fingerprint: string | undefined,
): Promise<CardRow | VaultRefusal> {
  if (fingerprint === undefined) return limitedRefusal();
  const { merchant_id, mode, kek } = context;
  const row: CardRow = {
    merchant_id,
    mode,
    token,
    bin: card.number.slice(0, 6),
    last_four: card.number.slice(-4),
    brand: brandOf(card.number),
    expiry_month: card.expiry_month,
    expiry_year: card.expiry_year,
    fingerprint,
    wallet: card.wallet?.kind ?? null,
    authenticated: card.wallet?.authenticated ?? null,
    eci: card.wallet?.eci ?? null,
    network_token: card.network_token ?? false,
    ...sealRecord(kek, { merchant_id, mode, token, purpose: 'pan' }, card.number),
  };
  await insertCard(context.tx, row, new Date(context.now));
  return row;
}

async function storeSingleUse(
  { tx, merchant_id, mode, epoch, now }: WriteContext,
  card_token: string,
  purpose: SingleUsePurpose,
  value: ClearValue | undefined,
  claim: ClaimedToken | undefined,
): Promise<void> {
  if (!value || !claim?.isNew || !epoch) return;
  const ref = { merchant_id, mode, token: claim.token, card_token };
  await insertCvv(tx, ref, epoch, { purpose, text: value.text, now });
}

interface RepeatContext extends WriteContext {
  readonly limits: NumberTries;
}

/**
 * Returns the card of a seal's first use, or why there is none. The server knows the ids of seals, and could make others
 * with one of them. So another number counts as one that was tried, and another code as a repetition.
 */
async function findFirstUse(
  { tx, limits, merchant_id, mode }: RepeatContext,
  { pan, cvv, cryptogram }: Claims,
  card: ClearCard,
  number: MarkedNumber,
): Promise<CardRow | VaultRefusal> {
  const scope = { merchant_id, mode };
  if (!(await limits.hasTries(tx, number))) return limitedRefusal();
  const known = await findFingerprintId(tx, scope, number.mark);
  if (!known && !(await limits.countNew(tx, number))) return limitedRefusal();
  const firstCard = await findCard(tx, scope, pan.token);
  const isSameUse =
    firstCard !== undefined &&
    firstCard.fingerprint === known?.id &&
    firstCard.expiry_month === card.expiry_month &&
    firstCard.expiry_year === card.expiry_year &&
    !cvv?.isNew &&
    !cryptogram?.isNew;
  if (isSameUse) return firstCard;
  const detail = 'The pan was already used for another card. Send a new one.';
  return card.seal
    ? replayedRefusal(card.seal, detail)
    : new VaultRefusal('sealed_card_replayed', detail);
}

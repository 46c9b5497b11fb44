import { brandOf } from '@florin/contract/card/networks.ts';
import type { CardDescription, CardWallet } from '@florin/contract/protocol/vault.ts';
import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { CvvEpochs, Epoch } from '../keys/cvv-epochs.ts';
import type { Fingerprint, Fingerprints } from '../keys/fingerprints.ts';
import type { Kek, Keks } from '../keys/keks.ts';
import { type CountedNumber, INSTALLATION } from '../limits/counted-number.ts';
import type { Limits } from '../limits/limits.ts';
import type { Database, Db } from '../store/db.ts';
import { type CardRow, describeCard, findCard, insertCard } from './card-store.ts';
import { insertCvv, type SingleUsePurpose } from './cvv-store.ts';
import { findFingerprintId, fingerprintIdOf } from './fingerprint-ids.ts';
import { type Purpose, sealRecord } from './record.ts';
import { type ClaimedToken, claimSeal, replayedRefusal, type Seal } from './seal-store.ts';
import { createToken } from './token.ts';

/** A validated, unencrypted card that the vault is about to store. */
export interface ClearCard {
  readonly number: string;
  readonly expiry_month: number;
  readonly expiry_year: number;
  /** Absent if the number was sent unencrypted. */
  readonly seal?: Seal;
  readonly cvv?: ClearValue;
  /** Wallet facts; present for wallet cards. */
  readonly wallet?: CardWallet;
  /** Whether the number is a network token of the merchant. */
  readonly network_token?: boolean;
  /** Replaces the verification value of a wallet or network token, in the form of `packCryptogram`. */
  readonly cryptogram?: ClearValue;
}

/** A single-use value. */
export interface ClearValue {
  readonly text: string;
  readonly seal?: Seal;
}

export interface CardStoreDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly cvvEpochs: CvvEpochs;
  readonly fingerprints: Fingerprints;
  readonly clock: Clock;
  /** Absent in measurements. */
  readonly limits?: Pick<Limits, 'hasTries' | 'countNew'>;
}

interface WriteContext extends Scope {
  readonly tx: Db;
  readonly kek: Kek;
  readonly epoch?: Epoch;
  readonly now: number;
}

/**
 * Stores a card and its single-use values under tokens, in one transaction. Throws `limited` if too many numbers were
 * tried: what was counted, and the used seal, stay.
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
  if (!stored) throw new VaultRefusal('limited', 'The merchant entered too many new cards today.');
  return stored;
}

/** Undefined beyond the limits of numbers. */
async function storeCardIn(
  { limits }: CardStoreDeps,
  context: WriteContext,
  card: ClearCard,
  number: MarkedNumber,
): Promise<CardDescription | undefined> {
  // The seal comes first: a repeated one must not tell other merchants whether they know its card.
  const claim = await claimToken(context, 'pan', card.seal);
  const cardRow = claim.isNew
    ? await storeNumber(
        context,
        claim.token,
        card,
        await fingerprintIdOf(context.tx, number, limits),
      )
    : await findFirstUse(context, claim.token, card, number);
  if (!cardRow) return undefined;
  const storeValue = (purpose: SingleUsePurpose, value: ClearValue) =>
    storeSingleUse(context, cardRow.token, purpose, value);
  const cvvToken = card.cvv && (await storeValue('cvv', card.cvv));
  const cryptogramToken =
    card.cryptogram &&
    (await storeValue('cryptogram', { ...card.cryptogram, ...sealOfCryptogram(number, card) }));
  return {
    ...describeCard(cardRow),
    ...(cvvToken && { card_cvv_token: cvvToken }),
    ...(cryptogramToken && { card_cryptogram_token: cryptogramToken }),
  };
}

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

/** Binds the id of a network token to its cryptogram: another one under that id is refused, not dropped. */
function sealOfCryptogram(
  { markOf }: MarkedNumber,
  { network_token, cryptogram }: ClearCard,
): { seal?: Seal } {
  if (!network_token || !cryptogram?.seal) return {};
  const mark = markOf(`cryptogram:${cryptogram.text}`);
  return { seal: { ...cryptogram.seal, sid: `${cryptogram.seal.sid}:${mark}` } };
}

async function storeNumber(
  context: WriteContext,
  token: string,
  card: ClearCard,
  fingerprint: string | undefined,
): Promise<CardRow | undefined> {
  if (fingerprint === undefined) return undefined;
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
  context: WriteContext,
  card_token: string,
  purpose: SingleUsePurpose,
  { text, seal }: ClearValue,
): Promise<string> {
  const { token, isNew } = await claimToken(context, purpose, seal);
  const { merchant_id, mode, epoch, now } = context;
  if (isNew && epoch) {
    await insertCvv(context.tx, { merchant_id, mode, token, card_token }, epoch, {
      purpose,
      text,
      now,
    });
  }
  return token;
}

const claimToken = async (
  context: WriteContext,
  purpose: Purpose,
  seal: Seal | undefined,
): Promise<ClaimedToken> =>
  seal
    ? claimSeal(context.tx, context, purpose, seal)
    : { token: createToken(purpose), isNew: true };

/** Returns the card of a seal's first use. Throws if the seal is repeated for another card. */
async function findFirstUse(
  { tx, merchant_id, mode }: WriteContext,
  token: string,
  card: ClearCard,
  { mark }: MarkedNumber,
): Promise<CardRow> {
  const scope = { merchant_id, mode };
  const firstCard = await findCard(tx, scope, token);
  const known = await findFingerprintId(tx, scope, mark);
  const isSameCard =
    firstCard !== undefined &&
    firstCard.fingerprint === known?.id &&
    firstCard.expiry_month === card.expiry_month &&
    firstCard.expiry_year === card.expiry_year;
  if (isSameCard) return firstCard;
  const detail = 'The pan was already used for another card. Send a new one.';
  throw card.seal
    ? replayedRefusal(card.seal, detail)
    : new VaultRefusal('sealed_card_replayed', detail);
}

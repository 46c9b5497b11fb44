import { brandOf } from '@florin/contract/card/networks.ts';
import type { CardDescription, CardWallet } from '@florin/contract/protocol/vault.ts';
import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { CvvEpochs, Epoch } from '../keys/cvv-epochs.ts';
import type { Fingerprint, Fingerprints } from '../keys/fingerprints.ts';
import type { Kek, Keks } from '../keys/keks.ts';
import type { Limits } from '../limits/limits.ts';
import type { Database, Db } from '../store/db.ts';
import { type CardRow, describeCard, findCard, insertCard } from './card-store.ts';
import { insertCvv, type SingleUsePurpose } from './cvv-store.ts';
import { fingerprintIdOf } from './fingerprint-ids.ts';
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
  readonly limits?: Pick<Limits, 'requireTries' | 'requireNewNumber'>;
}

interface WriteContext extends Scope {
  readonly tx: Db;
  readonly kek: Kek;
  readonly epoch?: Epoch;
  readonly now: number;
}

/** Stores a card and its single-use values under tokens, in one transaction. */
export async function storeCard(
  deps: CardStoreDeps,
  scope: Scope,
  card: ClearCard,
): Promise<CardDescription> {
  const { db, keks, cvvEpochs, fingerprints, clock } = deps;
  const kek = await keks.current(scope);
  const epoch = (card.cvv ?? card.cryptogram) && (await cvvEpochs.current(scope.mode));
  const markOf = await fingerprints.open(scope.merchant_id);
  const fingerprint = await fingerprintOf(deps, scope, markOf, card.number);
  const cryptogramSeal = sealOfCryptogram(markOf, card);
  return db.transaction(async (tx) => {
    const context: WriteContext = { ...scope, tx, kek, ...(epoch && { epoch }), now: clock() };
    const cardRow = await storeNumber(context, card, fingerprint);
    const cvvToken = card.cvv && (await storeSingleUse(context, 'cvv', card.cvv));
    const cryptogramToken =
      card.cryptogram &&
      (await storeSingleUse(context, 'cryptogram', { ...card.cryptogram, ...cryptogramSeal }));
    return {
      ...describeCard(cardRow),
      ...(cvvToken && { card_cvv_token: cvvToken }),
      ...(cryptogramToken && { card_cryptogram_token: cryptogramToken }),
    };
  });
}

async function fingerprintOf(
  { db, clock, limits }: CardStoreDeps,
  { merchant_id, mode }: Scope,
  markOf: Fingerprint,
  number: string,
): Promise<string> {
  const scope = { merchant_id, mode };
  const alikeMark = markOf(alikeText(number));
  const tries = limits && {
    requireTries: () => limits.requireTries(scope, alikeMark),
    requireNewNumber: () => limits.requireNewNumber(scope, alikeMark),
  };
  return fingerprintIdOf(db, { ...scope, mark: markOf(number), now: clock() }, tries);
}

/** The digits of a number that the server knows. */
const alikeText = (number: string): string => `alike:${number.slice(0, 6)}:${number.slice(-4)}`;

/** Binds the id of a network token to its cryptogram: another one under that id is refused, not dropped. */
function sealOfCryptogram(
  markOf: Fingerprint,
  { network_token, cryptogram }: ClearCard,
): { seal?: Seal } {
  if (!network_token || !cryptogram?.seal) return {};
  const mark = markOf(`cryptogram:${cryptogram.text}`);
  return { seal: { ...cryptogram.seal, sid: `${cryptogram.seal.sid}:${mark}` } };
}

async function storeNumber(
  context: WriteContext,
  card: ClearCard,
  fingerprint: string,
): Promise<CardRow> {
  const { token, isNew } = await claimToken(context, 'pan', card.seal);
  if (!isNew) return findFirstUse(context, token, card, fingerprint);
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
  purpose: SingleUsePurpose,
  { text, seal }: ClearValue,
): Promise<string> {
  const { token, isNew } = await claimToken(context, purpose, seal);
  const { merchant_id, mode, epoch, now } = context;
  if (isNew && epoch) {
    await insertCvv(context.tx, { merchant_id, mode, token }, epoch, { purpose, text, now });
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
  fingerprint: string,
): Promise<CardRow> {
  const firstCard = await findCard(tx, { merchant_id, mode }, token);
  const isSameCard =
    firstCard?.fingerprint === fingerprint &&
    firstCard.expiry_month === card.expiry_month &&
    firstCard.expiry_year === card.expiry_year;
  if (isSameCard) return firstCard;
  const detail = 'The pan was already used for another card. Send a new one.';
  throw card.seal
    ? replayedRefusal(card.seal, detail)
    : new VaultRefusal('sealed_card_replayed', detail);
}

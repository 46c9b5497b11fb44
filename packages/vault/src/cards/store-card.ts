import { brandOf } from '@florin/contract/card/networks.ts';
import type { CardDescription, CardWallet } from '@florin/contract/protocol/vault.ts';
import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { CvvEpochs, Epoch } from '../keys/cvv-epochs.ts';
import type { Fingerprints } from '../keys/fingerprints.ts';
import type { Kek, Keks } from '../keys/keks.ts';
import type { Database, Db } from '../store/db.ts';
import { type CardRow, describeCard, findCard, insertCard } from './card-store.ts';
import { insertCvv, type SingleUsePurpose } from './cvv-store.ts';
import { type Purpose, sealRecord } from './record.ts';
import { type ClaimedToken, claimSeal, type Seal } from './seal-store.ts';
import { newToken } from './token.ts';

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
  /** The wallet's replacement for a verification value, in the form of `packCryptogram`. */
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
}

interface Writer extends Scope {
  readonly tx: Db;
  readonly kek: Kek;
  readonly epoch?: Epoch;
  readonly now: number;
}

/** Stores a card and its single-use values under tokens, in one transaction. */
export async function storeCard(
  { db, keks, cvvEpochs, fingerprints, clock }: CardStoreDeps,
  scope: Scope,
  card: ClearCard,
): Promise<CardDescription> {
  const kek = await keks.current(scope);
  const epoch = (card.cvv ?? card.cryptogram) && (await cvvEpochs.current(scope.mode));
  const fingerprint = await fingerprints.of(scope.merchant_id, card.number);
  return db.transaction(async (tx) => {
    const writer: Writer = { ...scope, tx, kek, ...(epoch && { epoch }), now: clock() };
    const stored = await storeNumber(writer, card, fingerprint);
    const cvv = card.cvv && (await storeOnce(writer, 'cvv', card.cvv));
    const cryptogram = card.cryptogram && (await storeOnce(writer, 'cryptogram', card.cryptogram));
    return {
      ...describeCard(stored),
      ...(cvv && { card_cvv_token: cvv }),
      ...(cryptogram && { card_cryptogram_token: cryptogram }),
    };
  });
}

async function storeNumber(writer: Writer, card: ClearCard, fingerprint: string): Promise<CardRow> {
  const { token, fresh } = await claimToken(writer, 'pan', card.seal);
  if (!fresh) return firstAnswer(writer, token, card, fingerprint);
  const { merchant_id, mode, kek } = writer;
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
    ...sealRecord(kek, { merchant_id, mode, token, purpose: 'pan' }, card.number),
  };
  await insertCard(writer.tx, row, new Date(writer.now));
  return row;
}

async function storeOnce(
  writer: Writer,
  purpose: SingleUsePurpose,
  { text, seal }: ClearValue,
): Promise<string> {
  const { token, fresh } = await claimToken(writer, purpose, seal);
  const { merchant_id, mode, epoch, now } = writer;
  if (fresh && epoch) {
    await insertCvv(writer.tx, { merchant_id, mode, token }, epoch, { purpose, text, now });
  }
  return token;
}

const claimToken = async (
  writer: Writer,
  purpose: Purpose,
  seal: Seal | undefined,
): Promise<ClaimedToken> =>
  seal ? claimSeal(writer.tx, writer, purpose, seal) : { token: newToken(purpose), fresh: true };

/** Returns the tokens of a seal's first use. A form that repeats the seal for another card must not get them. */
async function firstAnswer(
  { tx, merchant_id, mode }: Writer,
  token: string,
  card: ClearCard,
  fingerprint: string,
): Promise<CardRow> {
  const first = await findCard(tx, { merchant_id, mode }, token);
  const same =
    first?.fingerprint === fingerprint &&
    first.expiry_month === card.expiry_month &&
    first.expiry_year === card.expiry_year;
  if (same) return first;
  throw new VaultRefusal(
    card.seal?.replayed ?? 'sealed_card_replayed',
    'The pan was used before, for another card.',
  );
}

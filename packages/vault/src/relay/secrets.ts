import type { Mode, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { attachCards } from '../cards/card-store.ts';
import { unpackCryptogram } from '../cards/cryptogram.ts';
import {
  type CvvRow,
  consumeCvvs,
  openCvv,
  peekCvvs,
  restoreCvv,
  type SingleUsePurpose,
} from '../cards/cvv-store.ts';
import { openRecord, type SealedRecord } from '../cards/record.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Scope } from '../kernel/scope.ts';
import type { CvvEpochs } from '../keys/cvv-epochs.ts';
import type { Keks } from '../keys/keks.ts';
import type { Db } from '../store/db.ts';

/** An unencrypted card, in memory for one request only. Empty for a request without a card. */
export interface CardSecrets {
  readonly pan?: string;
  /** Absent if the request names none, or the value was used or has expired. */
  readonly cvv?: string;
  /** Absent for the same reasons as `cvv`. `eci` is also absent if the wallet sent none. */
  readonly cryptogram?: string;
  readonly eci?: string;
  /** Expiry month in two digits. */
  readonly expiry_month?: string;
  /** Expiry year in four digits. */
  readonly expiry_year?: string;
}

/** Unencrypted cards of a batch. */
export interface BatchSecrets {
  /** Decrypts the card of a request; undefined if its merchant has no such token. Throws if decryption fails. */
  open(request: RelayRequest): Promise<CardSecrets | undefined>;
  /** Stores the single-use values of a request again, because the request was never sent. */
  restore(request: RelayRequest): Promise<void>;
}

interface SealedCard extends Scope, SealedRecord {
  readonly token: string;
  readonly root_version: number;
  readonly wrapped_kek: Buffer;
  readonly expiry_month: number;
  readonly expiry_year: number;
  readonly attached_at: Date | null;
}

export interface SecretsDeps {
  readonly db: Db;
  readonly keks: Keks;
  readonly cvvEpochs: CvvEpochs;
  readonly clock: Clock;
}

/** Secrets of a batch in which no request has a card. */
const NO_CARDS: BatchSecrets = { open: async () => ({}), restore: async () => {} };

/** Reads the records of a batch. Deletes the single-use values of its authorisations before anything is sent. */
export async function loadSecrets(
  deps: SecretsDeps,
  batch: readonly RelayRequest[],
): Promise<BatchSecrets> {
  const requests = batch.filter(({ card_pan_token }) => card_pan_token !== undefined);
  if (requests.length === 0) return NO_CARDS;
  const cardsByKey = indexByKey(await selectCards(deps, requests));
  await attachCards(deps.db, cardsToAttach(requests, cardsByKey), deps.clock());
  const peekedCvvs = indexByKey(
    await peekCvvs(deps.db, singleUseRefs(requests, false), deps.clock()),
  );
  // Comes last, because a later failure would lose the values.
  const consumedCvvs = indexByKey(
    await consumeCvvs(deps.db, singleUseRefs(requests, true), deps.clock()),
  );
  const ownerIds = assignOwners(requests, consumedCvvs);

  function rowOf(request: RelayRequest, purpose: SingleUsePurpose): CvvRow | undefined {
    const refKey = refKeyOf(request, tokenOf(request, purpose) ?? '');
    if (!request.consumes_cvv) return rowOfCard(request, peekedCvvs.get(refKey));
    return ownerIds.get(refKey) === request.id ? consumedCvvs.get(refKey) : undefined;
  }

  async function openSingleUse(
    request: RelayRequest,
    purpose: SingleUsePurpose,
  ): Promise<string | undefined> {
    const row = rowOf(request, purpose);
    return row && openCvv(await deps.cvvEpochs.unwrap(row.mode, epochOf(row)), row, purpose);
  }

  return {
    async open(request) {
      if (request.card_pan_token === undefined) return {};
      const card = cardsByKey.get(refKeyOf(request, request.card_pan_token));
      if (!card) return undefined;
      const cvv = await openSingleUse(request, 'cvv');
      const cryptogram = await openSingleUse(request, 'cryptogram');
      return {
        pan: await openPan(deps.keks, card),
        ...(cvv && { cvv }),
        ...(cryptogram && unpackCryptogram(cryptogram)),
        expiry_month: String(card.expiry_month).padStart(2, '0'),
        expiry_year: String(card.expiry_year),
      };
    },
    async restore(request) {
      if (!request.consumes_cvv) return;
      for (const purpose of SINGLE_USE_PURPOSES) {
        const row = rowOf(request, purpose);
        if (row) await restoreCvv(deps.db, row);
      }
    },
  };
}

const refKeyOf = (
  { merchant_id, mode }: { merchant_id: string; mode: Mode },
  token: string,
): string => `${mode} ${token} ${merchant_id}`;

const indexByKey = <R extends Scope & { token: string }>(
  rows: readonly R[],
): ReadonlyMap<string, R> => new Map(rows.map((row) => [refKeyOf(row, row.token), row]));

const epochOf = ({ epoch_id: id, root_version, wrapped }: CvvRow) => ({
  id,
  root_version,
  wrapped,
});

const SINGLE_USE_PURPOSES: readonly SingleUsePurpose[] = ['cvv', 'cryptogram'];

const tokenOf = (request: RelayRequest, purpose: SingleUsePurpose): string | undefined =>
  purpose === 'cvv' ? request.card_cvv_token : request.card_cryptogram_token;

const tokensOf = (request: RelayRequest): string[] =>
  SINGLE_USE_PURPOSES.flatMap((purpose) => tokenOf(request, purpose) ?? []);

/** References to single-use values of the requests that use them, or else of those that do not. */
const singleUseRefs = (requests: readonly RelayRequest[], isConsumed: boolean) =>
  requests
    .filter(({ consumes_cvv }) => consumes_cvv === isConsumed)
    .flatMap((request) => {
      const { merchant_id, mode, card_pan_token: card_token = '' } = request;
      return tokensOf(request).map((token) => ({ merchant_id, mode, token, card_token }));
    });

/** Unattached cards of authorised payments, which must not expire. */
const cardsToAttach = (
  requests: readonly RelayRequest[],
  cardsByKey: ReadonlyMap<string, SealedCard>,
): SealedCard[] =>
  requests.flatMap((request) => {
    const card = cardsByKey.get(refKeyOf(request, request.card_pan_token ?? ''));
    return request.consumes_cvv && card?.attached_at === null ? [card] : [];
  });

/** A value, if it was entered with the card of the request. Another request of the batch may have read it too. */
const rowOfCard = (request: RelayRequest, row: CvvRow | undefined): CvvRow | undefined =>
  row?.card_token === null || row?.card_token === request.card_pan_token ? row : undefined;

/** Assigns each single-use value to the first request of the batch that names it with its card. */
function assignOwners(
  requests: readonly RelayRequest[],
  rows: ReadonlyMap<string, CvvRow>,
): ReadonlyMap<string, string> {
  const ownerIds = new Map<string, string>();
  for (const request of requests) {
    for (const token of request.consumes_cvv ? tokensOf(request) : []) {
      const refKey = refKeyOf(request, token);
      const isOwner = !ownerIds.has(refKey) && rowOfCard(request, rows.get(refKey)) !== undefined;
      if (isOwner) ownerIds.set(refKey, request.id);
    }
  }
  return ownerIds;
}

async function openPan(keks: Keks, row: SealedCard): Promise<string> {
  const { merchant_id, mode, token, kek_version, root_version, wrapped_kek } = row;
  const scope = { merchant_id, mode };
  const kek = await keks.unwrap(scope, {
    version: kek_version,
    root_version,
    wrapped: wrapped_kek,
  });
  return openRecord(kek, { ...scope, token, purpose: 'pan' }, row);
}

const selectCards = ({ db }: SecretsDeps, requests: readonly RelayRequest[]) =>
  db.query<SealedCard>(
    `select card.merchant_id, card.mode, card.token, card.kek_version, card.wrapped_dek, card.ciphertext,
       card.expiry_month, card.expiry_year,
       card.attached_at, kek.root_version, kek.wrapped as wrapped_kek
     from unnest($1::text[], $2::text[], $3::text[]) as named (merchant_id, mode, token)
     join vault.cards card using (merchant_id, mode, token)
     join vault.keks kek on kek.merchant_id = card.merchant_id and kek.mode = card.mode
       and kek.version = card.kek_version`,
    [
      requests.map(({ merchant_id }) => merchant_id),
      requests.map(({ mode }) => mode),
      requests.map(({ card_pan_token }) => card_pan_token),
    ],
    'relay-cards',
  );

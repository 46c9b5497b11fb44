import type { Mode, RelayRequest } from '@florin/contract/protocol/vault.ts';
import type { CvvRow } from '../cards/cvv-store.ts';
import { openRecord, type Purpose, type SealedRecord } from '../cards/record.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Keks } from '../keys/keks.ts';
import type { Db } from '../store/db.ts';

/** A card in clear, for as long as one request takes. */
export interface CardSecrets {
  readonly pan: string;
  /** Absent where none was named, or it was used up or forgotten. */
  readonly cvv?: string;
  /** Two digits. */
  readonly expiry_month: string;
  /** Four digits. */
  readonly expiry_year: string;
}

/** Gives the card of a request of the batch; undefined where its merchant has no such token. */
export type OpenCard = (request: RelayRequest) => Promise<CardSecrets | undefined>;

interface WithKek {
  readonly wrapped_kek: Buffer;
}

interface SealedCard extends CvvRow, WithKek {
  readonly expiry_month: number;
  readonly expiry_year: number;
}

type SealedCvv = CvvRow & WithKek;

export interface SecretsDeps {
  readonly db: Db;
  readonly keks: Keks;
  readonly clock: Clock;
}

/** Reads the records of a whole batch with one query for the cards and one for the verification values. */
export async function loadSecrets(
  deps: SecretsDeps,
  requests: readonly RelayRequest[],
): Promise<OpenCard> {
  const [cards, cvvs] = await Promise.all([
    selectCards(deps, requests),
    selectCvvs(deps, requests),
  ]);
  const cardOf = indexed(cards);
  const cvvOf = indexed(cvvs);

  return async (request) => {
    const card = cardOf.get(keyOf(request, request.card_pan_token));
    if (!card) return undefined;
    const cvv = request.card_cvv_token && cvvOf.get(keyOf(request, request.card_cvv_token));
    return {
      pan: await open(deps.keks, 'pan', card),
      ...(cvv && { cvv: await open(deps.keks, 'cvv', cvv) }),
      expiry_month: String(card.expiry_month).padStart(2, '0'),
      expiry_year: String(card.expiry_year),
    };
  };
}

const keyOf = ({ merchant_id, mode }: { merchant_id: string; mode: Mode }, token: string): string =>
  `${mode} ${token} ${merchant_id}`;

const indexed = <R extends CvvRow>(rows: readonly R[]): ReadonlyMap<string, R> =>
  new Map(rows.map((row) => [keyOf(row, row.token), row]));

async function open(keks: Keks, purpose: Purpose, row: SealedCvv & SealedRecord): Promise<string> {
  const { merchant_id, mode, token, kek_version, wrapped_kek } = row;
  const kek = await keks.unwrap(
    { merchant_id, mode },
    { version: kek_version, wrapped: wrapped_kek },
  );
  return openRecord(kek, { merchant_id, mode, token, purpose }, row);
}

/** `named` is the batch's (merchant, mode, token) triples as three arrays. */
const recordsSql = (table: 'cards' | 'cvvs', more: string, condition: string): string =>
  `select record.merchant_id, record.mode, record.token, record.kek_version, record.wrapped_dek,
     record.ciphertext, kek.wrapped as wrapped_kek ${more}
   from unnest($1::text[], $2::text[], $3::text[]) as named (merchant_id, mode, token)
   join vault.${table} record using (merchant_id, mode, token)
   join vault.keks kek on kek.merchant_id = record.merchant_id and kek.mode = record.mode
     and kek.version = record.kek_version
   ${condition}`;

const CARDS_SQL = recordsSql('cards', ', record.expiry_month, record.expiry_year', '');
const CVVS_SQL = recordsSql('cvvs', '', 'where record.expires_at > $4');

const selectCards = ({ db }: SecretsDeps, requests: readonly RelayRequest[]) =>
  db.query<SealedCard>(
    CARDS_SQL,
    columns(requests.map((request) => [request, request.card_pan_token])),
    'relay-cards',
  );

async function selectCvvs(
  { db, clock }: SecretsDeps,
  requests: readonly RelayRequest[],
): Promise<SealedCvv[]> {
  const named = requests.flatMap((request): Named[] =>
    request.card_cvv_token ? [[request, request.card_cvv_token]] : [],
  );
  if (named.length === 0) return [];
  return db.query<SealedCvv>(CVVS_SQL, [...columns(named), new Date(clock())], 'relay-cvvs');
}

type Named = readonly [RelayRequest, token: string];

const columns = (named: readonly Named[]): string[][] => [
  named.map(([request]) => request.merchant_id),
  named.map(([request]) => request.mode),
  named.map(([, token]) => token),
];

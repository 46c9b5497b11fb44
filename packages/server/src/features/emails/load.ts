import type { Locale } from '@florin/contract/locales.ts';
import type { LetterKind } from '@florin/contract/resources/letters.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { rowsByKey } from '../../platform/database/rows.ts';
import { type Brand, brandOf } from '../../platform/emails/brand.ts';
import type { Envelope } from '../../platform/emails/mailer.ts';
import type { Services } from '../../services.ts';
import { draft } from './draft.ts';
import type { Facts } from './facts.ts';
import type { Occasion } from './occasion.ts';

/**
 * Renders claimed emails. An email that cannot be rendered is logged, has no draft, and does not
 * block others.
 */
export async function writeOut(
  { db, logger }: Pick<Services, 'db' | 'logger'>,
  letters: readonly Row[],
): Promise<ComposedEmail[]> {
  const merchants = await found(db, 'merchants', letters.map(merchantKey));
  const cards = await found(db, 'payment_methods', letters.flatMap(cardKey));
  return letters.map((letter) => {
    const brand = brandOf(merchants.get(keyText(merchantKey(letter))) ?? {});
    const [key] = cardKey(letter);
    try {
      const written = draft(occasionOf(letter, brand, key && cards.get(keyText(key))));
      return { letter, draft: written, from_name: brand.name, reply_to: brand.support_email };
    } catch (error) {
      const err = { message: (error as Error).message };
      logger.error({ letter: letter.id, merchant: letter.merchant_id, err }, 'email not rendered');
      return { letter, draft: undefined };
    }
  });
}

/** A claimed email with its draft. */
export type ComposedEmail = Envelope | { readonly letter: Row; readonly draft: undefined };

export const isEnvelope = (written: ComposedEmail): written is Envelope =>
  written.draft !== undefined;

const occasionOf = (letter: Row, brand: Brand, card: Row | undefined): Occasion => ({
  kind: letter.kind as LetterKind,
  mode: letter.mode as 'live' | 'sandbox',
  locale: letter.locale as Locale,
  facts: JSON.parse(letter.facts as string) as Facts,
  brand,
  ...(card && { card: { kind: card.kind as string, last_four: card.last_four as string } }),
});

const merchantKey = ({ merchant_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: merchant_id as string,
});

const cardKey = ({ merchant_id, payment_method_id: id }: Row): RowKey[] =>
  id ? [{ merchant_id: merchant_id as string, id }] : [];

async function found(
  db: Db,
  table: string,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, Row>> {
  if (keys.length === 0) return new Map();
  const unique = new Map(keys.map((key) => [keyText(key), key]));
  const rows = await rowsByKey(db, table, [...unique.values()]);
  return new Map(rows.map((row) => [keyText(row), row]));
}

import { incompleteStates } from '@florin/contract/payment-tabs.ts';
import { SEARCH_HITS_MAX } from '@florin/contract/search.ts';
import { foundCtes, HAS_OLDER, totalColumns } from './found.ts';

/** Customers whose payments and subscriptions are found by the customer's name, unless a caller asks for more results. */
export const PAYERS_MAX = 20;
/** Cards with the same last digits whose purchases a search reads. */
const CARDS_MAX = 200;
/** Purchases of one payer or card that a search reads. */
const PER_PAYER_MAX = 200;
const PER_CARD_MAX = 20;

/** SQL condition: purchases of more payers or cards may match than are read. */
const UNREAD = `cardinality($9::uuid[]) >= $11 or $10::text is not null and ${HAS_OLDER}`;

/** Rows of `payment_demands` that are in its search index: a payment enters it once, with its outcome. */
export const SETTLED = `purchase_reference is not null and status not in ('incomplete', 'ready', 'pending', 'processing')`;

/** SQL condition: a payment is incomplete. Put an alias and a dot before it where a statement has several tables. */
export const INCOMPLETE = `status in (${incompleteStates.map((state) => `'${state}'`).join(', ')})`;

/** Types that are found by reference, payer and card, with the conditions of their search index and list, and their own columns. */
const purchases = {
  payment_demands: {
    indexed: SETTLED,
    listed: `not exists (select from payment_demands p where p.merchant_id = $1 and p.id = m.id
      and p.${INCOMPLETE})`,
    own: 't.cancellation_reason, t.amount_authorised_cents, t.amount_captured_cents, t.amount_refunded_cents, ',
  },
  payment_subscriptions: { indexed: 'purchase_reference is not null', listed: 'true', own: '' },
} as const;

export type PurchaseType = keyof typeof purchases;

/**
 * SQL of a search for payments or subscriptions. Parameters as of `foundCtes`, then $8 complete text, $9 ids of payers,
 * $10 last four digits or null, $11 limit of the payers.
 */
export const purchasesSql = (type: PurchaseType): string =>
  `with ${foundCtes({
    table: type,
    text: 'purchase_reference',
    indexed: purchases[type].indexed,
    columns: 'payer_id, payment_method_id',
    // A scalar subquery: PostgreSQL would read all cards of the merchant for `exists`.
    also_recent: `payer_id = any($9::uuid[]) or $10::text is not null and
      (select last_four from payment_methods m where m.merchant_id = $1 and m.id = payment_method_id) = $10`,
    also_older: [byReference(type), byPayer(type), byCard(type)],
  })}
  select '${type}' as type, t.id, coalesce(c.name, c.email) as title, t.purchase_reference as detail, t.status, t.amount_cents,
    t.amount_currency, ${purchases[type].own}m.last_four, t.created_at, ${totalColumns({ has_unread: UNREAD, listed: purchases[type].listed })}
  from found join ${type} t on t.merchant_id = $1 and t.id = found.id
    left join customers c on c.merchant_id = $1 and c.id = t.payer_id
    left join payment_methods m on m.merchant_id = $1 and m.id = t.payment_method_id
  order by found.created_at desc, found.id desc`;

/** The complete reference, also of rows that the search index lacks. */
const byReference = (type: PurchaseType): string => `select id, created_at from ${type}
  where merchant_id = $1 and mode = $2 and purchase_reference = $8 limit ${SEARCH_HITS_MAX}`;

const byPayer = (
  type: PurchaseType,
): string => `select p.id, p.created_at from unnest($9::uuid[]) payer (id),
  lateral (select id, created_at from ${type} where merchant_id = $1 and payer_id = payer.id limit ${PER_PAYER_MAX}) p`;

const byCard = (type: PurchaseType): string => `select p.id, p.created_at from
  (select id from payment_methods where merchant_id = $1 and mode = $2 and last_four = $10 limit ${CARDS_MAX}) card,
  lateral (select id, created_at from ${type} where merchant_id = $1 and payment_method_id = card.id limit ${PER_CARD_MAX}) p`;

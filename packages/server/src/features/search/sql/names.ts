import { foundCtes, type SearchedTable, totalColumns } from './found.ts';

interface NamedTable extends Pick<SearchedTable, 'text' | 'indexed'> {
  readonly title: string;
  readonly subtitle: string;
  /** SQL of other members of a result. */
  readonly others?: string;
  /** SQL condition of a match `m` that the type's list shows; absent: all. */
  readonly listed?: string;
}

const NO_STATE = 'null as status, null as amount_cents, null as amount_currency';

/** SQL of the searched text of a customer. */
export const CUSTOMER_TEXT = `email || ' ' || coalesce(name, '') || ' ' || coalesce(phone_number, '')`;

/** Types that are found by their own texts. */
const namedTables = {
  customers: {
    text: CUSTOMER_TEXT,
    indexed: 'true',
    title: 'coalesce(t.name, t.email)',
    subtitle: 't.email',
    // A merged customer still leads to the purchases, which belong to the one who remains.
    others: `case when t.merged_at is not null then 'merged' end as status, null as amount_cents,
      null as amount_currency, coalesce(t.merged_into_id, t.id) as payer_id`,
    listed:
      'exists (select from customers c where c.merchant_id = $1 and c.id = m.id and c.merged_at is null)',
  },
  payment_links: {
    text: `title || ' ' || purchase_reference`,
    indexed: 'true',
    title: 't.title',
    subtitle: 't.purchase_reference',
    others: 't.status, t.amount_cents, t.amount_currency',
  },
  merchant_tokens: { text: 'name', title: 't.name', subtitle: 't.context' },
} as const satisfies Record<string, NamedTable>;

export type NamedType = keyof typeof namedTables;

/** SQL of a search for records by their own names. Parameters as of `foundCtes`. */
export function namesSql(type: NamedType): string {
  const { title, subtitle, others = NO_STATE, listed, ...searched }: NamedTable = namedTables[type];
  return `with ${foundCtes({ table: type, ...searched })}
    select '${type}' as type, t.id, ${title} as title, ${subtitle} as detail, ${others}, null as last_four, t.created_at, ${totalColumns(listed ? { listed } : {})}
    from found join ${type} t on t.merchant_id = $1 and t.id = found.id
    order by found.created_at desc, found.id desc`;
}

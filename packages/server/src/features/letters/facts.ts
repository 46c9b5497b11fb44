import type { Row } from '../../store/row.ts';

/** Columns of payments and subscriptions that letters tell of, as they were when the letter was caused. */
const told = [
  'amount_cents',
  'amount_currency',
  'description',
  'purchase_reference',
  'discount_cents',
  'payer_timezone',
  'failure_reason',
  'succeeded_at',
  'period_start_at',
  'period_end_at',
] as const;

/** What else a letter may tell of: of its card, and of what comes. */
type Added =
  | 'expiry_month'
  | 'expiry_year'
  | 'link_url'
  | 'next_try_at'
  | 'charge_at'
  | 'paid_until';

/** What a letter is made of beside its merchant and its card: amounts in minor units, instants as text. */
export type Facts = Readonly<Partial<Record<(typeof told)[number] | Added, string>>> & {
  readonly line_items?: readonly Item[];
  readonly shipping_cents?: number;
  readonly tax_cents?: number;
};

/** Something that was bought; `amount_cents` is the price of one. */
interface Item {
  readonly name?: string | null | undefined;
  readonly quantity: number;
  readonly amount_cents: number;
}

/** The facts that a row of a payment or a subscription holds. */
export function pickFacts(row: Row): Facts {
  const { shipping_cents } = json<{ shipping_cents?: number }>(row.shipping_detail) ?? {};
  const { tax_cents } = json<{ tax_cents?: number }>(row.tax_detail) ?? {};
  const items = json<readonly Item[]>(row.line_items) ?? [];
  return {
    ...Object.fromEntries(told.flatMap((name) => (row[name] ? [[name, row[name]]] : []))),
    ...(items.length > 0 && { line_items: items.map(itemOf) }),
    ...(shipping_cents && { shipping_cents }),
    ...(tax_cents && { tax_cents }),
  };
}

const itemOf = ({ name, quantity, amount_cents }: Item): Item => ({ name, quantity, amount_cents });

const json = <T>(text: string | null | undefined): T | null => (text ? JSON.parse(text) : null);

import { brandName } from '@florin/contract/card/brand-names.ts';
import type { Occasion } from './compose.ts';
import type { Facts } from './facts.ts';
import type { Format } from './format.ts';
import type { Line } from './parts.ts';
import type { Texts } from './texts.ts';

/** The table of a letter: what it is about, and of a receipt what was bought. */
export function linesOf(occasion: Occasion, text: Texts, format: Format): Line[] {
  const { kind, facts } = occasion;
  const { description, purchase_reference, charge_at, period_start_at, period_end_at } = facts;
  const happened = kind === 'receipt' ? facts.succeeded_at : charge_at;
  return present([
    [text('for'), description],
    [text('reference'), kind === 'receipt' ? purchase_reference : undefined],
    [text('date'), happened && format.date(happened)],
    [
      text('period'),
      period_start_at && period_end_at && format.period(period_start_at, period_end_at),
    ],
    [text('card'), cardText(occasion)],
    ...(kind === 'receipt' ? bought(facts, text, format) : []),
    ...(kind === 'card_expiring' || kind === 'subscription_cancelled'
      ? []
      : [total(kind === 'receipt' ? text('total') : text('amount'), facts, format)]),
  ]);
}

type Given = readonly [label: string, value: string | null | undefined, strong?: true];

const present = (given: readonly Given[]): Line[] =>
  given.flatMap(([label, value, strong]) =>
    value ? [{ label, value, ...(strong && { strong }) }] : [],
  );

const total = (label: string, facts: Facts, format: Format): Given => [
  label,
  amountIn(facts, format, facts.amount_cents),
  true,
];

const amountIn = (
  { amount_currency }: Facts,
  format: Format,
  minor_units: string | number | undefined,
): string | undefined =>
  minor_units === undefined || !amount_currency
    ? undefined
    : format.amount(minor_units, amount_currency);

/** What was bought, line by line, and what the merchant noted beside it; none of it is added up. */
function bought(facts: Facts, text: Texts, format: Format): Given[] {
  const { line_items = [], discount_cents, shipping_cents, tax_cents } = facts;
  const money = (minor_units: string | number | undefined): string | undefined =>
    Number(minor_units ?? 0) > 0 ? amountIn(facts, format, minor_units) : undefined;
  const off = money(discount_cents);
  return [
    ...line_items.map(
      ({ name, quantity, amount_cents }): Given => [
        `${quantity} × ${name ?? ''}`.trim(),
        amountIn(facts, format, (BigInt(quantity) * BigInt(amount_cents)).toString()),
      ],
    ),
    [text('discount'), off && `−${off}`],
    [text('shipping'), money(shipping_cents)],
    [text('tax'), money(tax_cents)],
  ];
}

function cardText({ card }: Occasion): string | undefined {
  if (!card) return undefined;
  return `${brandName(card.kind)} •••• ${card.last_four}`.trim();
}

import { brandName } from '@florin/contract/card/brand-names.ts';
import type { EmailKind } from '@florin/contract/resources/emails.ts';
import type { Line } from '../../platform/emails/parts.ts';
import type { Format } from '../../platform/texts/format.ts';
import type { EmailInput } from './email-input.ts';
import type { Facts } from './facts.ts';
import type { Texts } from './texts.ts';

/** Table of an email: the purchase or change, and on a receipt the purchased items. */
export function linesOf(input: EmailInput, text: Texts, format: Format): Line[] {
  const { kind, facts } = input;
  const { description, purchase_reference, charge_at, period_start_at, period_end_at } = facts;
  const occurred_at = kind === 'receipt' ? facts.succeeded_at : charge_at;
  return toPresentLines([
    [text('for'), description],
    [text('reference'), kind === 'receipt' ? purchase_reference : undefined],
    [text('date'), occurred_at && format.date(occurred_at)],
    [
      text('period'),
      period_start_at && period_end_at && format.period(period_start_at, period_end_at),
    ],
    [text('card'), cardText(input)],
    ...(kind === 'receipt' ? purchaseLines(facts, text, format) : []),
    ...(KINDS_WITHOUT_AMOUNT.has(kind)
      ? []
      : [totalLine(kind === 'receipt' ? text('total') : text('amount'), facts, format)]),
  ]);
}

const KINDS_WITHOUT_AMOUNT: ReadonlySet<EmailKind> = new Set([
  'card_expiring',
  'subscription_unpaid',
  'subscription_ending',
  'subscription_cancelled',
]);

type LineInput = readonly [label: string, value: string | null | undefined, strong?: true];

const toPresentLines = (lineInputs: readonly LineInput[]): Line[] =>
  lineInputs.flatMap(([label, value, strong]) =>
    value ? [{ label, value, ...(strong && { strong }) }] : [],
  );

const totalLine = (label: string, facts: Facts, format: Format): LineInput => [
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

/**
 * Purchased items, which add up to the total. Leaves out a single item that only repeats the total.
 */
function purchaseLines(facts: Facts, text: Texts, format: Format): LineInput[] {
  const { items = [], sums = [], tax_included } = facts.receipt ?? {};
  const isRepeated =
    items.length === 1 && sums.length === 0 && items[0]?.name === facts.description;
  return [
    ...(isRepeated ? [] : items).map(
      ({ name, quantity, amount_cents }): LineInput => [
        `${quantity} × ${name}`.trim(),
        amountIn(facts, format, quantity * amount_cents),
      ],
    ),
    ...sums.map(
      ({ label, amount_cents }): LineInput => [text(label), amountIn(facts, format, amount_cents)],
    ),
    ...(tax_included
      ? [[text('tax_included'), amountIn(facts, format, tax_included)] as const]
      : []),
  ];
}

function cardText({ card }: EmailInput): string | undefined {
  if (!card) return undefined;
  return `${brandName(card.kind)} •••• ${card.last_four}`.trim();
}

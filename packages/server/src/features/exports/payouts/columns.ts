import { brandName } from '@florin/contract/card/brand-names.ts';
import { amountDecimal } from '@florin/contract/money.ts';
import type { Row } from '../../../platform/database/row.ts';
import { textsIn } from '../../../platform/texts/texts.ts';
import { instantText, microsOf } from '../../../platform/time/clock.ts';
import { CsvDecimal, toCsvLine } from '../csv.ts';
import { timesIn } from '../local-times.ts';
import type { Wording } from '../payments/format.ts';
import type { LineAmounts } from './amounts.ts';

type TextName = keyof typeof import('./texts/en.json', { with: { type: 'json' }});

const textsOf = textsIn<TextName>(new URL('texts/', import.meta.url));

const COLUMNS = [
  'date',
  'type',
  'id',
  'reference',
  'payer_name',
  'card',
  'gross',
  'fee',
  'net',
  'currency',
] as const;

/** Parts of payments that the person may read. */
export interface ReadableParts {
  readonly customers: boolean;
  readonly payment_methods: boolean;
}

/** Writes the lines of a payout's file in a currency. */
export function linesInCurrency(
  currency: string,
  { timezone, language }: Wording,
  readable: ReadableParts,
) {
  const texts = textsOf(language);
  const timeOf = timesIn(timezone);
  const amountCells = ({ gross, fee, net }: LineAmounts): unknown[] => [
    ...[gross, fee, net].map((cents) => new CsvDecimal(amountDecimal(String(cents), currency))),
    currency,
  ];
  return {
    head: (): string => toCsvLine(COLUMNS.map((name) => texts(`column_${name}`, { timezone }))),
    line: (row: Row, amounts: LineAmounts): string =>
      toCsvLine([
        timeOf(instantText(microsOf(row.created_at as string))),
        texts(`type_${row.kind}` as TextName),
        row.payment_demand_id,
        row.purchase_reference,
        readable.customers ? row.payer_name : null,
        readable.payment_methods && row.last_four
          ? `${brandName(row.card_kind ?? '')} •••• ${row.last_four}`
          : null,
        ...amountCells(amounts),
      ]),
    sum: (name: 'unassigned' | 'total', amounts: LineAmounts): string =>
      toCsvLine(['', texts(`type_${name}`), '', '', '', '', ...amountCells(amounts)]),
  };
}

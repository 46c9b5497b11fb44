import { Stack } from '@mantine/core';
import type { RecordOf } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { areLineItems } from '../../../parts/value/line-items/line-item.ts';
import { LineItemsTable } from '../../../parts/value/line-items/line-items-table.tsx';
import { Money } from '../../../parts/value/money.tsx';

/** Attributes that this section shows. The full list omits them. */
export const shownInItems = ['line_items', 'discount_cents', 'shipping_detail', 'tax_detail'];

interface PurchaseAttributes {
  readonly line_items: unknown;
  readonly discount_cents: number | null;
  readonly shipping_detail: { readonly shipping_cents?: number | null } | null;
  readonly tax_detail: { readonly tax_cents?: number | null } | null;
  readonly amount_currency: string;
}

/** Line items of a payment, with discount, shipping and tax of the whole purchase. */
export function Items({ payment }: { readonly payment: RecordOf<'payment_demands'> }) {
  const t = useTexts('records');
  const names = useNames();
  const { line_items, discount_cents, shipping_detail, tax_detail, amount_currency } =
    payment.attributes as PurchaseAttributes;
  const sums = [
    ['discount_cents', -(discount_cents ?? 0)],
    ['shipping_cents', shipping_detail?.shipping_cents],
    ['tax_cents', tax_detail?.tax_cents],
  ] as const;
  const pairs = sums.flatMap(([key, cents]) =>
    cents
      ? [{ key, term: names.field(key), value: <Money cents={cents} currency={amount_currency} /> }]
      : [],
  );
  if (!areLineItems(line_items) && pairs.length === 0) return null;
  return (
    <Section title={t('items')}>
      <Stack gap="sm">
        {areLineItems(line_items) && <LineItemsTable items={line_items} />}
        {pairs.length > 0 && <DefinitionPairs pairs={pairs} />}
      </Stack>
    </Section>
  );
}

import { Box } from '@mantine/core';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { SimpleTable } from '../../table/simple-table.tsx';
import { Money } from '../money.tsx';
import classes from '../value.module.css';
import { type LineItem, lineItemName, lineSums } from './line-item.ts';

/** Line items of a purchase as a table. Discount and tax have columns if an item has them. */
export function LineItemsTable({ items }: { readonly items: readonly LineItem[] }) {
  const t = useTexts('records');
  const hasDiscount = items.some(({ discount_cents }) => discount_cents);
  const hasTax = items.some(({ tax_cents }) => tax_cents);
  const heads = [
    t('item'),
    t('item_quantity'),
    t('item_price'),
    ...(hasDiscount ? [t('item_discount')] : []),
    ...(hasTax ? [t('item_tax')] : []),
    t('item_total'),
  ];
  const cellsOf = (item: LineItem) => {
    const { total, discount, tax } = lineSums(item);
    const money = (cents: bigint | number) => (
      <Money cents={String(cents)} currency={item.amount_currency} />
    );
    return [
      <ItemName key="name" item={item} />,
      <Quantity key="quantity" item={item} />,
      money(item.amount_cents),
      ...(hasDiscount ? [money(-discount)] : []),
      ...(hasTax ? [money(tax)] : []),
      money(total),
    ];
  };
  const rows = items.map((item, index) => ({
    key: item.id ?? String(index),
    cells: cellsOf(item),
  }));
  return (
    // Focusable, so that keyboards scroll a wide table on a narrow screen.
    <Box className={classes.wide ?? ''} tabIndex={0} role="group" aria-label={t('items')}>
      <SimpleTable label={t('items')} heads={heads} rows={rows} numbersFrom={1} />
    </Box>
  );
}

function ItemName({ item }: { readonly item: LineItem }) {
  const title = lineItemName(item) ?? '–';
  const details = [item.description, item.sku].filter((text) => text && text !== title);
  return (
    <>
      <div>{title}</div>
      {details.length > 0 && <small>{details.join(' · ')}</small>}
    </>
  );
}

function Quantity({ item: { quantity, unit_of_measure } }: { readonly item: LineItem }) {
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale).format(quantity);
  return <>{unit_of_measure ? `${number} ${unit_of_measure}` : number}</>;
}

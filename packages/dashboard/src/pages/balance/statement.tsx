import { type BalanceComponent, statementOf } from '@florin/contract/balance-statement.ts';
import { Text, Title } from '@mantine/core';
import type { Parameters } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import type { RecordOf, ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { Money } from '../../parts/value/money.tsx';
import classes from './statement.module.css';

type Sums = RecordOf<'balances'>['attributes'];

const LEDGER = 'balance/ledger';

/** The list behind each line of a statement. */
const lists: Readonly<
  Record<
    BalanceComponent,
    { readonly type: ResourceType; readonly to?: string; readonly search?: Parameters }
  >
> = {
  payments: { type: 'ledger_transfers', search: { 'filter[kind]': 'captured' } },
  fees: { type: 'ledger_transfers', to: LEDGER, search: { account: 'fees' } },
  refunds: { type: 'refund_demands' },
  disputes: {
    type: 'ledger_transfers',
    search: { 'filter[kind]': 'dispute_opened,dispute_won,second_chargeback' },
  },
  payouts: { type: 'payouts' },
};

/** The lines that make a balance. Each column sums to its figure, each line to its total. */
export function Statement({ sums }: { readonly sums: Sums }) {
  const t = useTexts('balance');
  const { amount_currency: currency } = sums;
  const title = t('statement', { currency });
  const sumCents = [sums.available_cents, sums.unsettled_cents, sums.owed_cents];
  return (
    <>
      <Title order={3} size="h5" mt="md">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('statement_hint')}
      </Text>
      <div className={classes.scroll}>
        <table className={classes.statement} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{t('line')}</th>
              <th scope="col">{t('available_cents')}</th>
              <th scope="col">{t('unsettled_cents')}</th>
              <th scope="col">{t('column_total')}</th>
            </tr>
          </thead>
          <tbody>
            {statementOf(sums).map((line) => (
              <tr key={line.component}>
                <th scope="row">
                  <ComponentName component={line.component} currency={currency} />
                </th>
                <Cells
                  currency={currency}
                  cents={[line.available_cents, line.unsettled_cents, line.total_cents]}
                />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('line_sum')}</th>
              <Cells currency={currency} cents={sumCents} />
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  );
}

/** Name of a line, as link to its records where the person may read them. */
function ComponentName({
  component,
  currency,
}: {
  readonly component: BalanceComponent;
  readonly currency: string;
}) {
  const t = useTexts('balance');
  const can = useCan();
  const { type, to = listPath(type), search } = lists[component];
  const name = t(`line_${component}`);
  if (!can(`transaction.${type}.read`)) return name;
  return (
    <ScopedLink to={to} search={{ ...search, ...(to === LEDGER && { currency }) }}>
      {name}
    </ScopedLink>
  );
}

const COLUMNS = ['available', 'unsettled', 'total'] as const;

/** Amounts of a line. */
function Cells({
  currency,
  cents,
}: {
  readonly currency: string;
  readonly cents: readonly number[];
}) {
  return COLUMNS.map((column, at) => (
    <td key={column}>
      <Money cents={cents[at] ?? 0} currency={currency} isSigned />
    </td>
  ));
}

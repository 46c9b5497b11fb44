import type { LedgerAccount } from '@florin/contract/ledger.ts';
import type { LedgerLine, LedgerPage } from '@florin/contract/ledger-page.ts';
import { Text } from '@mantine/core';
import { useDashboard } from '../../api/queries.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { Instant } from '../../parts/value/instant.tsx';
import { Money } from '../../parts/value/money.tsx';
import classes from './statement.module.css';
import { usePurchases } from './use-purchases.ts';

interface Part {
  readonly account: LedgerAccount;
  readonly currency: string;
  /** Cursor of the page. Absent for the newest lines. */
  readonly after?: string | undefined;
  /** Instants of a period; an empty end is open. */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

/** Reads a page of the ledger. */
export function useLedger({ account, currency, after = '', from = '', before = '' }: Part) {
  const query = new URLSearchParams({
    account,
    currency,
    ...(after && { after }),
    ...(from && { from }),
    ...(before && { before }),
  });
  return useDashboard<LedgerPage>(`ledger?${query}`, { enabled: currency !== '' });
}

/** Transfers of an account with their signs, and the balance after each; `lines_max` cuts the page. */
export function LedgerTable({
  ledger,
  currency,
  label,
  lines_max,
}: {
  readonly ledger: ReturnType<typeof useLedger>;
  readonly currency: string;
  readonly label: string;
  readonly lines_max?: number;
}) {
  const t = useTexts('balance');
  const purchases = usePurchases(ledger.data?.lines.slice(0, lines_max) ?? []);
  if (ledger.error)
    return <ProblemAlert error={ledger.error} onRetry={() => void ledger.refetch()} />;
  if (!ledger.data) return <Loading rows={3} />;
  const { next, totals } = ledger.data;
  const lines = ledger.data.lines.slice(0, lines_max);
  if (lines.length === 0) {
    const none = totals === undefined ? 'transfers_none' : 'transfers_none_in_period';
    return <Text>{t(next ? 'transfers_none_here' : none)}</Text>;
  }
  return (
    <div className={classes.scroll}>
      <table className={classes.statement} data-wide aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('column_reason')}</th>
            <th scope="col">{t('column_time')}</th>
            <th scope="col">{t('column_amount')}</th>
            <th scope="col">{t('column_balance')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line
              key={line.id}
              line={line}
              purchase={purchases.get(line.payment_demand_id ?? '')}
              currency={currency}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LineProps {
  readonly line: LedgerLine;
  /** Payer and reference of the line's payment, if they are known. */
  readonly purchase: string | undefined;
  readonly currency: string;
}

function Line({ line, purchase, currency }: LineProps) {
  const names = useNames();
  const { id, kind, created_at, amount_cents, balance_cents, payment_demand_id } = line;
  const path = payment_demand_id
    ? recordPath('payment_demands', payment_demand_id)
    : recordPath('ledger_transfers', id);
  return (
    <tr>
      <th scope="row">
        <ScopedLink to={path}>{names.value(kind)}</ScopedLink>
        {purchase && (
          <Text size="xs" c="dimmed" component="div">
            {purchase}
          </Text>
        )}
      </th>
      <td>
        <Instant at={created_at} />
      </td>
      <td>
        <Money cents={amount_cents} currency={currency} isSigned />
      </td>
      <td>{balance_cents === null ? '–' : <Money cents={balance_cents} currency={currency} />}</td>
    </tr>
  );
}

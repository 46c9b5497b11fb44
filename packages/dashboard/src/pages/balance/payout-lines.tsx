import type { PayoutAmounts, PayoutLine, PayoutLines } from '@florin/contract/payout-lines.ts';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
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

interface Props {
  readonly id: string;
  /** Amount of the payout in minor units. */
  readonly cents: number;
  readonly currency: string;
}

/** Lines that the page shows at first, and adds with each press. */
const SHOWN_STEP = 10;

/** The first lines that a payout pays, with the sum of all. */
export function FirstLines({ id, cents, currency }: Props) {
  const [shown, show] = useState(SHOWN_STEP);
  const lines = useDashboard<PayoutLines>(`payouts/${encodeURIComponent(id)}/lines`);
  if (lines.error) return <ProblemAlert error={lines.error} onRetry={() => void lines.refetch()} />;
  if (!lines.data) return <Loading rows={3} />;
  return (
    <>
      <LinesTable payout={lines.data} shown={shown} cents={cents} currency={currency} />
      <Shown payout={lines.data} shown={shown} onMore={() => show(shown + SHOWN_STEP)} />
    </>
  );
}

interface ShownProps {
  readonly payout: PayoutLines;
  /** Largest number of lines in the table. */
  readonly shown: number;
  readonly onMore: () => void;
}

/** Says how many of the lines the table has, and adds more. */
function Shown({ payout: { lines, all }, shown: shown_max, onMore }: ShownProps) {
  const t = useTexts('balance');
  const shown = Math.min(lines.length, shown_max);
  if (all && all.count <= shown) return null;
  return (
    <Group mt="xs">
      <Text size="sm" c="dimmed">
        {all ? t('payout_first_of', { shown, count: all.count }) : t('payout_first', { shown })}
      </Text>
      {shown < lines.length && (
        <Button size="xs" variant="default" onClick={onMore}>
          {t('payout_more')}
        </Button>
      )}
    </Group>
  );
}

const TEXT_COLUMNS = ['line', 'time', 'payer', 'card'] as const;
const AMOUNT_COLUMNS = ['gross', 'fee', 'net'] as const;

function LinesTable({
  payout: { lines, all, unassigned_cents },
  shown,
  cents,
  currency,
}: Omit<Props, 'id'> & Omit<ShownProps, 'onMore'>) {
  const t = useTexts('balance');
  const sum = all?.sum ?? { gross_cents: null, fee_cents: null, net_cents: String(cents) };
  return (
    <div className={classes.scroll}>
      <table className={classes.statement} data-wide aria-label={t('payout_lines')}>
        <thead>
          <tr>
            {TEXT_COLUMNS.map((column) => (
              <th key={column} scope="col" data-text>
                {t(`payout_column_${column}`)}
              </th>
            ))}
            {AMOUNT_COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(`payout_column_${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, shown).map((line) => (
            <Line key={line.id} line={line} currency={currency} />
          ))}
          {unassigned_cents && (
            <tr>
              <th scope="row" colSpan={4}>
                {t('payout_unassigned')}
              </th>
              <Amounts
                of={{ gross_cents: unassigned_cents, fee_cents: '0', net_cents: unassigned_cents }}
                currency={currency}
              />
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={4}>
              {t('payout_total')}
            </th>
            <Amounts of={sum} currency={currency} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Line({ line, currency }: { readonly line: PayoutLine; readonly currency: string }) {
  const t = useTexts('balance');
  const names = useNames();
  const { id, kind, created_at, payment_demand_id, payer_name, card } = line;
  const path = payment_demand_id
    ? recordPath('payment_demands', payment_demand_id)
    : recordPath('ledger_transfers', id);
  return (
    <tr>
      <th scope="row">
        <ScopedLink to={path}>{t(`payout_line_${kind}`)}</ScopedLink>
      </th>
      <td data-text>
        <Instant at={created_at} />
      </td>
      <td data-text>{payer_name ?? '–'}</td>
      <td data-text>{card ? `${names.value(card.kind)} •••• ${card.last_four}` : '–'}</td>
      <Amounts of={line} currency={currency} />
    </tr>
  );
}

type Amounts = { readonly [Name in keyof PayoutAmounts]: string | null };
const AMOUNTS = ['gross_cents', 'fee_cents', 'net_cents'] as const;

/** Cells of gross, fee and net. An amount that is not known is a dash. */
function Amounts({ of: amounts, currency }: { readonly of: Amounts; readonly currency: string }) {
  return AMOUNTS.map((name) => {
    const cents = amounts[name];
    return <td key={name}>{cents === null ? '–' : <Money cents={cents} currency={currency} />}</td>;
  });
}

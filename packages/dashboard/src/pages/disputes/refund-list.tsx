import { List } from '@mantine/core';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { useAutoRefresh } from '../../parts/page/use-auto-refresh.ts';
import { Instant } from '../../parts/value/instant.tsx';
import { useAmountText } from '../../parts/value/money.tsx';
import { historyOf } from '../payments/detail/history.ts';
import { usePaymentOf } from './use-payment-of.ts';

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed']);

/** Refunds of the disputed payment, each with its outcome. */
export function RefundList({ paymentId }: { readonly paymentId: string }) {
  const t = useTexts('disputes');
  const { data } = usePaymentOf(paymentId);
  const refunds = data ? historyOf(data.included).refunds : [];
  useAutoRefresh(refunds.some(({ attributes: { status } }) => !ENDED.has(status)));
  if (refunds.length === 0) return null;
  return (
    <List size="sm" listStyleType="none" aria-label={t('refunds')}>
      {refunds.map((refund) => (
        <List.Item key={refund.id}>
          <Refund refund={refund} />
        </List.Item>
      ))}
    </List>
  );
}

function Refund({ refund }: { readonly refund: RecordOf<'refund_demands'> }) {
  const payments = useTexts('payments');
  const amountText = useAmountText();
  const { status, amount_cents, amount_currency, created_at } = refund.attributes;
  const amount = amountText(amount_cents ?? 0, amount_currency ?? '');
  const outcome = status === 'succeeded' || status === 'failed' ? status : 'in_progress';
  return (
    <>
      <ScopedLink underline="always" to={recordPath(refund.type, refund.id)}>
        {payments(`story_refund_${outcome}`, { amount })}
      </ScopedLink>{' '}
      {created_at && <Instant at={created_at} />}
    </>
  );
}

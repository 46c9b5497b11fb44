import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useCan } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { historyOf } from '../payments/detail/history.ts';
import { MoneyDialog } from '../payments/detail/money-dialog.tsx';
import { refundBlockOf } from './refund-block.ts';
import { RefundList } from './refund-list.tsx';
import { usePaymentOf } from './use-payment-of.ts';

interface Props {
  readonly dispute: RecordOf<'disputes'>;
  readonly paymentId: string;
}

/** Refunds of the disputed payment, and the refund of what is left of it. */
export function DisputeRefund(props: Props) {
  return (
    <Stack gap="xs" align="flex-start">
      <RefundList paymentId={props.paymentId} />
      <RefundChoice {...props} />
    </Stack>
  );
}

/** Refunds what is left of the payment of a decided dispute, or says why it cannot be refunded. */
function RefundChoice({ dispute, paymentId }: Props) {
  const t = useTexts('disputes');
  const { status } = dispute.attributes;
  if (status === 'accepted') return t('refund_accepted');
  if (status !== 'won' && status !== 'lost') {
    const mayAccept = dispute.meta?.allowed_actions?.includes('accept');
    return t(mayAccept ? 'refund_open' : 'refund_waiting');
  }
  return <RefundOfPayment status={status} paymentId={paymentId} />;
}

interface DecidedProps extends Pick<Props, 'paymentId'> {
  readonly status: 'won' | 'lost';
}

function RefundOfPayment({ status, paymentId }: DecidedProps) {
  const t = useTexts('disputes');
  const payments = useTexts('payments');
  const can = useCan();
  const [isOpen, dialog] = useDisclosure(false);
  const { data } = usePaymentOf(paymentId);
  if (!data) return '–';
  const { record, included } = data;
  const { isAccountRemoved, isCapturedOnce } = historyOf(included);
  const block = refundBlockOf({
    status,
    refundable_cents: record.attributes.amount_refundable_cents ?? 0,
    mayRefund: can('transaction.refund_demands.create'),
    isAccountRemoved,
  });
  if (block) return t(block);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={dialog.open}>
        {payments('do_refund')}
      </Button>
      <MoneyDialog
        kind="refund"
        payment={record}
        isCapturedOnce={isCapturedOnce}
        isOpen={isOpen}
        onClose={dialog.close}
      />
    </>
  );
}

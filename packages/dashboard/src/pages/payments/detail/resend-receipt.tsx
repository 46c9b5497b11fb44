import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FetchedRecord } from '../../../api/queries.ts';
import { useDashboardWrite } from '../../../api/queries.ts';
import { useCan } from '../../../api/scope.ts';
import type { Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../../parts/form/confirm-dialog.tsx';
import { includedByKey, relatedOf } from '../../../parts/table/column.ts';

interface Resent {
  readonly to_email: string;
  readonly is_new: boolean;
}

/** Sends the receipt of a succeeded payment again, after a confirmation that names the address. */
export function ResendReceipt({ fetched }: { readonly fetched: FetchedRecord<'payment_demands'> }) {
  const t = useTexts('payments');
  const can = useCan();
  const notify = useNotify();
  const [isAsking, ask] = useDisclosure(false);
  const { record, included } = fetched;
  const receipt = useDashboardWrite<object, Resent>(`payments/${record.id}/receipt`, 'POST');
  const payer = relatedOf(record as Resource, includedByKey(included))('payer');
  const mayResend = can('transaction.refund_demands.create') && can('consumer.customers.read');
  if (!mayResend || !record.attributes.succeeded_at) return null;
  const to = String(payer?.attributes.email ?? '');
  const onSuccess = ({ to_email, is_new }: Resent) => {
    notify(t(is_new ? 'receipt_done' : 'receipt_recent', { to: to_email }));
    ask.close();
  };
  return (
    <>
      <Button
        variant="default"
        disabled={!to}
        title={to ? undefined : t('receipt_no_address')}
        onClick={ask.open}
      >
        {t('do_receipt')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={ask.close}
        title={t('do_receipt')}
        text={t('receipt_effect', { to })}
        confirmText={t('do_receipt')}
        isPending={receipt.isPending}
        error={receipt.error}
        onConfirm={() => receipt.mutate({}, { onSuccess })}
      />
    </>
  );
}

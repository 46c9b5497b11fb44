import { Anchor, Button } from '@mantine/core';
import { useCan, useScope } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../../parts/value/icon.tsx';

/** Permissions that the content of a document requires, because the PDF shows these records. */
const CONTENT_PERMISSIONS = [
  'transaction.documents.read',
  'consumer.customers.read',
  'consumer.consumer_addresses.read',
  'consumer.payment_methods.read',
] as const;

/** Address of the document of a payment or refund. Undefined for people who may not read its content. */
function useDocumentUrl(about: 'payments' | 'refunds', id: string): string | undefined {
  const { merchant, mode } = useScope();
  const can = useCan();
  if (!CONTENT_PERMISSIONS.every((slug) => can(slug))) return undefined;
  return `/dashboard/api/documents/${about}/${id}?${new URLSearchParams({ merchant, mode })}`;
}

/** Downloads the receipt of a succeeded payment, or the invoice of a subscription's charge. */
export function DocumentButton({ payment }: { readonly payment: RecordOf<'payment_demands'> }) {
  const t = useTexts('payments');
  const url = useDocumentUrl('payments', payment.id);
  if (!url || !payment.attributes.succeeded_at) return null;
  const isInvoice = payment.relationships?.payment_subscription?.data != null;
  return (
    <Button
      component="a"
      href={url}
      download
      variant="default"
      leftSection={<Icon name="download" />}
    >
      {t(isInvoice ? 'document_invoice' : 'document_receipt')}
    </Button>
  );
}

/** Downloads the credit note of a succeeded refund. */
export function CreditNoteLink({ refund }: { readonly refund: RecordOf<'refund_demands'> }) {
  const t = useTexts('payments');
  const url = useDocumentUrl('refunds', refund.id);
  if (!url || !refund.attributes.succeeded_at) return null;
  return (
    <>
      {' · '}
      <Anchor href={url} download underline="always" inherit>
        {t('document_credit_note')}
      </Anchor>
    </>
  );
}

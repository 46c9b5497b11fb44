import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { MergeDialog } from './merge-dialog.tsx';

/** Opens the dialog of a merge. The dialog stays when the customer is merged, to show the progress. */
export function MergeButton({ customer }: { readonly customer: RecordOf<'customers'> }) {
  const t = useTexts('customers');
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      {!customer.attributes.merged_at && (
        <Button variant="default" onClick={open}>
          {t('merge_open_dialog')}
        </Button>
      )}
      <MergeDialog isOpen={isOpen} onClose={close} customer={customer} />
    </>
  );
}

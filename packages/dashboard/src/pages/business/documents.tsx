import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FetchedRecord } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { Resource } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EditDialog } from '../../parts/form/edit-dialog.tsx';
import { AttributeList } from '../../parts/record/attribute-list.tsx';
import { Section } from '../../parts/record/section.tsx';

/** Attributes of the seller on documents. */
export const SELLER = [
  'seller_name',
  'seller_line_1',
  'seller_line_2',
  'seller_zip_code',
  'seller_city',
  'seller_state',
  'seller_country',
  'seller_tax_number',
];

interface Props {
  readonly fetched: FetchedRecord<'merchants'>;
  readonly reload: () => void;
}

/** Seller on receipts, invoices and credit notes. */
export function DocumentSettings({ fetched, reload }: Props) {
  const t = useTexts('business');
  const can = useCan();
  const { fields } = useRegistry().merchants;
  const [isOpen, { open, close }] = useDisclosure(false);
  const mayEdit = can('user.merchants.update');
  return (
    <Section
      title={t('documents')}
      actions={
        mayEdit && (
          <Button size="xs" variant="default" onClick={open}>
            {t('documents_edit')}
          </Button>
        )
      }
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('documents_hint')}
        </Text>
        <div>
          <AttributeList
            record={fetched.record as Resource}
            fields={fields}
            names={SELLER}
            withoutId
          />
        </div>
      </Stack>
      <EditDialog
        type="merchants"
        only={SELLER}
        title={t('documents_edit')}
        fetched={fetched}
        isOpen={isOpen}
        onClose={close}
        reload={reload}
      />
    </Section>
  );
}

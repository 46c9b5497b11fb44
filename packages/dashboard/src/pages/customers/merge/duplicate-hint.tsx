import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { MergeDialog } from './merge-dialog.tsx';
import type { Duplicate } from './use-duplicate.ts';

interface Props {
  readonly customer: RecordOf<'customers'>;
  readonly duplicate: Duplicate | undefined;
}

/** Names a customer who may be the same person, and offers the merge. The dialog stays when the customer is merged. */
export function DuplicateHint({ customer, duplicate }: Props) {
  const t = useTexts('customers');
  const [isOpen, { open, close }] = useDisclosure(false);
  const other = duplicate?.customer;
  return (
    <>
      {duplicate && other && (
        <Alert color="yellow" variant="light" title={t('duplicate')}>
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              <ScopedLink to={recordPath('customers', other.id)} underline="always" c="inherit">
                {other.attributes.name || other.attributes.email}
              </ScopedLink>{' '}
              {t(`duplicate_${duplicate.by}`)}
            </Text>
            <Button size="compact-sm" variant="default" onClick={open}>
              {t('merge_both')}
            </Button>
          </Group>
        </Alert>
      )}
      <MergeDialog isOpen={isOpen} onClose={close} customer={customer} start={other?.id} />
    </>
  );
}

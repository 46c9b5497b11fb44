import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { MergeDialog } from '../../customers/merge/merge-dialog.tsx';
import { useDuplicate } from '../../customers/merge/use-duplicate.ts';

type Customer = RecordOf<'customers'>;

/**
 * Names the oldest other customer with the email address of the payer, and offers the merge into the older of the two.
 * A payment link creates a customer for each payer, because anyone can type any address.
 */
export function PayerDuplicate({ payer }: { readonly payer: Customer }) {
  const t = useTexts('customers');
  const other = useDuplicate(payer, { byName: false })?.customer;
  const [merged, merge] = useState<readonly [older: Customer, newer: Customer]>();
  const [isOpen, setOpen] = useState(false);
  const isPayerNewer = other !== undefined && isOlder(other, payer);
  const open = (customer: Customer) => {
    merge(isPayerNewer ? [customer, payer] : [payer, customer]);
    setOpen(true);
  };
  return (
    <>
      {other && (
        <Alert color="yellow" variant="light" title={t('duplicate')}>
          <Group justify="space-between" gap="sm">
            <Text size="sm" style={{ flex: '1 1 16rem' }}>
              <ScopedLink to={recordPath('customers', other.id)} underline="always" c="inherit">
                {other.attributes.name || other.attributes.email}
              </ScopedLink>{' '}
              {t(isPayerNewer ? 'duplicate_payer' : 'duplicate_newer')}
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => open(other)}>
              {t('merge_both')}
            </Button>
          </Group>
        </Alert>
      )}
      {merged && (
        <MergeDialog
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          customer={merged[0]}
          start={merged[1].id}
        />
      )}
    </>
  );
}

const isOlder = (one: Customer, other: Customer): boolean => createdAt(one) < createdAt(other);

const createdAt = ({ attributes }: Customer): number => Date.parse(attributes.created_at ?? '');

import { permissionSlug } from '@florin/contract/permissions.ts';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useCallback, useRef, useState } from 'react';
import { useRegistry } from '../../../api/registry.ts';
import { useCan } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import type { Selection } from '../../../parts/table/selection.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import classes from './bulk-bar.module.css';
import { RefundDialog } from './refund-dialog.tsx';
import { createRefundKeys } from './use-refunds.ts';

/** Maximum number of payments that are exported or refunded together. */
export const SELECTED_MAX = 100;

interface Props {
  readonly selection: Selection;
  /** Names the search and filters of the list that the payments are chosen from; empty without any. */
  readonly listed: string;
}

/** Actions on the chosen payments. Stands below the table, so that the first choice moves no row. */
export function BulkBar({ selection, listed }: Props) {
  const t = useTexts('payments');
  const refundDefinition = useRegistry().refund_demands;
  const mayRefund = useCan()(permissionSlug(refundDefinition, 'create'));
  const [isRefunding, refunding] = useDisclosure(false);
  const [isExporting, exporting] = useDisclosure(false);
  const [keyFor] = useState(createRefundKeys);
  const isSent = useRef(false);
  const noteSent = useCallback(() => {
    isSent.current = true;
  }, []);
  const closeRefund = () => {
    refunding.close();
    // The dialog names the chosen payments until it closes.
    if (isSent.current) selection.clear();
    isSent.current = false;
  };
  const ids = [...selection.ids];
  if (ids.length === 0 && !isRefunding) return null;
  return (
    <Group gap="xs" component="section" aria-label={t('bulk')} className={classes.bar ?? ''}>
      <Text size="sm" role="status">
        {t.count('bulk_selected', ids.length)}{' '}
        {ids.length === selection.max && t('bulk_max', { max: selection.max })}
      </Text>
      <Button size="xs" variant="default" onClick={exporting.open}>
        {t('bulk_export')}
      </Button>
      {mayRefund && (
        <Button size="xs" variant="outline" color="red" onClick={refunding.open}>
          {t('bulk_refund')}
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        {t('bulk_clear')}
      </Button>
      <ExportDialog
        title={t.count('bulk_export_title', ids.length)}
        parameters={{ 'filter[id]': ids.join(',') }}
        isOpen={isExporting}
        onClose={exporting.close}
      />
      <RefundDialog
        ids={ids}
        listed={listed}
        keyFor={keyFor}
        isOpen={isRefunding}
        onClose={closeRefund}
        onSent={noteSent}
      />
    </Group>
  );
}

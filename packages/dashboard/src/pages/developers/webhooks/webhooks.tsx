import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { CreateDialog } from '../../../parts/form/create-dialog.tsx';
import { LinkButton, useGo } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { listPath, recordPath } from '../../../parts/page/record-path.ts';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';

const FIELDS = ['url', 'description', 'events', 'ordering', 'concurrency_limit'];

export function Webhooks() {
  const t = useTexts('developers');
  const can = useCan();
  const go = useGo();
  const [isOpen, setOpen] = useState(false);
  const button = can('developer.webhook_subscriptions.create') && (
    <Button onClick={() => setOpen(true)}>{t('webhook_new')}</Button>
  );
  return (
    <>
      <PageTitle
        title={t('webhooks')}
        actions={
          <>
            <LinkButton to={listPath('webhook_deliveries')} variant="default">
              {t('deliveries')}
            </LinkButton>
            {button}
          </>
        }
      />
      <Text c="dimmed" size="sm" mb="md">
        {t('webhooks_hint')}
      </Text>
      <ResourceTable
        type="webhook_subscriptions"
        label={t('webhooks')}
        empty={
          <EmptyState title={t('webhooks_none')} hint={t('webhooks_none_hint')} action={button} />
        }
      />
      <CreateDialog
        type="webhook_subscriptions"
        title={t('webhook_new')}
        only={FIELDS}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onDone={({ id }) => go(recordPath('webhook_subscriptions', id))}
      />
    </>
  );
}

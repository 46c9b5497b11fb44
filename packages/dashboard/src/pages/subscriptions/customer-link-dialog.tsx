import { Button, Group, Stack, Text } from '@mantine/core';
import { useAction } from '../../api/queries.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../parts/form/dialog-frame.tsx';
import { Copyable } from '../../parts/value/copyable.tsx';

interface Props {
  readonly subscription: RecordOf<'payment_subscriptions'>;
  readonly onClose: () => void;
}

/** Creates the URL of the customer page. The URL is shown only once. */
export function CustomerLinkDialog({ subscription, onClose }: Props) {
  const t = useTexts('subscriptions');
  const common = useTexts('common');
  const createLink = useAction('payment_subscriptions', subscription.id, 'customer_link');
  const url = createLink.data?.meta?.customer_url;
  return (
    <DialogFrame isOpen onClose={onClose} title={t('do_customer_link')}>
      <Stack>
        <Text size="sm" role="status">
          {t(url ? 'customer_link_made' : 'effect_customer_link')}
        </Text>
        {createLink.error && <ProblemAlert error={createLink.error} />}
        {url ? <Copyable value={String(url)} what={t('customer_link')} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common(url ? 'close' : 'cancel')}
          </Button>
          {!url && (
            <Button loading={createLink.isPending} onClick={() => createLink.mutate({})}>
              {t('customer_link_make')}
            </Button>
          )}
        </Group>
      </Stack>
    </DialogFrame>
  );
}

import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useAction, useUpdate } from '../../api/queries.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { Instant } from '../../parts/value/instant.tsx';

interface Props {
  readonly subscription: RecordOf<'payment_subscriptions'>;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

/** Cancels a subscription now or at the end of the paid period. */
export function CancelDialog({ subscription, etag, onClose }: Props) {
  const t = useTexts('subscriptions');
  const notify = useNotify();
  const { next_billing_at, status } = subscription.attributes;
  const mayWait = status === 'active' && next_billing_at !== null;
  const [when, setWhen] = useState<'now' | 'period_end'>(mayWait ? 'period_end' : 'now');
  const cancel = useAction('payment_subscriptions', subscription.id, 'cancel');
  const update = useUpdate('payment_subscriptions', subscription.id, etag);
  const write = when === 'now' ? cancel : update;
  const draft = when === 'now' ? {} : { attributes: { canceled_at_period_end: true } };
  const onSuccess = () => {
    notify(t('done', { action: t('do_cancel') }));
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t('do_cancel')}
      text={t(when === 'now' ? 'effect_cancel_now' : 'effect_cancel_period_end')}
      confirmText={t('do_cancel')}
      danger
      isPending={write.isPending}
      error={write.error}
      onConfirm={() => write.mutate(draft, { onSuccess })}
    >
      {mayWait && (
        <Radio.Group
          label={t('cancel_when')}
          value={when}
          onChange={(value) => setWhen(value === 'now' ? 'now' : 'period_end')}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="period_end"
              label={
                <>
                  {t('cancel_period_end')} (<Instant at={next_billing_at} />)
                </>
              }
            />
            <Radio value="now" label={t('cancel_now')} />
          </Stack>
        </Radio.Group>
      )}
    </ConfirmDialog>
  );
}

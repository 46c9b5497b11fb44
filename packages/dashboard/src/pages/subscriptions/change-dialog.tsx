import { Modal } from '@mantine/core';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ChangeForm } from './change-form.tsx';

interface Props {
  readonly subscription: RecordOf<'payment_subscriptions'>;
  readonly onClose: () => void;
}

/** Another amount, period or card, with what that costs before it is done. */
export function ChangeDialog({ subscription, onClose }: Props) {
  const t = useTexts('subscriptions');
  const common = useTexts('common');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('do_change')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <ChangeForm subscription={subscription} onClose={onClose} />
    </Modal>
  );
}

import { useAction, useUpdate } from '../../api/queries.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { useAmountText } from '../../parts/value/money.tsx';

type SimpleAction = 'confirm' | 'retry' | 'pause' | 'resume' | 'keep' | 'revoke_customer_links';

interface Props {
  readonly name: SimpleAction;
  readonly subscription: RecordOf<'payment_subscriptions'>;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

/** Explains an action's effect and asks for confirmation. */
export function SimpleDialog({ name, subscription, etag, onClose }: Props) {
  const t = useTexts('subscriptions');
  const notify = useNotify();
  const amountText = useAmountText();
  const { amount_cents, amount_currency } = subscription.attributes;
  const action = name === 'retry' ? 'confirm' : name;
  const act = useAction('payment_subscriptions', subscription.id, action);
  const update = useUpdate('payment_subscriptions', subscription.id, etag);
  const write = name === 'keep' ? update : act;
  const draft = name === 'keep' ? { attributes: { canceled_at_period_end: false } } : {};
  const onSuccess = () => {
    notify(t('done', { action: t(`do_${name}`) }));
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t(`do_${name}`)}
      text={t(`effect_${name}`, { amount: amountText(amount_cents, amount_currency) })}
      confirmText={t(`do_${name}`)}
      isPending={write.isPending}
      error={write.error}
      onConfirm={() => write.mutate(draft, { onSuccess })}
    />
  );
}

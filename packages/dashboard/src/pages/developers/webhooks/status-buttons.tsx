import { type ReactNode, useState } from 'react';
import { useUpdate } from '../../../api/queries.ts';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ActionButton } from '../../../parts/form/action-button.tsx';
import { ConfirmDialog } from '../../../parts/form/confirm-dialog.tsx';

const CHANGES = {
  paused: ['webhook_pause', 'webhook_pause_hint'],
  active: ['webhook_resume', 'webhook_resume_hint'],
  archived: ['webhook_archive', 'webhook_archive_hint'],
} as const;
type Target = keyof typeof CHANGES;

interface Props {
  readonly record: RecordOf<'webhook_subscriptions'>;
  /** Buttons between the reversible changes and the final one. */
  readonly children?: ReactNode;
}

/** Pauses, resumes or archives a subscription. */
export function StatusButtons({ record, children }: Props) {
  const t = useTexts('developers');
  const can = useCan();
  const [target, setTarget] = useState<Target>();
  const { status } = record.attributes;
  if (!can('developer.webhook_subscriptions.update') || status === 'archived') return children;
  const other: Target = status === 'paused' ? 'active' : 'paused';
  return (
    <>
      <ActionButton onClick={() => setTarget(other)}>{t(CHANGES[other][0])}</ActionButton>
      {children}
      <ActionButton isDestructive onClick={() => setTarget('archived')}>
        {t('webhook_archive')}
      </ActionButton>
      {target && <ChangeStatus record={record} to={target} onClose={() => setTarget(undefined)} />}
    </>
  );
}

interface ChangeProps extends Pick<Props, 'record'> {
  readonly to: Target;
  readonly onClose: () => void;
}

function ChangeStatus({ record, to, onClose }: ChangeProps) {
  const t = useTexts('developers');
  const notify = useNotify();
  const update = useUpdate('webhook_subscriptions', record.id);
  const [label, hint] = CHANGES[to];
  const onSuccess = () => {
    notify(t('webhook_changed'));
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t(label)}
      text={t(hint)}
      confirmText={t(label)}
      danger={to === 'archived'}
      isPending={update.isPending}
      error={update.error}
      onConfirm={() => update.mutate({ attributes: { status: to } }, { onSuccess })}
    />
  );
}

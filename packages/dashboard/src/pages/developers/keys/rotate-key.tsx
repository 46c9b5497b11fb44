import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../../api/queries.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ConfirmDialog } from '../../../parts/form/confirm-dialog.tsx';
import type { CreatedKey } from './key-shown.tsx';

const OVERLAPS = [
  ['0', 'overlap_none'],
  ['3600', 'overlap_hour'],
  ['86400', 'overlap_day'],
  ['604800', 'overlap_week'],
] as const;
const DEFAULT_OVERLAP = '86400';

interface Props {
  readonly record: RecordOf<'merchant_tokens'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (createdKey: CreatedKey) => void;
}

/** Creates a copy of the key. The old key expires after an overlap. */
export function RotateKey({ record, isOpen, onClose, onCreated }: Props) {
  const t = useTexts('developers');
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP);
  const rotate = useAction('merchant_tokens', record.id, 'rotate');
  const confirm = () =>
    rotate.mutate(
      { attributes: { overlap_seconds: Number(overlap) } },
      {
        onSuccess: ({ attributes: { token, name, context } }) => {
          onCreated({ token: token ?? '', name, isPublishable: context === 'browser' });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('key_rotate')}
      text={t('key_rotate_hint')}
      confirmText={t('key_rotate')}
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={confirm}
    >
      <NativeSelect
        label={t('key_overlap')}
        value={overlap}
        onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
        data={OVERLAPS.map(([value, text]) => ({ value, label: t(text) }))}
      />
    </ConfirmDialog>
  );
}

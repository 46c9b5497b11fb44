import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../../api/queries.ts';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ActionButton } from '../../../parts/form/action-button.tsx';
import { ConfirmDialog } from '../../../parts/form/confirm-dialog.tsx';
import { EditDialog } from '../../../parts/form/edit-dialog.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { RecordPage } from '../../../parts/record/record-page.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { ExpiryBadge, isExpired } from './expiry-badge.tsx';
import { type CreatedKey, KeyShown } from './key-shown.tsx';
import { usePublishableKey } from './publishable-key.ts';
import { RotateKey } from './rotate-key.tsx';

type Dialog = 'edit' | 'rotate' | 'revoke' | undefined;

/** A key: its permissions, last use and expiry. */
export function Key() {
  const t = useTexts('developers');
  const can = useCan();
  const [dialog, setDialog] = useState<Dialog>();
  const [createdKey, setCreated] = useState<CreatedKey>();
  const [, storePublishable] = usePublishableKey();
  const close = () => setDialog(undefined);
  const onCreated = (key: CreatedKey) => {
    setCreated(key);
    if (key.isPublishable) storePublishable(key.token);
  };
  return (
    <RecordPage type="merchant_tokens" title={t('key')}>
      {(fetchedKey, reload) => {
        const { record } = fetchedKey;
        const mayChange = can('user.merchant_tokens.update') && !hasEnded(record);
        return (
          <>
            <PageTitle
              title={record.attributes.name}
              aside={hasEnded(record) && <ExpiryBadge {...record.attributes} />}
              actions={mayChange && <KeyButtons open={setDialog} />}
            />
            {createdKey && <KeyShown made={createdKey} />}
            <Stack gap="lg">
              <RecordView record={record} without={hiddenOf(record)} />
            </Stack>
            <EditDialog
              type="merchant_tokens"
              fetched={fetchedKey}
              reload={reload}
              only={record.attributes.context === 'browser' ? ['name', 'origins'] : ['name']}
              isOpen={dialog === 'edit'}
              onClose={close}
            />
            <RotateKey
              record={record}
              isOpen={dialog === 'rotate'}
              onClose={close}
              onCreated={onCreated}
            />
            <RevokeKey record={record} isOpen={dialog === 'revoke'} onClose={close} />
          </>
        );
      }}
    </RecordPage>
  );
}

/** A revoked key ends at the revocation, so its expiry would only repeat that time. */
const hiddenOf = ({ attributes: { revoked_at } }: RecordOf<'merchant_tokens'>): string[] =>
  revoked_at === null ? ['token'] : ['token', 'expiry'];

const hasEnded = ({ attributes: { expiry, revoked_at } }: RecordOf<'merchant_tokens'>): boolean =>
  revoked_at !== null || isExpired(expiry);

function KeyButtons({ open }: { readonly open: (dialog: Dialog) => void }) {
  const t = useTexts('developers');
  const records = useTexts('records');
  return (
    <>
      <ActionButton onClick={() => open('edit')}>{records('edit')}</ActionButton>
      <ActionButton onClick={() => open('rotate')}>{t('key_rotate')}</ActionButton>
      <ActionButton isDestructive onClick={() => open('revoke')}>
        {t('key_revoke')}
      </ActionButton>
    </>
  );
}

interface RevokeProps {
  readonly record: RecordOf<'merchant_tokens'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function RevokeKey({ record, isOpen, onClose }: RevokeProps) {
  const t = useTexts('developers');
  const notify = useNotify();
  const revoke = useAction('merchant_tokens', record.id, 'revoke');
  const onSuccess = () => {
    notify(t('key_revoked'));
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('key_revoke')}
      text={t('key_revoke_hint', { name: record.attributes.name })}
      confirmText={t('key_revoke')}
      danger
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({}, { onSuccess })}
    />
  );
}

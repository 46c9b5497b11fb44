import { List, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import type { MemberView } from './members.ts';
import { type KeySettlement, type MemberKey, useMemberKeys } from './use-member-keys.ts';
import { useMembershipWrite } from './use-team.ts';

interface Props {
  readonly member: MemberView;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Removes a member, after a choice about the member's API keys, or withdraws an invitation. */
export function RemoveDialog({ member: { id, email, accepted }, isOpen, onClose }: Props) {
  const t = useTexts('team');
  const notify = useNotify();
  const keys = useMemberKeys(id, isOpen && accepted);
  const [settlement, setSettlement] = useState<KeySettlement>('revoke');
  const onDone = () => {
    onClose();
    notify(t('removed', { email }));
  };
  const remove = useMembershipWrite({ method: 'PATCH', path: `/${id}/remove`, id, onDone });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={accepted ? t('remove_of', { email }) : t('withdraw_of', { email })}
      text={accepted ? t('remove_text') : t('withdraw_text')}
      confirmText={accepted ? t('remove') : t('withdraw')}
      danger
      isPending={remove.isPending || keys === undefined}
      error={remove.error}
      onConfirm={() => remove.mutate(keys?.length ? { keys: settlement } : {})}
    >
      {keys !== undefined && keys.length > 0 && (
        <KeysOfMember keys={keys} value={settlement} onChange={setSettlement} />
      )}
    </ConfirmDialog>
  );
}

interface KeysProps {
  readonly keys: readonly MemberKey[];
  readonly value: KeySettlement;
  readonly onChange: (value: KeySettlement) => void;
}

/** Working keys of the member, and the choice between their revocation and hand-over. */
function KeysOfMember({ keys, value, onChange }: KeysProps) {
  const t = useTexts('team');
  const common = useTexts('common');
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('keys_of_member', { count: keys.length })}
      </Text>
      <List size="sm">
        {keys.map(({ id, name, mode }) => (
          <List.Item key={id}>
            {name} · {common(`mode_${mode}`)}
          </List.Item>
        ))}
      </List>
      <Radio.Group
        label={t('keys_choice')}
        value={value}
        onChange={(chosen) => onChange(chosen as KeySettlement)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="revoke" label={t('keys_revoke')} description={t('keys_revoke_hint')} />
          <Radio
            value="hand_over"
            label={t('keys_hand_over')}
            description={t('keys_hand_over_hint')}
          />
        </Stack>
      </Radio.Group>
    </Stack>
  );
}

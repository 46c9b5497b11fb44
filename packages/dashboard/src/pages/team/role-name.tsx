import { roleOf } from '@florin/contract/roles.ts';
import { Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import type { MemberView } from './members.ts';

/** Name of a member's role, or the number of permissions of a custom role. */
export function RoleName({ member }: { readonly member: MemberView }) {
  const t = useTexts('team');
  if (member.opener) return <Text size="sm">{t('role_opener')}</Text>;
  const role = roleOf(member.slugs);
  return (
    <Text size="sm">{role ? t(`role_${role}`) : t.count('role_of_own', member.slugs.length)}</Text>
  );
}

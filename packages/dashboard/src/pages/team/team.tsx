import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { MailNotice } from '../sign-in/mail-notice.tsx';
import { ChangeMemberDialog } from './change-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberActions } from './member-actions.tsx';
import type { MemberView } from './members.ts';
import { RoleName } from './role-name.tsx';
import { useMembers } from './use-team.ts';

/** Members of the merchant and their permissions. */
export function Team() {
  const t = useTexts('team');
  const can = useCan();
  const [isInviting, setInviting] = useState(false);
  const { data, error, isPending, refetch } = useMembers();
  return (
    <>
      <PageTitle
        title={t('title')}
        actions={
          can('user.memberships.create') && (
            <Button onClick={() => setInviting(true)}>{t('invite')}</Button>
          )
        }
      />
      <MailNotice />
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data?.length === 0 && <EmptyState title={t('nobody')} hint={t('nobody_hint')} />}
      {data && data.length > 0 && <MemberTable members={data} />}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </>
  );
}

function MemberTable({ members }: { readonly members: readonly MemberView[] }) {
  const t = useTexts('team');
  const [changing, setChanging] = useState<MemberView>();
  return (
    <>
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing="sm" aria-label={t('title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('person')}</Table.Th>
              <Table.Th scope="col">{t('role')}</Table.Th>
              <Table.Th scope="col">{t('state')}</Table.Th>
              <Table.Th scope="col">{t('actions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map((member) => (
              <MemberRow key={member.id} member={member} onChange={() => setChanging(member)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <ChangeMemberDialog member={changing} onClose={() => setChanging(undefined)} />
    </>
  );
}

interface RowProps {
  readonly member: MemberView;
  readonly onChange: () => void;
}

function MemberRow({ member, onChange }: RowProps) {
  const t = useTexts('team');
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0}>
          <Text size="sm">{member.name ?? member.email}</Text>
          {member.name && (
            <Text size="xs" c="dimmed">
              {member.email}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td>
        <RoleName member={member} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{member.accepted ? t('accepted') : t('invited')}</Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          <MemberActions member={member} onChange={onChange} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

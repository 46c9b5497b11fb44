import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';
import { useDashboard } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { Section } from '../../parts/record/section.tsx';

interface Invitation {
  readonly id: string;
  readonly merchant_id: string;
  readonly business_name: string | null;
}

/** Invitations to businesses. Renders nothing if there are none. */
export function Invitations() {
  const t = useTexts('account');
  const { data } = useDashboard<{ data: readonly Invitation[] }>('invitations');
  if (!data || data.data.length === 0) return null;
  return (
    <Section title={t('invitations')}>
      <Stack>
        {data.data.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
    </Section>
  );
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const t = useTexts('account');
  const accept = useAccept(invitation);
  const business = invitation.business_name ?? invitation.merchant_id;
  return (
    <>
      {accept.error && <ProblemAlert error={accept.error} />}
      <Group justify="space-between">
        <Text>{t('invited', { business })}</Text>
        <Button loading={accept.isPending} onClick={() => accept.mutate()}>
          {t('accept')}
        </Button>
      </Group>
    </>
  );
}

/** Notifies before the list is read again, because the accepted invitation then disappears from the list. */
function useAccept({ id, merchant_id, business_name }: Invitation) {
  const t = useTexts('account');
  const notify = useNotify();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callDashboard(`invitations/${merchant_id}/${id}/accept`, { method: 'POST' }),
    onSuccess: async () => {
      notify(t('joined', { business: business_name ?? merchant_id }));
      await queries.invalidateQueries({ queryKey: ['dashboard'] });
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
}

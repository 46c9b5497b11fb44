import { Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { callDashboard } from '../api/client.ts';
import { type Me, meQuery, useMe } from '../api/session.ts';
import { useTexts } from '../i18n/use-texts.ts';
import { SignInSteps } from '../pages/sign-in/sign-in-steps.tsx';

interface Props {
  readonly isOpen: boolean;
  /** Called with whether the person signed in again. */
  readonly end: (isSignedIn: boolean) => void;
}

/** Layer above other dialogs, one of which may have sent the request. */
const LAYER = 400;
/** Hides the page from others while the person is away. */
const HIDING = { backgroundOpacity: 0.95, blur: 8 } as const;

/** Signs in again in a dialog over the page: typed text stays, and waiting requests continue. */
export function SessionDialog({ isOpen, end }: Props) {
  const t = useTexts('common');
  return (
    <Modal
      opened={isOpen}
      onClose={() => end(false)}
      title={t('session_ended')}
      closeOnClickOutside={false}
      zIndex={LAYER}
      overlayProps={HIDING}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {isOpen && <Steps end={end} />}
    </Modal>
  );
}

function Steps({ end }: Pick<Props, 'end'>) {
  const t = useTexts('common');
  const { account } = useMe();
  const queries = useQueryClient();
  // Another person gets a full reload, because the page belongs to the previous person.
  const enter = async () => {
    const me = await callDashboard<Me>('me');
    if (me.account.id !== account.id) return location.assign('/dashboard/');
    queries.setQueryData(meQuery.queryKey, me);
    end(true);
  };
  return (
    <Stack>
      <Text size="sm">{t('session_ended_text')}</Text>
      <SignInSteps email={account.email} onEntered={enter} />
    </Stack>
  );
}

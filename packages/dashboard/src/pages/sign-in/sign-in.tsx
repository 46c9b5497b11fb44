import { Alert } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { Outside } from './outside.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { useEnter } from './use-enter.ts';

export function SignIn() {
  const t = useTexts('sign-in');
  const enter = useEnter();
  const { ended } = useSearch({ strict: false }) as { ended?: string };
  const [isSecond, setSecond] = useState(false);
  return (
    <Outside title={t(isSecond ? 'second_title' : 'title')}>
      {ended && !isSecond && (
        <Alert color="blue" role="status">
          {t('session_ended')}
        </Alert>
      )}
      <SignInSteps onEntered={enter} onSecond={setSecond} />
    </Outside>
  );
}

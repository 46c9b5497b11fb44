import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { Outside } from './outside.tsx';
import { PasswordStep } from './password-step.tsx';
import { SecondStep } from './second-step.tsx';

/** What a password alone does not open. */
export type Factor = 'totp' | 'passkey' | 'recovery_code';

/** Signs in, in one step or two. */
export function SignIn() {
  const t = useTexts('sign-in');
  const [awaits, setAwaits] = useState<readonly Factor[]>([]);
  return awaits.length === 0 ? (
    <Outside title={t('title')}>
      <PasswordStep onAwait={setAwaits} />
    </Outside>
  ) : (
    <Outside title={t('second_title')}>
      <SecondStep factors={awaits} onBack={() => setAwaits([])} />
    </Outside>
  );
}

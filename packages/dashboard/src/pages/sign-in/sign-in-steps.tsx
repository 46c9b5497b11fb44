import { useState } from 'react';
import { PasswordStep } from './password-step.tsx';
import { SecondStep } from './second-step.tsx';
import type { Factor } from './types.ts';

interface Props {
  /** Email address, if a person signs in again. */
  readonly email?: string;
  readonly onEntered: () => Promise<void>;
  /** Called when the second step begins or ends. */
  readonly onSecond?: (isSecond: boolean) => void;
}

/** Sign-in in one or two steps. */
export function SignInSteps({ email, onEntered, onSecond }: Props) {
  const [awaits, setAwaits] = useState<readonly Factor[]>([]);
  const goToStep = (factors: readonly Factor[]) => {
    setAwaits(factors);
    onSecond?.(factors.length > 0);
  };
  return awaits.length === 0 ? (
    <PasswordStep email={email} onAwait={goToStep} onEntered={onEntered} />
  ) : (
    <SecondStep factors={awaits} onBack={() => goToStep([])} onEntered={onEntered} />
  );
}

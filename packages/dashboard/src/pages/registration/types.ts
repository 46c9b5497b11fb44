import type { RefObject } from 'react';
import type { FormHandle } from '../../parts/form/record-form.tsx';
import type { Application } from './application.ts';

export interface StepProps {
  readonly application: Application;
  /** Called when the step is saved; opens the next one. */
  readonly onDone: () => void;
  /** Empty for steps without a form. */
  readonly form: RefObject<FormHandle | null>;
}

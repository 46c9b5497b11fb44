import type { RefObject } from 'react';
import type { FormHandle } from '../../parts/form/record-form.tsx';
import type { Application } from './application.ts';

export interface StepProps {
  readonly application: Application;
  /** Called when the step is saved. Opens the next step. */
  readonly onDone: () => void;
  /** Handle of the step's form; its `current` is null for steps without a form. */
  readonly form: RefObject<FormHandle | null>;
}

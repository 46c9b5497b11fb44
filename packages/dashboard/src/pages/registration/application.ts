import { useDashboard } from '../../api/queries.ts';

/** Application of a business: its data, and the missing fields. */
export interface Application {
  readonly category_code: string | null;
  readonly entity_type: string | null;
  readonly prior_bankruptcies: boolean | null;
  readonly tax_id_type: string | null;
  readonly officials: number;
  readonly owners: number;
  readonly addresses: number;
  readonly banks: number;
  readonly missing: readonly string[];
  readonly submitted: boolean;
  readonly approved: boolean;
}

export const useApplication = () => useDashboard<Application>('application');

export const steps = ['business', 'legal', 'people', 'bank', 'submit'] as const;
export type Step = (typeof steps)[number];

const inStep: Readonly<Record<Exclude<Step, 'submit'>, readonly string[]>> = {
  business: [
    'business_name',
    'business_description',
    'business_email',
    'business_website',
    'phone_number',
    'business_zip_code',
  ],
  legal: ['entity_type', 'category_code', 'tax_id_type', 'prior_bankruptcies'],
  people: ['officials', 'owners', 'addresses'],
  bank: ['banks'],
};

/** Returns the fields that a step still lacks. */
export const lackingIn = (step: Step, { missing }: Pick<Application, 'missing'>) =>
  step === 'submit' ? missing : missing.filter((name) => inStep[step].includes(name));

/** The first incomplete step. */
export const nextStep = (application: Pick<Application, 'missing'>): Step =>
  steps.find((step) => step !== 'submit' && lackingIn(step, application).length > 0) ?? 'submit';

import { Alert, Box, Button, Stepper } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { LeaveGuard, useLeaveGuard } from '../../parts/form/leave-guard.tsx';
import type { FormHandle } from '../../parts/form/record-form.tsx';
import { LinkButton } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import {
  type Application,
  lackingIn,
  nextStep,
  type Step,
  steps,
  useApplication,
} from './application.ts';
import { BankStep } from './bank-step.tsx';
import { BusinessStep } from './business-step.tsx';
import { LegalStep } from './legal-step.tsx';
import { PeopleStep } from './people-step.tsx';
import { SubmitStep } from './submit-step.tsx';
import type { StepProps } from './types.ts';

/** Application of a business for live mode. Each step is saved separately. */
export function Setup() {
  const t = useTexts('registration');
  const { data, error, refetch } = useApplication();
  return (
    <>
      <PageTitle
        title={t('title')}
        actions={
          <LinkButton to="" variant="default">
            {t('later')}
          </LinkButton>
        }
      />
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && !data.approved && <LiveClosed />}
      {data && (data.submitted ? <Submitted application={data} /> : <Steps application={data} />)}
    </>
  );
}

/** Explains that live mode needs more than the application. */
function LiveClosed() {
  const t = useTexts('registration');
  return useScope().live_takes_payments ? null : (
    <Alert color="orange" mb="md" role="note">
      {t('live_closed')}
    </Alert>
  );
}

function Submitted({ application }: { readonly application: Application }) {
  const t = useTexts('registration');
  const takesLive = useScope().live_takes_payments;
  return (
    <Alert color={application.approved && takesLive ? 'teal' : 'blue'} role="status">
      {application.approved ? t(takesLive ? 'approved' : 'approved_closed') : t('submitted')}
    </Alert>
  );
}

const views: Readonly<Record<Step, (props: StepProps) => ReactNode>> = {
  business: BusinessStep,
  legal: LegalStep,
  people: PeopleStep,
  bank: BankStep,
  submit: SubmitStep,
};

function Steps({ application }: { readonly application: Application }) {
  const t = useTexts('registration');
  const [step, setStep] = useState<Step>(() => nextStep(application));
  const at = steps.indexOf(step);
  const View = views[step];
  const goToStep = (index: number) => setStep(steps[index] ?? 'submit');
  const form = useRef<FormHandle>(null);
  const { ask, dialog } = useLeaveGuard(form);
  return (
    <>
      <LeaveGuard form={form} />
      {dialog}
      <Stepper
        active={at}
        onStepClick={(index) => ask(() => goToStep(index))}
        size="sm"
        mb="lg"
        wrap
      >
        {steps.map((name) => (
          <Stepper.Step
            key={name}
            label={t(`step_${name}`)}
            description={
              name === 'submit' || lackingIn(name, application).length > 0 ? '' : t('complete')
            }
          />
        ))}
      </Stepper>
      <Box maw={640} component="section" aria-label={t(`step_${step}`)}>
        <View application={application} form={form} onDone={() => goToStep(at + 1)} />
      </Box>
      {at > 0 && (
        <Button variant="subtle" mt="md" onClick={() => ask(() => goToStep(at - 1))}>
          {t('back')}
        </Button>
      )}
    </>
  );
}

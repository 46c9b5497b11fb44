import type { StartStep, StartStepState } from '@florin/contract/getting-started.ts';
import { Button, Group, List, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { firstStepsQuery, ownerOf } from './first-steps.ts';
import { hide, isHidden } from './hidden-start.ts';

/** Path of the page of each step; none where the merchant cannot take it. */
const paths: Readonly<Record<StartStep, string | undefined>> = {
  payment: 'payments/new',
  key: 'developers/keys',
  webhook: 'developers/webhooks',
  brand: 'business',
  team: 'team',
  application: 'setup',
  processor: undefined,
};

/** Part of the page that the step is about. */
const searches: Partial<Record<StartStep, Parameters>> = { brand: { part: 'brand' } };

/** Steps of a new merchant, until all are done or the member hides them. */
export function GettingStarted() {
  const t = useTexts('home');
  const { merchant } = useScope();
  const { account } = useMe();
  const owner = ownerOf(account.id, merchant);
  const [wasHidden, setHidden] = useState(() => isHidden(owner));
  const steps = useOpenSteps(!wasHidden);
  const done = steps.filter((step) => step.done).length;
  if (wasHidden || done === steps.length) return null;
  const hideSteps = () => {
    hide(owner);
    setHidden(true);
  };
  return (
    <Section
      title={t('start')}
      actions={
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {t('start_done', { done, all: steps.length })}
          </Text>
          <Button size="xs" variant="default" onClick={hideSteps}>
            {t('start_hide')}
          </Button>
        </Group>
      }
    >
      <List listStyleType="none" spacing="xs" center>
        {steps.map((state) => (
          <List.Item key={state.step} icon={<Mark isDone={state.done} />}>
            <StepText state={state} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

/** Steps that the member may take. Members of the sandbox alone cannot prepare live mode. */
function useOpenSteps(enabled: boolean): readonly StartStepState[] {
  const scope = useScope();
  const membership = useMe().merchants.find(({ id }) => id === scope.merchant);
  const steps = useQuery({ ...firstStepsQuery(scope), enabled }).data?.steps ?? [];
  return membership?.modes.includes('live')
    ? steps
    : steps.filter(({ step }) => step !== 'application' && step !== 'processor');
}

function Mark({ isDone }: { readonly isDone: boolean }) {
  const t = useTexts('home');
  return (
    <ThemeIcon
      size={22}
      radius="xl"
      variant={isDone ? 'filled' : 'default'}
      color="teal.9"
      role="img"
      aria-label={t(isDone ? 'start_step_done' : 'start_step_open')}
    >
      {isDone && <Icon name="check" size={14} />}
    </ThemeIcon>
  );
}

function StepText({ state: { step, done } }: { readonly state: StartStepState }) {
  const t = useTexts('home');
  const { mode } = useScope();
  const text = step === 'payment' ? t(`start_payment_${mode}`) : t(`start_${step}`);
  if (done) return <Text c="dimmed">{text}</Text>;
  const path = paths[step];
  return path === undefined ? (
    <ProcessorStep />
  ) : (
    <ScopedLink to={path} search={searches[step] ?? {}}>
      {text}
    </ScopedLink>
  );
}

/** Only operators connect processor accounts. */
function ProcessorStep() {
  const t = useTexts('home');
  const { operator } = useMe().account;
  return (
    <>
      <Text>{t('start_processor')}</Text>
      <Text size="sm" c="dimmed">
        {t(operator ? 'start_processor_operator' : 'start_processor_hint')}{' '}
        {operator && (
          <ScopedLink to="/operator/processors" underline="always">
            {t('start_processor_connect')}
          </ScopedLink>
        )}
      </Text>
    </>
  );
}

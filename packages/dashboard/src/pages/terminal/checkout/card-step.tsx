import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useId } from 'react';
import { ApiError } from '../../../api/errors.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { TestCardsLink } from '../../../parts/feedback/test-card-hint.tsx';
import { StepTitle } from './step-title.tsx';
import { useCardForm } from './use-card-form.ts';
import type { Checkout } from './use-checkout.ts';
import type { CheckoutType } from './use-intent.ts';

interface Props {
  readonly checkout: Checkout;
  readonly type: CheckoutType;
  readonly id: string;
  /** Text of the button that charges the card. */
  readonly payText: string;
}

/** A new card in the frame of the card form. */
export function CardStep({ checkout, type, id, payText }: Props) {
  const t = useTexts('terminal');
  const container = useId();
  const { form, error, retry } = useCardForm(container, type, id);
  const { isPending, back, payInFrame } = checkout;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form) void payInFrame(() => form.verifyPaymentMethod());
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <StepTitle>{t('card_new')}</StepTitle>
      <Text size="sm" c="dimmed">
        {t('card_private')}
      </Text>
      <TestCardsLink />
      {error != null && <ProblemAlert error={error} onRetry={retry} />}
      <CardProblem error={checkout.error} />
      <div id={container} />
      <Group justify="flex-end">
        <Button variant="default" onClick={back} disabled={isPending}>
          {t('back')}
        </Button>
        <Button type="submit" disabled={!form} loading={isPending}>
          {payText}
        </Button>
      </Group>
    </Stack>
  );
}

/** A problem of the card in the form's words, or a refusal by the server. */
function CardProblem({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  if (error instanceof ApiError) return <ProblemAlert error={error} />;
  return (
    <Alert role="alert" color="red" variant="light">
      {error instanceof Error ? error.message : String(error)}
    </Alert>
  );
}

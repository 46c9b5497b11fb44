import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { PayerInputs } from '../payer/payer-inputs.tsx';
import { AmountInput } from './amount-input.tsx';
import type { CheckoutDetails } from './use-checkout-details.ts';

interface Props {
  readonly details: CheckoutDetails;
  readonly amountLabel: string;
  /** Text of the button that charges a saved card. */
  readonly payText: string;
  /** Says before the click what it does. */
  readonly effect: string;
  /** Further inputs. */
  readonly children: ReactNode;
}

/** First step: how much, who pays, and with which card. */
export function DetailsForm({ details, amountLabel, payText, effect, children }: Props) {
  const t = useTexts('terminal');
  const { form, payer, checkout, currency, currencies, cents, errors, others } = details;
  const isReady = payer.values.customer !== '' && !payer.isPending && cents !== undefined;
  return (
    <form onSubmit={details.submit} noValidate>
      <Stack>
        {checkout.error !== null && others.length > 0 && (
          <ProblemAlert error={checkout.error} problems={others} />
        )}
        <AmountInput
          label={amountLabel}
          amount={form.values.amount}
          currency={currency}
          currencies={currencies}
          onChange={form.set}
          error={errors.amount}
          takesFocus={checkout.isNext}
        />
        <PayerInputs payer={payer} set={form.setPayer} errors={errors} />
        {children}
        <Text size="sm" role="status">
          {isReady && effect}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" size="md" loading={checkout.isPending} disabled={details.isPending}>
            {details.isNewCard || cents === undefined ? t('to_card') : payText}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

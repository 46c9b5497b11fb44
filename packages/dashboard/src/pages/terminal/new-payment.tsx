import { Breadcrumbs } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { useAmountText } from '../../parts/value/money.tsx';
import { useCardText } from '../../parts/value/use-card-text.ts';
import { useCheckout } from './checkout/use-checkout.ts';
import { DetailsForm } from './details/details-form.tsx';
import { useCheckoutDetails } from './details/use-checkout-details.ts';
import { useValues } from './details/use-values.ts';
import { usePayer } from './payer/use-payer.ts';
import { newReference, noPayment, paymentDraft } from './payment-draft.ts';
import { PaymentInputs } from './payment-inputs.tsx';
import { Terminal, TerminalFrame } from './terminal.tsx';

/** Terminal for orders by telephone: details, card, outcome. */
export function NewPayment() {
  const t = useTexts('payments');
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to={listPath('payment_demands')}>{t('payments')}</ScopedLink>
      </Breadcrumbs>
      <PageTitle title={t('new_payment')} />
      <TerminalFrame>
        <PaymentTerminal />
      </TerminalFrame>
    </>
  );
}

function PaymentTerminal() {
  const t = useTexts('terminal');
  const amountText = useAmountText();
  const cardText = useCardText();
  const form = useValues(noPayment);
  const { isHeld } = form.values;
  const [reference, setReference] = useState(newReference);
  const payer = usePayer(form.values.payer);
  const checkout = useCheckout('payment_demands');
  const draftOf = (purchase: Parameters<typeof paymentDraft>[1]) =>
    paymentDraft(form.values, purchase, reference);
  const details = useCheckoutDetails({ form, payer, checkout, draftOf });
  const amount = amountText(details.amount.cents, details.amount.currency);
  const payText = t(isHeld ? 'hold_amount' : 'charge', { amount });
  const card = payer.cards.find(({ id }) => id === payer.values.card);
  const cardEffect = isHeld ? 'effect_hold' : 'effect_card';
  return (
    <Terminal
      type="payment_demands"
      details={details}
      payText={payText}
      onRestart={() => setReference(newReference())}
    >
      <DetailsForm
        details={details}
        amountLabel={t('amount')}
        payText={payText}
        effect={card ? t(cardEffect, { amount, card: cardText(card) }) : t('effect_new')}
      >
        <PaymentInputs form={form} reference={reference} />
      </DetailsForm>
    </Terminal>
  );
}

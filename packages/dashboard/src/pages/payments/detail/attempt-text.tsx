import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Money } from '../../../parts/value/money.tsx';
import type { Attempt } from './use-history.ts';

/** Message to the network and its response. */
export function AttemptText({ attempt }: { readonly attempt: Attempt }) {
  const t = useTexts('payments');
  const names = useNames();
  const { amount_cents, amount_currency, processor, decline_code, inquiries } = attempt;
  const { authorisation_code, network_transaction_id } = attempt;
  const asked = Number(inquiries);
  const told = [
    processor && names.value(processor),
    decline_code && names.value(decline_code),
    authorisation_code && t('authorisation_code', { code: authorisation_code }),
    network_transaction_id && t('network_id', { id: network_transaction_id }),
    asked > 0 && t.count('inquiries', asked),
  ];
  return (
    <>
      <Money cents={amount_cents} currency={amount_currency} />
      {told
        .filter(Boolean)
        .map((text) => ` · ${text}`)
        .join('')}
    </>
  );
}

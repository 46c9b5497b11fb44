import { Skeleton } from '@mantine/core';
import { AddressInput } from './address-input.tsx';
import { CardInput } from './card-input.tsx';
import { CustomerInput } from './customer-input.tsx';
import type { PayerInputProps } from './types.ts';
import type { Payer } from './use-payer.ts';

interface Props extends Omit<PayerInputProps, 'values'> {
  readonly payer: Payer;
}

/** Customer, card and billing address. Offers only what belongs to the customer. */
export function PayerInputs({ payer, set, errors }: Props) {
  const { values, cards, declined, addresses, isPending } = payer;
  return (
    <>
      <CustomerInput values={values} set={set} errors={errors} />
      {isPending && <Skeleton height={64} />}
      {values.customer !== '' && !isPending && (
        <>
          <CardInput
            cards={cards}
            declined={declined}
            value={values.card}
            onChange={(card) => set({ card })}
          />
          <AddressInput values={values} set={set} errors={errors} addresses={addresses} />
        </>
      )}
    </>
  );
}

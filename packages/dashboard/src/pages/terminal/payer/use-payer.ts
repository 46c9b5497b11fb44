import { useQuery } from '@tanstack/react-query';
import { pageQuery, useCreate } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { type DeclinedCards, declinedCards } from './declined-cards.ts';
import { addressDraft, customerDraft, NEW, type PayerValues } from './payer-values.ts';

/** Cards and addresses of a customer that a form offers. */
const OFFERED_MAX = '10';
/** Payments of a customer that show which cards were declined. */
const PAYMENTS_MAX = '25';

/** Cards and addresses that belong to the chosen customer, with the values that the form uses. */
export interface Payer {
  readonly cards: readonly RecordOf<'payment_methods'>[];
  readonly declined: DeclinedCards;
  readonly addresses: readonly RecordOf<'consumer_addresses'>[];
  /** The values, with the newest address and newest card that was not declined where the person has chosen none. */
  readonly values: PayerValues;
  readonly isPending: boolean;
}

/** Reads the cards and addresses of the chosen customer. A new customer has none. */
export function usePayer(values: PayerValues): Payer {
  const scope = useScope();
  const can = useCan();
  const { customer } = values;
  const isKnown = customer !== '' && customer !== NEW;
  const parameters = {
    'filter[customer]': customer,
    'filter[discarded_at]': 'null',
    'page[size]': OFFERED_MAX,
  };
  const cards = useQuery({
    ...pageQuery(scope, 'payment_methods', parameters),
    enabled: isKnown && can('consumer.payment_methods.read'),
  });
  const addresses = useQuery({
    ...pageQuery(scope, 'consumer_addresses', parameters),
    enabled: isKnown && can('consumer.consumer_addresses.read'),
  });
  const payments = useQuery({
    ...pageQuery(scope, 'payment_demands', {
      'filter[payer]': customer,
      'page[size]': PAYMENTS_MAX,
    }),
    enabled: isKnown && can('transaction.payment_demands.read'),
  });
  const declined = declinedCards(payments.data?.data ?? []);
  const isOffered = (card: RecordOf<'payment_methods'>) =>
    isCurrent(card) && !declined.has(card.id);
  const usableCards = isKnown ? (cards.data?.data ?? []).filter(isUsable) : [];
  const knownAddresses = isKnown ? (addresses.data?.data ?? []) : [];
  return {
    cards: usableCards,
    declined,
    addresses: knownAddresses,
    values: {
      ...values,
      card: values.card || (usableCards.find(isOffered)?.id ?? NEW),
      address: values.address || (knownAddresses[0]?.id ?? NEW),
    },
    isPending: cards.isLoading || addresses.isLoading || payments.isLoading,
  };
}

/** Whether a member can charge the card. A network token needs a new cryptogram of the payer for each payment. */
const isUsable = ({ attributes }: RecordOf<'payment_methods'>): boolean =>
  attributes.external_state === 'confirmed' && !attributes.network_token;

/** Whether the card has not expired: cards are valid until the end of their month. */
export function isCurrent({ attributes }: RecordOf<'payment_methods'>): boolean {
  const { expiry_year, expiry_month } = attributes;
  const now = new Date();
  const month = now.getFullYear() * MONTHS + now.getMonth() + 1;
  return (expiry_year ?? 0) * MONTHS + (expiry_month ?? 0) >= month;
}

const MONTHS = 12;

/**
 * Returns a function that creates a new customer and a new address. Puts their ids into the form, so that the next
 * submission does not create them again.
 */
export function useCreatePayer(set: (changes: Partial<PayerValues>) => void) {
  const customer = useCreate('customers');
  const address = useCreate('consumer_addresses');
  return async (values: PayerValues): Promise<{ payer: string; address: string }> => {
    const ids = { payer: values.customer, address: values.address };
    if (ids.payer === NEW) {
      ids.payer = (await customer.mutateAsync(customerDraft(values))).id;
      set({ customer: ids.payer, name: '', email: '' });
    }
    if (ids.address === NEW) {
      ids.address = (await address.mutateAsync(addressDraft(values, ids.payer))).id;
      set({ address: ids.address });
    }
    return ids;
  };
}

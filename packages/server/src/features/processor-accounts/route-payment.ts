import type { ProcessorAccount } from '../../processors/accounts.ts';
import type { Processor } from '../../processors/port/processor.ts';
import { NETWORK, type PaymentFacts, type Route, routeOf } from '../../processors/route.ts';
import type { Services } from '../../services.ts';

export type RoutingServices = Pick<Services, 'accounts' | 'processorOf'>;

/** Accounts for a payment, by the rules and accounts of its merchant and mode. */
export const routePayment = (
  { accounts, processorOf }: RoutingServices,
  facts: PaymentFacts,
): Route =>
  routeOf(facts, {
    accounts: accounts.enabledFor(facts),
    rules: accounts.rulesFor(facts),
    has_network: processorOf(facts.mode) !== undefined,
  });

/** A processor for a payment; without an account it is the simulated network. */
export interface Candidate {
  readonly processor: Processor;
  readonly account?: ProcessorAccount;
}

/** The candidate of an id in a route. Undefined if the account was removed meanwhile. */
export function candidateOf(
  { accounts, processorOf }: RoutingServices,
  { mode }: Pick<PaymentFacts, 'mode'>,
  id: string,
): Candidate | undefined {
  if (id === NETWORK) {
    const processor = processorOf(mode);
    return processor && { processor };
  }
  const account = accounts.find(id);
  return account && { processor: account.processor, account };
}

import type { Row } from '../../platform/database/row.ts';
import type { Route } from '../../processors/route.ts';
import type { Services } from '../../services.ts';
import { type Candidate, candidateOf, routePayment } from '../processor-accounts/route-payment.ts';
import { isProven } from './columns.ts';
import { nextCandidate, stepOf } from './fallback/fallback.ts';
import { factsOf } from './message.ts';

/** A payment with its card and route. */
export interface RoutedPayment {
  readonly demand: Row;
  readonly method: Row;
  readonly route: Route;
  /** The account to ask now; undefined if none takes the payment. */
  readonly candidate: Candidate | undefined;
}

/** Routes a payment by its card. Costs no query: accounts and rules are in memory. */
export function routeOne(services: Services, demand: Row, method: Row): RoutedPayment {
  const facts = factsOf(demand, method);
  const route = routePayment(services, facts);
  const step = stepOf(demand);
  const next = nextCandidate(step ? sendableRoute(services, { route, demand }) : route, step);
  const candidate = next === undefined ? undefined : candidateOf(services, facts, next);
  return { demand, method, route, candidate };
}

/** Leaves out accounts that would drop the payer's authentication from a second message. */
export function sendableRoute(
  { accounts }: Services,
  { route, demand }: Pick<RoutedPayment, 'route' | 'demand'>,
): Route {
  if (!isProven(demand)) return route;
  const carries = (id: string): boolean =>
    accounts.find(id)?.processor.metadata.capabilities.external_threeds !== false;
  return { ...route, candidates: route.candidates.filter(carries) };
}

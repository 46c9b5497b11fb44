import type { Row } from '../../platform/database/row.ts';
import type { Route } from '../../processors/route.ts';
import type { Services } from '../../services.ts';
import { type Candidate, candidateOf, routePayment } from '../processor-accounts/route-payment.ts';
import { factsOf } from './message.ts';

/** A payment with its card and route. */
export interface RoutedPayment {
  readonly demand: Row;
  readonly method: Row;
  readonly route: Route;
  /** The first candidate of the route; undefined if no account takes the payment. */
  readonly candidate: Candidate | undefined;
}

/** Routes a payment by its card. Costs no query: accounts and rules are in memory. */
export function routeOne(services: Services, demand: Row, method: Row): RoutedPayment {
  const facts = factsOf(demand, method);
  const route = routePayment(services, facts);
  const [first] = route.candidates;
  const candidate = first === undefined ? undefined : candidateOf(services, facts, first);
  return { demand, method, route, candidate };
}

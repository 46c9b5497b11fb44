import type { Services } from '../../services.ts';
import { createSettler, type Settler as SettlerOf } from '../attempts/settle.ts';
import { type AttemptResult, decideSettlement } from './settlement.ts';

export type PaymentSettler = SettlerOf<AttemptResult>;

/** Records outcomes of authorisations, with their payments. */
export const createPaymentSettler = (services: Services): PaymentSettler =>
  createSettler(services, {
    table: 'payment_demands',
    decide: decideSettlement,
  });

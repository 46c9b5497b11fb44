import type { StandInAnswer } from '../stand-in/answer.ts';
import type { AdyenServices } from './call.ts';

/** `POST /paymentMethods`: every account takes cards of the networks that the simulator knows. */
export const listPaymentMethods = (_: AdyenServices): StandInAnswer => ({
  status: 200,
  body: {
    paymentMethods: [
      {
        type: 'scheme',
        name: 'Cards',
        brands: ['visa', 'mc', 'amex', 'discover', 'diners', 'jcb', 'cup', 'maestro'],
      },
    ],
  },
});

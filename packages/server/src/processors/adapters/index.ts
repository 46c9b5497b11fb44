import type { ProcessorAdapter } from '../port/define-adapter.ts';
import { adyenAdapter } from './adyen/index.ts';
import { checkoutAdapter } from './checkout-com/index.ts';
import { cnpAdapter } from './worldpay-cnp/index.ts';

/** All adapters by name. A new adapter needs its own folder and one line here. */
export const adapters: Readonly<Record<string, ProcessorAdapter>> = {
  adyen: adyenAdapter,
  checkout_com: checkoutAdapter,
  worldpay_cnp: cnpAdapter,
};

import type { Integration } from './sql/integrations.ts';

export const wooCommerce: Integration = { name: 'WooCommerce', url: 'https://woocommerce.com' };

/** Third-party programs that use this interface; a merchant connects them with a key. */
export const integrations: readonly Integration[] = [
  wooCommerce,
  { name: 'Omnipay', url: 'https://omnipay.thephpleague.com' },
];

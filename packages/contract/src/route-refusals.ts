/** Why an account at a processor cannot take a payment. */
export const routeRefusals = [
  'not_enabled',
  'currency',
  'amount',
  'card_network',
  'wallet',
  'network_token',
  'merchant_initiated',
] as const;
export type RouteRefusal = (typeof routeRefusals)[number];

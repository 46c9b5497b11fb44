/** A customer of the demo shop, as attributes of its records. */
export interface Buyer {
  readonly customer: object;
  readonly address: object;
  readonly card: object;
}

/** Attributes of a test card. `card` is a test token without `pan_test_`. */
const cardOf = (card: string) => ({
  card_pan_token: `pan_test_${card}`,
  card_cvv_token: 'cvv_test',
  expiry_month: 11,
  expiry_year: 2031,
  nickname: 'Everyday card',
});

export const buyers: readonly Buyer[] = [
  {
    customer: {
      email: 'nora@example.com',
      name: 'Nora Lindqvist',
      phone_number: '+12125550119',
      description: 'Buys on subscription',
    },
    address: {
      line_1: '48 Wooster Street',
      line_2: 'Apt 3',
      city: 'New York',
      state: 'NY',
      zip: '10013',
      country: 'USA',
    },
    card: cardOf('visa'),
  },
  {
    customer: { email: 'tomas@example.com', name: 'Tomás Rivera', phone_number: '+14155550136' },
    address: {
      line_1: '2100 Mission Street',
      city: 'San Francisco',
      state: 'CA',
      zip: '94110',
      country: 'USA',
    },
    card: cardOf('mastercard'),
  },
  {
    customer: { email: 'wei@example.com', name: 'Wei Chen' },
    address: {
      line_1: '12 Yonge Street',
      city: 'Toronto',
      state: 'ON',
      zip: 'M5E 1R4',
      country: 'CAN',
    },
    card: cardOf('insufficient_funds'),
  },
];

/** A purchase by one of the customers. */
export interface Purchase {
  /** Index of the customer in `buyers`. */
  readonly buyer: number;
  readonly attributes: object;
  /** Attributes of a refund after the payment. */
  readonly refund?: object;
  /** Attributes of a capture of the authorisation hold. */
  readonly capture?: object;
}

const orderAttributes = (number: number, name: string, quantity: number, amount_cents: number) => ({
  amount_cents: quantity * amount_cents,
  amount_currency: 'USD',
  description: name,
  purchase_reference: `order-${number}`,
  purchase_kind: 'order',
  line_items: [{ name, quantity, amount_cents, amount_currency: 'USD' }],
  confirmed: true,
});

/** The second buyer, who came again as a guest. */
export const guest = { email: 'tomas@example.com', name: 'Tomas Rivera' };

export const purchases: readonly Purchase[] = [
  { buyer: 0, attributes: orderAttributes(1001, 'Stoneware mug', 2, 1850) },
  {
    buyer: 0,
    attributes: orderAttributes(1002, 'Teapot with four cups', 1, 8900),
    refund: {
      amount_cents: 1500,
      reason: 'dissatisfied_experience',
      reason_note: 'One cup arrived with a crack.',
    },
  },
  {
    buyer: 1,
    attributes: orderAttributes(1003, 'Espresso cup', 4, 1200),
    refund: { reason: 'duplicate_charge' },
  },
  { buyer: 2, attributes: orderAttributes(1004, 'Stoneware mug', 1, 1850) },
  { buyer: 1, attributes: { ...orderAttributes(1005, 'Milk jug', 1, 2400), confirmed: false } },
  {
    buyer: 1,
    attributes: {
      ...orderAttributes(1007, 'Tea caddy, made to order', 1, 6400),
      capture_method: 'manual',
    },
    capture: { amount_cents: 6000 },
  },
  // Amounts with this ending make the simulated network open a dispute.
  { buyer: 0, attributes: orderAttributes(1008, 'Samovar', 1, 19_708) },
];

/** Records of the shop besides its orders: rules and products. */
export const shopRecords: readonly { readonly type: string; readonly attributes: object }[] = [
  {
    type: 'risk_list_entries',
    attributes: {
      list: 'block',
      kind: 'email_domain',
      value: 'mailinator.example',
      description: 'Throw-away addresses',
    },
  },
  {
    type: 'velocity_limits',
    attributes: { kind: 'card_declines', window_seconds: 3600, max_count: 20 },
  },
  {
    type: 'payment_links',
    attributes: { title: 'Tea ceremony for two', amount_cents: 9000, amount_currency: 'USD' },
  },
];

/** Subscription of the first customer. */
export const plan: object = {
  ...orderAttributes(1006, 'Tea of the month', 1, 1900),
  idempotency_key: 'order-1006',
  slug: 'tea_of_the_month',
  billing_period: 'one_month',
};

/** Price change of the subscription from the next month on. */
export const priceRise: object = { amount_cents: 2100, proration_behavior: 'none', dry_run: true };

/** Sandbox clock that demonstrates renewals of the subscription. */
export const clock: object = { name: 'Tea subscription' };

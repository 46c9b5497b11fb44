/** Display names of card networks by `kind`. */
const names: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  elo: 'Elo',
  hiper: 'Hiper',
  hipercard: 'Hipercard',
  jcb: 'JCB',
  maestro: 'Maestro',
  mir: 'Mir',
  unionpay: 'UnionPay',
};

/** Display name of a payment method's `kind`; empty for an unknown kind. */
export const brandName = (kind: string): string =>
  Object.hasOwn(names, kind) ? (names[kind] ?? '') : '';

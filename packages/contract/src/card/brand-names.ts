/** Names of card networks as people read them. */
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

/** The name of a card's network by the `kind` of its payment method; nothing where that is not known. */
export const brandName = (kind: string): string =>
  Object.hasOwn(names, kind) ? (names[kind] ?? '') : '';

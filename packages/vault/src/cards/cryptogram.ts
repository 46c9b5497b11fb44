/** A wallet's proof that the cardholder authenticated, with its indicator. */
export interface Cryptogram {
  /** Base64. */
  readonly cryptogram: string;
  /** Two digits; some wallets and networks send none. */
  readonly eci?: string;
}

/** One text, so that both are stored, used up and deleted together. */
export const packCryptogram = ({ cryptogram, eci = '' }: Cryptogram): string =>
  `${eci}:${cryptogram}`;

export function unpackCryptogram(text: string): Cryptogram {
  const [eci, cryptogram = ''] = text.split(':');
  return { cryptogram, ...(eci && { eci }) };
}

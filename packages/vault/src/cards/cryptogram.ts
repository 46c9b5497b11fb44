/** A wallet's proof that the cardholder authenticated, with its indicator. */
export interface Cryptogram {
  /** The cryptogram in base64. */
  readonly cryptogram: string;
  /** Indicator of two digits. Some wallets and networks send none. */
  readonly eci?: string;
}

/** Joins cryptogram and indicator into one text, so that both are stored, used and deleted together. */
export const packCryptogram = ({ cryptogram, eci = '' }: Cryptogram): string =>
  `${eci}:${cryptogram}`;

export function unpackCryptogram(text: string): Cryptogram {
  const [eci, cryptogram = ''] = text.split(':');
  return { cryptogram, ...(eci && { eci }) };
}

/** What a wallet gave to prove who pays, with the indicator that goes with it. */
export interface Cryptogram {
  /** Base64. */
  readonly cryptogram: string;
  /** Two digits; not every wallet and network gives one. */
  readonly eci?: string;
}

/** As one text, so that both are stored, used up and forgotten together. */
export const packCryptogram = ({ cryptogram, eci = '' }: Cryptogram): string =>
  `${eci}:${cryptogram}`;

export function unpackCryptogram(text: string): Cryptogram {
  const [eci, cryptogram = ''] = text.split(':');
  return { cryptogram, ...(eci && { eci }) };
}

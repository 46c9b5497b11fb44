/** Proof of a wallet or of a network's token service, with its indicator. */
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

const CRYPTOGRAM_PATTERN = /^[A-Za-z0-9+/]{20,512}={0,2}$/;
const INDICATOR_PATTERN = /^\d{1,2}$/;

/** Checks cryptogram and indicator. Throws what `refuse` returns for a value that networks do not accept. */
export function readCryptogram(
  cryptogram: unknown,
  eci: unknown,
  refuse: (member: 'cryptogram' | 'eci') => Error,
): Cryptogram {
  if (typeof cryptogram !== 'string' || !CRYPTOGRAM_PATTERN.test(cryptogram))
    throw refuse('cryptogram');
  if (eci === undefined || eci === null || eci === '') return { cryptogram };
  if (typeof eci !== 'string' || !INDICATOR_PATTERN.test(eci)) throw refuse('eci');
  // Networks use two digits, but some wallets send one.
  return { cryptogram, eci: eci.padStart(2, '0') };
}

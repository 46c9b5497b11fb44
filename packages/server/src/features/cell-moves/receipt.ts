import { readFile, stat } from 'node:fs/promises';

/** Cards that the vault of the target has, as `florin vault cards import` wrote them. */
export interface CardReceipt {
  readonly vault_id: string;
  readonly merchant_id: string;
  /** SHA-256 of each token and fingerprint, in hex. */
  readonly digests: ReadonlySet<string>;
}

/** Reads the newest receipt at a path, and again after it was replaced. */
export type ReadReceipt = () => Promise<CardReceipt>;

const HEAD = /^florin-card-receipt-1 (\S+) (\S+)$/;

export function createReceiptReader(path: string): ReadReceipt {
  let known: { readonly changed_ms: number; readonly receipt: CardReceipt } | undefined;
  return async () => {
    const { mtimeMs: changed_ms } = await stat(path);
    if (known?.changed_ms !== changed_ms)
      known = { changed_ms, receipt: parseReceipt(await readFile(path, 'utf8')) };
    return known.receipt;
  };
}

/** Parses a receipt. Throws an `Error` for people if the text is none. */
export function parseReceipt(text: string): CardReceipt {
  const [head = '', ...digests] = text.trimEnd().split('\n');
  const [, vault_id, merchant_id] = HEAD.exec(head) ?? [];
  if (!vault_id || !merchant_id)
    throw new Error('the file of --cards is no receipt of "vault cards import"');
  return { vault_id, merchant_id, digests: new Set(digests) };
}

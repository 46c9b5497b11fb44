/** Address of a Florin, and a secret sandbox key. */
export interface Florin {
  readonly base: string;
  readonly key: string;
}

/** Creates a customer, fetches it, changes its name and saves the whole record. Returns its id. */
export type SaveWhole = (florin: Florin, name: string) => Promise<string>;

export const newCustomer = (name: string) => ({ email: `${name}@example.com`, name: 'Before' });

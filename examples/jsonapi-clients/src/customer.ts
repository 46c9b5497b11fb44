/** Where a Florin listens, and a secret sandbox key of it. */
export interface Florin {
  readonly base: string;
  readonly key: string;
}

/** Creates a customer, fetches it, changes its name and saves the whole record. Returns its id. */
export type SaveWhole = (florin: Florin, name: string) => Promise<string>;

/** What a new customer is made of. */
export const newCustomer = (name: string) => ({ email: `${name}@example.com`, name: 'Before' });

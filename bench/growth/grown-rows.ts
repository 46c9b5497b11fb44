import { rows } from '../rows.ts';

/** Rows that read, then rows that write: the writes of a run would make the smallest table larger. */
const NAMES = [
  'fetch a payment demand by id, another of a million each time',
  'list 50 payment demands, again and again',
  'list 50 with payer, method and address included, again and again',
  'page: the newest 50 of a million payments',
  'page: 50 of a million, each time another page',
  'depth: the second page, one request at a time',
  'depth: another page of a million, one request at a time',
  'depth: the page before the last of 20,000',
  'depth: 50 of a million by a filter over two relationships',
  'p99 of a create at half the load',
  'create a payment demand over HTTP',
  'create confirmed, until succeeded',
  'webhook deliveries to one fast receiver',
];

/** Name of a row without the size that it has in the bench. */
const sizelessName = (name: string): string =>
  name.replace(/ of (a million( payments)?|20,000)/, '');

/** Rows of the bench that may depend on the number of payments. Their merchant owns all payments of the size. */
export const grownRows = NAMES.map((name) => {
  const row = rows.find((candidate) => candidate.name === name);
  if (!row) throw new Error(`the bench has no row "${name}"`);
  return { ...row, name: sizelessName(name) };
});

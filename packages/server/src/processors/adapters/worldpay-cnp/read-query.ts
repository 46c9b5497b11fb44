import type { UnknownResult } from '../../port/message.ts';
import { type Answered, itemsOf, type Members, membersOf } from '../../port/read-answer.ts';
import { codeOf, openEnvelope, transactionOf, undecided } from './read-answer.ts';
import { queryIdOf } from './reference.ts';
import { APPROVED } from './response-codes.ts';

const FOUND = '150';
const NOT_FOUND = '151';
/** The transaction exists, and its response is not stored yet. */
const NOT_YET = '152';

/** Result of a query for one of our ids. */
export type Found =
  | { readonly is: 'found'; readonly name: string; readonly transaction: Members }
  | { readonly is: 'not_found' }
  | { readonly is: 'not_yet' }
  | UnknownResult;

/** Reads the response to a query for responses of the given names. The approved one counts, if there are two. */
export function readQuery(answer: Answered, names: readonly string[], expected?: string): Found {
  const queryId = expected === undefined ? undefined : queryIdOf(expected);
  const response = transactionOf(openEnvelope(answer), 'queryTransactionResponse', queryId);
  if (!response) return undecided(answer);
  const code = codeOf(response);
  if (code === NOT_FOUND) return { is: 'not_found' };
  if (code === NOT_YET) return { is: 'not_yet' };
  if (code !== FOUND) return undecided(answer, code);
  const results = membersOf(response.results_max10);
  const ours = names.flatMap((name) =>
    transactionsOf(results, name)
      .filter((each) => expected === undefined || each['@id'] === expected)
      .map((transaction) => ({ is: 'found', name, transaction }) as const),
  );
  const isApproved = ({ transaction }: { transaction: Members }) =>
    APPROVED.includes(codeOf(transaction) ?? '');
  return ours.find(isApproved) ?? ours[0] ?? withoutResponse(answer, results);
}

const transactionsOf = (results: Members, name: string): readonly Members[] => {
  if (!Object.hasOwn(results, name)) return [];
  const value = results[name];
  return Array.isArray(value) ? itemsOf(value) : [membersOf(value)];
};

/** Worldpay may know a transaction whose response it cannot show. */
const withoutResponse = (answer: Answered, results: Members): Found =>
  Object.hasOwn(results, 'queryTransactionUnavailableResponse')
    ? { is: 'not_yet' }
    : undecided(answer, FOUND);

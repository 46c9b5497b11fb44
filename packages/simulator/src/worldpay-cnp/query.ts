import type { StandInAnswer } from '../stand-in/answer.ts';
import { messageOf, responseOf, timeOf, xmlAnswer } from './answers.ts';
import type { CnpCall, CnpServices } from './call.ts';
import type { CnpTransaction, CnpType } from './transaction-books.ts';
import { textAt, type XmlContent } from './xml-element.ts';

const RESULTS_MAX = 10;
const actionTypes: Readonly<Record<string, CnpType>> = {
  A: 'authorization',
  S: 'sale',
  D: 'capture',
  R: 'credit',
  AR: 'authReversal',
  V: 'void',
};

/** `queryTransaction`: the responses to earlier messages with an id, or to one transaction. */
export function answerQuery(services: CnpServices, { account, element }: CnpCall): StandInAnswer {
  const { settings } = account;
  const code = (response: string, more: Readonly<Record<string, XmlContent>> = {}) =>
    xmlAnswer({
      queryTransactionResponse: {
        '@id': element.attributes.id,
        '@reportGroup': element.attributes.reportGroup,
        '@customerId': element.attributes.customerId,
        response,
        responseTime: timeOf(services.now()),
        message: messageOf(response),
        ...more,
      },
    });
  if (!settings.has_queries) return code('153');
  const cnpId = textAt(element, 'origCnpTxnId');
  if (textAt(element, 'origId') === undefined && cnpId === undefined) return code('154');
  if (textAt(element, 'showStatusOnly') === 'Y' && cnpId === undefined) return code('155');
  const found = findTransactions(services, { account, element });
  const isReady = ({ requestedAt }: CnpTransaction) =>
    services.now() - requestedAt >= settings.query_delay_ms;
  if (found.length === 0) return code('151');
  if (!found.every(isReady)) return code('152');
  return code('150', {
    matchCount: String(found.length),
    results_max10: resultsOf(
      found.slice(0, RESULTS_MAX).map((each) => shown(services, account, each)),
    ),
  });
}

function findTransactions({ books }: CnpServices, { account, element }: CnpCall) {
  const type = actionTypes[textAt(element, 'origActionType') ?? ''];
  const cnpId = textAt(element, 'origCnpTxnId');
  const one = cnpId === undefined ? undefined : books.transactions.find(cnpId);
  const all =
    cnpId === undefined
      ? books.transactions.withId(account.name, textAt(element, 'origId') ?? '')
      : one?.merchant === account.name
        ? [one]
        : [];
  return all.filter((each) => type === undefined || each.type === type);
}

type Response = ReturnType<typeof responseOf>;

const resultsOf = (responses: readonly Response[]): XmlContent =>
  Object.fromEntries(
    [...Map.groupBy(responses, ([name]) => name)].map(([name, group]) => [
      name,
      group.map(([, content]) => content),
    ]),
  );

/** A transaction as its account sees it: a receipt until its outcome is due. */
export function shown(
  { now }: CnpServices,
  { settings }: CnpCall['account'],
  transaction: CnpTransaction,
): Response {
  const { type, requestedAt } = transaction;
  const isPayment = type === 'authorization' || type === 'sale';
  const isDecided =
    isPayment || !settings.has_receipts || now() - requestedAt >= settings.receipt_ms;
  return responseOf(transaction, isDecided ? undefined : '001');
}

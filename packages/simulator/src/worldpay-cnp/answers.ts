import type { StandInAnswer } from '../stand-in/answer.ts';
import type { CnpTransaction } from './transaction-books.ts';
import { renderXml, type XmlContent } from './xml-element.ts';

const NAMESPACE = 'http://www.vantivcnp.com/schema';
const VERSION = '12.34';

const messages: Readonly<Record<string, string>> = {
  '000': 'Approved',
  '001': 'Transaction Received',
  '010': 'Partially Approved',
  '110': 'Insufficient Funds',
  '111': 'Authorization amount has already been depleted',
  '150': 'Original transaction found',
  '151': 'Original transaction not found',
  '152': 'Original transaction found but response not yet available',
  '153': 'Query transaction not enabled',
  '251': 'Duplicate Transaction',
  '301': 'Invalid Account Number',
  '302': 'Account Number Does Not Match Payment Type',
  '305': 'Expired Card',
  '306': 'Authorization has expired; no need to reverse',
  '350': 'Generic Decline',
  '360': 'No transaction found with specified transaction Id',
  '361': 'Authorization no longer available',
  '362': 'Transaction Not Voided - Already Settled',
  '365': 'Total credit amount exceeds capture amount',
};

export const messageOf = (code: string): string => messages[code] ?? `Response ${code}`;

/** A response of cnpAPI. `response` other than 0: the message was not read. */
export const xmlAnswer = (
  members: Readonly<Record<string, XmlContent>>,
  response = '0',
  message = 'Valid Format',
): StandInAnswer => ({
  status: 200,
  text: [
    'text/xml; charset=utf-8',
    `<?xml version="1.0" encoding="UTF-8"?>${renderXml('cnpOnlineResponse', {
      '@version': VERSION,
      '@response': response,
      '@message': message,
      '@xmlns': NAMESPACE,
      ...members,
    })}`,
  ],
});

export const invalidXml = xmlAnswer({}, '2', 'Invalid XML. Contact support.');
export const wrongLogin = xmlAnswer({}, '3', 'Invalid credentials. Contact support.');
export const schemaError = (problem: string): StandInAnswer =>
  xmlAnswer({}, '1', `Error validating xml data against the schema: ${problem}`);

/** Time without zone, in UTC, as Worldpay writes it. */
export const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19);

/** The response to a stored transaction, with the name of its element. */
export function responseOf(
  { type, id, cnpId, amount, requestedAt, facts }: CnpTransaction,
  response = facts.response,
): readonly [name: string, content: Readonly<Record<string, XmlContent>>] {
  const isPayment = type === 'authorization' || type === 'sale';
  const { orderId, authCode, networkTransactionId, avs, cvv } = facts;
  return [
    `${type}Response`,
    {
      '@id': id,
      '@reportGroup': facts.reportGroup,
      '@customerId': facts.customerId,
      cnpTxnId: cnpId,
      ...(isPayment && { orderId }),
      response,
      responseTime: timeOf(requestedAt),
      postDate: timeOf(requestedAt).slice(0, 10),
      message: messageOf(response),
      ...(isPayment && {
        authCode,
        ...(response === '010' && { approvedAmount: String(amount) }),
        ...((avs || cvv) && { fraudResult: { avsResult: avs, cardValidationResult: cvv } }),
        networkTransactionId,
      }),
    },
  ];
}

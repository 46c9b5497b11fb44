import { createHmac } from 'node:crypto';
import { brandOf } from '@florin/contract/card/networks.ts';
import { askIssuer, type CardUse } from '../stand-in/issuer.ts';
import type { CnpOrder, CnpServices } from './call.ts';
import type { CnpFacts, CnpTransaction } from './transaction-books.ts';
import { textAt, type XmlElement } from './xml-element.ts';

/** Codes of cnpAPI for response codes of the simulated network. */
const codeByNetworkCode: Readonly<Record<string, string>> = {
  '00': '000',
  '05': '350',
  '10': '010',
  '14': '301',
  '41': '213',
  '43': '214',
  '51': '110',
  '54': '305',
  '59': '555',
  '62': '307',
  N7: '352',
  '1A': '664',
};
const PARTIAL = '010';
const SHORT_OF_FUNDS = '110';
const WRONG_TYPE = '302';
const avsCodes = { Y: '00', A: '13', Z: '10', N: '20', U: '32' } as const;

const brandByType: Readonly<Record<string, string>> = {
  VI: 'visa',
  MC: 'mastercard',
  AX: 'amex',
  DI: 'discover',
  DC: 'diners',
  JC: 'jcb',
};

/** Fingerprint of a card, by which duplicates are recognised. */
export const cardKeyOf = ({ books }: CnpServices, number: string): string =>
  createHmac('sha256', books.fingerprintKey).update(number).digest('hex');

/** Decides a payment and stores it. A cryptogram is accepted once. */
export function storePayment(services: CnpServices, order: CnpOrder): CnpTransaction {
  const { books, now } = services;
  const { account, element, type } = order;
  const number = textAt(element, 'card', 'number') ?? '';
  const decision = decide(services, order, number);
  const cryptogram = textAt(element, 'cardholderAuthentication', 'authenticationValue');
  if (cryptogram && decision.response === '000') books.cryptograms.use(cryptogram);
  return books.transactions.insert({
    merchant: account.name,
    type,
    id: element.attributes.id ?? '',
    card: cardKeyOf(services, number),
    parent: null,
    amount: decision.amount,
    requestedAt: now(),
    facts: {
      ...decision.facts,
      response: decision.response,
      reportGroup: element.attributes.reportGroup ?? '',
      customerId: element.attributes.customerId,
      orderId: textAt(element, 'orderId'),
      expiresAt: now() + account.settings.authorisation_ms,
    },
  });
}

interface Decision {
  readonly response: string;
  readonly amount: number;
  readonly facts: Partial<CnpFacts>;
}

function decide({ books, now }: CnpServices, order: CnpOrder, number: string): Decision {
  const { element } = order;
  const use = cardUseOf(order, number);
  const type = textAt(element, 'card', 'type') ?? '';
  if (type !== '' && brandByType[type] !== brandOf(number))
    return { response: WRONG_TYPE, amount: use.amount, facts: {} };
  const cryptogram = textAt(element, 'cardholderAuthentication', 'authenticationValue');
  const issuer = askIssuer(use, new Date(now()), {
    isReplayed: cryptogram !== undefined && books.cryptograms.isUsed(cryptogram),
    isOriginalKnown: true,
    decline: order.decline,
  });
  const decided = codeByNetworkCode[issuer.response_code] ?? '350';
  const takesPart = ['true', '1'].includes(textAt(element, 'allowPartialAuth') ?? '');
  const response = decided === PARTIAL && !takesPart ? SHORT_OF_FUNDS : decided;
  const isApproved = response === '000' || response === PARTIAL;
  const hasAddress = textAt(element, 'billToAddress') !== undefined;
  return {
    response,
    amount: response === PARTIAL ? (issuer.approved_amount ?? use.amount) : use.amount,
    facts: {
      ...(isApproved && { authCode: issuer.authorisation_code }),
      networkTransactionId: issuer.network_transaction_id,
      ...(hasAddress && { avs: avsCodes[issuer.avs] }),
      ...(use.cvv && { cvv: issuer.cvc }),
    },
  };
}

const walletBySource: Readonly<Record<string, 'apple_pay' | 'google_pay'>> = {
  applepay: 'apple_pay',
  androidpay: 'google_pay',
};

/** The issuer's view of a payment. */
function cardUseOf({ account, element }: CnpOrder, number: string): CardUse {
  const source = textAt(element, 'orderSource') ?? '';
  const expiry = textAt(element, 'card', 'expDate') ?? '0000';
  const cryptogram = textAt(element, 'cardholderAuthentication', 'authenticationValue');
  const kind = walletBySource[source];
  return {
    id: element.attributes.id ?? '',
    amount: Number(textAt(element, 'amount')),
    currency: account.settings.currency,
    number,
    expiryMonth: Number(expiry.slice(0, 2)),
    expiryYear: 2000 + Number(expiry.slice(2)),
    cvv: textAt(element, 'card', 'cardValidationNum') || undefined,
    isMerchantInitiated: isMerchantInitiated(element),
    ...(kind && cryptogram && { wallet: { kind, cryptogram } }),
    ...(!kind &&
      cryptogram && {
        proof: {
          cryptogram,
          eci: source === '3dsAttempted' ? '06' : '05',
          transactionId: textAt(element, 'cardholderAuthentication', 'authenticationTransactionId'),
        },
      }),
  };
}

const isMerchantInitiated = (element: XmlElement): boolean =>
  textAt(element, 'originalNetworkTransactionId') !== undefined;

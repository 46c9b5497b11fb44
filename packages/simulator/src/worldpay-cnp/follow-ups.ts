import type { CnpOrder, CnpServices } from './call.ts';
import { type CnpTransaction, type CnpType, isApproved, sumOf } from './transaction-books.ts';
import { textAt } from './xml-element.ts';

const NO_TRANSACTION = '360';
const DEPLETED = '111';
const EXPIRED = '306';
const NOT_AVAILABLE = '361';
const SETTLED = '362';
const TOO_MUCH = '365';
const APPROVED = '000';

/** Types that a follow-up may refer to. A refund of an authorisation is refused: money moves with captures only. */
const parentTypes: Partial<Readonly<Record<CnpType, readonly CnpType[]>>> = {
  capture: ['authorization'],
  credit: ['capture', 'sale'],
  authReversal: ['authorization'],
  void: ['capture', 'sale', 'credit'],
};

/** The approved transaction that a follow-up refers to. */
export function parentOf(
  { books }: CnpServices,
  { account, element, type }: CnpOrder,
): CnpTransaction | undefined {
  const parent = books.transactions.find(textAt(element, 'cnpTxnId') ?? '');
  if (!parent || parent.merchant !== account.name || !isApproved(parent)) return undefined;
  return parentTypes[type]?.includes(parent.type) ? parent : undefined;
}

/** Decides a capture, refund, reversal or void, and stores it. */
export function storeFollowUp(services: CnpServices, order: CnpOrder): CnpTransaction {
  const { books, now } = services;
  const { account, element, type } = order;
  const parent = parentOf(services, order);
  const asked = textAt(element, 'amount');
  const amount = asked === undefined ? (parent?.amount ?? 0) : Number(asked);
  const response = parent ? decide(services, order, parent, amount) : NO_TRANSACTION;
  if (parent && response === APPROVED && (type === 'void' || type === 'authReversal'))
    books.transactions.undo(parent);
  return books.transactions.insert({
    merchant: account.name,
    type,
    id: element.attributes.id ?? '',
    card: parent?.card ?? '',
    parent: parent?.cnpId ?? null,
    amount,
    requestedAt: now(),
    facts: {
      response,
      reportGroup: element.attributes.reportGroup ?? '',
      customerId: element.attributes.customerId,
    },
  });
}

function decide(
  services: CnpServices,
  { account, type }: CnpOrder,
  parent: CnpTransaction,
  amount: number,
): string {
  const { books, now } = services;
  const children = books.transactions.childrenOf(parent.cnpId);
  const { isUndone, expiresAt = Number.POSITIVE_INFINITY } = parent.facts;
  const remaining = parent.amount - sumOf(children, type);
  switch (type) {
    case 'capture':
      if (isUndone || now() > expiresAt) return NOT_AVAILABLE;
      return amount > remaining ? DEPLETED : APPROVED;
    case 'credit':
      if (isUndone) return NO_TRANSACTION;
      return amount > remaining ? TOO_MUCH : APPROVED;
    case 'authReversal':
      if (now() > expiresAt) return EXPIRED;
      return isUndone || sumOf(children, 'capture') > 0 ? DEPLETED : APPROVED;
    default:
      if (isUndone) return NO_TRANSACTION;
      return now() - parent.requestedAt > account.settings.settle_ms ? SETTLED : APPROVED;
  }
}

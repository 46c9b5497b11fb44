import { createHmac } from 'node:crypto';
import { brandOf, type CardBrand } from '@florin/contract/card/networks.ts';
import type { StandInAnswer } from '../stand-in/answer.ts';
import { asTransient, invalidRequest, missingRole, serviceError } from './answers.ts';
import type { AdyenCall, AdyenServices } from './call.ts';
import { type CardPayment, decideAdyenPayment, decisionByCode } from './decide-payment.ts';
import { emitAuthorisation } from './events/payment-events.ts';
import { captureAutomatically } from './modifications/request-modification.ts';
import type { CardOrder } from './parse-card.ts';
import { type AdyenOrder, parseAdyenPayment } from './parse-payment.ts';
import { createPspReference } from './psp-reference.ts';
import type {
  AdyenCardFacts,
  AdyenDecision,
  AdyenPayment,
  AdyenPaymentFacts,
  AdyenPaymentStatus,
} from './records.ts';
import { renderPayment } from './render-payment.ts';
import { failingKindOf, testCardName, testCardNumber } from './test-cards.ts';

const SCHEME_ID = /^[A-Za-z0-9]{9,36}$/;
const APPROVED = '1';
const HOUR_MS = 60 * 60_000;

/** Brands whose names at Adyen differ from this project's. */
const ownBrandNames: Partial<Record<CardBrand, string>> = { mastercard: 'mc', unionpay: 'cup' };

/** `POST /payments`. Runs inside a commit. */
export function requestAdyenPayment(services: AdyenServices, call: AdyenCall): StandInAnswer {
  const order = parseAdyenPayment(call.body);
  if ('status' in order) return order;
  const card = cardOf(services, call, order);
  if ('status' in card) return card;
  const error = order.additionalData.RequestedTestErrorResponseCode;
  if (error === 'NO_CONNECTION_AVAILABLE') return asTransient(acquirerError);
  const subject = { order, card, psp: createPspReference() };
  const payment = storePayment(services, call, createPayment(services, call, subject), subject);
  // The acquirer got the message; only its response is lost.
  if (error === 'IOEXCEPTION_RECEIVED') return acquirerError;
  const { additional_data } = call.account.settings;
  return { status: 200, body: renderPayment(payment, additional_data, call.base) };
}

/** Stores a payment, with the capture, the card and the cryptograms that its approval leaves behind. */
function storePayment(
  services: AdyenServices,
  call: AdyenCall,
  payment: AdyenPayment,
  subject: CardPayment,
): AdyenPayment {
  const { books } = services;
  const { order } = subject;
  const isApproved = payment.status === 'authorised';
  const storedPaymentMethodId = isApproved ? storeCard(services, call, subject) : undefined;
  const stored: AdyenPayment = {
    ...payment,
    facts: { ...payment.facts, ...(storedPaymentMethodId && { storedPaymentMethodId }) },
  };
  books.payments.insert(stored);
  emitAuthorisation(services, stored);
  if (!isApproved) return stored;
  for (const cryptogram of cryptogramsOf(order)) books.cryptograms.use(cryptogram);
  if (order.captureDelayHours !== undefined && payment.amount > 0)
    captureAutomatically(books, payment, order.captureDelayHours * HOUR_MS);
  return stored;
}

/** Id of the customer's stored card, if the request stores or uses one. */
function storeCard(
  { books }: AdyenServices,
  { account }: AdyenCall,
  { order, card }: CardPayment,
): string | undefined {
  const { paymentMethod, shopperReference, storesCard } = order;
  if ('storedPaymentMethodId' in paymentMethod) return paymentMethod.storedPaymentMethodId;
  const name = testCardName(card.number);
  if (!storesCard || !shopperReference || !name) return undefined;
  const { expiryMonth, expiryYear } = card;
  const { company } = account.settings;
  const storedCard = { company, shopper: shopperReference, card: name, expiryMonth, expiryYear };
  const existingId = books.storedCards.idOf(storedCard);
  if (existingId) return existingId;
  const id = createPspReference();
  books.storedCards.put({ ...storedCard, id });
  return id;
}

const acquirerError = serviceError(500, '000', 'The acquirer cannot be reached', 'internal');

/** The card of a request. A stored card needs the customer who stored it. */
function cardOf(
  { books }: AdyenServices,
  { account }: AdyenCall,
  { paymentMethod, shopperReference }: AdyenOrder,
): CardOrder | StandInAnswer {
  if (!('storedPaymentMethodId' in paymentMethod)) {
    const isAllowed = account.settings.raw_cards || paymentMethod.kind === 'networkToken';
    return isAllowed ? paymentMethod : missingRole;
  }
  const stored = books.storedCards.find(paymentMethod.storedPaymentMethodId);
  const isOwn = stored?.company === account.settings.company && stored.shopper === shopperReference;
  const number = stored && testCardNumber(stored.card);
  if (!stored || !isOwn || !number) return invalidRequest('800', 'Contract not found');
  const { expiryMonth, expiryYear } = stored;
  const { cvc } = paymentMethod;
  return {
    kind: 'scheme',
    number,
    brand: brandOf(number),
    expiryMonth,
    expiryYear,
    ...(cvc && { cvc }),
  };
}

function createPayment(
  services: AdyenServices,
  call: AdyenCall,
  subject: CardPayment,
): AdyenPayment {
  const { order, psp } = subject;
  const { books } = services;
  const { settings, name } = call.account;
  const requestedAt = services.now();
  const isReplayed = cryptogramsOf(order).some(books.cryptograms.isUsed);
  const { decline } = call;
  const history = { isReplayed, isOriginalKnown: isOriginalKnown(subject), decline };
  const decision = decideAdyenPayment(subject, new Date(requestedAt), history);
  const isPending = decision.resultCode === 'Received';
  return {
    psp,
    account: name,
    reference: order.reference,
    amount: decision.amount,
    currency: order.amount.currency,
    status: statusOf(decision),
    requestedAt,
    dueAt: requestedAt + (isPending ? settings.pending_ms : settings.authorisation_ms),
    facts: {
      ...factsOf(subject, decision, books.fingerprintKey),
      ...(isPending && { later: decisionByCode(subject, APPROVED) }),
    },
  };
}

/** Status of a new payment. A payment that waits for its customer is not authorised. */
export function statusOf({ resultCode }: AdyenDecision): AdyenPaymentStatus {
  if (resultCode === 'Authorised' || resultCode === 'PartiallyAuthorised') return 'authorised';
  return resultCode === 'Received' ? 'pending' : 'refused';
}

const cryptogramsOf = ({ mpi }: AdyenOrder): string[] =>
  [mpi?.cavv, mpi?.tokenAuthenticationVerificationValue].filter((text) => text !== undefined);

/** Stored cards were approved before. Other cards need the scheme's id of an earlier approval. */
function isOriginalKnown({ order, card }: CardPayment): boolean {
  if ('storedPaymentMethodId' in order.paymentMethod) return true;
  const schemeId = card.networkPaymentReference ?? order.additionalData.networkTxReference;
  return schemeId !== undefined && SCHEME_ID.test(schemeId);
}

function factsOf(
  { order, card }: CardPayment,
  decision: AdyenDecision,
  fingerprintKey: string,
): AdyenPaymentFacts {
  const { mpi, shopperReference, recurringProcessingModel, merchantOrderReference } = order;
  const failingKind = failingKindOf(card.holderName);
  const status = mpi?.authenticationResponse ?? mpi?.directoryResponse;
  return {
    card: cardFactsOf(card, fingerprintKey),
    requestedAmount: order.amount.value,
    decision,
    shopperInteraction: order.shopperInteraction,
    ...(shopperReference && { shopperReference }),
    ...(recurringProcessingModel && { recurringProcessingModel }),
    ...(merchantOrderReference && { merchantOrderReference }),
    ...(mpi?.eci && { eci: mpi.eci }),
    ...(mpi?.dsTransID && { dsTransID: mpi.dsTransID }),
    ...(mpi?.threeDSVersion && { threeDSVersion: mpi.threeDSVersion }),
    isLiabilityShifted: mpi?.dsTransID !== undefined && (status === 'Y' || status === 'A'),
    ...(failingKind && { failingKind }),
  };
}

function cardFactsOf(card: CardOrder, fingerprintKey: string): AdyenCardFacts {
  return {
    brand: ownBrandNames[card.brand] ?? card.brand,
    last4: card.number.slice(-4),
    bin: card.number.slice(0, 6),
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    fingerprint: createHmac('sha256', fingerprintKey).update(card.number).digest('hex'),
    ...(card.holderName && { holderName: card.holderName }),
  };
}

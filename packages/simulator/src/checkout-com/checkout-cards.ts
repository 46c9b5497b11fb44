/** Checkout.com's own sandbox cards with their response codes. Any future expiry and any CVV fits. */
const responseCodeByNumber: ReadonlyMap<string, string> = new Map([
  ['4242424242424242', '10000'],
  ['345678901234564', '10000'],
  ['5305484748800098', '10000'],
  ['4485040371536584', '10000'],
  ['4544249167673670', '20051'],
  ['4024007181869214', '20005'],
  ['4897453568485113', '20059'],
  ['4818924250131070', '20062'],
  ['4556253752712245', '20063'],
  ['4095254802642505', '20068'],
  ['4500622868341387', '20154'],
  ['4276038578596818', '2005C'],
  ['4152812521833588', '2009G'],
  ['4734868958733862', '200N7'],
  ['4485899805156040', '200R1'],
  ['4567361325981788', '200R3'],
  ['4024007162185267', '30015'],
  ['4941202060999329', '30041'],
  ['4539253655711767', '30043'],
]);

/** Card whose authorisations are approved in part with the CVV below. */
const PARTIAL_CARD = '5518207720770101';
const PARTIAL_CVV = '153';
const ADVICE_CVV = '100';
const ADVISED_DECLINE = '20005';
/** Amounts in minor units that are declined with a recommendation, if the CVV is `ADVICE_CVV`. */
const adviceByAmount: Readonly<Record<number, string>> = { 8105: '01', 8205: '02', 8305: '03' };
const SHORT_OF_FUNDS_AMOUNT = 101;

/** Facts of an authorisation that select the outcome of a sandbox card. */
export interface CheckoutCardUse {
  readonly number: string;
  readonly cvv?: string;
  /** Requested amount in minor units. */
  readonly amount: number;
}

/** Outcome that Checkout.com's sandbox gives to a card. */
export interface CheckoutCardOutcome {
  readonly code: string;
  /** `01` update the card, `02` try later, `03` do not try again. */
  readonly recommendation?: string;
  readonly isPartial?: boolean;
}

/** Outcome of one of Checkout.com's own sandbox cards; undefined for all other numbers. */
export function checkoutCardOutcome(use: CheckoutCardUse): CheckoutCardOutcome | undefined {
  const { number, cvv, amount } = use;
  if (number === PARTIAL_CARD) return { code: '10000', isPartial: cvv === PARTIAL_CVV };
  const code = responseCodeByNumber.get(number);
  if (code !== '10000') return code === undefined ? undefined : { code };
  const recommendation = cvv === ADVICE_CVV ? adviceByAmount[amount] : undefined;
  if (recommendation) return { code: ADVISED_DECLINE, recommendation };
  return { code: amount === SHORT_OF_FUNDS_AMOUNT ? '20051' : code };
}

/** Numbers of all of these cards, for tests. */
export const checkoutCardNumbers: readonly string[] = [
  ...responseCodeByNumber.keys(),
  PARTIAL_CARD,
];

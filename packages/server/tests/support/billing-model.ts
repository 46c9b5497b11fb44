import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import { Temporal } from 'temporal-polyfill';

/** Minimum charge in cents; smaller amounts stay owed. */
const CHARGE_MIN = 10;

const periodLengths: Readonly<Record<BillingPeriod, Temporal.DurationLike>> = {
  one_day: { days: 1 },
  seven_days: { days: 7 },
  fourteen_days: { days: 14 },
  thirty_days: { days: 30 },
  one_month: { months: 1 },
  three_months: { months: 3 },
  six_months: { months: 6 },
  twelve_months: { months: 12 },
};

type Anchor = Temporal.ZonedDateTime;
/** Nanoseconds since 1970. */
type Time = bigint;

export const timeOf = (instant: string): Time => Temporal.Instant.from(instant).epochNanoseconds;

/** A paid period and its value in minor units. */
interface PaidPeriod {
  readonly start: Time;
  readonly end: Time;
  readonly worth: number;
}

/** An amount owed: minor units before credit, and the period that it pays for. */
export interface Debt {
  readonly cost: number;
  readonly period: PaidPeriod;
}

/** A requested change. A change of only the card has neither price nor period. */
export interface RequestedChange {
  readonly amount_cents?: number;
  readonly billing_period?: BillingPeriod;
  readonly proration_behavior?: 'none' | 'create_prorations';
}

/** Part of an amount for the remaining time of its period, rounded half up. */
function prorate(amount: number, { start, end }: Omit<PaidPeriod, 'worth'>, from: Time): number {
  if (from >= end) return 0;
  const [length, weightedAmount] = [end - start, BigInt(amount) * (end - from)];
  return Number((2n * weightedAmount + length) / (2n * length));
}

/**
 * Model of a subscription's charges, calculated only from the rules.
 * - Each period costs its price; periods are counted from an anchor. After a pause, the rest of a period
 *   costs its share.
 * - A change credits the rest of the paid period against the new one, and is reverted if it stays unpaid.
 * - Credit is money that was paid and not used.
 */
export class BillingModel {
  credit = 0;
  #price: number;
  #previous:
    | { readonly price?: number; readonly length: BillingPeriod; readonly anchor: Anchor }
    | undefined;
  #length: BillingPeriod;
  #anchor: Anchor;
  #paidPeriod: PaidPeriod | undefined;

  constructor(price: number, length: BillingPeriod, timezone: string, anchor: Time) {
    this.#price = price;
    this.#length = length;
    this.#anchor = new Temporal.ZonedDateTime(anchor, timezone);
  }

  /** Amount to charge for a cost; undefined if credit covers it, or the remaining amount is below the minimum. */
  chargeFor(cost: number): number | undefined {
    const amountDue = cost - this.credit;
    return amountDue < CHARGE_MIN ? undefined : amountDue;
  }

  /** Pays a debt, by the charge of `chargeFor` or only by credit. */
  payDebt({ cost, period }: Debt): void {
    this.credit = this.chargeFor(cost) === undefined ? this.credit - cost : 0;
    const isSamePeriod =
      this.#paidPeriod?.start === period.start && this.#paidPeriod.end === period.end;
    if (isSamePeriod || !this.#paidPeriod || this.#paidPeriod.start < period.start)
      this.#paidPeriod = period;
  }

  /**
   * Sets the price of all following periods, independently of an earlier change. The same price again changes
   * nothing.
   */
  setPrice(price: number): void {
    if (price === this.#price) return;
    this.#price = price;
    if (this.#previous)
      this.#previous = { length: this.#previous.length, anchor: this.#previous.anchor };
  }

  /** Debt for the period that starts at a time, or for the rest of the current period. */
  debtFrom(start: Time): Debt {
    const cost = this.#remainingPrice(start);
    return { cost, period: { start, end: this.#startOf(this.#indexAt(start) + 1), worth: cost } };
  }

  /** Price of a period that is not charged. */
  priceOf(start: Time, end: Time): number {
    const periods = this.#indexAt(end) - this.#indexAt(start);
    return this.#remainingPrice(start) + periods * this.#price - this.#remainingPrice(end);
  }

  #remainingPrice(from: Time): number {
    const index = this.#indexAt(from);
    return prorate(
      this.#price,
      { start: this.#startOf(index), end: this.#startOf(index + 1) },
      from,
    );
  }

  /** Debt for a change at a time. `nextStart` is the start of the next period before the change. */
  applyChange(request: RequestedChange, at: Time, nextStart: Time): Debt | undefined {
    const hasNewLength =
      request.billing_period !== undefined && request.billing_period !== this.#length;
    const currentPeriod =
      this.#paidPeriod &&
      this.#paidPeriod.start <= at &&
      at < this.#paidPeriod.end &&
      this.#paidPeriod;
    const hasNewPrice = request.amount_cents !== undefined || request.billing_period !== undefined;
    const isProrated = currentPeriod && hasNewPrice && request.proration_behavior !== 'none';
    this.#previous = { price: this.#price, length: this.#length, anchor: this.#anchor };
    this.#price = request.amount_cents ?? this.#price;
    if (hasNewLength) {
      this.#length = request.billing_period as BillingPeriod;
      this.#anchor = new Temporal.ZonedDateTime(
        isProrated ? at : nextStart,
        this.#anchor.timeZoneId,
      );
    }
    if (!isProrated) return undefined;
    const remainingCredit = prorate(currentPeriod.worth, currentPeriod, at);
    if (hasNewLength) {
      const newDebt = this.debtFrom(at);
      return { ...newDebt, cost: this.#price - remainingCredit };
    }
    const fullPeriod = {
      start: this.#startOf(this.#indexAt(currentPeriod.end) - 1),
      end: currentPeriod.end,
    };
    return {
      cost: prorate(this.#price, fullPeriod, at) - remainingCredit,
      period: { ...currentPeriod, worth: prorate(this.#price, fullPeriod, currentPeriod.start) },
    };
  }

  /** Reverts an unpaid change. */
  revertChange(): void {
    if (!this.#previous) throw new Error('nothing was changed');
    const { price, length, anchor } = this.#previous;
    this.#price = price ?? this.#price;
    [this.#length, this.#anchor] = [length, anchor];
  }

  #startOf(index: number): Time {
    const duration = Temporal.Duration.from(periodLengths[this.#length]);
    const [days, months] = [duration.days * index, duration.months * index];
    return this.#anchor.add({ days, months }).epochNanoseconds;
  }

  /** Number of periods from the anchor to a time. */
  #indexAt(time: Time): number {
    const day = 24n * 60n * 60n * 1_000_000_000n;
    const { days, months } = Temporal.Duration.from(periodLengths[this.#length]);
    const meanLength = BigInt(days + months * 30) * day;
    let index = Number((time - this.#anchor.epochNanoseconds) / meanLength);
    while (this.#startOf(index) > time) index--;
    while (this.#startOf(index + 1) <= time) index++;
    return index;
  }
}

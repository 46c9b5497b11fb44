import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import { Temporal } from 'temporal-polyfill';

/** Minimum charge in cents; smaller amounts stay owed. */
const CHARGE_MIN = 10;

const lengths: Readonly<Record<BillingPeriod, Temporal.DurationLike>> = {
  one_day: { days: 1 },
  seven_days: { days: 7 },
  fourteen_days: { days: 14 },
  thirty_days: { days: 30 },
  one_month: { months: 1 },
  six_months: { months: 6 },
  twelve_months: { months: 12 },
};

type Start = Temporal.ZonedDateTime;
/** Nanoseconds since 1970. */
type Time = bigint;

export const timeOf = (instant: string): Time => Temporal.Instant.from(instant).epochNanoseconds;

/** A paid period and its value in minor units. */
interface Paid {
  readonly start: Time;
  readonly end: Time;
  readonly worth: number;
}

/** An amount owed: minor units before credit, and the period that it pays for. */
export interface Debt {
  readonly cost: number;
  readonly begins: Paid;
}

/** A requested change. A change of only the card has neither price nor period. */
export interface Wish {
  readonly amount_cents?: number;
  readonly billing_period?: BillingPeriod;
  readonly proration_behavior?: 'none' | 'create_prorations';
}

/** Part of an amount for the remaining time of its period, rounded half up. */
function share(amount: number, { start, end }: Omit<Paid, 'worth'>, from: Time): number {
  if (from >= end) return 0;
  const [whole, left] = [end - start, BigInt(amount) * (end - from)];
  return Number((2n * left + whole) / (2n * whole));
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
  #prior:
    | { readonly price?: number; readonly length: BillingPeriod; readonly anchor: Start }
    | undefined;
  #length: BillingPeriod;
  #anchor: Start;
  #paid: Paid | undefined;

  constructor(price: number, length: BillingPeriod, timezone: string, anchor: Time) {
    this.#price = price;
    this.#length = length;
    this.#anchor = new Temporal.ZonedDateTime(anchor, timezone);
  }

  /** Charge for a cost now; undefined if credit covers the cost, or the remaining amount is below the minimum. */
  chargeFor(cost: number): number | undefined {
    const left = cost - this.credit;
    return left < CHARGE_MIN ? undefined : left;
  }

  /** Pays a debt, by the charge of `chargeFor` or only by credit. */
  settle({ cost, begins }: Debt): void {
    this.credit = this.chargeFor(cost) === undefined ? this.credit - cost : 0;
    const isSame = this.#paid?.start === begins.start && this.#paid.end === begins.end;
    if (isSame || !this.#paid || this.#paid.start < begins.start) this.#paid = begins;
  }

  /**
   * Sets the price of all following periods, independently of an earlier change. The same price again changes
   * nothing.
   */
  setPrice(price: number): void {
    if (price === this.#price) return;
    this.#price = price;
    if (this.#prior) this.#prior = { length: this.#prior.length, anchor: this.#prior.anchor };
  }

  /** Debt for the period that starts at a time, or for the rest of the current period. */
  periodFrom(start: Time): Debt {
    const cost = this.#rest(start);
    return { cost, begins: { start, end: this.#time(this.#indexAt(start) + 1), worth: cost } };
  }

  /** Price of a period that is not charged. */
  priceOf(start: Time, end: Time): number {
    const periods = this.#indexAt(end) - this.#indexAt(start);
    return this.#rest(start) + periods * this.#price - this.#rest(end);
  }

  #rest(from: Time): number {
    const index = this.#indexAt(from);
    return share(this.#price, { start: this.#time(index), end: this.#time(index + 1) }, from);
  }

  /** Debt for a change at a time. `next` was the start of the next period. */
  change(wish: Wish, at: Time, next: Time): Debt | undefined {
    const isOther = wish.billing_period !== undefined && wish.billing_period !== this.#length;
    const paid = this.#paid && this.#paid.start <= at && at < this.#paid.end && this.#paid;
    const costs = wish.amount_cents !== undefined || wish.billing_period !== undefined;
    const prorates = paid && costs && wish.proration_behavior !== 'none';
    this.#prior = { price: this.#price, length: this.#length, anchor: this.#anchor };
    this.#price = wish.amount_cents ?? this.#price;
    if (isOther) {
      this.#length = wish.billing_period as BillingPeriod;
      this.#anchor = new Temporal.ZonedDateTime(prorates ? at : next, this.#anchor.timeZoneId);
    }
    if (!prorates) return undefined;
    const rest = share(paid.worth, paid, at);
    if (isOther) {
      const begun = this.periodFrom(at);
      return { ...begun, cost: this.#price - rest };
    }
    const whole = { start: this.#time(this.#indexAt(paid.end) - 1), end: paid.end };
    return {
      cost: share(this.#price, whole, at) - rest,
      begins: { ...paid, worth: share(this.#price, whole, paid.start) },
    };
  }

  /** Reverts an unpaid change. */
  takeBack(): void {
    if (!this.#prior) throw new Error('nothing was changed');
    const { price, length, anchor } = this.#prior;
    this.#price = price ?? this.#price;
    [this.#length, this.#anchor] = [length, anchor];
  }

  #time(index: number): Time {
    const span = Temporal.Duration.from(lengths[this.#length]);
    const [days, months] = [span.days * index, span.months * index];
    return this.#anchor.add({ days, months }).epochNanoseconds;
  }

  /** Number of periods from the anchor to a time. */
  #indexAt(time: Time): number {
    const day = 24n * 60n * 60n * 1_000_000_000n;
    const { days, months } = Temporal.Duration.from(lengths[this.#length]);
    const mean = BigInt(days + months * 30) * day;
    let index = Number((time - this.#anchor.epochNanoseconds) / mean);
    while (this.#time(index) > time) index--;
    while (this.#time(index + 1) <= time) index++;
    return index;
  }
}

import type { RecordOf } from '../../../../api/types.ts';

type Attempt = RecordOf<'payment_attempts'>;

/** Inquiries about an outcome that is not known. */
interface Inquiry {
  readonly count: number;
  readonly last_at: string;
}

/** Returns the inquiries about a payment, capture or refund. Undefined if its outcome is known, or was never inquired. */
export function inquiryOf(attempts: readonly Attempt[], about: string): Inquiry | undefined {
  const attempt = attempts.find(
    (it) => it.attributes.status === 'unknown' && demandOf(it) === about,
  );
  const { inquiries_count = 0, updated_at } = attempt?.attributes ?? {};
  return inquiries_count > 0 && updated_at
    ? { count: inquiries_count, last_at: updated_at }
    : undefined;
}

/** Id of the refund or capture that the attempt is for, or else of the payment. */
const demandOf = ({ relationships }: Attempt): string | undefined =>
  ['refund_demand', 'capture_demand', 'payment_demand'].flatMap((name) => {
    const target = relationships?.[name]?.data;
    return target && 'id' in target ? [target.id] : [];
  })[0];

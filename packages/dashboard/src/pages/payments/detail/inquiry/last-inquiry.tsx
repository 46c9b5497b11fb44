import type { RecordOf } from '../../../../api/types.ts';
import { useTexts } from '../../../../i18n/use-texts.ts';
import { useInstantText } from '../../../../parts/value/instant.tsx';
import { inquiryOf } from './inquiry.ts';

interface Props {
  readonly attempts: readonly RecordOf<'payment_attempts'>[];
  /** Id of the payment, capture or refund whose outcome is not known. */
  readonly about: string;
}

/** Says how often Florin has asked the processor for an outcome that is not known, and when it last did. */
export function LastInquiry({ attempts, about }: Props) {
  const t = useTexts('payments');
  const instantText = useInstantText();
  const inquiry = inquiryOf(attempts, about);
  if (!inquiry) return null;
  return <div>{t.count('inquired', inquiry.count, { at: instantText(inquiry.last_at) })}</div>;
}

import type { RecordOf } from '../../../api/types.ts';
import { type Names, useNames } from '../../../i18n/use-names.ts';
import { type Translate, useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { Money } from '../../../parts/value/money.tsx';

/** Amount of an attempt, as a link to its record, with the processor's response. */
export function AttemptText({ attempt }: { readonly attempt: RecordOf<'payment_attempts'> }) {
  const t = useTexts('payments');
  const names = useNames();
  const { amount_cents, amount_currency, processor, failure_reason, inquiries_count } =
    attempt.attributes;
  const { authorisation_code, network_transaction_eid } = attempt.attributes;
  const answerTexts = [
    names.value(processor),
    textOfSecond(attempt.attributes.route as Route | null, { t, names }),
    failure_reason && names.value(failure_reason),
    authorisation_code && t('authorisation_code', { code: authorisation_code }),
    network_transaction_eid && t('network_id', { id: network_transaction_eid }),
    inquiries_count > 0 && t.count('inquiries', inquiries_count),
  ];
  return (
    <>
      <ScopedLink underline="always" to={recordPath(attempt.type, attempt.id)}>
        <Money cents={amount_cents} currency={amount_currency} />
      </ScopedLink>
      {answerTexts
        .filter(Boolean)
        .map((text) => ` · ${text}`)
        .join('')}
    </>
  );
}

/** Why a second account was asked, as the attempt's route tells. */
interface Route {
  readonly after?: {
    readonly name: string;
    readonly result: 'declined' | 'not_sent';
    readonly why: string;
  };
}

function textOfSecond(
  route: Route | null,
  { t, names }: { readonly t: Translate<'payments'>; readonly names: Names },
): string | undefined {
  const after = route?.after;
  if (!after) return undefined;
  const cause = after.why === 'no_free_slot' ? after.why : after.result;
  return t(`second_account_${cause}`, {
    account: after.name,
    reason: names.value(after.why),
  });
}

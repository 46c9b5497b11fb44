import type { ReactNode } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';

const CHECKS = ['cvc2_check', 'address_line1_verification', 'postal_code_verification'] as const;

/** How the account of an attempt was chosen. */
interface Route {
  readonly rule: string | null;
  readonly account?: string;
  readonly refused: readonly { readonly why: string }[];
}

/** Facts of an attempt with their names, without those that are not known. */
export function useAttemptPairs({ attributes }: RecordOf<'payment_attempts'>) {
  const t = useTexts('payments');
  const names = useNames();
  const { processor, processor_reference, failure_reason, advice } = attributes;
  const route = attributes.route as Route | null;
  const reasons = new Set(route?.refused.map(({ why }) => names.value(why)));
  const pairs: readonly (readonly [string, string, ReactNode])[] = [
    ['processor', t('processor'), names.value(processor)],
    ['processor_reference', names.field('processor_reference'), processor_reference],
    ['account', t('account'), route?.account],
    ['route', t('routed_by'), route && routeText(route, t)],
    ['refused', t('route_refused'), [...reasons].join(', ')],
    [
      'failure_reason',
      names.field('failure_reason'),
      failure_reason && names.value(failure_reason),
    ],
    ['advice', t('advice'), advice && t(`advice_${advice}`)],
    ...CHECKS.map((name) => {
      const result = attributes[name];
      return [name, names.field(name), result && names.value(result)] as const;
    }),
  ];
  return pairs.filter(([, , value]) => value).map(([key, term, value]) => ({ key, term, value }));
}

const routeText = ({ rule }: Route, t: ReturnType<typeof useTexts<'payments'>>): string =>
  rule === null ? t('route_default') : t('route_rule', { rule });

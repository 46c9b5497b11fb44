import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import { ComparedTable, isNone, useCompared } from './compared-figures.tsx';
import { weeksOf } from './span.ts';

/** This week up to `today`, beside the same days of last week. Nothing where neither has a payment. */
export function ThisWeek({ today }: { readonly today: string }) {
  const t = useTexts('home');
  const weeks = weeksOf(today);
  const { figures, error } = useCompared(weeks);
  if (error || !figures || isNone(figures)) return null;
  return (
    <Section title={t('this_week')}>
      <ComparedTable label={t('this_week_label')} figures={figures} {...weeks} />
    </Section>
  );
}

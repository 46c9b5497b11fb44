import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import { ComparedTable, isNone, useCompared } from './compared-figures.tsx';
import { weeksOf } from './span.ts';
import { useSpanText } from './span-text.ts';

/** The week up to yesterday, beside the same days a week before. Nothing where neither has a payment. */
export function WeekCompared({ today }: { readonly today: string }) {
  const t = useTexts('home');
  const weeks = weeksOf(today);
  const { figures, error } = useCompared(weeks);
  const spanText = useSpanText();
  if (error || !figures || isNone(figures)) return null;
  return (
    <Section title={t('week')}>
      <ComparedTable
        label={t('week_label')}
        figures={figures}
        heads={[spanText(weeks.now), spanText(weeks.before)]}
      />
    </Section>
  );
}

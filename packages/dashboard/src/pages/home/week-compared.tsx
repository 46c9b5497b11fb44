import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import { ComparedTable, isNone } from './compared-figures.tsx';
import { useOverview } from './overview.ts';
import { type Range, rangeOfWeeks, weeksOf } from './span.ts';
import { useSpanText } from './span-text.ts';
import { sumsOfSpan } from './sums.ts';

/** The week up to yesterday, beside the same days a week before. Nothing where neither has a payment. */
export function WeekCompared({ range }: { readonly range: Range }) {
  const t = useTexts('home');
  const spanText = useSpanText();
  const { data } = useOverview(rangeOfWeeks(range));
  if (!data) return null;
  const weeks = weeksOf(data.to);
  const figures = {
    now: sumsOfSpan(data.currencies, weeks.now),
    before: sumsOfSpan(data.currencies, weeks.before),
  };
  if (isNone(figures)) return null;
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

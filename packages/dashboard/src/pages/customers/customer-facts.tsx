import type { ReactNode } from 'react';
import type { RecordOf } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Copyable, Id } from '../../parts/value/copyable.tsx';
import { Instant } from '../../parts/value/instant.tsx';

/** How to reach the customer, and the team's note. */
export function CustomerFacts({ customer }: { readonly customer: RecordOf<'customers'> }) {
  const t = useTexts('customers');
  const names = useNames();
  const languages = new Intl.DisplayNames(useLocale(), { type: 'language' });
  const { email, phone_number, locale, description, created_at } = customer.attributes;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('email'), <Copyable key="email" value={email} />],
    [t('phone'), phone_number],
    [t('since'), created_at && <Instant key="since" at={created_at} day />],
    [t('language'), locale && languages.of(locale)],
    [t('note'), description],
    [names.field('id'), <Id key="id" value={customer.id} />],
  ];
  return (
    <Section title={t('contact')}>
      <DefinitionPairs
        pairs={facts
          .filter(([, value]) => value)
          .map(([term, value]) => ({ key: term, term, value }))}
      />
    </Section>
  );
}

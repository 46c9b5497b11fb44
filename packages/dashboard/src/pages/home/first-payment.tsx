import { List, Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { Section } from '../../parts/record/section.tsx';

const steps = [
  ['first_step_keys', 'developers/keys'],
  ['first_step_snippet', 'developers/snippet'],
  ['first_step_pay', 'developers/sandbox'],
  ['first_step_webhooks', 'developers/webhooks'],
] as const;

/** Guide to the first payment, shown to merchants without payments. */
export function FirstPayment() {
  const t = useTexts('home');
  return (
    <Section title={t('first_payment')}>
      <Text mb="sm">{t('first_payment_hint')}</Text>
      <List type="ordered" spacing="xs">
        {steps.map(([text, to]) => (
          <List.Item key={text}>
            <ScopedLink to={to}>{t(text)}</ScopedLink>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

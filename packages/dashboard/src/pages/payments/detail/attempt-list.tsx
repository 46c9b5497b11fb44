import { Stack, Text, Title } from '@mantine/core';
import type { RecordOf } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { SimpleTable } from '../../../parts/table/simple-table.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { useAttemptPairs } from './attempt-pairs.tsx';

type Attempt = RecordOf<'payment_attempts'>;

/** Responses of the processor to a payment's messages: checks, advice, route and raw codes. */
export function AttemptList({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const t = useTexts('payments');
  const shown = attempts.filter(hasResponse);
  if (shown.length === 0) return null;
  return (
    <Section title={t('attempts')}>
      <Stack gap="lg">
        {shown.map((attempt) => (
          <AttemptResponse key={attempt.id} attempt={attempt} />
        ))}
      </Stack>
    </Section>
  );
}

/** Captures and refunds usually succeed without codes, and the timeline shows them. */
const hasResponse = ({ attributes: { operation, codes } }: Attempt): boolean =>
  operation === 'authorise' || codes !== null;

function AttemptResponse({ attempt }: { readonly attempt: Attempt }) {
  const t = useTexts('payments');
  const names = useNames();
  const { operation, status, codes, created_at } = attempt.attributes;
  const entries = Object.entries((codes ?? {}) as Readonly<Record<string, string>>);
  const title = t('entry_attempt', {
    operation: t(`operation_${operation}`),
    status: names.value(status),
  });
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {title}{' '}
        <Text span size="xs" c="dimmed">
          <Instant at={created_at ?? ''} seconds />
        </Text>
      </Title>
      <DefinitionPairs pairs={useAttemptPairs(attempt)} />
      {entries.length > 0 && (
        <>
          <Text size="sm">
            {t('codes')}{' '}
            <Text span size="xs" c="dimmed">
              {t('codes_hint')}
            </Text>
          </Text>
          <SimpleTable
            label={t('codes')}
            heads={[t('code_name'), t('code_value')]}
            rows={entries.map(([name, code]) => ({ key: name, cells: [name, code] }))}
          />
        </>
      )}
    </Stack>
  );
}

import { Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import type { AccountEntry } from '../types.ts';

/** Changes of the account by operators, newest first. */
export function AccountEntries({ entries }: { readonly entries: readonly AccountEntry[] }) {
  const t = useTexts('processors');
  return (
    <Section title={t('history')}>
      <Stack component="ol" gap="sm" m={0} p={0}>
        {entries.map((entry) => (
          <Stack component="li" gap={0} key={entry.id} display="flex">
            <Text size="sm" fw={600}>
              <EntryTitle entry={entry} />
            </Text>
            <Text size="xs" c="dimmed">
              {entry.account_email ?? t('by_command')} · <Instant at={entry.created_at} seconds />
            </Text>
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

function EntryTitle({ entry: { action, details } }: { readonly entry: AccountEntry }) {
  const t = useTexts('processors');
  const title = t.find(`entry_${action}`) ?? action;
  const result = typeof details.result === 'string' && t.find(`check_${details.result}`);
  const secrets = Array.isArray(details.secrets) ? details.secrets.join(', ') : '';
  if (result) return `${title}: ${result}`;
  if (action === 'replayed' && typeof details.notification === 'string')
    return <ScopedLink to={`/operator/notifications/${details.notification}`}>{title}</ScopedLink>;
  return action === 'changed' && secrets ? `${title}: ${secrets}` : title;
}

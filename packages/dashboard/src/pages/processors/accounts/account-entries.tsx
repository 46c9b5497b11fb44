import { Stack, Text } from '@mantine/core';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import type { AccountDetail, AccountEntry } from '../types.ts';
import { useFieldLabel } from '../use-processors.ts';

/** Changes of the account by operators, newest first. */
export function AccountEntries({ account }: { readonly account: AccountDetail }) {
  const t = useTexts('processors');
  return (
    <Section title={t('history')}>
      <Stack component="ol" gap="sm" m={0} p={0}>
        {account.entries.map((entry) => (
          <Stack component="li" gap={0} key={entry.id} display="flex">
            <Text size="sm" fw={600}>
              <EntryTitle entry={entry} processor={account.processor} />
            </Text>
            <EntryReason entry={entry} />
            <Text size="xs" c="dimmed">
              {entry.account_email ?? t('by_command')} · <Instant at={entry.created_at} seconds />
            </Text>
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

interface TitleProps {
  readonly entry: AccountEntry;
  readonly processor: string;
}

function EntryTitle({ entry, processor }: TitleProps) {
  const t = useTexts('processors');
  const title = t.find(`entry_${entry.action}`) ?? entry.action;
  const content = useContent(entry, processor);
  const { notification } = entry.details;
  if (entry.action === 'replayed' && typeof notification === 'string')
    return <ScopedLink to={`/operator/notifications/${notification}`}>{title}</ScopedLink>;
  return content ? `${title}: ${content}` : title;
}

const textsOf = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

/** Result of a check, changed fields without their values, or the outcome of a dispute. */
function useContent({ action, details }: AccountEntry, processor: string): string | undefined {
  const t = useTexts('processors');
  const names = useNames();
  const labelOf = useFieldLabel(processor);
  const { result, changed, secrets, outcome } = details;
  if (action === 'changed')
    return [...textsOf(changed), ...textsOf(secrets)].map(labelOf).join(', ');
  if (typeof outcome === 'string') return names.value(outcome);
  return typeof result === 'string' ? t.find(`check_${result}`) : undefined;
}

/** Note or reason that the operator gave. */
function EntryReason({ entry: { details } }: { readonly entry: AccountEntry }) {
  const text = details.reason ?? details.note;
  return typeof text === 'string' && <Text size="sm">{text}</Text>;
}
